#include "driftless/integrate/run/events_in_step.hpp"

#include <cmath>

#include <fmt/format.h>

namespace driftless {
namespace {

// Of the interval: an undecided step that is shorter is not halved again.
constexpr double shortest_undecided = 1e-12;
// Of the interval: in a shorter step the polynomial is used for unknowns that cannot be solved for inside it.
constexpr double shortest_solved = 1e-8;

// Steps of high order are long: a step of DOP853 may be half an oscillation, which no cubic through its ends describes.
EventSearch::Steps steps_for(const Method& method) {
  if (std::holds_alternative<method::Taylor>(method)) return EventSearch::Steps::Long;
  const bool is_multistep = std::holds_alternative<method::Bdf>(method) || std::holds_alternative<method::Ida>(method);
  return is_multistep ? EventSearch::Steps::Short : EventSearch::Steps::Medium;
}

// Collocation methods damp oscillations that their steps do not resolve, so the ends of a step do not show them.
bool ends_tell_of_oscillations(const Method& method) {
  return !std::holds_alternative<method::Taylor>(method) && !std::holds_alternative<method::Radau>(method);
}

double few_units(double t) { return 64.0 * (std::nextafter(std::abs(t), HUGE_VAL) - std::abs(t)); }

}  // namespace

std::optional<EventSearch::Found> EventsInStep::find(bool begins_inside) {
  begins_inside_ = begins_inside;
  lacks_polynomial_ = solves_inside_ = is_unsolved_ = false;
  if (!run_.events) return {};
  EventSearch& events = *run_.events;
  const bool is_looked_at = events.are_always_calm() && !begins_inside_;
  if (is_looked_at && is_quiet()) return {};
  const double begin = run_.solution.reached, end = run_.stepper->time();
  EventSearch::Steps steps = steps_for(run_.method());
  const EventSearch::Speed speed =
      events.speed({begin, run_.from_y, run_.from_yp}, {end, run_.end_y, run_.end_yp}, steps);
  const bool is_calm = speed == EventSearch::Speed::Calm;
  const bool may_be_quiet = is_calm && !events.depends_on_time_in_rows() && !begins_inside_;
  if (may_be_quiet && !is_looked_at && is_quiet()) return {};
  if (!is_calm) steps = EventSearch::Steps::Oscillating;
  // Slopes of unknowns that rows determine from time or states are known as differences only: so the middle is checked.
  const bool is_multistep = steps_for(run_.method()) == EventSearch::Steps::Short;
  const bool follows_rows = events.depends_on_time_in_rows() || (is_multistep && events.depends_on_untested());
  if (follows_rows && steps == EventSearch::Steps::Short) steps = EventSearch::Steps::Medium;
  solves_inside_ = follows_rows && run_.completes_points() && run_.on_constraints->determined();
  is_unsolved_ = speed == EventSearch::Speed::InRows && !solves_inside_;
  if (is_unsolved_) return {};
  if (is_calm && !follows_rows && !is_multistep) events.use_polynomials(*run_.stepper, run_.from_y, run_.end_y);
  return search(steps, is_calm);
}

std::optional<EventSearch::Found> EventsInStep::search(EventSearch::Steps steps, bool is_calm) {
  const double begin = run_.solution.reached, end = run_.stepper->time();
  const auto path = [this](double t, std::span<double> quantities) { return observe(t, quantities); };
  auto found = run_.events->find(begin, end, path, steps);
  if (is_unsolved_ && is_calm && end - begin <= shortest_solved * interval()) {
    is_unsolved_ = solves_inside_ = false;
    found = run_.events->find(begin, end, path, steps);
  }
  // No step can begin at an event that differs from the stop time by rounding only.
  if (found && end == run_.options.stop && end - found->at <= few_units(end)) found->at = end;
  return found;
}

bool EventsInStep::is_quiet() const {
  return ends_tell_of_oscillations(run_.method())
             ? run_.events->is_quiet(run_.solution.reached, run_.stepper->time(), run_.from_y, run_.end_y)
             : run_.events->is_quiet_along(*run_.stepper, run_.solution.reached, run_.from_y, run_.end_y);
}

// Quantities by the polynomial of the step, without solving. After an event that has changed nothing continuous, this
// holds at the beginning too: the point delivered there differs from the polynomial because the equations were solved.
bool EventsInStep::observe(double t, std::span<double> quantities) {
  RunContext& c = run_;
  if (t >= c.stepper->time()) return c.events->observe(c.stepper->time(), c.end_y, c.end_yp, quantities);
  if (t <= c.solution.reached && !begins_inside_)
    return c.events->observe(c.solution.reached, c.from_y, c.from_yp, quantities);
  if (lacks_polynomial_ || !c.stepper->has_polynomial()) return !(lacks_polynomial_ = true);
  c.stepper->interpolate(t, c.y, c.yp);
  if (solves_inside_ && !c.solve_rows(t, c.y, c.yp)) return !(is_unsolved_ = true);
  return c.events->observe(t, c.y, c.yp, quantities);
}

bool EventsInStep::is_shortest_undecided() const { return length() <= shortest_undecided * interval(); }

std::string EventsInStep::why_undecided() const {
  if (const auto open = run_.events->undecided())
    return fmt::format("{} changes so fast that it cannot be told whether it causes an event",
                       run_.reduced.model->discrete.held[static_cast<std::size_t>(*open)].text);
  return "the equations cannot be solved inside of a step, so it cannot be told whether relations cause events there";
}

}  // namespace driftless
