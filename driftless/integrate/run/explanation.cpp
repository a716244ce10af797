#include "driftless/integrate/run/explanation.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/integrate/run/failure.hpp"

namespace driftless {

void Explanation::add(std::vector<std::string> details) {
  for (std::string& detail : details) run_.solution.details.push_back(std::move(detail));
}

StepReport Explanation::undefined_at(double t) {
  run_.observe(t);
  if (run_.all_exist() && !checks_.hold(t, run_.quantities)) {
    add(checks_.details());
    return {Outcome::AssertionViolated, checks_.reason()};
  }
  add(explain_undefined(*run_.system, {t, run_.y, run_.yp}));
  return {Outcome::EvaluationFailed, "an expression has no value"};
}

StepReport Explanation::not_satisfied(const DeliveredPoint::Violation& violation) {
  run_.solution.details.push_back(gate_.describe(violation));
  const Constraint& check = run_.system->checks()[violation.check];
  const Equation& equation = (*run_.reduced.model)[check.equation];
  return {Outcome::NotSatisfied, fmt::format("the next point, at t = {:.9g}, does not satisfy {} within the tolerance",
                                             violation.t, equation.label)};
}

StepReport Explanation::missed_event(double t, std::size_t held) const {
  return {Outcome::NotSatisfied,
          fmt::format("at the next point, t = {:.9g}, {} has changed, and no event was found before", t,
                      run_.reduced.model->discrete.held[held].text),
          Advice::GoOn, Code::EventUnresolved};
}

StepReport Explanation::fails_to_advance() const {
  const System::Point missing = run_.problem.undefined_at();
  const double interval = run_.options.stop - run_.start.t;
  if (!missing.y.empty() && std::abs(missing.t - run_.solution.reached) <= 1e-9 * interval)
    return {Outcome::EvaluationFailed, "an expression has no value"};
  return {Outcome::StepTooSmall, "the step size became too small to advance the time"};
}

void Explanation::describe_failure(const StepReport& report) {
  Stepper& stepper = *run_.stepper;
  run_.solution.details.push_back(fmt::format("the last step size was {:.3g}", stepper.last_step()));
  if (report.outcome == Outcome::EvaluationFailed) {
    System::Point missing = run_.problem.undefined_at();
    if (missing.y.empty()) missing = {stepper.time(), stepper.y(), stepper.yp()};  // a derivative has no value
    add(explain_undefined(*run_.system, missing));
    return;
  }
  std::ranges::copy(stepper.y(), run_.y.begin());
  std::ranges::copy(stepper.yp(), run_.yp.begin());
  describe_breakdown(stepper.time());
  if (report.outcome == Outcome::TooManySteps && is_explicit(run_.method())) {
    pivoting_.choose_here(stepper.time(), stepper.y(), stepper.yp());
    if (not_applicable(method::ExplicitRungeKutta{}, run_.problem)) return;  // there are no slopes to examine
    std::string reason = explain_short_steps(run_.problem, {stepper.time(), run_.y, run_.yp}, stepper.last_step());
    if (!reason.empty()) run_.solution.details.push_back(std::move(reason));
  }
}

void Explanation::describe_breakdown(double t) {
  add(explain_breakdown(run_.problem, {t, run_.y, run_.yp}));
  const Reduced& reduced = run_.reduced;
  if (reduced.choices.empty()) return;
  std::vector<double> values(run_.system->choice_values());
  run_.system->choices({t, run_.y, run_.yp}, values);
  StateSelection fresh(reduced, run_.system->choice_entries(), run_.options.hysteresis);
  if (!fresh.choose(values)) {
    run_.solution.details.push_back(fmt::format("the constraints are dependent on each other here: {}",
                                                describe_row(reduced, fresh.dependent_row())));
  } else if (run_.options.pivot == PivotMode::Never) {
    const auto& exchanges = pivoting_.coordinates().selection().examine(values);
    if (!exchanges.empty())
      run_.solution.details.push_back(
          fmt::format("the choice of {} as a state is singular here; allow pivoting",
                      reduced.name(reduced.slots[reduced.kinematics[exchanges[0].out].slot].quantity)));
  }
}

}  // namespace driftless
