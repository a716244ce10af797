// What a run does at an event: it stops there after delivering the point, gives the caller that handles the event
// solutions with other parameters, and goes on. In a run without states every point is an end of a step.
#include "driftless/integrate/run/run.hpp"

#include <algorithm>
#include <utility>

namespace driftless {

// No event may be missed: if it could not be decided whether there is one, the first half of the step is taken.
bool Run::takes_undecided_again() {
  if (!events_in_step_.is_shortest_undecided() && jumps_.takes_half()) return true;
  return end({Outcome::StepTooSmall, events_in_step_.why_undecided(), Advice::GoOn, Code::EventUnresolved});
}

bool Run::stop_at_event(EventSearch::Found found) {
  tell_step(found.at);
  report_before_event_ = std::move(report_);
  report_ = output_.deliver_event(found.at);
  if (report_.code == Code::EventUnresolved && (step_to_output() || takes_again())) return true;
  if (failed(report_)) {
    end_within_step();
    return end(report_);
  }
  if (found.at >= target_) values_.keep_step();
  store_step();
  pause_at(std::move(found));
  return true;
}

void Run::pause_at(EventSearch::Found found) {
  context_.solution.reached = found.at;
  event_point_.t = found.at;
  event_point_.y = context_.y;
  event_point_.yp = context_.yp;
  event_ = std::move(found);
}

void Run::set_parameters(std::span<const double> values) {
  System& system = *context_.system;
  system.set_parameters(values);
  if (context_.events) context_.events->take_parameters(values);  // at events they are evaluated with others
  if (parameters_taken_ == system.parameters_version()) return;
  parameters_taken_ = system.parameters_version();
  checks_.take_parameters(values);
  jumps_.take_parameters(values);
}

bool Run::solve(double t, std::vector<double>& y, std::vector<double>& yp) { return context_.solve_rows(t, y, yp); }

void Run::go_on(double t, std::span<const double> y, std::span<const double> yp, double longest_first) {
  event_.reset();
  context_.y.assign(y.begin(), y.end());
  context_.yp.assign(yp.begin(), yp.end());
  context_.from_y = context_.end_y = context_.y;
  context_.from_yp = context_.end_yp = context_.yp;
  context_.solution.reached = t;
  report_ = output_.deliver(t, Origin::Solved);
  output_.skip_up_to(t);
  if (failed(report_)) {
    end(report_);
    return;
  }
  if (t >= context_.options.stop) return;
  jumps_.forget();
  branches_.forget();
  jumps_.aim_behind(t);
  if (path_)
    path_ = std::make_unique<PathPoints>(context_, t);
  else if (context_.stepper) {
    pivoting_.behind_event(t, context_.y, context_.yp);
    longest_first = std::min(longest_first, spacing_.longest_step_behind(t));
    context_.stepper->resume_behind_event(t, context_.y, context_.yp, context_.goal, longest_first);
    methods_.after_step(report_before_event_);
  }
  if (is_stopped()) end(interruption());
}

bool Run::go_on_unchanged() {
  if (!context_.stepper || path_ || jumps_.is_hunting()) return false;
  const double t = context_.solution.reached, end_of_step = context_.stepper->time(), before = context_.goal;
  jumps_.aim_behind(t);
  const double goal = context_.goal;
  if (goal != before && goal > end_of_step && !context_.stepper->go_on_to(goal)) return false;
  event_.reset();
  in_rest_of_step_ = true;
  context_.y = context_.from_y = event_point_.y;
  context_.yp = context_.from_yp = event_point_.yp;
  output_.deliver_again(t);
  if (is_stopped()) end(interruption());
  return true;
}

void Run::end_at_event(StepReport report) {
  event_.reset();
  end(std::move(report));
}

// ---- no states

bool Run::advance_on_path() {
  const double before = context_.solution.reached;
  const auto instant = context_.events ? context_.events->next_instant(before) : std::nullopt;
  const bool is_output = !instant || output_.next_time() <= *instant;
  const double t = is_output ? output_.next_time() : *instant;
  if (!path_->follow_to(t)) {
    explanation_.describe_breakdown(context_.solution.reached);
    return end({Outcome::StepTooSmall, "Newton's iteration does not converge"});
  }
  report_ = jumps_.look_for_pole(before, t);
  if (failed(report_)) return end(report_);
  auto found = path_->find_event(before, t);
  path_->tell(before, t, found ? found->at : t);
  if (found) return stop_at_event_on_path(std::move(*found));
  if (!is_output) return true;
  report_ = output_.deliver(t, Origin::Solved);
  if (failed(report_)) return end(report_);
  output_.skip();
  if (is_stopped()) return end(interruption());
  return true;
}

bool Run::stop_at_event_on_path(EventSearch::Found found) {
  path_->go_back_to(found.at);
  report_ = output_.deliver(found.at, Origin::Solved);
  output_.skip_up_to(found.at);
  if (failed(report_)) return end(report_);
  pause_at(std::move(found));
  return true;
}

}  // namespace driftless
