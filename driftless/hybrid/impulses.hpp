// The equations of a jump: what follows from a step of the implicit Euler method whose length h goes to zero.
//
// With the offsets c, d of a mode let x_j^(k) be of stage k - d_j. In the limit quantities of stage 0 grow like 1/h
// (impulses Z_j), those of stage -1 jump, X_j = x_j^(d_j - 1), and those below are continuous. The equations of the
// step become, for each equation i of the model,
//
//   c_i = 0:  sum_j ∂f_i/∂x_j^(d_j) Z_j = 0     with Z_j = X_j - (X_j before the jump) where d_j > 0,
//   c_i > 0:  f_i^(c_i - 1) = 0                 after the jump,
//
// as many equations as unknowns, and the matrix of their derivatives is the system Jacobian (docs/events.md). Blocks of
// its triangular form that hold no violated equation, and follow no block with impulses, have no impulses: their values
// stay.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "driftless/hybrid/numeric_equations.hpp"
#include "driftless/reduce/reduced.hpp"

namespace driftless {

// The layout of the numbers of a jump: time, parameters, then all quantities of the mode up to order d_j; the impulses;
// the values X_j before the jump; and the factor 1/h of impulses where coefficients contain them.
class JumpInputs {
 public:
  JumpInputs(const Model& model, const structure::Offsets& offsets);

  const InputLayout& layout() const { return layout_; }
  int of(Quantity q) const { return first_[index(q.variable)] + q.order; }
  int impulse(int variable) const { return impulses_ + variable; }
  int before(int variable) const { return before_ + variable; }
  int growth() const { return layout_.inputs - 1; }

  NodeId impulse_leaf(Pool& pool, int variable) const { return pool.variable(VarId{variables_ + variable}, 0); }
  NodeId before_leaf(Pool& pool, int variable) const { return pool.variable(VarId{variables_ + variable}, 1); }
  NodeId growth_leaf(Pool& pool) const { return pool.variable(VarId{2 * variables_}, 0); }

 private:
  int variables_;
  std::vector<int> first_;
  int impulses_ = 0, before_ = 0;
  InputLayout layout_;
};

// The equations for one set of blocks with impulses.
struct ImpulseEquations {
  std::vector<int> equations;  // per row: the equation of the model
  std::vector<bool> bent;      // per row: a coefficient contains an unknown that becomes infinite
  std::vector<int> impulsive;  // variables, ascending
  std::vector<NodeId> residuals;
  std::unique_ptr<NumericEquations> numeric;
};

class Impulses {
 public:
  Impulses(std::shared_ptr<const Reduced> reduced, const JumpInputs& inputs);

  // The equations for these violated equations and variables with prescribed X_j; made once for each combination.
  ImpulseEquations& of(const std::vector<bool>& violated, const std::vector<bool>& prescribed);

 private:
  std::vector<bool> impulsive_blocks(const std::vector<bool>& violated) const;
  ImpulseEquations make(const std::vector<bool>& impulsive, const std::vector<bool>& prescribed) const;

  std::shared_ptr<const Reduced> reduced_;
  JumpInputs inputs_;
  std::vector<structure::Block> blocks_;
  std::vector<int> block_of_variable_;
  std::vector<std::vector<int>> tight_;  // per equation: variables of the system Jacobian
  std::map<std::pair<std::vector<bool>, std::vector<bool>>, ImpulseEquations> known_;
};

}  // namespace driftless
