#include "driftless/solution/solution.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <stdexcept>

#include "driftless/archive/archive.hpp"

namespace driftless {

const char* to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::Success: return "success";
    case Outcome::InitializationFailed: return "no consistent start was found";
    case Outcome::StepTooSmall: return "step size too small";
    case Outcome::TooManySteps: return "too many steps";
    case Outcome::EvaluationFailed: return "an expression has no value";
    case Outcome::SingularIteration: return "the iteration matrix is singular";
    case Outcome::AssertionViolated: return "assertion violated";
    case Outcome::Interrupted: return "interrupted";
    case Outcome::OutOfMemory: return "out of memory";
    case Outcome::NotSatisfied: return "the equations are not satisfied";
    case Outcome::BoundaryUnsolved: return "no solution of the boundary value problem was found";
    case Outcome::NotKept: return "constraints are not kept";
  }
  return "unknown";
}

const char* to_string(Evaluation evaluation) {
  switch (evaluation) {
    case Evaluation::Interpreted: return "interpreted";
    case Evaluation::Compiled: return "compiled";
    default: return "unknown";
  }
}

std::optional<Code> code_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::Success: break;
    case Outcome::InitializationFailed: return Code::StartNotFound;
    case Outcome::StepTooSmall: return Code::StepTooSmall;
    case Outcome::TooManySteps: return Code::TooManySteps;
    case Outcome::EvaluationFailed: return Code::NoValueInRun;
    case Outcome::SingularIteration: return Code::SingularIteration;
    case Outcome::AssertionViolated: return Code::AssertionViolated;
    case Outcome::Interrupted: return Code::Interrupted;
    case Outcome::OutOfMemory: return Code::OutOfMemory;
    case Outcome::NotSatisfied: return Code::PointNotSatisfied;
    case Outcome::BoundaryUnsolved: return Code::BoundaryUnsolved;
    case Outcome::NotKept: return Code::ConstraintsNotKept;
  }
  return {};
}

const char* to_code(Outcome outcome) {
  switch (outcome) {
    case Outcome::Success: return "success";
    case Outcome::InitializationFailed: return "initialization_failed";
    case Outcome::StepTooSmall: return "step_too_small";
    case Outcome::TooManySteps: return "too_many_steps";
    case Outcome::EvaluationFailed: return "evaluation_failed";
    case Outcome::SingularIteration: return "singular_iteration";
    case Outcome::AssertionViolated: return "assertion_violated";
    case Outcome::Interrupted: return "interrupted";
    case Outcome::OutOfMemory: return "out_of_memory";
    case Outcome::NotSatisfied: return "not_satisfied";
    case Outcome::BoundaryUnsolved: return "boundary_unsolved";
    case Outcome::NotKept: return "not_kept";
  }
  return "unknown";
}

// Binary search, so that value() may be called in inner loops.
std::size_t Solution::series() const {
  const auto first_parameter =
      std::partition_point(columns.begin(), columns.end(), [](const Column& c) { return !c.is_parameter; });
  return static_cast<std::size_t>(first_parameter - columns.begin());
}

std::optional<std::size_t> Solution::find(std::string_view name) const {
  const auto found = std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.name == name; });
  if (found == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}

std::vector<double> Solution::column(std::string_view name) const {
  const auto k = find(name);
  if (!k && name == "time") return times;
  if (!k) throw std::out_of_range("the solution has no variable '" + std::string(name) + "'");
  if (columns[*k].is_parameter) return std::vector<double>(times.size(), columns[*k].parameter_value);

  const std::size_t stride = series();
  std::vector<double> result(times.size());
  for (std::size_t row = 0; row < result.size(); ++row) result[row] = values[row * stride + *k];
  return result;
}

double Solution::final(std::string_view name) const {
  const auto k = find(name);
  if (k && columns[*k].is_parameter) return columns[*k].parameter_value;
  if (!k && name != "time") throw std::out_of_range("the solution has no variable '" + std::string(name) + "'");
  if (times.empty()) return std::numeric_limits<double>::quiet_NaN();
  return k ? value(times.size() - 1, *k) : times.back();
}

void evaluate(const Segment& segment, double time, std::vector<double>& y, std::vector<double>& yp) {
  const double h = segment.end - segment.begin, theta = (time - segment.end) / h;
  const std::size_t n = segment.coefficients.size() / (segment.order + 1);
  y.resize(n), yp.resize(n);
  for (std::size_t i = 0; i < n; ++i) {  // Horner's scheme for the polynomial and its derivative
    double p = 0.0, dp = 0.0;
    for (int k = segment.order; k >= 0; --k) {
      dp = dp * theta + p;
      p = p * theta + segment.coefficients[k * n + i];
    }
    y[i] = p;
    yp[i] = dp / h;
  }
}

std::vector<double> Solution::at(double time) const {
  if (segments.empty() || !observer) throw std::out_of_range("the run kept no dense output");
  if (!(time >= start && time <= reached)) throw std::out_of_range("time is outside the run");
  // The last segment that begins at or before this time: at an event, the one after it.
  const auto next = std::upper_bound(segments.begin(), segments.end(), time,
                                     [](double t, const Segment& segment) { return t < segment.begin; });
  const Segment& segment = next == segments.begin() ? *next : *std::prev(next);
  std::vector<double> y, yp, result(series());
  evaluate(segment, time, y, yp);
  observer(time, y, yp, result);
  return result;
}

double Solution::at(double time, std::string_view name) const {
  const auto k = find(name);
  if (!k || *k >= series()) throw std::out_of_range("no series of this name");
  return at(time)[*k];
}

Counts& Counts::operator+=(const Counts& other) {
  steps += other.steps;
  rejected_steps += other.rejected_steps;
  convergence_failures += other.convergence_failures;
  residual_evaluations += other.residual_evaluations;
  newton_iterations += other.newton_iterations;
  jacobian_evaluations += other.jacobian_evaluations;
  factorizations += other.factorizations;
  projections += other.projections;
  return *this;
}

void Counts::archive(Archive& archive) {
  archive(steps, rejected_steps, convergence_failures, residual_evaluations, newton_iterations, jacobian_evaluations,
          factorizations, projections);
}

void Statistics::add(const Statistics& other) {
  const double all = static_cast<double>(steps + other.steps);
  if (all > 0.0)
    mean_order = (mean_order * static_cast<double>(steps) + other.mean_order * static_cast<double>(other.steps)) / all;
  smallest_step = steps == 0         ? other.smallest_step
                  : other.steps == 0 ? smallest_step
                                     : std::min(smallest_step, other.smallest_step);
  largest_step = std::max(largest_step, other.largest_step);
  *this += other;
  pivots += other.pivots;
  events += other.events;
  event_iterations += other.event_iterations;
  for (const auto& [cause, times] : other.events_by_cause) {
    const auto known = std::ranges::find(events_by_cause, cause, &std::pair<std::string, long>::first);
    if (known == events_by_cause.end())
      events_by_cause.emplace_back(cause, times);
    else
      known->second += times;
  }
  modes = std::max(modes, other.modes);
  operations += other.operations;
  if (other.evaluation == Evaluation::Compiled) evaluation = other.evaluation;
  if (other.largest_condition.matrix > largest_condition.matrix) largest_condition = other.largest_condition;
  seconds.parse += other.seconds.parse;
  seconds.analyze += other.seconds.analyze;
  seconds.compile += other.seconds.compile;
  seconds.initialize += other.seconds.initialize;
  seconds.integrate += other.seconds.integrate;
}

void Column::archive(Archive& archive) {
  archive(name, unit, description, is_derivative, is_parameter, parameter_value, discrete, literals);
}

void InvariantEntry::archive(Archive& archive) { archive(name, line, start, max_deviation, at_time, final_deviation); }

void Pivot::archive(Archive& archive) { archive(time, out, in, margin); }

void Segment::archive(Archive& archive) { archive(begin, end, order, coefficients); }

void Statistics::archive(Archive& archive) {
  Counts::archive(archive);
  archive(pivots, events, event_iterations, events_by_cause, modes, operations, smallest_step, largest_step, mean_order,
          largest_condition.matrix, largest_condition.scaled, evaluation);
  archive(seconds.parse, seconds.analyze, seconds.compile, seconds.initialize, seconds.integrate);
}

void Solution::archive(Archive& archive) {
  archive.section("solution");
  archive(model, outcome, code, message, details, remarks, start, stop, reached, tolerance, step, formulation, method,
          projection);
  archive(structure.equations, structure.unknowns, structure.structural_index, structure.index_is_bound,
          structure.degrees_of_freedom, structure.differentiations);
  archive(statistics, certificate, bound, invariants, pivots, events, columns, times, values, points, drift_levels,
          constraint_drift, segments);
}

Verdict Solution::verdict() const { return driftless::verdict(certificate, bound); }

double Solution::largest_residual() const { return driftless::largest_residual(certificate); }

}  // namespace driftless
