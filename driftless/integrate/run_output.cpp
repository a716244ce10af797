// What a run delivers: points of the trajectory, the certificate, the columns.
#include "driftless/integrate/run.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>


namespace driftless {

double Run::output_time(int k) const {
  return k >= options_.intervals
             ? options_.stop
             : start_.t + (options_.stop - start_.t) * k / static_cast<double>(options_.intervals);
}

void Run::load(Stepper& stepper, double t) {
  if (t == stepper.time()) {
    y_ = end_y_, yp_ = end_yp_;
  } else {
    stepper.interpolate(t, y_, yp_);
    if (output_projector_) (*output_projector_)(t, y_, yp_);
  }
  if (completes_points()) (*on_constraints_)(t, y_, yp_);
}

bool Run::output_up_to(Stepper& stepper, double end) {
  for (; next_output_ <= options_.intervals && output_time(next_output_) <= end; ++next_output_) {
    load(stepper, output_time(next_output_));
    if (!deliver(output_time(next_output_))) return false;
  }
  return true;
}

double Run::end_of_values(Stepper& stepper) {
  system_->observe({stepper.time(), end_y_, end_yp_}, quantities_);
  if (all_exist()) return stepper.time();
  double exists = solution_.reached, missing = stepper.time();
  for (double t = std::midpoint(exists, missing); t > exists && t < missing; t = std::midpoint(exists, missing)) {
    load(stepper, t);
    system_->observe({t, y_, yp_}, quantities_);
    (all_exist() ? exists : missing) = t;
  }
  return exists;
}

StepReport Run::stop_between(Stepper& stepper, double end) {
  const bool at_output = next_output_ <= options_.intervals && output_time(next_output_) <= end;
  solution_.reached = at_output ? solution_.times.back() : end;
  const double t = at_output ? output_time(next_output_) : std::nextafter(end, stepper.time());
  load(stepper, t);
  return undefined_at(t);
}

bool Run::all_exist() const {
  return std::ranges::all_of(quantities_, [](double v) { return std::isfinite(v); });
}

bool Run::deliver(double t) {
  system_->inspect({t, y_, yp_}, quantities_, residuals_);
  if (!all_exist()) return false;
  if (!options_.rows.keep_all) solution_.times.clear(), solution_.values.clear(), solution_.constraint_drift.clear();
  const std::size_t row = solution_.constraint_drift.size();
  solution_.constraint_drift.resize(row + solution_.drift_levels, 0.0);
  for (std::size_t k = 0; k < residuals_.size(); ++k) {
    CertificateEntry& entry = solution_.certificate[k];
    const double size = std::abs(residuals_[k]);
    if (size > entry.max_residual || std::isnan(size)) entry.max_residual = size, entry.at_time = t;
    double& drift = solution_.constraint_drift[row + static_cast<std::size_t>(entry.level)];
    if (size > drift || std::isnan(size)) drift = size;
  }
  ++solution_.points;
  solution_.times.push_back(t);
  solution_.values.insert(solution_.values.end(), quantities_.begin(), quantities_.end());
  record_invariants(t);
  hand_out();
  return true;
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
  for (const Parameter& parameter : model.parameters)
    solution_.columns.push_back(
        {parameter.name, parameter.unit, parameter.description, false, true, parameter.value});
  for (const Constraint& constraint : reduced_.constraints) {
    const Equation& equation = model[constraint.equation];
    solution_.certificate.push_back(
        {equation.label, model.sources->line_of(equation.range), constraint.level, equation.text, 0.0, start_.t});
    solution_.drift_levels = std::max(solution_.drift_levels, static_cast<std::size_t>(constraint.level) + 1);
  }
}

}  // namespace driftless
