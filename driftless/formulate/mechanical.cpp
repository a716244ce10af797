// Is the model mechanical? Which slots are positions and velocities follows from the kinematic relations
// (coordinates.hpp); the pairing of equations, coordinates and multipliers from the numbers of M, G and the force
// directions at a few points (pairing.hpp).
#include <algorithm>

#include <Eigen/Core>
#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/print.hpp"
#include "driftless/formulate/coordinates.hpp"
#include "driftless/formulate/expansion.hpp"
#include "driftless/formulate/pairing.hpp"
#include "driftless/formulate/shape.hpp"
#include "driftless/formulate/typical_point.hpp"
#include "driftless/linear/dense.hpp"

namespace driftless {
namespace {

constexpr int samples = 3;

struct NotMechanical {
  std::string why;
};

class Recognition {
 public:
  explicit Recognition(const Reduced& reduced) : reduced_(reduced), pool_(*reduced.model->pool) {
    for (int k = 0; k < samples; ++k) points_.emplace_back(reduced, k);
  }

  Mechanical recognize() {
    find_coordinates();
    find_joints();
    find_motion();
    find_multipliers();
    check_linear();
    pair();
    write_down();
    return std::move(shape_);
  }

 private:
  std::string called(EqnId e) const {
    return fmt::format("{} ({})", (*reduced_.model)[e].label, (*reduced_.model)[e].text);
  }
  std::string called(int slot) const { return reduced_.name(reduced_.slots[slot].quantity); }
  [[noreturn]] void fail(std::string why) const { throw NotMechanical{std::move(why)}; }

  NodeId leaf_of(int slot, int above = 0) const {
    const Quantity q = reduced_.slots[slot].quantity;
    return pool_.variable(q.variable, q.order + above);
  }
  bool depends(NodeId expression, const std::set<NodeId>& leaves) const {
    return std::ranges::any_of(variables_of(pool_, expression), [&](NodeId leaf) { return leaves.contains(leaf); });
  }

  // ---- coordinates, multipliers, equations of motion

  void find_coordinates() {
    Coordinates found = coordinates_of(reduced_);
    if (!found.why_not.empty()) fail(found.why_not);
    motion_of_ = std::move(found.motion);
    for (const auto& [position, velocity] : found.pairs) {
      shape_.coordinates.push_back({position, velocity, leaf_of(velocity, 1)});
      positions_.insert(leaf_of(position));
      if (!velocities_.insert(leaf_of(velocity)).second)
        fail(fmt::format("{} is the velocity of more than one position", called(velocity)));
      accelerations_.insert(shape_.coordinates.back().acceleration);
    }
    expansion_.emplace(reduced_, accelerations_);
  }

  void find_joints() {
    const std::vector<int>& c = reduced_.offsets.c;
    std::vector<bool> is_row(c.size(), false);
    for (const DerivedEquation& row : reduced_.rows) is_row[index(row.equation)] = true;
    for (std::size_t i = 0; i < c.size(); ++i) {
      if (c[i] == 0 || !is_row[i]) continue;
      Mechanical::Joint joint;
      joint.equation = EqnId{static_cast<int>(i)};
      joint.holonomic = c[i] == 2;
      for (int level = 0; level <= c[i]; ++level) joint.levels.push_back((*expansion_)(joint.equation, level));
      check(joint, c[i]);
      shape_.joints.push_back(std::move(joint));
    }
    const auto positions = leaves(shape_.coordinates, [&](const auto&q) { return leaf_of(q.position); }),
               velocities = leaves(shape_.coordinates, [&](const auto&q) { return leaf_of(q.velocity); });
    for (const Mechanical::Joint& joint : shape_.joints)
      add_row(gradients_, joint.levels[0], joint.holonomic ? positions : velocities);
  }

  void check(const Mechanical::Joint& joint, int m) const {
    if (m > 2) fail(fmt::format("{} is differentiated {} times", called(joint.equation), m));
    std::set<NodeId> allowed = positions_;
    if (!joint.holonomic) allowed.insert(velocities_.begin(), velocities_.end());
    for (const NodeId leaf : variables_of(pool_, joint.levels[0]))
      if (!allowed.contains(leaf))
        fail(fmt::format("{} contains {}", called(joint.equation), to_string(pool_, leaf, names_of(*reduced_.model))));
  }

  // The remaining equations: rows that are no constraints, and the definitions of accelerations. Rows without
  // accelerations determine auxiliary unknowns, unless they are needed as the equations of coordinates without mass.
  void find_motion() {
    std::set<EqnId> equations;
    for (const DerivedEquation& row : reduced_.rows)
      if (reduced_.offsets.c[index(row.equation)] == 0) equations.insert(row.equation);
    for (const Definition& d : reduced_.definitions)
      if (accelerations_.contains(pool_.variable(d.quantity.variable, d.quantity.order))) equations.insert(d.equation);
    const bool all = equations.size() == shape_.coordinates.size();
    for (const EqnId e : equations) {
      if (reduced_.offsets.c[index(e)] > 0) fail(fmt::format("{} has to be differentiated", called(e)));
      const NodeId residual = (*expansion_)(e, 0);
      if (all || depends(residual, accelerations_))
        motion_.push_back({e, residual});
      else
        auxiliary_.push_back(residual);
    }
    if (motion_.size() != shape_.coordinates.size())
      fail(fmt::format("{} equations of motion face {} coordinates", motion_.size(), shape_.coordinates.size()));
  }

  void find_multipliers() {
    std::set<NodeId> auxiliary;
    for (const NodeId residual : auxiliary_)
      for (const NodeId leaf : variables_of(pool_, residual)) auxiliary.insert(leaf);
    for (std::size_t s = 0; s < reduced_.slots.size(); ++s) {
      const int slot = static_cast<int>(s);
      if (motion_of_[s] != Motion::Algebraic || accelerations_.contains(leaf_of(slot))) continue;
      (auxiliary.contains(leaf_of(slot)) ? shape_.auxiliary : multipliers_).push_back(slot);
    }
    if (shape_.joints.size() != multipliers_.size())
      fail(fmt::format("{} algebraic unknowns face {} constraints", multipliers_.size(), shape_.joints.size()));
  }

  void check_linear() const {
    std::set<NodeId> linear = accelerations_;
    for (const int s : multipliers_) linear.insert(leaf_of(s));
    for (const auto& [e, residual] : motion_)
      for (const Partial& p : gradient(pool_, residual))
        if (linear.contains(p.leaf) && depends(p.derivative, linear))
          fail(fmt::format("{} is not linear in accelerations and forces", called(e)));
  }

  // ---- numbers

  // Partial derivatives of some expressions with respect to some leaves: those that are not identically zero, and the
  // values of all.
  struct Matrix {
    std::vector<Mechanical::Entry> entries;
    SampledMatrix values;
  };

  void add_row(Matrix& matrix, NodeId expression, const std::vector<NodeId>& leaves) {
    const int row = static_cast<int>(matrix.values.size());
    matrix.values.emplace_back(leaves.size());
    for (const Partial& p : gradient(pool_, expression)) {
      const auto column = std::ranges::find(leaves, p.leaf) - leaves.begin();
      if (column == static_cast<std::ptrdiff_t>(leaves.size())) continue;
      matrix.entries.push_back({row, static_cast<int>(column), p.derivative});
      for (const TypicalPoint& at : points_) matrix.values[row][column].push_back(at(p.derivative));
    }
  }

  template <class Slots, class Leaf>
  std::vector<NodeId> leaves(const Slots& slots, const Leaf& leaf) const {
    std::vector<NodeId> all;
    for (const auto& slot : slots) all.push_back(leaf(slot));
    return all;
  }

  void pair() {
    const auto accelerations =
                   leaves(shape_.coordinates, [](const Mechanical::Coordinate&q) { return q.acceleration; }),
               forces = leaves(multipliers_, [&](int slot) { return leaf_of(slot); });
    Matrix pulls;
    for (const auto& [e, residual] : motion_) {
      add_row(mass_, residual, accelerations);
      add_row(pulls, residual, forces);
    }
    const auto result = pair_up(mass_.values, pulls.values, gradients_.values);
    if (const auto* unpaired = std::get_if<Unpaired>(&result)) {
      if (unpaired->constraint >= 0)
        fail(fmt::format("no force acts along the gradient of {}",
                         called(shape_.joints[unpaired->constraint].equation)));
      fail(fmt::format("the mass matrix is not symmetric: {}", called(motion_[unpaired->equation].first)));
    }
    const Pairing& pairing = std::get<Pairing>(result);
    coordinate_of_.resize(motion_.size());
    for (std::size_t i = 0; i < shape_.coordinates.size(); ++i) {
      coordinate_of_[pairing.equation_of[i]] = static_cast<int>(i);
      shape_.coordinates[i].equation = motion_[pairing.equation_of[i]].first;
      shape_.coordinates[i].factor = pairing.factor[i];
    }
    for (std::size_t k = 0; k < shape_.joints.size(); ++k) {
      shape_.joints[k].multiplier = multipliers_[pairing.multiplier_of[k]];
      shape_.joints[k].factor = pairing.force_factor[k];
    }
  }

  // ---- the result

  void write_down() {
    std::set<NodeId> gone = accelerations_;
    for (const int s : multipliers_) gone.insert(leaf_of(s));
    Substitution at_rest(pool_,
                         [&](NodeId leaf) { return gone.contains(leaf) ? std::optional(pool_.zero()) : std::nullopt; });
    shape_.forces.resize(motion_.size());
    for (std::size_t e = 0; e < motion_.size(); ++e) {
      const int i = coordinate_of_[e];
      const NodeId factor = pool_.constant(shape_.coordinates[i].factor);
      shape_.forces[i] = pool_.neg(pool_.mul(factor, at_rest(motion_[e].second)));
    }
    for (const auto& [e, column, value] : mass_.entries) {
      const int row = coordinate_of_[e];
      shape_.mass.push_back({row, column, pool_.mul(pool_.constant(shape_.coordinates[row].factor), value)});
    }
    std::ranges::sort(shape_.mass, {}, [](const Mechanical::Entry& e) { return std::pair(e.row, e.column); });
    shape_.gradients = gradients_.entries;
    const auto contains_time = [&](NodeId e) {
      return any_node(pool_, e, [&](NodeId node) { return pool_[node].op == Op::Time; });
    };
    shape_.regular_mass = mass_is_regular();
    shape_.constant_mass = std::ranges::none_of(shape_.mass, [&](const Mechanical::Entry& e) {
      return contains_time(e.value) || !variables_of(pool_, e.value).empty();
    });
    std::vector<NodeId> forces = shape_.forces;
    forces.insert(forces.end(), auxiliary_.begin(), auxiliary_.end());
    shape_.forces_of_positions = std::ranges::none_of(forces, [&](NodeId f) { return depends(f, velocities_); });
    shape_.autonomous =
        std::ranges::none_of(shape_.mass, [&](const auto& e) { return contains_time(e.value); }) &&
        std::ranges::none_of(forces, contains_time) &&
        std::ranges::none_of(shape_.joints, [&](const auto& joint) { return contains_time(joint.levels[0]); });
  }

  bool mass_is_regular() const {
    const auto n = static_cast<Eigen::Index>(mass_.values.size());
    bool diagonal = static_cast<Eigen::Index>(mass_.entries.size()) == n;
    for (Eigen::Index e = 0; e < n && diagonal; ++e) diagonal = !vanishes(mass_.values[e][coordinate_of_[e]]);
    if (diagonal) return true;
    Eigen::MatrixXd matrix(n, n);
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j)
        matrix(i, j) = vanishes(mass_.values[i][j]) ? 0.0 : mass_.values[i][j].back();
    return linear::FullLu(matrix).is_regular();
  }

  const Reduced& reduced_;
  Pool& pool_;
  std::vector<TypicalPoint> points_;
  std::optional<Expansion> expansion_;
  Mechanical shape_;
  std::set<NodeId> positions_, velocities_, accelerations_;
  std::vector<Motion> motion_of_;                 // of each slot
  std::vector<int> multipliers_;                  // slots
  std::vector<std::pair<EqnId, NodeId>> motion_;  // equations of motion
  std::vector<NodeId> auxiliary_;                 // equations that determine auxiliary unknowns
  Matrix gradients_, mass_;                       // G by constraints, M by equations
  std::vector<int> coordinate_of_;                // per equation
};

}  // namespace

Fit<Mechanical> mechanical_shape(const Reduced& reduced) {
  try {
    return {Recognition(reduced).recognize(), {}};
  } catch (const NotMechanical& reason) {
    return {{}, reason.why};
  }
}

}  // namespace driftless
