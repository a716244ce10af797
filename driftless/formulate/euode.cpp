// The essential underlying ordinary differential equation (Ascher, Petzold 1993, Section 2).
//
// For E x^(m) + Λ z = ..., 0 = g(t, x) with n variables x, as many constraints as multipliers z, let R = N E with
// N Λ = 0, so that R annihilates the directions E^-1 Λ of the multipliers. Then u = R x satisfies, with the constraint,
// an equation of its own of order m. Unknowns u, ..., u^(m-1) with
//
//   rows        u^(k) = d^k/dt^k (R x),  k < m;  all levels of the constraints;  the dynamics
//   kinematics  d/dt u^(k) = u^(k+1),  d/dt u^(m-1) = d^m/dt^m (R x)
//
// The derivatives of R are those along the solution: x, x', ... are unknowns that the rows determine from u.
//
// A row of N for each i outside the pivots P is the generalized cross product of the columns of Λ, restricted to the
// rows P and i: its entries are minors, no division is needed, and with only one degree of freedom it vanishes nowhere.
// P is chosen at the start values of the model.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/formulate/forms.hpp"
#include "driftless/formulate/typical_point.hpp"
#include "driftless/linear/svd.hpp"

namespace driftless {
namespace {

constexpr int highest_order = 3;
constexpr std::size_t most_multipliers = 4;  // minors are expanded
constexpr double singular = 1e-9;            // smallest singular value of a matrix whose rows have the size 1

using SymbolicMatrix = std::vector<std::vector<NodeId>>;

NodeId determinant(Pool& pool, const SymbolicMatrix& matrix, const std::vector<int>& rows, std::size_t column = 0) {
  if (column == rows.size()) return pool.one();
  NodeId sum = pool.zero();
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (rows[k] < 0) continue;
    std::vector<int> rest = rows;
    rest[k] = -1;
    int before = 0;
    for (std::size_t i = 0; i < k; ++i) before += rows[i] >= 0;
    const NodeId term = pool.mul(matrix[rows[k]][column], determinant(pool, matrix, rest, column + 1));
    sum = before % 2 == 0 ? pool.add(sum, term) : pool.sub(sum, term);
  }
  return sum;
}

class EssentialEquation {
 public:
  explicit EssentialEquation(const Reduced& base) : base_(base), pool_(*base.model->pool), derivative_(pool_) {
    find_constraints();
    if (why_not_.empty()) find_variables();
    if (why_not_.empty()) find_dynamics();
    if (why_not_.empty()) find_frame();
    if (why_not_.empty()) check_coordinates();
  }

  const std::string& why_not() const { return why_not_; }

  Reduced build() {
    Reduced result = base_;
    auto model = std::make_shared<Model>(*base_.model);
    result.choices.clear();
    result.kinematics.clear();
    result.permanent.clear();
    for (const int k : base_.permanent) result.kinematics.push_back(base_.kinematics[k]);
    for (std::size_t i = 0; i < frame_.size(); ++i) add_coordinate(result, *model, i);
    for (std::size_t k = 0; k < result.kinematics.size(); ++k) result.permanent.push_back(static_cast<int>(k));
    result.model = std::move(model);
    return result;
  }

 private:
  std::string title(EqnId e) const { return fmt::format("{} ({})", (*base_.model)[e].label, (*base_.model)[e].text); }

  void find_constraints() {
    for (const DerivedEquation& row : base_.rows) {
      if (row.stage != 0 || row.level == 0) continue;
      if (order_ == 0) order_ = row.level;
      if (row.level != order_)
        why_not_ =
            fmt::format("{} is differentiated {} times, others {} times", title(row.equation), row.level, order_);
      constraints_.push_back(row.equation);
    }
    if (constraints_.empty())
      why_not_ = "no equation has to be differentiated";
    else if (order_ > highest_order)
      why_not_ =
          fmt::format("{} is differentiated {} times, more than {}", title(constraints_[0]), order_, highest_order);
  }

  // x: the variables in the constraints at their lowest level; at every higher level there must be as many.
  void find_variables() {
    std::vector<std::size_t> candidates(order_ + 1, 0), rows(order_ + 1, 0);
    for (const Choice& choice : base_.choices) {
      if (choice.stage < -order_) continue;
      candidates[-choice.stage] += choice.kinematics.size();
      rows[-choice.stage] += choice.rows.size();
      if (choice.stage == -order_)
        for (const int k : choice.kinematics) variables_.push_back(base_.slots[base_.kinematics[k].slot].quantity);
    }
    for (int stage = 1; stage <= order_; ++stage)
      if (candidates[stage] != variables_.size() || rows[stage] != constraints_.size())
        why_not_ = fmt::format("{} and its derivatives do not restrict as many variables at every level",
                               title(constraints_[0]));
    std::ranges::sort(variables_);
  }

  bool is_multiplier(const Node& leaf) const {
    return base_.offsets.d[leaf.a] == 0 && base_.addresses[leaf.a][leaf.b].place == Place::Slot;
  }

  // Rows that determine the highest derivatives: those of the reduction, and explicit ones x^(m) - value = 0.
  void find_dynamics() {
    std::vector<NodeId> tops, residuals;
    for (const Quantity q : variables_) {
      const Quantity top{q.variable, base_.offsets.d[index(q.variable)]};
      const NodeId value = base_.value_of(top);
      const bool is_leaf = pool_[value].op == Op::Variable;
      tops.push_back(is_leaf ? value : pool_.variable(top.variable, top.order));
      if (!is_leaf) residuals.push_back(pool_.sub(tops.back(), value));
    }
    for (const DerivedEquation& row : base_.rows)
      if (row.stage == 0 && row.level == 0) residuals.push_back(row.residual);
    std::vector<NodeId> multipliers, dynamics;
    for (const NodeId residual : residuals) {
      const std::vector<NodeId> leaves = variables_of(pool_, residual);
      const bool dynamic = std::ranges::any_of(leaves, [&](NodeId leaf) {
        return std::ranges::find(tops, leaf) != tops.end() || is_multiplier(pool_[leaf]);
      });
      if (!dynamic) continue;
      for (const NodeId leaf : leaves)
        if (is_multiplier(pool_[leaf]) && std::ranges::find(multipliers, leaf) == multipliers.end())
          multipliers.push_back(leaf);
      std::vector<NodeId>& e = mass_.emplace_back();
      for (const NodeId top : tops) e.push_back(partial(pool_, residual, top));
      dynamics.push_back(residual);
    }
    // Multipliers given explicitly by an equation have been eliminated together with this equation.
    if (dynamics.size() + constraints_.size() != variables_.size() + multipliers.size())
      why_not_ = fmt::format("{} variables of {} have {} equations of motion with {} algebraic unknowns",
                             variables_.size(), title(constraints_[0]), dynamics.size(), multipliers.size());
    else if (multipliers.size() > most_multipliers)
      why_not_ = fmt::format("{} multipliers are more than {}", multipliers.size(), most_multipliers);
    if (!why_not_.empty()) return;
    for (const NodeId residual : dynamics) {
      std::vector<NodeId>& row = forces_.emplace_back();
      for (const NodeId z : multipliers) row.push_back(partial(pool_, residual, z));
    }
  }

  // As many rows of Λ as columns, independent at the start values, by elimination with the largest pivot.
  std::vector<int> pivots() const {
    const TypicalPoint at(base_);
    const std::size_t n = forces_.size(), m = n == 0 ? 0 : forces_[0].size();
    std::vector<std::vector<double>> values(n, std::vector<double>(m));
    for (std::size_t r = 0; r < n; ++r)
      for (std::size_t c = 0; c < m; ++c) values[r][c] = at(forces_[r][c]);
    std::vector<int> chosen;
    for (std::size_t c = 0; c < m; ++c) {
      int best = -1;
      for (std::size_t r = 0; r < n; ++r)
        if (std::ranges::find(chosen, static_cast<int>(r)) == chosen.end() &&
            (best < 0 || std::abs(values[r][c]) > std::abs(values[best][c])))
          best = static_cast<int>(r);
      chosen.push_back(best);
      for (std::size_t r = 0; r < n && values[best][c] != 0.0; ++r) {
        if (std::ranges::find(chosen, static_cast<int>(r)) != chosen.end()) continue;
        const double factor = values[r][c] / values[best][c];
        for (std::size_t k = c; k < m; ++k) values[r][k] -= factor * values[best][k];
      }
    }
    std::ranges::sort(chosen);
    return chosen;
  }

  void find_frame() {
    const std::vector<int> p = pivots();
    for (int i = 0; i < static_cast<int>(forces_.size()); ++i) {
      if (std::ranges::binary_search(p, i)) continue;
      std::vector<int> rows = p;
      rows.push_back(i);
      std::vector<NodeId> r(variables_.size(), pool_.zero());
      for (std::size_t k = 0; k < rows.size(); ++k) {
        std::vector<int> others = rows;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(k));
        NodeId minor = determinant(pool_, forces_, others);
        if (k % 2 == 1) minor = pool_.neg(minor);
        for (std::size_t j = 0; j < r.size(); ++j) r[j] = pool_.add(r[j], pool_.mul(minor, mass_[rows[k]][j]));
      }
      for (const NodeId entry : r)
        if (!can_be_differentiated(entry)) return;
      frame_.push_back(std::move(r));
    }
  }

  NodeId coordinate(std::size_t i) {
    NodeId sum = pool_.zero();
    for (std::size_t j = 0; j < variables_.size(); ++j)
      sum = pool_.add(sum, pool_.mul(frame_[i][j], pool_.variable(variables_[j].variable, variables_[j].order)));
    return sum;
  }

  // The nominal value of u, computed by R from those of x.
  double size_of(std::size_t i) const {
    const TypicalPoint at(base_);
    double sum = 0.0;
    for (std::size_t j = 0; j < variables_.size(); ++j)
      sum += std::abs(at(frame_[i][j])) * (*base_.model)[variables_[j].variable].nominal;
    return sum > 0.0 && std::isfinite(sum) ? sum : 1.0;
  }

  // Do u = R x and the constraints determine x? Not if R depends on x such that R x is constant: the forces of a
  // pendulum point along x itself.
  void check_coordinates() {
    std::vector<NodeId> functions;
    for (std::size_t i = 0; i < frame_.size(); ++i) functions.push_back(coordinate(i));
    for (const DerivedEquation& row : base_.rows)
      if (row.level == 0 && std::ranges::find(constraints_, row.equation) != constraints_.end())
        functions.push_back(row.residual);
    const auto n = static_cast<Eigen::Index>(variables_.size());
    for (const int sample : {0, 1}) {
      const TypicalPoint at(base_, sample);
      Eigen::MatrixXd matrix(n, n);
      for (Eigen::Index i = 0; i < n; ++i) {
        for (Eigen::Index j = 0; j < n; ++j)
          matrix(i, j) = at(partial(pool_, functions[i], pool_.variable(variables_[j].variable, variables_[j].order)));
        if (const double size = matrix.row(i).norm(); size > 0.0) matrix.row(i) /= size;
      }
      if (matrix.allFinite() && linear::svd(matrix).values[n - 1] > singular) continue;
      why_not_ = fmt::format(
          "the coordinates R x and {} do not determine x; state-space:chart=tangent-mass holds R "
          "fixed for some time and can be used instead",
          title(constraints_[0]));
      return;
    }
  }

  // m derivatives of R must not lead beyond the derivatives that the reduction has.
  bool can_be_differentiated(NodeId entry) {
    for (const NodeId leaf : variables_of(pool_, entry)) {
      const Node node = pool_[leaf];
      if (static_cast<int>(node.b) + order_ <= base_.offsets.d[node.a]) continue;
      const Quantity q{VarId{static_cast<int>(node.a)}, static_cast<int>(node.b)};
      why_not_ = fmt::format("the directions of the constraint forces depend on {}, which cannot be differentiated {}",
                             base_.name(q), order_ == 1 ? "once" : fmt::format("{} times", order_));
      return false;
    }
    return true;
  }

  void add_coordinate(Reduced& result, Model& model, std::size_t i) {
    const std::string name = fmt::format("u({})", i + 1);
    const VarId u{static_cast<int>(model.variables.size())};
    Variable variable;
    variable.name = name;
    variable.range = model[constraints_[0]].range;
    variable.description = "coordinate of the essential underlying equation";
    model.variables.push_back(std::move(variable));
    const EqnId definition{static_cast<int>(model.equations.size())};
    Equation equation = model[constraints_[0]];
    equation.label = name;
    equation.text = fmt::format("{} = R x", name);
    model.equations.push_back(std::move(equation));
    result.offsets.d.push_back(order_);
    result.offsets.c.push_back(order_);
    result.addresses.emplace_back();

    NodeId value = coordinate(i);
    for (int k = 0; k <= order_; ++k, value = derivative_(value)) {
      const NodeId in_slots = substitution_(value);
      result.quantities.push_back({u, k});
      if (k == order_) {
        result.addresses.back().push_back({Place::Defined, static_cast<int>(result.definitions.size())});
        result.definitions.push_back({{u, k}, in_slots, definition, k});
        result.kinematics.back().rate = in_slots;
        result.added.back().rate = in_slots;
        continue;
      }
      const int slot = static_cast<int>(result.slots.size());
      result.addresses.back().push_back({Place::Slot, slot});
      result.slots.push_back({{u, k}, k - order_, size_of(i)});
      result.rows.push_back({pool_.sub(pool_.variable(u, k), in_slots), definition, k, k - order_});
      if (k > 0) result.added.back().rate = in_slots;
      result.added.push_back({slot, in_slots, in_slots});
      result.kinematics.push_back({slot, pool_.variable(u, k + 1)});
    }
  }

  const Reduced& base_;
  Pool& pool_;
  TimeDerivative derivative_;
  Substitution substitution_{pool_, [this](NodeId leaf) -> std::optional<NodeId> {
                               const Node node = pool_[leaf];
                               if (node.op != Op::Variable) return {};
                               return base_.value_of({VarId{static_cast<int>(node.a)}, static_cast<int>(node.b)});
                             }};
  std::string why_not_;
  int order_ = 0;
  std::vector<EqnId> constraints_;
  std::vector<Quantity> variables_;  // x
  SymbolicMatrix mass_, forces_;     // E and Λ: a row for each equation of motion
  SymbolicMatrix frame_;             // R
};

}  // namespace

std::optional<std::string> why_not(const Reduced& base, const formulation::Euode&) {
  const EssentialEquation essential(base);
  return essential.why_not().empty() ? std::nullopt : std::optional(essential.why_not());
}

Reduced rewritten(const Reduced& base, const formulation::Euode&) { return EssentialEquation(base).build(); }

}  // namespace driftless
