// The coefficient of order K >= 1 of an expression in a class of equations, as an expression of inputs
// (recurrences.hpp): linear in coefficients of the same order, with factors that are values at order 0, plus
// convolutions of lower orders.
//
// The formulas request inputs as they need them: factors, convolutions, leaves, readings of a higher class. Requests
// are stored in order, by class, for writing the kernels.
//
// Invariant: every expression whose coefficient is requested has been announced by `need` before the first formula.
#pragma once

#include <compare>
#include <map>
#include <tuple>
#include <vector>

#include "driftless/expr/calculus.hpp"
#include "driftless/taylor/formula_inputs.hpp"
#include "driftless/taylor/homes.hpp"
#include "driftless/taylor/operations.hpp"
#include "driftless/taylor/recurrences.hpp"

namespace driftless::taylor {

// The unknown coefficients of the stage: as inputs, as zeros, or in terms of the residuals.
enum class Top { Included, Zero, Solved };

class CoefficientFormulas {
 public:
  // `result` has its classes, and gets the coefficients and readings that they need. `unknown_of`: by variable of the
  // model. Both must outlive this.
  CoefficientFormulas(Recurrences& result, const std::vector<int>& unknown_of);
  CoefficientFormulas(const CoefficientFormulas&) = delete;

  void need(NodeId expression, int cls) { homes_.need(expression, cls); }

  NodeId series(NodeId node, int cls, Top top);

  enum class Weight { None, Order };  // u_j or j u_j
  struct Convolution {
    NodeId left, right;
    Weight weight;
    auto operator<=>(const Convolution&) const = default;
  };
  // The inputs requested so far.
  const std::vector<NodeId>& factors(int cls) const { return factors_[cls]; }
  const std::vector<Convolution>& convolutions(int cls) const { return convolutions_[cls]; }
  const std::vector<NodeId>& stored(int cls) const { return stored_[cls]; }            // coefficients to be read later
  const std::vector<int>& coefficients() const { return coefficients_; }               // by class: how many
  const std::vector<std::vector<int>>& reading_home() const { return reading_home_; }  // as in Class::readings

  FormulaInputs& inputs() { return inputs_; }
  NodeId order(int cls) { return input(InputKind::Order, cls, 0); }
  NodeId reciprocal_scale(int cls) { return c_of(cls) == 0 ? pool_.one() : input(InputKind::Order, cls, 4); }
  NodeId inverse(int place) { return input(InputKind::Inverse, 0, place); }

  // The unknowns of a stage in terms of its residuals, for Top::Solved.
  void set_solution(std::vector<NodeId> solution) { solution_ = std::move(solution); }
  const std::vector<NodeId>& solution() const { return solution_; }

 private:
  int c_of(int cls) const { return result_.classes[cls].c; }
  NodeId input(InputKind kind, int cls, int number) { return inputs_(kind, cls, number); }
  NodeId reciprocal_order(int cls) { return input(InputKind::Order, cls, 1); }
  NodeId time_coefficient(int cls) { return input(InputKind::Order, cls, 2); }
  NodeId scale(int cls) { return c_of(cls) == 0 ? pool_.one() : input(InputKind::Order, cls, 3); }
  bool known(NodeId node, int cls, Top top) const { return series_.contains({node, cls, top}); }
  NodeId at_order(NodeId node, int cls, Top top) const { return series_.at({node, cls, top}); }

  NodeId factor(NodeId expression, int cls);
  NodeId convolution(NodeId left, NodeId right, int cls, Weight weight = Weight::None);
  NodeId weighted(NodeId u, NodeId v, int cls);

  bool is_open_end(NodeId node, int cls);
  NodeId formula(NodeId node, int cls, Top top);
  NodeId leaf_coefficient(NodeId node, int cls, Top top);
  NodeId reading(NodeId node, int cls);
  NodeId linear_formula(NodeId node, int cls, Top top);
  NodeId where_active(NodeId node, int cls, NodeId coefficient);
  NodeId nonlinear_formula(NodeId node, int cls, Top top);
  NodeId function_formula(NodeId node, int cls, Top top);
  NodeId power_formula(NodeId node, int cls, auto product, auto quotient, auto at);

  Recurrences& result_;
  Pool& pool_;
  const std::vector<int>& unknown_of_;
  Operations operations_;
  Activity activity_{pool_,
                     [this](NodeId leaf) { return pool_[leaf].op == Op::Parameter ? pool_.zero() : pool_.one(); }};
  Homes homes_;
  FormulaInputs inputs_;
  std::map<std::tuple<NodeId, int, Top>, NodeId> series_;
  std::vector<std::vector<NodeId>> factors_;  // by class
  std::map<std::pair<NodeId, int>, int> factor_numbers_, coefficient_numbers_, reading_numbers_;
  std::vector<std::vector<Convolution>> convolutions_;  // by class
  std::map<std::pair<Convolution, int>, int> convolution_numbers_;
  std::vector<std::vector<NodeId>> stored_;  // by class
  std::vector<NodeId> solution_;             // by unknown
  std::map<NodeId, int> stored_numbers_;
  std::vector<std::vector<int>> reading_home_;
  std::vector<int> coefficients_;
};

}  // namespace driftless::taylor
