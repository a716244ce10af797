// Jumps of the equations inside a step (switches.hpp): the step is taken again up to the jump, then in one short step
// across it, and the method starts anew behind it.
#include "driftless/integrate/run/run.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include <fmt/format.h>

namespace driftless {
namespace {

// Of a step across a kink, in units of the tolerance. Collocation has about ten where there is no kink.
constexpr double largest_defect = 10.0, largest_of_collocation = 100.0;
constexpr double part_of_tolerance = 0.05;  // that the step across a jump may contribute
constexpr double growth_of_width = 4.0;     // of steps that were to cross a jump and did not reach it

// So many jumps that follow each other within so many widths, or within this part of the interval, are chattering.
constexpr std::size_t jumps_of_chatter = 100;
constexpr double widths_of_chatter = 100.0, interval_of_chatter = 1e-5;

double rounding_of(double t) { return 1024.0 * (std::nextafter(std::abs(t), HUGE_VAL) - std::abs(t)); }

double moved(double t, double direction) { return std::nextafter(std::nextafter(t, direction), direction); }

// A look at the matrix costs as much as some steps of a multistep method, unless it is small; and so does a choice of
// states for a formulation that has none.
constexpr int largest_looked_at = 60, largest_at_all = 1000;
bool is_multistep(const Method& method) {
  return std::holds_alternative<method::Bdf>(method) || std::holds_alternative<method::Ida>(method);
}

// Long steps are looked at more closely.
int points_between(const Method& method) {
  if (std::holds_alternative<method::Taylor>(method)) return 12;
  return std::holds_alternative<method::Radau>(method) ? 6 : 3;
}

}  // namespace

double Run::next_goal(double t) const {
  const auto instant = options_.step ? std::nullopt : switches_.next_instant(moved(t, HUGE_VAL));
  const double before = instant ? moved(*instant, -HUGE_VAL) : options_.stop;
  instant_is_goal_ = instant && before < options_.stop && before > t;
  return instant_is_goal_ ? before : options_.stop;
}

bool Run::observe_within_step(Stepper& stepper, double t, std::span<double> quantities) {
  const double a = solution_.reached, b = stepper.time();
  if (t >= b)
    system_->observe({b, end_y_, end_yp_}, quantities);
  else if (t <= a)
    system_->observe({a, from_y_, from_yp_}, quantities);
  else
    stepper.interpolate(t, y_, yp_), system_->observe({t, y_, yp_}, quantities);
  return std::ranges::all_of(quantities, [](double v) { return std::isfinite(v); });
}

// One-step methods start anew at no cost. Multistep methods lose their history, but only where they were wrong.
bool Run::ends_at_kink(Stepper& stepper) {
  if (!kinks_.exist() || options_.step) return false;
  const double a = solution_.reached, b = stepper.time();
  bool has_polynomial = true;
  const auto path = [&](double t, std::span<double> quantities) {
    if (t > a && t < b && !(has_polynomial = has_polynomial && stepper.has_polynomial())) return false;
    return observe_within_step(stepper, t, quantities);
  };
  const bool given_up = kink_given_up_at_ == a;
  const bool is_series = std::holds_alternative<method::Taylor>(method()) && !given_up;
  const auto end = kinks_.find(a, b, std::cref(path), points_between(method()),
                               is_series ? Kinks::Branches::OfTheBeginning : Kinks::Branches::OfEveryPoint);
  if (!has_polynomial) return takes_half(stepper);
  if (!end && (given_up || kinks_.passed().empty())) return false;
  if (end) {
    goal_ = *end;
  } else {
    if (!stepper.has_polynomial()) return takes_half(stepper);
    if (!passed_kinks_matter(stepper)) return false;
    const double kink = kinks_.locate_passed(std::cref(path));
    if (!(kink > a && kink < b)) return false;
    goal_ = kink;
  }
  kink_goal_ = goal_;
  hunt_ = {};
  instant_is_goal_ = false;
  return stepper.resume(a, from_y_, from_yp_, goal_);
}

// Do kinks between branches that both ends show harm the last step? The defect of its polynomial tells, for methods
// whose error test may overlook them. That of multistep methods and of series does not.
bool Run::passed_kinks_matter(Stepper& stepper) {
  const bool is_radau = std::holds_alternative<method::Radau>(method());
  const bool is_half_explicit = std::holds_alternative<method::HalfExplicit>(method());  // tells no defect
  if ((is_radau || is_half_explicit) && kinks_.passed_root()) return false;
  if (is_half_explicit) return true;
  return std::ranges::any_of(kinks_.passed(), [&](double t) {
    return is_radau ? defect_of_collocation(stepper, t) > largest_of_collocation : stepper.defect(t) > largest_defect;
  });
}

double Run::defect_of_collocation(Stepper& stepper, double t) {
  stepper.interpolate(t, y_, yp_);
  const std::vector<double> slope = yp_;
  if (!(*on_constraints_)(t, y_, yp_)) return HUGE_VAL;
  set_rates(t);
  double sum = 0.0;
  std::size_t states = 0;
  for (std::size_t s = 0; s < y_.size(); ++s) {
    if (!problem_.is_state(static_cast<int>(s)) && !has_rate(static_cast<int>(s))) continue;
    const double size = std::abs(y_[s]) + reduced_.slots[s].nominal;
    const double part = stepper.last_step() * (slope[s] - yp_[s]) / (size * options_.tolerance);
    sum += part * part;
    ++states;
  }
  return states == 0 ? 0.0 : std::sqrt(sum / static_cast<double>(states));
}

// No step ends at the kink: the equations may have no solution there that an iteration finds, and have one behind it.
bool Run::gives_up_kink(Stepper& stepper) {
  const double a = solution_.reached;
  if (options_.step || kink_goal_ != goal_ || kink_given_up_at_ == a) return false;
  kink_given_up_at_ = a;
  goal_ = next_goal(a);
  return stepper.resume(a, from_y_, from_yp_, goal_);
}

Run::Jump Run::look_for_jump(Stepper& stepper, StepReport& report) {
  if (!switches_.exist() || options_.step) return Jump::None;
  const double a = solution_.reached, b = stepper.time();
  const auto path = [&](double t, std::span<double> quantities) { return observe_within_step(stepper, t, quantities); };
  const auto crossing = switches_.find(a, b, std::cref(path), points_between(method()));
  if (!crossing) return Jump::None;
  if (crossing->is_pole) {
    solution_.details.push_back(crossing->what);
    report = {Outcome::EvaluationFailed, fmt::format("there is a pole at t = {:.9g}", crossing->behind)};
    return Jump::Ends;
  }
  const double width = width_of_jump(stepper, *crossing);
  if (b - a <= 2.0 * width) {  // the step that was to cross it, or a shorter one
    report.reason = crossing->what;
    return Jump::Crossed;
  }
  if (crossing->before - a <= width) {  // so near that the rates before it lead across
    const double t = std::min(std::max(crossing->behind, a + width), b);
    StepReport counted = count_jump(t, width, crossing->what);
    if (counted.outcome != Outcome::Success) {
      report = std::move(counted);
      return Jump::Ends;
    }
    for (std::size_t s = 0; s < from_y_.size(); ++s) from_y_[s] += (t - a) * from_yp_[s];
    start_behind(stepper, t);
    return Jump::StepAgain;
  }
  hunt_ = {width, b};
  goal_ = crossing->before;
  instant_is_goal_ = false;
  stepper.resume(a, from_y_, from_yp_, goal_);
  return Jump::StepAgain;
}

// On a path without states, from the point before (from_y_) to the present one.
StepReport Run::look_for_pole(double a, double b) {
  if (!switches_.exist()) return {};
  end_y_ = y_, end_yp_ = yp_;
  const auto path = [&](double t, std::span<double> quantities) {
    if (t >= b)
      y_ = end_y_, yp_ = end_yp_;
    else if (y_ = from_y_, yp_ = from_yp_; t > a && !(*on_constraints_)(t, y_, yp_))
      return false;
    system_->observe({t, y_, yp_}, quantities);
    return std::ranges::all_of(quantities, [](double v) { return std::isfinite(v); });
  };
  std::optional<Switches::Crossing> crossing;
  for (double from = a; (crossing = switches_.find(from, b, std::cref(path), 1)) && !crossing->is_pole;)
    from = crossing->behind;
  y_ = end_y_, yp_ = end_yp_;
  if (!crossing) return {};
  solution_.reached = a;
  solution_.details.push_back(crossing->what);
  return {Outcome::EvaluationFailed, fmt::format("there is a pole at t = {:.9g}", crossing->behind)};
}

Run::Watch::Watch(std::shared_ptr<System> watched, const StateCoordinates& chosen)
    : system(std::move(watched)), problem(*system), coordinates(chosen), singular(problem), until(-HUGE_VAL) {
  problem.set_states(coordinates.states());
}

// A rewritten formulation has another matrix; its base, whose slots come first, shows the constraints.
std::unique_ptr<Run::Watch> Run::make_watch() const {
  if (!is_rewritten()) return std::make_unique<Watch>(system_, coordinates_);
  std::shared_ptr<System> system = system_->base();
  const std::size_t n = system->size();
  StateCoordinates coordinates(*system, options_.hysteresis);
  coordinates.choose({start_.t, std::span(start_.y).first(n), std::span(start_.yp).first(n)});
  return std::make_unique<Watch>(std::move(system), coordinates);
}

void Run::Watch::begin(double t) {
  if (t != until) singular.forget();
}

// A choice of states need not be the best, only regular: it is looked at where a determinant has become smaller.
void Run::Watch::renew(double t, std::span<const double> y, std::span<const double> yp) {
  until = t;
  if (!singular.has_shrunk()) return;
  const std::size_t n = system->size();
  if (coordinates.examine({t, y.first(n), yp.first(n)}, 0.0).empty()) return singular.keep_states();
  problem.set_states(coordinates.states());
  singular.states_changed();
}

// Who has no states, or not those of the constraints, gets a watch.
StepReport Run::look_for_singular_point(Stepper& stepper) {
  const bool has_base = is_rewritten() && reduced_.base && !is_multistep(method());
  if (options_.step || (is_rewritten() && !has_base)) return {};
  if (system_->size() > (is_multistep(method()) || has_base ? largest_looked_at : largest_at_all)) return {};
  const bool is_watched = has_base || !uses_states(method());
  if (!std::exchange(looked_for_singular_points_, true)) {
    const double begin = clock();
    if (is_watched) watch_ = make_watch();
    (is_watched ? watch_->singular : singular_).exist();
    preparation_ += clock() - begin;
  }
  if (is_watched && !watch_) watch_ = make_watch();
  SingularPoints& singular = is_watched ? watch_->singular : singular_;
  if (!singular.exist()) return {};
  const double a = solution_.reached, b = stepper.time();
  if (is_watched) watch_->begin(a);
  const auto path = [&](double t, std::span<double> y, std::span<double> yp) {
    if (t > a && t < b) stepper.interpolate(t, y_, yp_);
    const bool at_end = t >= b, at_begin = t <= a;
    std::copy_n((at_end ? end_y_ : at_begin ? from_y_ : y_).begin(), y.size(), y.begin());
    std::copy_n((at_end ? end_yp_ : at_begin ? from_yp_ : yp_).begin(), yp.size(), yp.begin());
    return true;
  };
  const auto solved = [&](double t, std::span<double> y, std::span<double> yp) {
    if (!path(t, y, yp) || t <= a || t >= b || !completes_points()) return true;
    return (*on_constraints_)(t, y, yp);
  };
  // The points of a rewritten formulation between the ends are on no constraint; and with states that nobody uses
  // determinants become small all the time.
  const auto found = is_watched ? singular.examine(a, b, std::cref(path), nullptr)
                                : singular.examine(a, b, std::cref(path), std::cref(solved));
  if (is_watched) watch_->renew(b, end_y_, end_yp_);
  if (!found) return {};
  solution_.details.push_back(found->what);
  return {Outcome::SingularIteration,
          fmt::format("the model is singular at t = {:.9g}, and the solution may not be unique beyond it", found->t)};
}

// How long the step across a jump may be: the rates on its two sides differ by so much.
double Run::width_of_jump(Stepper& stepper, const Switches::Crossing& crossing) {
  const double least = rounding_of(crossing.behind);
  std::vector<double> before;
  for (const double t : {crossing.before, crossing.behind}) {
    if (t >= stepper.time())
      y_ = end_y_, yp_ = end_yp_;
    else if (t <= solution_.reached)
      y_ = from_y_, yp_ = from_yp_;
    else
      stepper.interpolate(t, y_, yp_);
    if (!(*on_constraints_)(t, y_, yp_)) return least;
    set_rates(t);
    if (t == crossing.before) before = yp_;
  }
  double fastest = 0.0;
  for (std::size_t s = 0; s < y_.size(); ++s)
    if (problem_.is_state(static_cast<int>(s)) || has_rate(static_cast<int>(s)))
      fastest = std::max(fastest, std::abs(yp_[s] - before[s]) / (std::abs(y_[s]) + reduced_.slots[s].nominal));
  if (!std::isfinite(fastest)) return least;
  return fastest > 0.0 ? std::max(least, part_of_tolerance * options_.tolerance / fastest) : HUGE_VAL;
}

bool Run::has_rate(int slot) const {
  return std::ranges::any_of(
      reduced_.quantities, [&](Quantity q) { return reduced_.place(q) == Place::Rate && reduced_.slot_of(q) == slot; });
}

// From the point that is kept as the beginning of a step.
void Run::start_behind(Stepper& stepper, double t) {
  y_ = from_y_, yp_ = from_yp_;
  (*on_constraints_)(t, y_, yp_);
  set_rates(t);
  from_y_ = y_, from_yp_ = yp_;
  solution_.reached = t;
  goal_ = next_goal(t);
  hunt_ = {};
  singular_.forget();
  kinks_.forget();
  stepper.resume(t, y_, yp_, goal_);
}

// u = if time > 0 then 1 else 0 holds at the start with u = 0, and right behind it with u = 1.
void Run::pass_instant_at_start(Stepper& stepper) {
  const double before = moved(start_.t, -HUGE_VAL), behind = moved(start_.t, HUGE_VAL);
  const auto instant = options_.step ? std::nullopt : switches_.next_instant(before);
  if (instant && *instant < behind && behind < options_.stop) start_behind(stepper, behind);
}

// The stepper has come to the end that was set for it, before that of the run.
StepReport Run::go_on_from_goal(Stepper& stepper) {
  if (stepper.time() < goal_ || goal_ >= options_.stop) return {};
  if (instant_is_goal_) {
    const double behind = moved(moved(goal_, HUGE_VAL), HUGE_VAL);
    if (behind >= options_.stop) return end_before_instant();
    start_behind(stepper, behind);
    return {};
  }
  goal_ = stepper.time() + hunt_.width;
  hunt_.width *= growth_of_width;
  if (goal_ >= hunt_.until) hunt_ = {};
  if (const double next = next_goal(stepper.time()); hunt_.width == 0.0 || goal_ >= next)
    goal_ = next;
  else
    instant_is_goal_ = false;
  stepper.resume(stepper.time(), from_y_, from_yp_, goal_);
  return {};
}

// Something switches at the very end of the run: the steps end a rounding error before it.
StepReport Run::end_before_instant() {
  solution_.reached = options_.stop;
  for (; next_output_ <= options_.intervals; ++next_output_) {
    const double t = output_time(next_output_);
    y_ = end_y_, yp_ = end_yp_;
    if (completes_points()) (*on_constraints_)(t, y_, yp_);
    StepReport report = deliver(t, Origin::Solved);
    if (report.outcome != Outcome::Success) return report;
  }
  return {};
}

StepReport Run::count_jump(double t, double width, const std::string& what) {
  jumps_.push_back(t);
  if (jumps_.size() > jumps_of_chatter) jumps_.erase(jumps_.begin());
  if (jumps_.size() < jumps_of_chatter) return {};
  const double advance = t - jumps_.front();
  const double least = std::max(widths_of_chatter * jumps_of_chatter * std::max(width, rounding_of(t)),
                                interval_of_chatter * (options_.stop - start_.t));
  if (advance > least) return {};
  solution_.details.push_back(
      fmt::format("{} changes back and forth, {} times between t = {:.9g} and t = {:.9g}: the "
                  "solution slides along the jump, which is not supported yet",
                  what, jumps_of_chatter, jumps_.front(), t));
  return {Outcome::StepTooSmall, "the equations jump again and again"};
}

}  // namespace driftless
