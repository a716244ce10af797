// The equations of a model for Taylor series: as written, not differentiated, with as few unknowns as renaming allows.
//
// Two kinds of variables are eliminated. An alias, v = x or v = der(x), is another name for a derivative of x: every
// der^k(v) is der^(k+m)(x). And a variable that is never differentiated and that an equation gives explicitly is
// replaced by its expression. The rest is analysed again: without v = der(x), x is of second order.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "driftless/reduce/reduced.hpp"

namespace driftless::taylor {

struct Unknown {
  VarId variable{};
  int d = 0;  // the offset of the Sigma-method: stage k finds the coefficient of order k + d
  double nominal = 1.0;
};

struct Row {
  NodeId residual{};  // leaves are unknowns and their derivatives only
  EqnId equation{};
  int c = 0;  // the offset: at stage k the equation holds at order k + c
};

// A variable of the model is sign * der^order(unknown); unknown -1: replaced by its expression.
struct Meaning {
  int unknown = -1;
  int order = 0;
  double sign = 1.0;
};

struct NaturalSystem {
  std::shared_ptr<const Model> model;
  std::vector<Unknown> unknowns;
  std::vector<Row> rows;          // descending by c
  std::vector<Meaning> meanings;  // by variable of the model
};

// Otherwise the reason why the equations have no Taylor series.
std::variant<NaturalSystem, std::string> natural_system(const Reduced& reduced);

}  // namespace driftless::taylor
