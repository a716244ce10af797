// May an equation be divided by the coefficient of a quantity that it is to define?
//
// a = (1e5 x - b)/0.01 solves 0.01 a + b = 1e5 x, but errors of b and x within their tolerances are a hundred and ten
// million times as large in a. Where another equation determines a well, it is the better one, and this equation
// remains a row. The rule is that of threshold pivoting: the term of the quantity is at least a tenth of the largest
// term beside it, each slope taken near the start values and multiplied by the size of its unknown, nominal + |start|.
// Derivatives are compared with derivatives of the same stage, other values with values, because the unit of time is
// unknown. The only unknown of its stage in an equation is determined by this equation, whatever its coefficient.
#pragma once

#include <optional>
#include <vector>

#include "driftless/reduce/generic_point.hpp"

namespace driftless {

class Pivots {
 public:
  Pivots(const Model& model, const structure::Offsets& offsets);

  // `leaf` is a variable or a derivative in the equation.
  bool may_divide(EqnId equation, NodeId leaf);

 private:
  struct Term {
    NodeId leaf;
    double size;
  };
  const std::vector<Term>& terms_of(EqnId equation);

  const Model& model_;
  const structure::Offsets& offsets_;
  std::optional<GenericPoint> point_;                    // made on demand
  std::vector<std::optional<std::vector<Term>>> terms_;  // by equation
};

}  // namespace driftless
