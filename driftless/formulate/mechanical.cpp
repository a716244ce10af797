// Is the model mechanical? Which slots are positions and velocities follows from the kinematic relations; which
// equation of motion belongs to which coordinate, which multiplier to which constraint, and by which constant factors
// they were written, from the numbers of M, G and the force directions at a few points.
#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

#include <Eigen/Dense>
#include <fmt/format.h>

#include "driftless/formulate/expansion.hpp"
#include "driftless/formulate/shape.hpp"
#include "driftless/formulate/typical_point.hpp"
#include "driftless/formulate/assignment.hpp"

namespace driftless {
namespace {

constexpr int samples = 3;
constexpr double same = 1e-8;  // relative: two numbers that are equal for all that a sample can say

bool agree(double a, double b) { return std::abs(a - b) <= same * std::max(std::abs(a), std::abs(b)); }

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
    assign_motion();
    assign_multipliers();
    find_factors();
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

  // ---- what is what

  // A slot whose derivative is another slot that has a derivative is a position.
  void find_coordinates() {
    const std::size_t n = reduced_.slots.size();
    std::vector<bool> differential(n, false), used(n, false);
    for (const Kinematic& k : reduced_.kinematics) differential[k.slot] = true;
    for (const Quantity q : reduced_.quantities)
      if (reduced_.place(q) == Place::Rate) differential[reduced_.slot_of(q)] = true;
    for (const Kinematic& k : reduced_.kinematics) {
      const Node node = pool_[k.rate];
      if (node.op != Op::Variable) continue;
      const Reduced::Address& at = reduced_.addresses[node.a][node.b];
      if (at.place != Place::Slot || !differential[at.index]) continue;
      if (used[k.slot] || used[at.index]) fail(fmt::format("{} is differentiated more than twice", called(k.slot)));
      used[k.slot] = used[at.index] = true;
      shape_.coordinates.push_back({k.slot, at.index, leaf_of(at.index, 1)});
      positions_.insert(leaf_of(k.slot));
      velocities_.insert(leaf_of(at.index));
      accelerations_.insert(shape_.coordinates.back().acceleration);
    }
    for (std::size_t s = 0; s < n; ++s)
      if (differential[s] && !used[s])
        fail(fmt::format("{} is neither a position nor the velocity of one", called(static_cast<int>(s))));
    if (shape_.coordinates.empty()) fail("it has no positions");
    differential_ = std::move(differential);
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

  // The equations that are left: rows that are no constraints, and the definitions of accelerations. Rows without
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
      if (differential_[s] || accelerations_.contains(leaf_of(slot))) continue;
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

  using Values = std::vector<double>;  // of an entry, at the sample points

  // Partial derivatives of some expressions with respect to some leaves: those that are not identically zero, and the
  // values of all.
  struct Matrix {
    std::vector<Mechanical::Entry> entries;
    std::vector<std::vector<Values>> values;
  };

  void add_row(Matrix& matrix, NodeId expression, const std::vector<NodeId>& leaves) {
    const int row = static_cast<int>(matrix.values.size());
    matrix.values.emplace_back(leaves.size(), Values(samples, 0.0));
    for (const Partial& p : gradient(pool_, expression)) {
      const auto column = std::ranges::find(leaves, p.leaf) - leaves.begin();
      if (column == static_cast<std::ptrdiff_t>(leaves.size())) continue;
      matrix.entries.push_back({row, static_cast<int>(column), p.derivative});
      for (int k = 0; k < samples; ++k) matrix.values[row][column][k] = points_[k](p.derivative);
    }
  }

  template <class Slots, class Leaf>
  std::vector<NodeId> leaves(const Slots& slots, const Leaf& leaf) const {
    std::vector<NodeId> all;
    for (const auto& slot : slots) all.push_back(leaf(slot));
    return all;
  }

  static bool vanishes(const Values& values) {
    return std::ranges::all_of(values, [](double v) { return v == 0.0; });
  }

  // The constant ratio of two entries, if there is one at all points where they do not vanish.
  static std::optional<double> ratio(const Values& a, const Values& b) {
    std::optional<double> constant;
    for (std::size_t k = 0; k < a.size(); ++k) {
      if (a[k] == 0.0 && b[k] == 0.0) continue;
      const double now = a[k] / b[k];
      if (!std::isfinite(now) || now == 0.0 || (constant && !agree(*constant, now))) return {};
      constant = now;
    }
    return constant;
  }

  // ---- who belongs to whom

  // A symmetric positive definite matrix is permuted to its diagonal by the assignment with the largest product, in
  // whatever order and by whatever factors its rows are written.
  void assign_motion() {
    const std::size_t n = motion_.size();
    const auto accelerations = leaves(shape_.coordinates, [](const auto&q) { return q.acceleration; }),
               forces = leaves(multipliers_, [&](int slot) { return leaf_of(slot); });
    Matrix mass, pulls;
    for (const auto& [e, residual] : motion_) {
      add_row(mass, residual, accelerations);
      add_row(pulls, residual, forces);
    }
    std::vector cost(n, std::vector<double>(n));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        cost[i][j] = vanishes(mass.values[i][j]) ? without_mass(pulls.values[i], static_cast<int>(j))
                                                 : -std::log(std::abs(mass.values[i][j].back()));
    const std::vector<int> coordinate_of = cheapest_assignment(cost);
    std::vector<std::pair<EqnId, NodeId>> sorted(n);
    mass_.values.resize(n);
    pulls_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      sorted[coordinate_of[i]] = motion_[i];
      mass_.values[coordinate_of[i]] = mass.values[i];
      pulls_[coordinate_of[i]] = pulls.values[i];
    }
    for (const Mechanical::Entry& e : mass.entries) mass_.entries.push_back({coordinate_of[e.row], e.column, e.value});
    motion_ = std::move(sorted);
    for (std::size_t i = 0; i < n; ++i) shape_.coordinates[i].equation = motion_[i].first;
  }

  // A coordinate without mass: its equation is one in which it is pulled by the same constraints.
  double without_mass(const std::vector<Values>& pulls, int coordinate) const {
    constexpr double much = 1e4;
    double cost = much;
    for (const auto& gradient : gradients_.values) {
      if (vanishes(gradient[coordinate])) continue;
      const bool pulled =
          std::ranges::any_of(pulls, [&](const Values& pull) { return ratio(pull, gradient[coordinate]).has_value(); });
      if (!pulled) cost += much;
    }
    return cost;
  }

  // The force of a multiplier is along the gradient of its constraint: entry by entry, in a constant ratio. First those
  // where the ratio is the same for all entries.
  void assign_multipliers() {
    std::vector<int> multiplier_of(shape_.joints.size(), -1);
    std::vector<bool> taken(multipliers_.size(), false);
    for (const bool equal : {true, false})
      for (std::size_t k = 0; k < shape_.joints.size(); ++k)
        for (std::size_t l = 0; l < multipliers_.size() && multiplier_of[k] < 0; ++l) {
          if (taken[l] || !parallel(l, gradients_.values[k], equal)) continue;
          multiplier_of[k] = static_cast<int>(l);
          taken[l] = true;
        }
    for (std::size_t k = 0; k < shape_.joints.size(); ++k) {
      if (multiplier_of[k] < 0)
        fail(fmt::format("no force acts along the gradient of {}", called(shape_.joints[k].equation)));
      shape_.joints[k].multiplier = multipliers_[multiplier_of[k]];
    }
    for (auto& row : pulls_) {
      std::vector<Values> sorted;
      for (const int l : multiplier_of) sorted.push_back(row[l]);
      row = std::move(sorted);
    }
  }

  bool parallel(std::size_t multiplier, const std::vector<Values>& gradient, bool equal) const {
    std::optional<double> first;
    for (std::size_t i = 0; i < pulls_.size(); ++i) {
      const Values& pull = pulls_[i][multiplier];
      if (vanishes(pull) && vanishes(gradient[i])) continue;
      const auto r = ratio(pull, gradient[i]);
      if (!r || (equal && first && !agree(*first, *r))) return false;
      first = first.value_or(*r);
    }
    return first.has_value();
  }

  // factor_i pull_ki = S_k G_ki and factor_i M_ij = factor_j M_ji, from one coordinate of each connected part to the
  // next. Where M has a diagonal entry it is made positive.
  void find_factors() {
    const std::size_t n = shape_.coordinates.size(), joints = shape_.joints.size();
    std::vector<double> coordinate(n, 0.0), joint(joints, 0.0);
    for (std::size_t seed = 0; seed < n; ++seed) {
      if (coordinate[seed] != 0.0) continue;
      coordinate[seed] = !vanishes(mass_.values[seed][seed]) && mass_.values[seed][seed].back() < 0.0 ? -1.0 : 1.0;
      std::deque<std::size_t> reached{seed};
      for (; !reached.empty(); reached.pop_front()) {
        const std::size_t i = reached.front();
        for (std::size_t k = 0; k < joints; ++k) {
          if (vanishes(gradients_.values[k][i])) continue;
          if (joint[k] == 0.0) joint[k] = coordinate[i] * *ratio(pulls_[i][k], gradients_.values[k][i]);
          for (std::size_t j = 0; j < n; ++j) {
            if (coordinate[j] != 0.0 || vanishes(gradients_.values[k][j])) continue;
            coordinate[j] = joint[k] / *ratio(pulls_[j][k], gradients_.values[k][j]);
            reached.push_back(j);
          }
        }
        for (std::size_t j = 0; j < n; ++j) {
          if (coordinate[j] != 0.0 || vanishes(mass_.values[i][j])) continue;
          const auto r = ratio(mass_.values[i][j], mass_.values[j][i]);
          if (!r) fail(fmt::format("the mass matrix is not symmetric: {}", called(motion_[i].first)));
          coordinate[j] = coordinate[i] * *r;
          reached.push_back(j);
        }
      }
    }
    check_factors(coordinate, joint);
    for (std::size_t i = 0; i < n; ++i) shape_.coordinates[i].factor = coordinate[i];
    for (std::size_t k = 0; k < joints; ++k) shape_.joints[k].factor = joint[k];
  }

  void check_factors(const std::vector<double>& coordinate, const std::vector<double>& joint) const {
    const std::size_t n = coordinate.size();
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < joint.size(); ++k)
        for (int s = 0; s < samples; ++s)
          if (!agree(coordinate[i] * pulls_[i][k][s], joint[k] * gradients_.values[k][i][s]))
            fail(fmt::format("in {}, the force of {} is not along the gradient of {}", called(motion_[i].first),
                             called(shape_.joints[k].multiplier), called(shape_.joints[k].equation)));
      for (std::size_t j = 0; j < i; ++j)
        for (int s = 0; s < samples; ++s)
          if (!agree(coordinate[i] * mass_.values[i][j][s], coordinate[j] * mass_.values[j][i][s]))
            fail(fmt::format("the mass matrix is not symmetric: {}", called(motion_[i].first)));
    }
  }

  // ---- the result

  void write_down() {
    const std::size_t n = shape_.coordinates.size();
    std::set<NodeId> gone = accelerations_;
    for (const int s : multipliers_) gone.insert(leaf_of(s));
    Substitution at_rest(pool_,
                         [&](NodeId leaf) { return gone.contains(leaf) ? std::optional(pool_.zero()) : std::nullopt; });
    for (std::size_t i = 0; i < n; ++i)
      shape_.forces.push_back(
          pool_.neg(pool_.mul(pool_.constant(shape_.coordinates[i].factor), at_rest(motion_[i].second))));
    for (const auto& [row, column, value] : mass_.entries)
      shape_.mass.push_back({row, column, pool_.mul(pool_.constant(shape_.coordinates[row].factor), value)});
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
    Eigen::MatrixXd matrix(n, n);
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j) matrix(i, j) = mass_.values[i][j].back();
    return matrix.fullPivLu().isInvertible();
  }

  const Reduced& reduced_;
  Pool& pool_;
  std::vector<TypicalPoint> points_;
  std::optional<Expansion> expansion_;
  Mechanical shape_;
  std::set<NodeId> positions_, velocities_, accelerations_;
  std::vector<bool> differential_;
  std::vector<int> multipliers_;                  // slots
  std::vector<std::pair<EqnId, NodeId>> motion_;  // equations of motion
  std::vector<NodeId> auxiliary_;                 // equations that determine auxiliary unknowns
  Matrix gradients_, mass_;                       // G, M
  std::vector<std::vector<Values>> pulls_;        // per coordinate and multiplier: the force in its equation
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
