#include "driftless/integrate/run/method_exchange.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "driftless/integrate/solve/index_one_point.hpp"

namespace driftless {

void MethodExchange::make_first() { begin_with(run_.options.method, run_.start); }

std::unique_ptr<Stepper> MethodExchange::make(const Method& method, const Origin& origin) const {
  const IntegrateOptions& options = run_.options;
  const StepSettings settings{.tolerance = options.tolerance,
                              .stop = origin.stop,
                              .step = origin.leap ? origin.leap : options.step,
                              .longest_step = options.longest_step,
                              .newton = options.newton,
                              .projection = options.projection,
                              .leap = origin.leap.has_value()};
  return make_stepper(method, run_.problem, origin.from, settings);
}

void MethodExchange::begin_with(const Method& method, const State& from, std::optional<double> leap) {
  origin_ = {from, run_.goal, leap};
  run_.stepper = make(method, origin_);
  take_in_use();
}

void MethodExchange::take_in_use() {
  projection_.prepare();
  pivoting_.epochs().back().point_solver = run_.point_solver = point_solver_of(*run_.stepper);
}

std::shared_ptr<PointSolver> MethodExchange::point_solver_of(Stepper& stepper) {
  if (run_.reduced.equation_choice.exists()) return std::make_shared<IndexOnePoint>(*run_.system);
  return stepper.point_solver();
}

void MethodExchange::after_step(StepReport& report) {
  const Stepper& stepper = *run_.stepper;
  const double stop = run_.options.stop;
  if (run_.switching.is_due(stepper, stop)) {
    pivoting_.choose_here(stepper.time(), stepper.y(), stepper.yp());
    report = run_.switching.examine(stepper);
  } else if (report.advice == Advice::Stiff) {
    if (!run_.switching.heeds_stepper(stepper, stop)) return;
    pivoting_.choose_here(stepper.time(), stepper.y(), stepper.yp());
    if (!run_.switching.confirms_stepper(stepper)) return;
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
  const Stepper& stepper = *run_.stepper;
  exchange(next, stepper.time(), {stepper.y().begin(), stepper.y().end()}, {stepper.yp().begin(), stepper.yp().end()});
}

namespace {

State state_at(double t, std::vector<double> y, std::vector<double> yp) {
  State here;
  here.t = t;
  here.y = std::move(y);
  here.yp = std::move(yp);
  return here;
}

}  // namespace

void MethodExchange::take_over(const Method& next, double t) {
  run_.switching.take_over(next);
  pivoting_.begin_epoch(t);
}

void MethodExchange::exchange(const Method& next, double t, std::vector<double> y, std::vector<double> yp) {
  const State here = state_at(t, std::move(y), std::move(yp));
  former_.push_back({run_.method(), std::move(origin_), std::move(run_.stepper)});
  take_over(next, t);
  // What is done once, kernels and orderings, is part of the compilation.
  const double begin = run_.clock();
  if (!resume_former(next, here)) begin_with(next, here);
  run_.preparation += run_.clock() - begin;
}

void MethodExchange::leap(double step, double t, std::vector<double> y, std::vector<double> yp) {
  const Method over = method::ExplicitRungeKutta{method::Explicit::Dop853};
  former_.push_back({run_.method(), std::move(origin_), std::move(run_.stepper)});
  take_over(over, t);
  begin_with(over, state_at(t, std::move(y), std::move(yp)), step);
}

void MethodExchange::end_leap(double t, std::vector<double> y, std::vector<double> yp) {
  const State here = state_at(t, std::move(y), std::move(yp));
  add_statistics(run_.method(), *run_.stepper);
  run_.stepper.reset();
  const Method back = former_.back().method;
  take_over(back, t);
  if (!resume_former(back, here)) begin_with(back, here);
}

bool MethodExchange::resume_former(const Method& method, const State& here) {
  const auto found =
      std::ranges::find(former_, method.index(), [](const Former& former) { return former.method.index(); });
  if (found == former_.end() || !found->stepper->resume(here.t, here.y, here.yp, run_.goal)) return false;
  run_.stepper = std::move(found->stepper);
  origin_ = std::move(found->origin);
  former_.erase(found);
  take_in_use();
  return true;
}

void MethodExchange::add_statistics() {
  if (run_.stepper) add_statistics(run_.method(), *run_.stepper);
  for (const Former& former : former_) add_statistics(former.method, *former.stepper);
  if (run_.options.count_work) run_.solution.statistics.operations += run_.switching.operations_of_looks();
}

// The largest condition is taken over all steppers.
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

// When reading, steppers are made as they were made first, then read. The present one already has its method.
void MethodExchange::archive(Archive& archive) {
  archive.section("steppers");
  archive(remark_of_change_, origin_);
  std::size_t number = former_.size();
  archive(number);
  former_.resize(number);
  for (Former& former : former_) {
    driftless::archive(archive, former.method);
    archive(former.origin);
    if (archive.is_reading()) former.stepper = make(former.method, former.origin);
    archive(*former.stepper);
  }
  if (archive.is_reading()) {
    run_.stepper = make(run_.method(), origin_);
    projection_.prepare();
  }
  archive(*run_.stepper);
  archive_point_solvers(archive);
}

void MethodExchange::archive_point_solvers(Archive& archive) {
  const auto stepper_of = [&](const Method& method) -> Stepper& {
    const auto found = std::ranges::find(former_, method.index(), [](const Former& f) { return f.method.index(); });
    return found != former_.end() && method.index() != run_.method().index() ? *found->stepper : *run_.stepper;
  };
  for (StateEpoch& epoch : pivoting_.epochs()) {
    bool there = epoch.point_solver != nullptr;
    archive(there);
    if (archive.is_reading()) epoch.point_solver = there ? point_solver_of(stepper_of(epoch.method)) : nullptr;
    if (there) archive(*epoch.point_solver);
  }
  if (archive.is_reading()) run_.point_solver = pivoting_.epochs().back().point_solver;
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
