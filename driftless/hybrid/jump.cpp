#include "driftless/hybrid/jump.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/linear/graded_elimination.hpp"
#include "driftless/reduce/signature.hpp"

namespace driftless {
namespace {

constexpr double rounding = 1e-13;  // a residual below this, relative to its terms, counts as 0
constexpr double visible = 1e-9;    // a change below this, relative to the value, is not reported
constexpr double growth = 0x1p60;   // 1/h, where coefficients contain impulses
constexpr double nonlinear = 1e-6;  // change of equations with `growth`, relative to their terms

std::string level_suffix(int level) {
  if (level == 0) return {};
  return level == 1 ? " (differentiated once)" : fmt::format(" (differentiated {} times)", level);
}

// A mode may have variables that the previous one did not have (sliding.hpp).
bool is_known(const Values& values, Quantity q) {
  const std::size_t j = index(q.variable), k = q.order;
  return j < values.size() && k < values[j].size() && std::isfinite(values[j][k]);
}

std::string times_second(const std::string& unit) {
  if (unit.empty() || unit == "1") return unit.empty() ? "" : "s";
  return unit.find('/') == std::string::npos ? unit + ".s" : "(" + unit + ").s";
}

}  // namespace

struct JumpIntoMode::Numbers {
  std::vector<double> inputs;
  std::set<Quantity> prescribed;
  std::vector<bool> violated;        // equations, at stage -1
  std::vector<bool> prescribed_top;  // variables whose X_j is prescribed
  std::vector<int> impulsive;
  const ImpulseEquations* equations = nullptr;
};

JumpIntoMode::JumpIntoMode(std::shared_ptr<const Reduced> mode)
    : reduced_(growable(mode)),
      memory_(structure::highest_orders(signature_of(*reduced_->model))),
      inputs_(*reduced_->model, reduced_->offsets) {
  if (reduced_->implicit) return;
  impulses_.emplace(reduced_, inputs_);
  int lowest = 0;
  for (const int c : reduced_->offsets.c) lowest = std::min(lowest, -c);
  for (int stage = lowest; stage < 0; ++stage) stages_.push_back(make_stage(stage));
}

JumpIntoMode::Stage JumpIntoMode::make_stage(int stage) const {
  Stage made;
  made.stage = stage;
  Pool& pool = *reduced_->model->pool;
  TimeDerivative derivative(pool);
  std::vector<NodeId> residuals;
  for (std::size_t i = 0; i < reduced_->offsets.c.size(); ++i) {
    const int level = reduced_->offsets.c[i] + stage;
    if (level < 0) continue;
    made.equations.push_back(static_cast<int>(i));
    made.levels.push_back(level);
    residuals.push_back(derivative(reduced_->model->equations[i].residual, level));
  }
  std::vector<NumericUnknown> unknowns;
  for (std::size_t j = 0; j < reduced_->offsets.d.size(); ++j) {
    const int order = reduced_->offsets.d[j] + stage;
    if (order < 0) continue;
    const Quantity q{VarId{static_cast<int>(j)}, order};
    made.quantities.push_back(q);
    unknowns.push_back({pool.variable(q.variable, order), (*reduced_->model)[q.variable].nominal});
  }
  made.numeric =
      std::make_unique<NumericEquations>(reduced_->model->pool, inputs_.layout(), std::move(residuals), unknowns);
  return made;
}

std::string JumpIntoMode::name_of(int equation, int level) const {
  const Equation& e = reduced_->model->equations[equation];
  return fmt::format("{}: {}{}", e.label, e.text, level_suffix(level));
}

std::string JumpIntoMode::names_of_conditions(const std::vector<bool>& which) const {
  std::vector<std::string> list;
  for (int i = 0; i < static_cast<int>(which.size()); ++i)
    if (which[i]) list.push_back(name_of(i, std::max(0, reduced_->offsets.c[i] - 1)));
  return fmt::format("{}", fmt::join(list, "; "));
}

std::string JumpIntoMode::load(Numbers& numbers, double t, const Values& before, std::span<const double> parameters,
                               const std::vector<PrescribedValue>& prescribed) const {
  const std::size_t n = reduced_->model->variables.size();
  numbers.inputs.assign(inputs_.layout().inputs, 0.0);
  numbers.inputs[0] = t;
  std::ranges::copy(parameters, numbers.inputs.begin() + 1);
  numbers.inputs[inputs_.growth()] = growth;
  numbers.violated.assign(reduced_->model->equations.size(), false);
  numbers.prescribed_top.assign(n, false);
  for (const PrescribedValue& value : prescribed) {
    const Quantity q = value.quantity;
    if (!has_memory(q))
      return fmt::format("{} cannot be set by reinit: its derivative does not occur in the equations",
                         reduced_->name(q));
    numbers.prescribed.insert(q);
    if (q.order == reduced_->offsets.d[index(q.variable)] - 1) numbers.prescribed_top[index(q.variable)] = true;
  }
  for (std::size_t j = 0; j < n; ++j)
    for (int k = 0; k <= reduced_->offsets.d[j]; ++k) {
      const Quantity q{VarId{static_cast<int>(j)}, k};
      const bool known = is_known(before, q);
      if (!known && has_memory(q) && !numbers.prescribed.contains(q))
        return fmt::format("{} has no value before the event, and the equations that hold from then on need one",
                           reduced_->name(q));
      numbers.inputs[inputs_.of(q)] = known ? before[j][k] : 0.0;
    }
  for (const PrescribedValue& value : prescribed) numbers.inputs[inputs_.of(value.quantity)] = value.value;
  for (std::size_t j = 0; j < n; ++j)
    if (const int d = reduced_->offsets.d[j]; d > 0)
      numbers.inputs[inputs_.before(static_cast<int>(j))] =
          numbers.inputs[inputs_.of({VarId{static_cast<int>(j)}, d - 1})];
  return {};
}

// Did a prescribed value, of this stage or a lower one, violate equations of this stage?
bool JumpIntoMode::follows_prescription(const Stage& stage, const std::vector<bool>& rows,
                                        const Numbers& numbers) const {
  const auto is_below = [&](Quantity q) { return q.order - reduced_->offsets.d[index(q.variable)] < stage.stage; };
  return std::ranges::any_of(numbers.prescribed, is_below) ||
         std::ranges::any_of(stage.numeric->entries(), [&](const NumericEquations::Entry& entry) {
           return rows[entry.row] && numbers.prescribed.contains(stage.quantities[entry.col]);
         });
}

// First, quantities without memory take the values that the equations of the stage give them, where they do. The
// remaining equations are conditions on quantities with memory: at stage -1 violated ones cause a jump; at lower stages
// values are moved by rounding errors, or by any amount if one of them is prescribed.
std::string JumpIntoMode::settle(Stage& stage, Numbers& numbers, double tolerance) {
  NumericEquations& numeric = *stage.numeric;
  std::vector<double>& inputs = numbers.inputs;
  std::vector<int> grade;
  for (const Quantity q : stage.quantities) grade.push_back(has_memory(q) ? 1 : 0);
  std::vector<std::vector<std::pair<int, double>>> matrix(numeric.rows());
  for (const NumericEquations::Entry& entry : numeric.jacobian(inputs)) {
    if (!std::isfinite(entry.value))
      return fmt::format("{} has no value", name_of(stage.equations[entry.row], stage.levels[entry.row]));
    if (!numbers.prescribed.contains(stage.quantities[entry.col]))
      matrix[entry.row].emplace_back(entry.col, entry.value);
  }
  const linear::GradedElimination elimination = linear::eliminate_by_grade(matrix, grade);
  std::vector<int> rows, cols, conditions = elimination.dependent, moved;
  std::vector<int> row_of(numeric.cols(), -1);
  for (const auto& [row, col] : elimination.pivots) {
    row_of[col] = row;
    if (grade[col] == 0)
      rows.push_back(row), cols.push_back(col);
    else
      conditions.push_back(row), moved.push_back(col);
  }
  if (solve(numeric, rows, cols, inputs) != NewtonOutcome::Converged)
    return "the equations for the values at the event have no solution that was found";

  numeric.jacobian(inputs);
  const std::vector<double> sizes = numeric.sizes(inputs);
  const std::vector<double> residual = numeric.residual(inputs);
  std::vector<int> broken;
  for (const int row : conditions)
    if (!(std::abs(residual[row]) <= rounding * sizes[row])) broken.push_back(row);
  if (broken.empty()) return {};

  // Equations that share quantities without memory form conditions only in combination.
  std::vector<int> together = broken;
  std::vector<bool> is_together(numeric.rows(), false);
  for (const int row : together) is_together[row] = true;
  for (std::size_t k = 0; k < together.size(); ++k)
    for (const auto& [col, value] : matrix[together[k]])
      if (grade[col] == 0 && row_of[col] >= 0 && !is_together[row_of[col]]) {
        is_together[row_of[col]] = true;
        together.push_back(row_of[col]);
      }
  if (stage.stage == -1) {
    for (const int row : together) numbers.violated[stage.equations[row]] = true;
    return {};
  }

  const std::vector<double> from = inputs;
  for (const auto& [row, col] : elimination.pivots)
    if (grade[col] == 1) rows.push_back(row), cols.push_back(col);
  const bool is_found =
      std::ranges::none_of(broken, [&](int row) { return std::ranges::count(elimination.dependent, row) > 0; }) &&
      solve(numeric, rows, cols, inputs) == NewtonOutcome::Converged;
  bool moves_far = false;
  for (const int col : moved) {
    const double change = std::abs(inputs[numeric.place(col)] - from[numeric.place(col)]);
    if (change > tolerance * numeric.size(col, inputs)) moves_far = true;
  }
  if (is_found && (!moves_far || follows_prescription(stage, is_together, numbers))) return {};
  std::vector<std::string> names;
  std::ranges::sort(together);
  for (const int row : together) names.push_back(name_of(stage.equations[row], stage.levels[row]));
  const int worst =
      *std::ranges::max_element(broken, {}, [&](int row) { return std::abs(residual[row]) / sizes[row]; });
  return fmt::format(
      "{} does not hold at the event: its sides differ by {:.3g}, and no finite jump removes the difference",
      fmt::join(names, "; "), std::abs(residual[worst]));
}

// Equations of impulses that change with their size.
std::vector<bool> JumpIntoMode::bent_equations(ImpulseEquations& equations, const Numbers& numbers) const {
  std::vector<double> other = numbers.inputs;
  other[inputs_.growth()] = 0x1p-10 * growth;
  NumericEquations& numeric = *equations.numeric;
  numeric.jacobian(other);
  const std::vector<double> sizes = numeric.sizes(other);
  const std::vector<double>& residual = numeric.residual(other);
  std::vector<bool> bent(reduced_->model->equations.size(), false);
  for (int row = 0; row < numeric.rows(); ++row)
    if (equations.bent[row] && !(std::abs(residual[row]) <= nonlinear * sizes[row]))
      bent[equations.equations[row]] = true;
  return bent;
}

std::vector<bool> JumpIntoMode::possibly_bent_equations(const ImpulseEquations& equations) const {
  std::vector<bool> bent(reduced_->model->equations.size(), false);
  for (std::size_t row = 0; row < equations.bent.size(); ++row)
    if (equations.bent[row]) bent[equations.equations[row]] = true;
  return bent;
}

std::string JumpIntoMode::jump(Numbers& numbers) {
  if (std::ranges::find(numbers.violated, true) == numbers.violated.end()) return {};
  ImpulseEquations& equations = impulses_->of(numbers.violated, numbers.prescribed_top);
  NumericEquations& numeric = *equations.numeric;
  std::vector<int> all(numeric.rows());
  for (int k = 0; k < numeric.rows(); ++k) all[k] = k;
  const NewtonOutcome outcome = solve(numeric, all, all, numbers.inputs);
  if (outcome == NewtonOutcome::Singular && !numbers.prescribed.empty())
    return fmt::format("the values of reinit contradict {}", names_of_conditions(numbers.violated));
  const bool is_found = outcome == NewtonOutcome::Converged;
  const std::vector<bool> bent = is_found ? bent_equations(equations, numbers) : possibly_bent_equations(equations);
  if (std::ranges::find(bent, true) != bent.end())
    return fmt::format("an impulse is needed, because {} does not hold at the event; but {} is not linear in it",
                       names_of_conditions(numbers.violated), names_of_conditions(bent));
  if (!is_found)
    return fmt::format("{} does not hold at the event, and no jump to values that satisfy it was found",
                       names_of_conditions(numbers.violated));
  for (const int j : equations.impulsive)
    if (!numeric.is_rounding(inputs_.impulse(j), numbers.inputs)) numbers.impulsive.push_back(j);
  numbers.equations = &equations;
  return {};
}

Jumped JumpIntoMode::result(const Numbers& numbers, const Values& before) const {
  const Model& model = *reduced_->model;
  Jumped jumped;
  jumped.equations = numbers.equations;
  jumped.inputs = numbers.inputs;
  for (std::size_t j = 0; j < model.variables.size(); ++j) {
    auto& orders = jumped.values.emplace_back();
    for (int k = 0; k <= reduced_->offsets.d[j]; ++k) {
      const Quantity q{VarId{static_cast<int>(j)}, k};
      const double value = numbers.inputs[inputs_.of(q)];
      orders.push_back(value);
      if (!has_memory(q) || !is_known(before, q)) continue;
      const double from = before[j][k];
      if (std::abs(value - from) > visible * (std::abs(from) + std::abs(value)))
        jumped.jumps.push_back({reduced_->name(q), from, value});
    }
  }
  for (const int j : numbers.impulsive) {
    const double size = numbers.inputs[inputs_.impulse(j)];
    if (reduced_->offsets.d[j] > 0) continue;
    jumped.impulses.push_back({model.variables[j].name, size, times_second(model.variables[j].unit)});
  }
  return jumped;
}

std::variant<Jumped, std::string> JumpIntoMode::operator()(double t, const Values& before,
                                                           std::span<const double> parameters,
                                                           const std::vector<PrescribedValue>& prescribed,
                                                           double tolerance) {
  if (!impulses_)
    return "the structure of the equations does not tell their index, so no values after the event are known";
  Numbers numbers;
  if (std::string why = load(numbers, t, before, parameters, prescribed); !why.empty()) return why;
  for (Stage& stage : stages_)
    if (std::string why = settle(stage, numbers, tolerance); !why.empty()) return why;
  if (std::string why = jump(numbers); !why.empty()) return why;
  return result(numbers, before);
}

}  // namespace driftless
