// Another method takes over, or takes over again.
#include <algorithm>

#include <fmt/format.h>

#include "driftless/integrate/run/run.hpp"

namespace driftless {

StepReport Run::look_at_modes(const Stepper& stepper) {
  choose_states(stepper);
  return switching_.examine(stepper);
}

void Run::hand_over(std::unique_ptr<Stepper>& stepper, const Method& next, const StepReport& report) {
  if (solution_.reached >= goal_ || (projects_recurrence() && !can_replace(next))) return;
  std::vector<std::string>& remarks = solution_.remarks;
  if (switching_.returns()) {
    remarks.erase(remarks.begin() + static_cast<std::ptrdiff_t>(remark_of_change_));
  } else {
    remark_of_change_ = remarks.size();
    remarks.push_back(fmt::format("{}: {} takes over from {} at t = {:.6g}, where {}",
                                  report.advice == Advice::Stiff      ? "stiff"
                                  : report.advice == Advice::NotStiff ? "not stiff"
                                                                      : "costly",
                                  to_string(next), to_string(method()), stepper->time(), report.reason));
  }
  State here;
  here.t = stepper->time();
  here.y.assign(stepper->y().begin(), stepper->y().end());
  here.yp.assign(stepper->yp().begin(), stepper->yp().end());
  former_.emplace_back(method(), std::move(stepper));
  switching_.take_over(next);
  begin_epoch(here.t);
  stepper = resumed(next, here);
  if (!stepper) stepper = make(next, here);
}

std::unique_ptr<Stepper> Run::resumed(const Method& method, const State& here) {
  const auto found =
      std::ranges::find(former_, method.index(), [](const Former& former) { return former.first.index(); });
  if (found == former_.end() || !found->second->resume(here.t, here.y, here.yp, goal_)) return nullptr;
  const double begin = clock();
  std::unique_ptr<Stepper> stepper = std::move(found->second);
  former_.erase(found);
  projector_.reset(), output_projector_.reset();
  if (!stepper->projects()) prepare_projection();
  epochs_.back().point_solver = point_solver_ = stepper->point_solver();
  preparation_ += clock() - begin;
  return stepper;
}

void Run::remark_on_trials() {
  const int number = switching_.trials_in_vain();
  if (number == 0) return;
  solution_.remarks.push_back(
      number == 1 ? fmt::format("another method was tried on the way and cost more than {}", to_string(method()))
                  : fmt::format("other methods were tried {} times on the way and cost more than {}", number,
                                to_string(method())));
}

}  // namespace driftless
