// The inputs of the kernels of a system of recurrences (recurrences.hpp) while its formulas are built: additional
// variables, which get their positions when all of them are known.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "driftless/taylor/recurrences.hpp"

namespace driftless::taylor {

enum class InputKind { Function, Factor, Sum, Coefficient, Reading, Order, Inverse };

class FormulaInputs {
 public:
  // `first`: the number of the first variable that the model does not have. The pool must outlive this.
  FormulaInputs(Pool& pool, int first) : pool_(&pool), first_(first) {}

  // Number `number` of this kind in a class; of a function in its group.
  NodeId operator()(InputKind kind, int cls, int number);

  // Sets all positions in `result`, whose kernels are written. `coefficients`, `reading_home`: by class, the number of
  // its coefficients, and in which class its readings were stored. `unknowns`: of whole stages. Returns the positions
  // of the variables, in their order.
  std::vector<int> lay_out(Recurrences& result, const std::vector<int>& coefficients,
                           const std::vector<std::vector<int>>& reading_home, int unknowns) const;

 private:
  struct Input {
    InputKind kind;
    int cls, number;
  };
  // By class.
  struct Firsts {
    std::vector<int> coefficient, reading;
  };
  static int position_of(const Input& input, Recurrences& result, const Firsts& firsts);

  Pool* pool_;
  int first_;
  std::vector<Input> inputs_;
  std::map<std::tuple<InputKind, int, int>, int> numbers_;
};

}  // namespace driftless::taylor
