// What a run delivers: points of the trajectory, the certificate, the columns.
#include "driftless/integrate/run/run.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace driftless {
namespace {

// Along a step: by how much, relative to their size, unknowns may move in one solution of the equations, and the
// smallest part of the step after which they are solved again.
constexpr double longest_correction = 0.2, shortest_part = 1e-5;

}  // namespace

double Run::output_time(int k) const {
  return k >= options_.intervals ? options_.stop
                                 : start_.t + (options_.stop - start_.t) * k / static_cast<double>(options_.intervals);
}

Origin Run::load(Stepper& stepper, double t) {
  const bool at_end = t == stepper.time();
  if (at_end) {
    y_ = end_y_, yp_ = end_yp_;
  } else {
    stepper.interpolate(t, y_, yp_);
    if (point_solver_) (*point_solver_)(t, y_, yp_);
    if (output_projector_) (*output_projector_)(t, y_, yp_);
  }
  if (completes_points()) {
    (*on_constraints_)(t, y_, yp_);
    return on_constraints_->determined() ? Origin::Solved : Origin::Interpolated;
  }
  // Gauss methods with constant steps satisfy the rows at their stages, and not at the ends of steps.
  const bool end_is_solved = at_end && !options_.step;
  return end_is_solved || !is_rewritten() || is_explicit(method()) ? Origin::Solved : Origin::Interpolated;
}

StepReport Run::output_up_to(Stepper& stepper, double end) {
  for (; next_output_ <= options_.intervals && output_time(next_output_) <= end; ++next_output_) {
    const double t = output_time(next_output_);
    const Origin origin = load(stepper, t);
    StepReport report = deliver(t, origin);
    if (report.outcome != Outcome::Success) return report;
  }
  return {};
}

double Run::end_of_values(Stepper& stepper) {
  system_->observe({stepper.time(), end_y_, end_yp_}, quantities_);
  if (is_right(stepper.time())) return stepper.time();
  double exists = solution_.reached, missing = stepper.time();
  for (double t = std::midpoint(exists, missing); t > exists && t < missing; t = std::midpoint(exists, missing)) {
    load(stepper, t);
    system_->observe({t, y_, yp_}, quantities_);
    (is_right(t) ? exists : missing) = t;
  }
  return exists;
}

StepReport Run::stop_between(Stepper& stepper, double end) {
  solution_.reached = end;
  const double t = std::nextafter(end, stepper.time());
  load(stepper, t);
  return undefined_at(t);
}

void Run::keep_segment(Stepper& stepper) {
  if (options_.dense && solution_.reached > stepper.time() - stepper.last_step())
    stepper.store(solution_.segments.emplace_back());
}

bool Run::all_exist() const {
  return std::ranges::all_of(quantities_, [](double v) { return std::isfinite(v); });
}

StepReport Run::examine(double t, Origin origin) {
  const auto check = [&] { return may_be_delivered_(System::Point{t, y_, yp_}, origin, quantities_); };
  auto violation = check();
  if (!all_exist()) return undefined_at(t);
  if (violation && find_point_within_step(t)) violation = check();
  if (violation) return not_satisfied(*violation);
  return checks_.hold(t, quantities_) ? StepReport{} : undefined_at(t);
}

// A point between the ends of the last step that could not be put onto the equations, or was not. The equations are
// solved again: from where the polynomial is, then from a solved end of the step on, along the polynomials of the
// states.
bool Run::find_point_within_step(double t) {
  if (!stepper_ || !(t > solution_.reached && t < stepper_->time())) return false;
  if (!is_explicit(method()) && is_rewritten()) return false;
  const bool solved = (!uses_states(method()) && (*on_constraints_)(t, y_, yp_)) ||
                      follow_within_step(t, solution_.reached) || follow_within_step(t, stepper_->time());
  if (!solved || !is_rewritten() || !projects()) return solved;
  Projector project(problem_, options_.projection, start_);
  return project(t, y_, yp_).converged;
}

double Run::distance(std::span<const double> a, std::span<const double> b) const {
  double largest = 0.0;
  for (std::size_t s = 0; s < a.size(); ++s)
    largest = std::max(largest, std::abs(a[s] - b[s]) / (std::abs(b[s]) + reduced_.slots[s].nominal));
  return largest;
}

bool Run::follow_within_step(double t, double from) {
  const double span = stepper_->time() - solution_.reached;
  std::vector<double> y = from < t ? from_y_ : end_y_, yp = from < t ? from_yp_ : end_yp_;
  for (double h = t - from; from != t;) {
    const double next = std::abs(h) < std::abs(t - from) ? from + h : t;
    stepper_->interpolate(next, y_, yp_);
    for (std::size_t s = 0; s < y_.size(); ++s)
      if (!problem_.is_whole_state(static_cast<int>(s))) y_[s] = y[s], yp_[s] = yp[s];
    if ((*on_constraints_)(next, y_, yp_) && distance(y, y_) <= longest_correction) {
      y = y_, yp = yp_, from = next;
      h *= 2.0;
    } else if (std::abs(h *= 0.5) < shortest_part * span) {
      return false;
    }
  }
  return true;
}

StepReport Run::deliver(double t, Origin origin) {
  StepReport report = examine(t, origin);
  if (report.outcome != Outcome::Success) return report;
  if (!options_.rows.keep_all) solution_.times.clear(), solution_.values.clear(), solution_.constraint_drift.clear();
  record_residuals(t);
  ++solution_.points;
  solution_.times.push_back(t);
  solution_.values.insert(solution_.values.end(), quantities_.begin(), quantities_.end());
  record_invariants(t);
  hand_out();
  return {};
}

void Run::record_residuals(double t) {
  const std::size_t row = solution_.constraint_drift.size();
  solution_.constraint_drift.resize(row + solution_.drift_levels, 0.0);
  for (std::size_t k = 0; k < solution_.certificate.size(); ++k) {
    CertificateEntry& entry = solution_.certificate[k];
    const double size = std::abs(may_be_delivered_.residuals()[k]), relative = may_be_delivered_.relative()[k];
    if (size > entry.max_residual || std::isnan(size)) entry.max_residual = size, entry.at_time = t;
    if (relative > entry.max_relative || std::isnan(relative)) entry.max_relative = relative;
    double& drift = solution_.constraint_drift[row + static_cast<std::size_t>(entry.level)];
    if (size > drift || std::isnan(size)) drift = size;
  }
}

void Run::hand_out() {
  if (!options_.rows.row || sink_is_full_) return;
  const std::size_t series = quantities_.size() + invariants_.size();
  sink_is_full_ = !options_.rows.row(solution_.times.back(), std::span<const double>(solution_.values).last(series));
}

void Run::record_invariants(double t) {
  system_->invariants_of_model({t, y_, yp_}, invariants_);
  solution_.values.insert(solution_.values.end(), invariants_.begin(), invariants_.end());
  for (std::size_t k = 0; k < invariants_.size(); ++k) {
    InvariantEntry& entry = solution_.invariants[k];
    if (solution_.points == 1) entry.start = invariants_[k];
    entry.final_deviation = invariants_[k] - entry.start;
    const double size = std::abs(entry.final_deviation);
    if (size > entry.max_deviation || std::isnan(size)) entry.max_deviation = size, entry.at_time = t;
  }
}

void Run::describe_columns() {
  const Model& model = *reduced_.model;
  for (const Quantity q : reduced_.quantities) {
    const Variable& variable = model[q.variable];
    Column column;
    column.name = reduced_.name(q);
    column.unit = variable.unit.empty() || q.order == 0 ? variable.unit
                  : q.order == 1                        ? variable.unit + "/s"
                                                        : fmt::format("{}/s{}", variable.unit, q.order);
    column.description = variable.description;
    column.is_derivative = q.order > 0;
    solution_.columns.push_back(std::move(column));
  }
  for (const InvariantOfModel& invariant : model.invariants) {
    solution_.columns.push_back({.name = invariant.name, .description = "invariant"});
    solution_.invariants.push_back(
        {.name = invariant.name, .line = model.sources->line_of(invariant.range), .at_time = start_.t});
  }
  for (std::size_t p = 0; p < model.parameters.size(); ++p) {
    const Parameter& parameter = model.parameters[p];
    solution_.columns.push_back(
        {parameter.name, parameter.unit, parameter.description, false, true, system_->parameters()[p]});
  }
  solution_.bound = may_be_delivered_.bound();
  for (std::size_t k = 0; k < reduced_.constraints.size(); ++k) {
    const Constraint& constraint = reduced_.constraints[k];
    const Equation& equation = model[constraint.equation];
    solution_.certificate.push_back({.constraint = equation.label,
                                     .line = model.sources->line_of(equation.range),
                                     .level = constraint.level,
                                     .text = equation.text,
                                     .at_time = start_.t,
                                     .imposed = may_be_delivered_.is_imposed(k)});
    solution_.drift_levels = std::max(solution_.drift_levels, static_cast<std::size_t>(constraint.level) + 1);
  }
}

}  // namespace driftless
