#include "driftless/integrate/crossings/event_search.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "driftless/linear/number.hpp"

namespace driftless {
namespace {

constexpr double moved_by_solving = 10.0;  // in units of the tolerance: of a function that has reached its bound
constexpr double units_of_coincidence = 8.0;
constexpr double most_steps_ahead = 16.0;

// The value on one side of the bound: 0 or 1 for a relation, an integer otherwise.
double value_beside(Crossings::Kind kind, double bound, bool above) {
  if (Crossings::is_relation(kind)) return above ? 0.0 : 1.0;
  return bound + (kind == Crossings::Kind::Floor ? 0.0 : 1.0) - (above ? 0.0 : 1.0);
}

bool coincide(double s, double t) {
  const double size = std::fmax(std::abs(s), std::abs(t));
  return std::abs(s - t) <= units_of_coincidence * (std::nextafter(size, HUGE_VAL) - size);
}

}  // namespace

// Functions are collected and compiled once; every run has a copy with its own numbers.
EventSearch::EventSearch(const System& system, double tolerance)
    : EventSearch(*system.compiled().part<EventSearch>(
          {}, [&] { return std::shared_ptr<const EventSearch>(new EventSearch(system.compiled())); })) {
  tolerance_ = tolerance;
  times_.take_inputs(system.model());
  for (Group* group : {&of_state_, &of_time_}) group->crossings = Crossings(group->functions, tolerance);
  take_parameters(system.parameters());
}

void EventSearch::take_parameters(std::span<const double> parameters) {
  std::ranges::copy(parameters, inputs_.begin() + 1);
  times_.take_parameters(inputs_);
  known_from_ = HUGE_VAL;
  ahead_ = {};
  is_prepared_ = false;
}

// Prepares for steps. An event iteration takes several sets of parameters, only the last of which matters for the steps
// after it.
void EventSearch::prepare() {
  if (std::exchange(is_prepared_, true)) return;
  take_numbers();
  for (Group* group : {&of_state_, &of_time_}) hold(*group);
}

void EventSearch::take_numbers() {
  const std::span parameters = std::span(inputs_).subspan(1, inputs_.size() - 1 - quantities_);
  needed_.take_parameters(parameters);
  terms_.take_parameters(parameters);
  held_of(of_state_);
  quick_.take_parameters(inputs_, of_state_.outputs);
}

// Collects the held values as numbers.
void EventSearch::held_of(Group& group) {
  for (std::size_t f = 0; f < group.held.size(); ++f)
    group.outputs[f] = inputs_[1 + index(parameter_of_[group.held[f]])];
}

void EventSearch::hold(Group& group) {
  held_of(group);
  group.crossings.hold({group.outputs.data(), group.held.size()});
}

// Without a path: only functions of time alone.
template <class Use>
auto EventSearch::with_course(Group& group, const Path* path, Use use) {
  const auto load = [&](double t) {
    inputs_[0] = t;
    return !path || (*path)(t, std::span(inputs_).last(quantities_));
  };
  const auto values = [&](double t, std::span<double> out) {
    if (!load(t)) return false;
    (*group.values)(inputs_.data(), out.data(), group.work.data());
    return path || linear::all_finite(out.first(out.size() / 2));  // slopes may be infinite
  };
  const auto sizes = [&](double t, std::span<double> out) {
    if (load(t))
      (*group.sizes)(inputs_.data(), out.data(), group.work.data());
    else
      std::ranges::fill(out, 0.0);
  };
  return use(Crossings::Course{std::cref(values), std::cref(sizes)});
}

// Functions of time alone do not depend on the step, so they are searched far beyond its end, as far as they have
// values.
std::optional<Crossings::Found> EventSearch::find_in_time(double a, double b) {
  if (!of_time_.crossings.exist()) return {};
  if (!(ahead_.until >= a)) ahead_ = {a};
  while (!ahead_.found && ahead_.until < b) {
    double to = std::fmax(b, ahead_.until + ahead_.steps * (b - a));
    with_course(of_time_, nullptr, [&](const auto& course) {
      if (to > b && !course.values(to, of_time_.outputs)) to = b;
      ahead_.found = of_time_.crossings.find(ahead_.until, to, course, Steps::Oscillating);
    });
    if (const auto open = of_time_.crossings.undecided()) {
      ahead_.found.reset();
      ahead_.steps = 0.0;
      if (to > b) continue;
      undecided_ = of_time_.held[static_cast<std::size_t>(*open)];
      return {};
    }
    ahead_.until = to;
    ahead_.steps = std::clamp(2.0 * ahead_.steps, 1.0, most_steps_ahead);
  }
  return ahead_.found;
}

std::optional<double> EventSearch::next_instant(double t) const {
  std::optional<double> next = times_.next(t);
  if (ahead_.found && ahead_.found->at > t && !(next && *next < ahead_.found->at)) next = ahead_.found->at;
  return next;
}

EventSearch::Speed EventSearch::speed(const TimeTerms::End& from, const TimeTerms::End& to, Steps steps) {
  prepare();
  return terms_.exist() ? terms_.look(from, to, steps == Steps::Long) : Speed::Calm;
}

bool EventSearch::is_quiet(double a, double b, std::span<const double> from, std::span<const double> to) {
  prepare();
  if (!quick_.exists() || of_time_.crossings.exist()) return false;
  return quick_.is_far(a, b, from, to) && !has_instant(a, b);
}

bool EventSearch::is_quiet_along(Stepper& stepper, double a, std::span<const double> from, std::span<const double> to) {
  prepare();
  if (!quick_.exists() || of_time_.crossings.exist()) return false;
  has_polynomials_ = quick_.take_polynomials(stepper, from, to);
  if (!has_polynomials_ || !quick_.all_away() || has_instant(a, stepper.time())) return false;
  has_polynomials_ = false;
  return true;
}

void EventSearch::use_polynomials(Stepper& stepper, std::span<const double> from, std::span<const double> to) {
  prepare();
  if (!has_polynomials_) has_polynomials_ = quick_.exists() && quick_.take_polynomials(stepper, from, to);
}

bool EventSearch::has_instant(double a, double b) {
  if (!(a >= known_from_ && a < known_instant_)) known_from_ = a, known_instant_ = times_.next(a).value_or(HUGE_VAL);
  return b >= known_instant_;
}

std::optional<EventSearch::Found> EventSearch::find(double a, double b, const Path& path, Steps steps) {
  prepare();
  const double instant = times_.next(a).value_or(HUGE_VAL);
  undecided_.reset();
  std::optional<Crossings::Found> of_state;
  const bool all_away = has_polynomials_ && quick_.all_away();
  const bool looks_at_states = of_state_.crossings.exist() && !all_away;
  if (looks_at_states) {
    of_state = find_of_state(a, b, path, steps);
    if (const auto open = of_state_.crossings.undecided()) undecided_ = of_state_.held[static_cast<std::size_t>(*open)];
  }
  has_polynomials_ = false;
  const std::optional<Crossings::Found> of_time = find_in_time(a, b);
  if (undecided_) return {};
  double at = HUGE_VAL, before = a;
  for (const auto& found : {of_state, of_time})
    if (found && found->at <= b && found->at < at) at = found->at, before = found->before;
  if (!(std::fmin(at, instant) <= b)) return {};
  Found event{before, at, {}, {}, {}};
  if (instant <= b && (instant < at || coincide(instant, at))) {  // reported alone, as steps end there
    event = at_instant(instant);
    event.before = std::fmax(a, std::nextafter(instant, -HUGE_VAL));
    if (coincide(instant, at)) event.before = std::fmin(event.before, before);
  }
  if (looks_at_states) add_crossed(event, of_state_, of_state, &path, event.at == b);
  add_crossed(event, of_time_, of_time, nullptr, event.at == b && ahead_.until == b);
  return event;
}

// Inside the step known polynomials of the functions replace the model.
std::optional<Crossings::Found> EventSearch::find_of_state(double a, double b, const Path& path, Steps steps) {
  return with_course(of_state_, &path, [&](const Crossings::Course& course) {
    if (!has_polynomials_) return of_state_.crossings.find(a, b, course, steps);
    const auto values = [&](double t, std::span<double> out) {
      if (t <= a || t >= b) return course.values(t, out);
      quick_.values(t, out);
      return true;
    };
    return of_state_.crossings.find(a, b, {std::cref(values), course.sizes}, steps, quick_.away(), quick_.along());
  });
}

// Adds the functions that cross at the event, or at the end of the search if it is the event.
void EventSearch::add_crossed(Found& event, Group& group, const std::optional<Crossings::Found>& found,
                              const Path* path, bool is_end) {
  if (!group.crossings.exist() || (found ? !coincide(found->at, event.at) : !is_end)) return;
  if (!found) with_course(group, path, [&](const auto& course) { group.crossings.note_leaving_at_end(course); });
  for (const Crossings::Crossed& crossed : group.crossings.crossed()) {
    event.held.push_back(group.held[crossed.function]);
    event.values.push_back(crossed.value);
    if (crossed.never_left) event.never_left.push_back(group.held[crossed.function]);
  }
}

EventSearch::Found EventSearch::at_instant(double t) const {
  Found event{t, t, {}, {}, {}};
  for (std::size_t k = 0; k < times_.relations().size(); ++k) {
    const TimeEvents::Relation& relation = times_.relations()[k];
    if (const double value = times_.value(k, t); value != relation.value) {
      event.held.push_back(relation.held);
      event.values.push_back(value);
    }
  }
  for (std::size_t s = 0; s < times_.samplings(); ++s)
    if (times_.samples_at(s, t)) event.samplings.push_back(static_cast<int>(s));
  return event;
}

void EventSearch::evaluate(Group& group, double t, std::span<const double> quantities) {
  if (!group.values) return;
  inputs_[0] = t;
  std::ranges::copy(quantities, inputs_.end() - static_cast<std::ptrdiff_t>(quantities_));
  (*group.values)(inputs_.data(), group.outputs.data(), group.work.data());
  (*group.sizes)(inputs_.data(), group.output_sizes.data(), group.work.data());
}

std::optional<int> EventSearch::contradicted(double t, std::span<const double> quantities) {
  prepare();
  Group& group = of_state_;
  if (!group.values) return {};
  inputs_[0] = t;
  std::ranges::copy(quantities, inputs_.end() - static_cast<std::ptrdiff_t>(quantities_));
  (*group.values)(inputs_.data(), group.outputs.data(), group.work.data());
  if (!group.crossings.any_is_beyond(group.outputs)) return {};
  (*group.sizes)(inputs_.data(), group.output_sizes.data(), group.work.data());
  const auto function = group.crossings.contradicted(group.outputs, group.output_sizes);
  return function ? std::optional(group.held[static_cast<std::size_t>(*function)]) : std::nullopt;
}

void EventSearch::values_at(double t, std::span<const double> quantities, std::span<double> values) {
  for (std::size_t k = 0; k < times_.relations().size(); ++k) values[times_.relations()[k].held] = times_.number(k, t);
  for (Group* group : {&of_state_, &of_time_}) {
    evaluate(*group, t, quantities);
    for (std::size_t f = 0; f < group->held.size(); ++f)
      values[group->held[f]] = Crossings::value(group->functions[f].kind, group->outputs[f]);
  }
}

void EventSearch::take_sides(double t, std::span<const double> quantities, std::span<double> values) {
  Group& group = of_state_;
  evaluate(group, t, quantities);
  const std::size_t n = group.held.size();
  for (std::size_t f = 0; f < n; ++f) {
    const Crossings::Function& function = group.functions[f];
    const double g = group.outputs[f], slope = group.outputs[n + f];
    const double bound = Crossings::is_relation(function.kind) ? 0.0 : std::round(g);
    const bool is_on_bound = std::abs(g - bound) <= Crossings::level(group.output_sizes[f], slope, t);
    if (is_on_bound && function.has_slope && slope != 0.0)
      values[group.held[f]] = value_beside(function.kind, bound, slope > 0.0);
  }
}

void EventSearch::new_values(double t, std::span<const double> quantities, std::span<const int> found,
                             std::span<double> values, Side side) {
  for (std::size_t k = 0; k < times_.relations().size(); ++k) values[times_.relations()[k].held] = times_.value(k, t);
  for (Group* group : {&of_state_, &of_time_}) {
    evaluate(*group, t, quantities);
    for (std::size_t f = 0; f < group->held.size(); ++f) {
      const int held = group->held[f];
      values[held] = value_behind(*group, f, t, std::ranges::find(found, held) != found.end(), side);
    }
  }
}

// Where rounding would decide, a function that no event has moved keeps its value.
double EventSearch::value_behind(const Group& group, std::size_t f, double t, bool is_found, Side side) const {
  const std::size_t n = group.held.size();
  const Crossings::Function& function = group.functions[f];
  const double g = group.outputs[f], slope = group.outputs[n + f];
  const double bound = Crossings::is_relation(function.kind) ? 0.0 : std::round(g),
               plain = Crossings::value(function.kind, g);
  const double level = std::fmax(Crossings::level(group.output_sizes[f], slope, t), group.crossings.last_level(f));
  const double band = is_found ? level + moved_by_solving * tolerance_ * group.output_sizes[n + f] : level;
  const double held = inputs_[1 + index(parameter_of_[group.held[f]])];
  if (!(std::abs(g - bound) <= band)) return plain != held && group.crossings.waits(f, held, g) ? held : plain;
  if (is_found && side == Side::Behind && function.has_slope && slope != 0.0)
    return value_beside(function.kind, bound, slope > 0.0);
  // A function that an event has moved onto an integer, and that stays there, takes the value there: its held value may
  // be outdated, from when this mode was last left.
  const bool is_moving = function.has_slope && slope != 0.0;
  if (!is_found && !is_moving && !Crossings::is_relation(function.kind)) return bound;
  const bool is_beside =
      held == value_beside(function.kind, bound, false) || held == value_beside(function.kind, bound, true);
  const bool keeps = is_found || std::abs(g - group.crossings.last_value(f)) <= 2.0 * level;
  return is_beside && keeps ? held : plain;
}

void EventSearch::doubts(double t, std::span<const double> quantities, std::span<Doubt> out) {
  std::ranges::fill(out, Doubt{});
  for (Group* group : {&of_state_, &of_time_}) {
    evaluate(*group, t, quantities);
    const std::size_t n = group->held.size();
    for (std::size_t f = 0; f < n; ++f) {
      const double g = group->outputs[f], slope = group->outputs[n + f];
      const bool is_relation = Crossings::is_relation(group->functions[f].kind);
      const double bound = is_relation ? 0.0 : std::round(g), distance = std::abs(g - bound);
      const double level = Crossings::level(group->output_sizes[f], slope, t);
      const double band = level + moved_by_solving * tolerance_ * group->output_sizes[n + f];
      Doubt& doubt = out[static_cast<std::size_t>(group->held[f])];
      doubt.size = distance <= level ? Doubt::Rounding : distance <= band ? Doubt::Tolerance : Doubt::None;
      doubt.distance = distance;
      if (group->functions[f].has_slope) doubt.slope = slope;
      if (group->functions[f].has_slope && slope != 0.0)
        doubt.by_slope = value_beside(group->functions[f].kind, bound, slope > 0.0);
    }
  }
}

void EventSearch::archive(Archive& archive) {
  if (!archive.is_reading()) prepare();
  archive.section("events");
  archive(inputs_, of_state_.crossings, of_time_.crossings, ahead_);
  if (archive.is_reading()) {
    times_.take_parameters(inputs_);
    take_numbers();
    is_prepared_ = true;
  }
  archive(quick_);
}

}  // namespace driftless
