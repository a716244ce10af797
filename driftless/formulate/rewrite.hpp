// The operations from which formulations are built: keep some levels of the constraints as rows, combine levels into
// one row, pull the solution back to a level by a multiplier, let a level decay.
//
// A row of level k of an equation that is differentiated m times has the stage k - m; the slots of that stage are the
// highest derivatives for the highest level, and the matrix C of partial derivatives with respect to them is the same
// for every level (Griewank's lemma).
#pragma once

#include <functional>
#include <vector>

#include "driftless/formulate/formulation.hpp"
#include "driftless/formulate/shape.hpp"

namespace driftless {

// The partial derivatives of the level along which a multiplier acts: those of its own stage, or all of them.
enum class Reach { OwnStage, AllStages };

class Rewrite {
 public:
  explicit Rewrite(const Reduced& base);

  // Selects levels of an equation that is differentiated m times; m = 0: an equation that is no constraint.
  using Levels = std::function<bool(int level, int m)>;

  void keep(const Levels& levels);

  // One row for every constraint, sum of c_k g^(k) = 0 with the coefficients c_0, c_1, ... of `polynomial(m)`.
  // Equations that are no constraints are kept.
  void combine(const std::function<std::vector<double>(int m)>& polynomial);

  // A multiplier for each kept row of these levels: y' = rate - D mu.
  void add_multipliers(const Levels& levels, const formulation::Direction& direction, Reach reach);

  // Multiplier terms for the velocities of a mechanical model are weighted by the inverse masses: v' = a - M⁻¹ (D mu).
  // No change if the model is not mechanical, or if M is singular.
  void weigh_velocities();

  // The levels with multipliers r = 0 become (∂r/∂y) D mu = gamma r: along the flow, r' = r_t + r_y rate - gamma r.
  void relax(double gamma);

  Reduced finish();

 private:
  struct Multiplied {
    int row;  // of the result
    NodeId multiplier;
  };
  using Group = std::vector<Multiplied>;  // rows of one stage

  int differentiated(EqnId equation) const { return base_.offsets.c[index(equation)]; }
  NodeId add_unknown(const std::string& name, const std::string& description, SourceRange range);
  NodeId add_multiplier(const DerivedEquation& row);
  NodeId add_pull(Quantity pulled);
  void pull(int slot, NodeId amount);
  void pull_along_gradients(const Group& group, Reach reach);
  void pull_along_units(const Group& group);
  void pull_along_columns(const Group& group, const formulation::Given& given);
  void pull_along_forces(const Group& group);
  void weigh(const Mechanical& mechanical, int Mechanical::Coordinate::*slot);
  const Mechanical* mechanical();
  void pull_on_rates();

  const Reduced& base_;
  Pool& pool_;
  Reduced result_;
  std::shared_ptr<Model> model_;  // with the new unknowns
  std::vector<Multiplied> multiplied_;
  std::vector<NodeId> pulled_;  // per slot of the base: its entry of D mu
  std::optional<Fit<Mechanical>> mechanical_;
};

// The slots of the row's own stage on which it depends, and the partial derivatives: the row of C.
struct OwnPartial {
  int slot;
  NodeId derivative;
};
std::vector<OwnPartial> own_partials(const Reduced& reduced, const DerivedEquation& row);

// The slots of a stage on which rows of this stage depend, ascending: the columns of C.
std::vector<int> constrained_slots(const Reduced& base, const std::vector<DerivedEquation>& rows);

}  // namespace driftless
