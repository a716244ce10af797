#include "driftless/integrate/run/method_exchange.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace driftless {

void MethodExchange::make_first() { make(run_.options.method, run_.start); }

// What is done once, kernels and orderings, is part of the compilation.
void MethodExchange::make(const Method& method, const State& from) {
  const double begin = run_.clock();
  const IntegrateOptions& options = run_.options;
  const StepSettings settings{.tolerance = options.tolerance,
                              .stop = run_.goal,
                              .step = options.step,
                              .longest_step = options.longest_step,
                              .newton = options.newton,
                              .projection = options.projection};
  run_.stepper = make_stepper(method, run_.problem, from, settings);
  take_in_use();
  run_.preparation += run_.clock() - begin;
}

void MethodExchange::take_in_use() {
  projection_.prepare();
  pivoting_.epochs().back().point_solver = run_.point_solver = run_.stepper->point_solver();
}

void MethodExchange::after_step(StepReport& report) {
  const Stepper& stepper = *run_.stepper;
  if (run_.switching.is_due(stepper, run_.options.stop)) {
    pivoting_.choose_here(stepper.time(), stepper.y(), stepper.yp());
    report = run_.switching.examine(stepper);
  }
  if (const Method* next = run_.switching.successor(report.advice)) hand_over(*next, report);
}

void MethodExchange::hand_over(const Method& next, const StepReport& report) {
  if (run_.solution.reached >= run_.goal || (projection_.acts_on_recurrence() && !can_replace(next))) return;
  std::vector<std::string>& remarks = run_.solution.remarks;
  if (run_.switching.returns()) {
    remarks.erase(remarks.begin() + static_cast<std::ptrdiff_t>(remark_of_change_));
  } else {
    remark_of_change_ = remarks.size();
    remarks.push_back(fmt::format("{}: {} takes over from {} at t = {:.6g}, where {}",
                                  report.advice == Advice::Stiff      ? "stiff"
                                  : report.advice == Advice::NotStiff ? "not stiff"
                                                                      : "costly",
                                  to_string(next), to_string(run_.method()), run_.stepper->time(), report.reason));
  }
  State here;
  here.t = run_.stepper->time();
  here.y.assign(run_.stepper->y().begin(), run_.stepper->y().end());
  here.yp.assign(run_.stepper->yp().begin(), run_.stepper->yp().end());
  former_.emplace_back(run_.method(), std::move(run_.stepper));
  run_.switching.take_over(next);
  pivoting_.begin_epoch(here.t);
  if (!resume_former(next, here)) make(next, here);
}

bool MethodExchange::resume_former(const Method& method, const State& here) {
  const auto found =
      std::ranges::find(former_, method.index(), [](const Former& former) { return former.first.index(); });
  if (found == former_.end() || !found->second->resume(here.t, here.y, here.yp, run_.goal)) return false;
  const double begin = run_.clock();
  run_.stepper = std::move(found->second);
  former_.erase(found);
  take_in_use();
  run_.preparation += run_.clock() - begin;
  return true;
}

void MethodExchange::add_statistics() {
  if (run_.stepper) add_statistics(run_.method(), *run_.stepper);
  for (const auto& [method, former] : former_) add_statistics(method, *former);
  if (run_.options.count_work) run_.solution.statistics.operations += run_.switching.operations_of_looks();
}

// The largest condition is that of all steppers.
void MethodExchange::add_statistics(const Method& method, const Stepper& stepper) {
  Statistics& statistics = run_.solution.statistics;
  ConditionNumbers& largest = statistics.largest_condition;
  const ConditionNumbers before = largest;
  stepper.add_to(statistics);
  if (before.matrix > largest.matrix) largest = before;
  if (!run_.options.count_work) return;
  Statistics counts;
  stepper.add_to(counts);
  statistics.operations += Work(run_.problem)(method, counts, stepper.last_order());
}

void MethodExchange::add_remark() const {
  const int number = run_.switching.trials_in_vain();
  if (number == 0) return;
  run_.solution.remarks.push_back(
      number == 1 ? fmt::format("another method was tried on the way and cost more than {}", to_string(run_.method()))
                  : fmt::format("other methods were tried {} times on the way and cost more than {}", number,
                                to_string(run_.method())));
}

}  // namespace driftless
