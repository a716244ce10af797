#include "driftless/formulate/rewrite.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/formulate/typical_point.hpp"

namespace driftless {
namespace {

using namespace formulation;

// The nominal value of a multiplier, so large that Newton's test ignores it. Only the product of step size and
// multiplier moves the solution; the multiplier itself carries the rounding of a position divided by the step size, and
// a first step may be as small as 1e-11.
constexpr double no_weight = 1e10;

// A column for every row, such that the square matrix of these columns is regular: elimination with the largest of all
// remaining pivots.
std::vector<int> independent_columns(std::vector<std::vector<double>> matrix) {
  const std::size_t rows = matrix.size(), columns = rows == 0 ? 0 : matrix[0].size();
  std::vector<int> column_of(rows, -1);
  for (std::size_t k = 0; k < rows; ++k) {
    std::size_t row = 0, column = 0;
    double largest = -1.0;
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; column_of[i] < 0 && j < columns; ++j)
        if (std::ranges::find(column_of, static_cast<int>(j)) == column_of.end() && std::abs(matrix[i][j]) > largest)
          row = i, column = j, largest = std::abs(matrix[i][j]);
    column_of[row] = static_cast<int>(column);
    for (std::size_t i = 0; i < rows && largest > 0.0; ++i) {
      if (column_of[i] >= 0) continue;
      const double factor = matrix[i][column] / matrix[row][column];
      for (std::size_t j = 0; j < columns; ++j) matrix[i][j] -= factor * matrix[row][j];
    }
  }
  return column_of;
}

}  // namespace

std::vector<OwnPartial> own_partials(const Reduced& reduced, const DerivedEquation& row) {
  Pool& pool = *reduced.model->pool;
  std::vector<OwnPartial> partials;
  for (const Partial& p : gradient(pool, row.residual)) {
    const Node leaf = pool[p.leaf];
    const Reduced::Address& at = reduced.addresses[leaf.a][leaf.b];
    if (at.place == Place::Slot && reduced.slots[at.index].stage == row.stage)
      partials.push_back({at.index, p.derivative});
  }
  return partials;
}

Rewrite::Rewrite(const Reduced& base)
    : base_(base),
      pool_(*base.model->pool),
      result_(base),
      model_(std::make_shared<Model>(*base.model)),
      pulled_(base.slots.size(), pool_.zero()) {
  result_.rows.clear();
  result_.choices.clear();
  result_.permanent.clear();
  result_.completes_points = false;
  for (std::size_t k = 0; k < result_.kinematics.size(); ++k) result_.permanent.push_back(static_cast<int>(k));
}

void Rewrite::keep(const Levels& levels) {
  for (const DerivedEquation& row : base_.rows)
    if (levels(row.level, differentiated(row.equation))) result_.rows.push_back(row);
}

void Rewrite::combine(const std::function<std::vector<double>(int m)>& polynomial) {
  std::map<EqnId, std::vector<double>> coefficients;
  std::map<EqnId, NodeId> sums;
  for (const DerivedEquation& row : base_.rows) {
    const int m = differentiated(row.equation);
    const auto& c = coefficients.try_emplace(row.equation, m == 0 ? std::vector{1.0} : polynomial(m)).first->second;
    NodeId& sum = sums.try_emplace(row.equation, pool_.zero()).first->second;
    if (row.level >= static_cast<int>(c.size())) continue;
    sum = pool_.add(sum, pool_.mul(pool_.constant(c[row.level]), row.residual));
    if (row.level + 1 < static_cast<int>(c.size())) continue;
    result_.rows.push_back(row);
    result_.rows.back().residual = sum;
  }
}

NodeId Rewrite::add_unknown(const std::string& name, const std::string& description, SourceRange range) {
  const VarId id{static_cast<int>(model_->variables.size())};
  Variable variable;
  variable.name = name;
  variable.range = range;
  variable.description = description;
  model_->variables.push_back(std::move(variable));
  result_.offsets.d.push_back(0);
  result_.quantities.push_back({id, 0});
  result_.addresses.push_back({{Place::Slot, static_cast<int>(result_.slots.size())}});
  result_.slots.push_back({{id, 0}, 0, no_weight});
  return pool_.variable(id);
}

NodeId Rewrite::add_multiplier(const DerivedEquation& row) {
  const Equation& equation = (*model_)[row.equation];
  return add_unknown(fmt::format("mu({}{})", equation.label, std::string(row.level, '\'')),
                     "stabilizing multiplier: zero on the solution", equation.range);
}

void Rewrite::add_multipliers(const Levels& levels, const Direction& direction, Reach reach) {
  std::map<int, Group> stages;
  for (std::size_t r = 0; r < result_.rows.size(); ++r) {
    const DerivedEquation& row = result_.rows[r];
    const int m = differentiated(row.equation);
    if (m == 0 || row.level == m || !levels(row.level, m)) continue;
    multiplied_.push_back({static_cast<int>(r), add_multiplier(row)});
    stages[row.stage].push_back(multiplied_.back());
  }
  const bool forces = std::holds_alternative<Mass>(direction);
  for (const auto& [stage, group] : stages) {
    if (forces && !mechanical())
      pull_along_forces(group);
    else if (std::holds_alternative<Unit>(direction))
      pull_along_units(group);
    else if (const auto* given = std::get_if<Given>(&direction))
      pull_along_columns(group, *given);
    else
      pull_along_gradients(group, reach);
  }
  if (!forces || !mechanical()) return;
  weigh(*mechanical(), &Mechanical::Coordinate::position);
  weigh(*mechanical(), &Mechanical::Coordinate::velocity);
}

void Rewrite::pull(int slot, NodeId amount) { pulled_[slot] = pool_.add(pulled_[slot], amount); }

void Rewrite::pull_along_gradients(const Group& group, Reach reach) {
  for (const auto& [r, mu] : group)
    for (const Partial& p : gradient(pool_, result_.rows[r].residual)) {
      const int slot = base_.slot_at(pool_[p.leaf]);
      if (slot >= 0 && (reach == Reach::AllStages || base_.slots[slot].stage == result_.rows[r].stage))
        pull(slot, pool_.mul(p.derivative, mu));
    }
}

std::vector<int> constrained_slots(const Reduced& base, const std::vector<DerivedEquation>& rows) {
  std::vector<int> slots;
  for (const DerivedEquation& row : rows)
    for (const OwnPartial& p : own_partials(base, row)) slots.push_back(p.slot);
  std::ranges::sort(slots);
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  return slots;
}

void Rewrite::pull_along_units(const Group& group) {
  std::vector<DerivedEquation> rows;
  for (const Multiplied& m : group) rows.push_back(result_.rows[m.row]);
  const std::vector<int> slots = constrained_slots(base_, rows);
  const TypicalPoint at(base_);
  std::vector matrix(rows.size(), std::vector<double>(slots.size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const OwnPartial& p : own_partials(base_, rows[i]))
      matrix[i][std::ranges::lower_bound(slots, p.slot) - slots.begin()] = at(p.derivative);
  const std::vector<int> columns = independent_columns(std::move(matrix));
  for (std::size_t i = 0; i < group.size(); ++i) pull(slots[columns[i]], group[i].multiplier);
}

void Rewrite::pull_along_columns(const Group& group, const Given& given) {
  std::vector<DerivedEquation> rows;
  for (const Multiplied& m : group) rows.push_back(result_.rows[m.row]);
  const std::vector<int> slots = constrained_slots(base_, rows);
  for (std::size_t i = 0; i < group.size(); ++i)
    for (std::size_t j = 0; j < slots.size(); ++j)
      pull(slots[j], pool_.mul(pool_.constant(given.columns[i][j]), group[i].multiplier));
}

void Rewrite::relax(double gamma) {
  for (const Multiplied& m : multiplied_) {
    NodeId& residual = result_.rows[m.row].residual;
    NodeId pulled = pool_.zero();  // (∂r/∂y) D mu
    for (const Partial& p : gradient(pool_, residual)) {
      const Node leaf = pool_[p.leaf];
      const Reduced::Address& at = base_.addresses[leaf.a][leaf.b];
      if (at.place == Place::Slot) pulled = pool_.add(pulled, pool_.mul(p.derivative, pulled_[at.index]));
    }
    residual = pool_.sub(pulled, pool_.mul(pool_.constant(gamma), residual));
  }
}

Reduced Rewrite::finish() {
  pull_on_rates();
  for (Kinematic& k : result_.kinematics) k.rate = pool_.sub(k.rate, pulled_[k.slot]);
  for (const DerivedEquation& row : base_.rows) {
    const bool solved =
        std::ranges::any_of(result_.rows, [&](const DerivedEquation& other) { return other.residual == row.residual; });
    // The highest level determines accelerations and multipliers, even where it is not imposed.
    const bool changed = std::ranges::any_of(result_.rows, [&](const DerivedEquation& other) {
      return other.equation == row.equation && other.level == row.level;
    });
    if (!solved && (row.stage < 0 || !changed))
      result_.invariants.push_back({row.residual, (*model_)[row.equation].label, row.equation, row.level, row.stage});
  }
  result_.model = model_;
  return std::move(result_);
}

}  // namespace driftless
