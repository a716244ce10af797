// Why a run ended early.
#include "driftless/integrate/run/run.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "driftless/integrate/run/failure.hpp"

namespace driftless {
std::string Run::describe_row(int row) const {
  const Equation& equation = (*reduced_.model)[reduced_.rows[row].equation];
  return fmt::format("{}: {}", equation.label, equation.text);
}

StepReport Run::undefined_at(double t) {
  system_->observe({t, y_, yp_}, quantities_);
  if (all_exist() && !checks_.hold(t, quantities_)) {
    for (std::string& detail : checks_.details()) solution_.details.push_back(std::move(detail));
    return {Outcome::AssertionViolated, checks_.reason()};
  }
  for (std::string& detail : explain_undefined(*system_, {t, y_, yp_})) solution_.details.push_back(std::move(detail));
  return {Outcome::EvaluationFailed, "an expression has no value"};
}

StepReport Run::not_satisfied(const DeliveredPoint::Violation& violation) {
  solution_.details.push_back(may_be_delivered_.describe(violation));
  const Constraint& check = system_->checks()[violation.check];
  const Equation& equation = (*reduced_.model)[check.equation];
  return {Outcome::NotSatisfied, fmt::format("the next point, at t = {:.9g}, does not satisfy {} within the tolerance",
                                             violation.t, equation.label)};
}

std::string Run::why_not_kept() const {
  const auto worst = std::ranges::max_element(solution_.certificate, {}, &CertificateEntry::max_relative);
  return fmt::format(
      "the end was reached, but the constraints are not kept within {:g}: {}{} is off by {:.2g} of its terms",
      solution_.bound, worst->constraint,
      worst->level == 0 ? "" : fmt::format(" (differentiated {} times)", worst->level), worst->max_relative);
}

void Run::describe_failure(Stepper& stepper, const StepReport& report) {
  solution_.details.push_back(fmt::format("the last step size was {:.3g}", stepper.last_step()));
  if (report.outcome == Outcome::EvaluationFailed) {
    System::Point missing = problem_.undefined_at();
    if (missing.y.empty()) missing = {stepper.time(), stepper.y(), stepper.yp()};  // a derivative has no value
    for (std::string& detail : explain_undefined(*system_, missing)) solution_.details.push_back(std::move(detail));
    return;
  }
  std::ranges::copy(stepper.y(), y_.begin());
  std::ranges::copy(stepper.yp(), yp_.begin());
  describe_breakdown(stepper.time());
  if (report.outcome == Outcome::TooManySteps && is_explicit(method())) {
    choose_states(stepper);
    if (not_applicable(method::ExplicitRungeKutta{}, problem_)) return;  // there are no slopes to look at
    std::string reason = explain_short_steps(problem_, {stepper.time(), y_, yp_}, stepper.last_step());
    if (!reason.empty()) solution_.details.push_back(std::move(reason));
  }
}

void Run::describe_breakdown(double t) {
  for (std::string& detail : explain_breakdown(problem_, {t, y_, yp_})) solution_.details.push_back(std::move(detail));
  if (reduced_.choices.empty()) return;
  system_->choices({t, y_, yp_}, choice_values_);
  StateSelection fresh(reduced_, system_->choice_entries(), options_.hysteresis);
  if (!fresh.choose(choice_values_)) {
    solution_.details.push_back(
        fmt::format("the constraints are dependent on each other here: {}", describe_row(fresh.dependent_row())));
  } else if (options_.pivot == PivotMode::Never) {
    const auto& exchanges = coordinates_.selection().examine(choice_values_);
    if (!exchanges.empty())
      solution_.details.push_back(
          fmt::format("the choice of {} as a state is singular here; allow pivoting",
                      reduced_.name(reduced_.slots[reduced_.kinematics[exchanges[0].out].slot].quantity)));
  }
}

}  // namespace driftless
