#include "driftless/initialize/report.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include <Eigen/Sparse>
#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/initialize/findings.hpp"
#include "driftless/initialize/cure.hpp"
#include "driftless/initialize/explain.hpp"
#include "driftless/initialize/strategies.hpp"
#include "driftless/initialize/values.hpp"
#include "driftless/linear/least_change.hpp"
#include "driftless/reduce/undefined.hpp"

namespace driftless {
namespace {

constexpr std::size_t small = 2000;  // unknowns up to which dependences are searched
constexpr double involved = 1e-8;    // a coefficient below this part of the largest is a rounding error

using Matrix = Eigen::SparseMatrix<double>;

class Reporter {
 public:
  Reporter(const Reduced& reduced, const InitialProblem& problem, const FoundStart& found, double t)
      : reduced_(reduced), model_(*reduced.model), problem_(problem), found_(found), t_(t) {
    std::vector<int> all(problem.rows.size());
    std::iota(all.begin(), all.end(), 0);
    InitialRows rows(*reduced.model, problem, t, {all});
    rows.set_values(found.values);
    const std::span<const double> residual = rows.residual(0);
    residual_.assign(residual.begin(), residual.end());
    const std::span<const InitialRows::Entry> entries = rows.jacobian(0);
    entries_.assign(entries.begin(), entries.end());
    size_.assign(all.size(), 0.0);
    for (const InitialRows::Entry& entry : entries_)
      size_[entry.row] += std::abs(entry.value) * (std::abs(found.values[entry.col]) + unknown(entry.col).nominal);
  }

  StartReport report() const {
    StartReport report;
    report.t = t_;
    report.found = found_.solved;
    report.trials = found_.trials;
    report.degrees_of_freedom = problem_.degrees_of_freedom;
    count_levels(report);
    list_conditions(report);
    if (found_.solved) {
      report.largest_residual = largest_residual();
      list_repetitions(report);
      list_choices(report);
      list_moves(report);
      report.branches = other_branches(reduced_, problem_, found_, t_);
    } else {
      report.violations = violations();
    }
    list_values(report);
    return report;
  }

  double largest_residual() const {
    double largest = 0.0;
    for (std::size_t i = 0; i < residual_.size(); ++i)
      if (size_[i] > 0.0) largest = std::max(largest, std::abs(residual_[i]) / size_[i]);
    return largest;
  }

  // Each equation at its lowest level, as higher levels follow.
  std::vector<StartReport::Violation> violations() const {
    std::vector<StartReport::Violation> list;
    const auto is_violated = [&](std::size_t i) { return std::abs(residual_[i]) > 1e-8 * size_[i]; };
    for (std::size_t i = 0; i < residual_.size(); ++i) {
      const InitialRow& row = problem_.rows[i];
      bool lowest = is_violated(i);
      for (std::size_t k = 0; k < residual_.size() && lowest; ++k)
        lowest = !(problem_.rows[k].kind == row.kind && problem_.rows[k].source == row.source &&
                   problem_.rows[k].level < row.level && is_violated(k));
      if (!lowest) continue;
      StartReport::Violation violation{describe(reduced_, problem_.rows[i]), unit_of_row(i), residual_[i], {}};
      for (const auto& [col, derivative] : problem_.gradients[i])
        violation.at.emplace_back(name(col), found_.values[col]);
      list.push_back(std::move(violation));
    }
    std::ranges::stable_sort(list, std::greater<>(),
                             [](const StartReport::Violation& v) { return std::abs(v.residual); });
    return list;
  }

  // A row that depends on the others is a combination of some of them: these say the same together.
  std::vector<std::vector<int>> circuits() const {
    std::vector<std::vector<int>> all;
    const std::vector<int>& surplus = found_.plan->surplus;
    if (surplus.empty() || problem_.unknowns.size() > small) return all;
    std::vector<int> basis;
    for (int i = 0; i < static_cast<int>(problem_.rows.size()); ++i)
      if (!std::ranges::binary_search(surplus, i)) basis.push_back(i);
    const linear::LeastChange combination(transposed(basis));
    for (const int row : surplus) {
      const Eigen::VectorXd part = combination.solve(Eigen::VectorXd(transposed({row}).col(0)));
      std::vector<int>& circuit = all.emplace_back(std::vector<int>{row});
      for (Eigen::Index k = 0; k < part.size(); ++k)
        if (std::abs(part[k]) > involved * part.cwiseAbs().maxCoeff()) circuit.push_back(basis[k]);
    }
    return all;
  }

  // Equations that only define something are not among the rows of the search, and a row that was solved up to rounding
  // may have no value at the very solution.
  std::vector<std::string> without_value() const {
    const std::vector<double> parameters = parameters_of(model_, problem_, found_.values);
    const Values values = values_of(reduced_, problem_, found_.values, parameters, t_);
    const Pool& pool = *model_.pool;
    const auto value_of_leaf = [&](NodeId leaf) {
      const Node& node = pool[leaf];
      if (node.op == Op::Time) return t_;
      if (node.op == Op::Parameter) return parameters[node.a];
      return node.a < values.size() && node.b < values[node.a].size() ? values[node.a][node.b] : std::nan("");
    };
    std::vector<std::string> all;
    for (const Equation& equation : model_.equations)
      if (const std::string what = undefined_operation(model_, equation.residual, value_of_leaf); !what.empty())
        all.push_back(fmt::format("in {}: {}: {}", equation.label, equation.text, what));
    return all;
  }

 private:
  const InitialUnknown& unknown(int k) const { return problem_.unknowns[k]; }
  std::string name(int k) const { return name_of(reduced_, unknown(k)); }
  std::string unit(int k) const { return unit_of(model_, unknown(k)); }

  // Stage k has the quantities k orders below the highest, and the equations that are differentiated at least k times.
  void count_levels(StartReport& report) const {
    const std::vector<int>&c = reduced_.offsets.c, &d = reduced_.offsets.d;
    int highest = 0;
    for (const int order : d) highest = std::max(highest, order);
    for (int stage = highest; stage >= 1; --stage) {
      StartReport::Level level;
      for (std::size_t j = 0; j < d.size(); ++j)
        if (d[j] >= stage) level.quantities.push_back(reduced_.name({VarId{static_cast<int>(j)}, d[j] - stage}));
      level.equations = static_cast<int>(std::ranges::count_if(c, [&](int times) { return times >= stage; }));
      report.levels.push_back(std::move(level));
    }
  }

  void list_conditions(StartReport& report) const {
    for (const InitialRow& row : problem_.rows) {
      if (row.kind == InitialRow::Kind::Equation) continue;
      const SourceRange range = row.kind == InitialRow::Kind::Fixed ? model_.variables[row.source].range
                                                                    : model_.initial_equations[row.source].range;
      report.conditions.push_back({describe(reduced_, row), range});
    }
  }

  // Rows as columns, in units of nominal values, each of size one.
  Matrix transposed(const std::vector<int>& rows) const {
    std::vector<int> place(problem_.rows.size(), -1);
    for (std::size_t k = 0; k < rows.size(); ++k) place[rows[k]] = static_cast<int>(k);
    std::vector<double> largest(problem_.rows.size(), 0.0);
    for (const InitialRows::Entry& entry : entries_)
      largest[entry.row] = std::max(largest[entry.row], std::abs(entry.value) * unknown(entry.col).nominal);
    std::vector<Eigen::Triplet<double>> triplets;
    for (const InitialRows::Entry& entry : entries_)
      if (place[entry.row] >= 0 && largest[entry.row] > 0.0)
        triplets.emplace_back(entry.col, place[entry.row],
                              entry.value * unknown(entry.col).nominal / largest[entry.row]);
    Matrix matrix(static_cast<Eigen::Index>(problem_.unknowns.size()), static_cast<Eigen::Index>(rows.size()));
    matrix.setFromTriplets(triplets.begin(), triplets.end());
    return matrix;
  }

  void list_repetitions(StartReport& report) const {
    for (const std::vector<int>& circuit : circuits()) {
      StartReport::Repetition repetition;
      for (const int member : circuit) {
        const bool condition = problem_.rows[member].kind != InitialRow::Kind::Equation;
        (condition ? repetition.conditions : repetition.equations).push_back(describe(reduced_, problem_.rows[member]));
      }
      if (repetition.conditions.empty()) continue;
      for (StartReport::Condition& condition : report.conditions)
        if (std::ranges::find(repetition.conditions, condition.text) != repetition.conditions.end())
          condition.role = StartReport::Condition::Role::Repeated;
      report.repetitions.push_back(std::move(repetition));
    }
  }

  void list_choices(StartReport& report) const {
    std::vector<int> held, dependent;
    for (int k = 0; k < static_cast<int>(problem_.unknowns.size()); ++k) {
      if (found_.plan->row_of[k] >= 0)
        dependent.push_back(k);
      else if (unknown(k).grade >= start_grade::parameter)
        held.push_back(k);
    }
    std::ranges::stable_sort(held, std::greater<>(), [&](int k) { return unknown(k).grade; });
    for (const int k : held)
      report.choices.push_back({name(k), unit(k), found_.values[k], unknown(k).given, alternatives(k, dependent)});
  }

  // Unknowns that change with this one could be held instead.
  std::vector<std::string> alternatives(int held, const std::vector<int>& dependent) const {
    if (problem_.unknowns.size() > small) return {};
    std::vector<int> place(problem_.unknowns.size(), -1);
    for (std::size_t k = 0; k < dependent.size(); ++k) place[dependent[k]] = static_cast<int>(k);
    std::vector<Eigen::Triplet<double>> triplets;
    Eigen::VectorXd right = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(problem_.rows.size()));
    std::vector<double> largest(problem_.rows.size(), 0.0);
    for (const InitialRows::Entry& entry : entries_)
      largest[entry.row] = std::max(largest[entry.row], std::abs(entry.value) * unknown(entry.col).nominal);
    for (const InitialRows::Entry& entry : entries_) {
      if (largest[entry.row] == 0.0) continue;
      const double value = entry.value * unknown(entry.col).nominal / largest[entry.row];
      if (entry.col == held) right[entry.row] = -value;
      if (place[entry.col] >= 0) triplets.emplace_back(entry.row, place[entry.col], value);
    }
    Matrix matrix(right.size(), static_cast<Eigen::Index>(dependent.size()));
    matrix.setFromTriplets(triplets.begin(), triplets.end());
    const Eigen::VectorXd moved = linear::LeastChange(matrix).solve(right);
    std::vector<int> candidates;
    for (std::size_t k = 0; k < dependent.size(); ++k)
      if (unknown(dependent[k]).is_candidate() &&
          unknown(dependent[k]).quantity.order == unknown(held).quantity.order &&
          std::abs(moved[static_cast<Eigen::Index>(k)]) > 1e-6)
        candidates.push_back(dependent[k]);
    std::ranges::stable_sort(candidates, std::greater<>(), [&](int k) { return unknown(k).grade; });
    std::vector<std::string> names;
    for (const int k : candidates) names.push_back(name(k));
    return names;
  }

  void list_moves(StartReport& report) const {
    for (const int k : moved_starts(problem_, found_.values)) {
      int row = found_.plan->row_of[k];
      for (std::size_t i = 0; i < problem_.rows.size() && row < 0; ++i)  // released: any row that it occurs in
        if (std::ranges::find(problem_.gradients[i], k, [](const auto& entry) { return entry.first; }) !=
            problem_.gradients[i].end())
          row = static_cast<int>(i);
      report.moves.push_back({name(k), unit(k), unknown(k).guess, found_.values[k],
                              row < 0 ? "" : describe(reduced_, problem_.rows[row])});
    }
  }

  // The unit of a row is that of a variable which is one of its terms.
  std::string unit_of_row(std::size_t row) const {
    for (const auto& [col, derivative] : problem_.gradients[row]) {
      const Node& node = (*problem_.pool)[derivative];
      if (node.op == Op::Constant &&
          std::abs(evaluate(*problem_.pool, derivative, [](NodeId) { return 0.0; })) == 1.0 && !unit(col).empty())
        return unit(col);
    }
    return {};
  }

  void list_values(StartReport& report) const {
    const Values values =
        values_of(reduced_, problem_, found_.values, parameters_of(model_, problem_, found_.values), t_);
    for (std::size_t j = 0; j < model_.variables.size(); ++j)
      for (int order = 0; order < static_cast<int>(values[j].size()); ++order)
        if (order <= std::max(0, reduced_.offsets.d[j] - 1) && !std::isnan(values[j][order]))
          report.values.emplace_back(reduced_.name({VarId{static_cast<int>(j)}, order}), values[j][order]);
  }

  const Reduced& reduced_;
  const Model& model_;
  const InitialProblem& problem_;
  const FoundStart& found_;
  double t_;
  std::vector<double> residual_, size_;
  std::vector<InitialRows::Entry> entries_;
};

}  // namespace

std::vector<StartReport::Violation> violations_of(const Reduced& reduced, const InitialProblem& problem,
                                                  const FoundStart& found, double t, double& largest_residual) {
  const Reporter reporter(reduced, problem, found, t);
  largest_residual = reporter.largest_residual();
  return reporter.violations();
}

std::vector<std::vector<int>> repetitions_in(const Reduced& reduced, const InitialProblem& problem,
                                             const FoundStart& found, double t) {
  return Reporter(reduced, problem, found, t).circuits();
}

StartReport report_start(const Reduced& given, double t, Diagnostics& diagnostics, const LeadToRows& lead) {
  const std::shared_ptr<const Reduced> standard = standard_form(std::make_shared<const Reduced>(given));
  const Reduced& reduced = *standard;
  const InitialProblem problem = make_initial_problem(reduced, diagnostics);
  if (diagnostics.has_errors()) {
    StartReport unusable;
    unusable.message = "the initial equations cannot be used";
    return unusable;
  }
  const FoundStart found = seek_start(reduced, problem, t, lead);
  const Reporter reporter(reduced, problem, found, t);
  StartReport report = reporter.report();
  if (found.solved) report.details = reporter.without_value();
  if (!report.details.empty()) {
    report.found = false;
    report.message = "an expression has no value at the start, " + report.details.front();
    report.details.push_back("give start values at which every expression has a value");
    return report;
  }
  std::vector<int> conflict;
  if (!found.solved) {
    NoConsistentStart why = explain_failure(reduced, problem, t, found);
    report.message = std::move(why.message);
    report.details = std::move(why.details);
    if (found.evaluated) {
      const GuiltyPart guilty = guilty_part(reduced, problem, t, found);
      for (const int row : smallest_conflict(reduced, guilty.part.problem, t))
        conflict.push_back(guilty.part.rows[row]);
      double unused = 0.0;
      report.violations = violations_of(reduced, guilty.part.problem, guilty.found, t, unused);
    }
    for (const int row : conflict)
      for (StartReport::Condition& condition : report.conditions)
        if (condition.text == describe(reduced, problem.rows[row]))
          condition.role = StartReport::Condition::Role::Conflicting;
  }
  find_cure(reduced, problem, found, conflict, t, lead, report);
  return report;
}

}  // namespace driftless
