#include "driftless/integrate/run/jumps.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include "driftless/integrate/system/norms.hpp"
#include "driftless/linear/number.hpp"

namespace driftless {
namespace {

// Of a step across a kink, in units of the tolerance. Collocation has about ten where there is no kink.
constexpr double largest_defect = 10.0, largest_of_collocation = 100.0;
constexpr double largest_miss = 100.0;      // the same, where a function of time is not what the ends of a step show
constexpr double part_of_tolerance = 0.05;  // that the step across a jump may contribute
constexpr double growth_of_width = 4.0;     // of steps that were to cross a jump and did not reach it

// This many successive jumps within this many widths, or within this part of the interval, are chattering if, at this
// rate, more than `most_passed` would follow until the end of the run: fewer are passed one by one.
constexpr std::size_t jumps_of_chatter = 100;
constexpr double widths_of_chatter = 100.0, interval_of_chatter = 1e-5, most_passed = 1e5;

double rounding_of(double t) { return 1024.0 * (std::nextafter(std::abs(t), HUGE_VAL) - std::abs(t)); }

double moved(double t, double direction) { return std::nextafter(std::nextafter(t, direction), direction); }

// Long steps are searched at more points.
int points_between(const Method& method) {
  if (std::holds_alternative<method::Taylor>(method)) return 12;
  return std::holds_alternative<method::Radau>(method) ? 6 : 3;
}

bool is_multistep(const Method& method) {
  return std::holds_alternative<method::Bdf>(method) || std::holds_alternative<method::Ida>(method);
}

}  // namespace

Jumps::Jumps(RunContext& run, StepPoints& points, OutputPoints& output, SingularWatch& singular)
    : run_(run),
      points_(points),
      output_(output),
      singular_(singular),
      switches_(*run.system),
      kinks_(*run.system, run.options.tolerance),
      forcing_(*run.system, run.options.tolerance, run.start.t, run.options.stop) {}

void Jumps::aim_behind(double t) {
  const double stop = run_.options.stop;
  const auto instant = run_.options.step ? std::nullopt : switches_.next_instant(moved(t, HUGE_VAL));
  const double before = instant ? moved(*instant, -HUGE_VAL) : stop;
  instant_is_goal_ = instant && before < stop && before > t;
  run_.goal = instant_is_goal_ ? before : stop;
  // An event close to the instant of a switch is aimed at instead: the short step across the switch would pass it.
  const double reach = instant_is_goal_ ? moved(*instant, HUGE_VAL) : stop;
  const auto event = run_.events ? run_.events->next_instant(t) : std::nullopt;
  if (event && *event <= reach) instant_is_goal_ = false, run_.goal = *event;
}

void Jumps::take_parameters(std::span<const double> values) {
  switches_.take_parameters(values);
  kinks_.take_parameters(values);
  forcing_.take_parameters(values);
}

void Jumps::forget() {
  hunt_ = {};
  kink_goal_.reset();
  kink_given_up_at_.reset();
  singular_.forget();
  kinks_.forget();
}

void Jumps::pass_instant_at_start() {
  const double before = moved(run_.start.t, -HUGE_VAL), behind = moved(run_.start.t, HUGE_VAL);
  const auto instant = run_.options.step ? std::nullopt : switches_.next_instant(before);
  if (instant && *instant < behind && behind < run_.options.stop) start_behind(behind);
}

bool Jumps::step_again_to(double t) {
  hunt_ = {};
  instant_is_goal_ = false;
  return run_.step_again_to(t);
}

bool Jumps::takes_half() {
  const double a = run_.solution.reached, b = run_.stepper->time(), middle = std::midpoint(a, b);
  if (run_.options.step || !(middle > a && middle < b)) return false;
  return step_again_to(middle);
}

// One-step methods start anew at no cost. Multistep methods lose their history, but only where they were wrong.
bool Jumps::ends_at_kink(double end, Jump jump) {
  if (is_hunted(jump) || !kinks_.exist() || run_.options.step) return false;
  Stepper& stepper = *run_.stepper;
  const double a = run_.solution.reached, b = end;
  const bool is_part = stepper.time() - end > rounding_of(end);
  // The polynomial of a multistep method goes through points that are right, and new starts cost it its history.
  if (is_part && is_multistep(run_.method())) return false;
  bool has_polynomial = true;
  const auto path = [&](double t, std::span<double> quantities) {
    if (t > a && t < stepper.time() && !(has_polynomial = has_polynomial && stepper.has_polynomial())) return false;
    return points_.observe(t, quantities);
  };
  const bool given_up = kink_given_up_at_ == a;
  const bool is_series = std::holds_alternative<method::Taylor>(run_.method()) && !given_up;
  const auto cut = kinks_.find(a, b, std::cref(path), points_between(run_.method()),
                               is_series ? Kinks::Branches::OfTheBeginning : Kinks::Branches::OfEveryPoint,
                               is_part && !given_up ? Kinks::Extent::Part : Kinks::Extent::Step);
  if (!has_polynomial) return takes_half();
  // What lies behind the event may bend an explicit method's polynomial before it: stages have met it, and no error
  // test.
  if (!cut && is_part && !given_up &&
      (kinks_.ends_on_kink() || stepper.defect(std::midpoint(a, end)) > largest_defect)) {
    kink_goal_ = end;
    return step_again_to(end);
  }
  if (!cut && (given_up || kinks_.passed().empty())) return false;
  double goal = cut.value_or(0.0);
  if (!cut) {
    if (!stepper.has_polynomial()) return takes_half();
    if (!passed_kinks_matter()) return false;
    goal = kinks_.locate_passed(std::cref(path));
    if (!(goal > a && goal < b)) return false;
  }
  kink_goal_ = goal;
  return step_again_to(goal);
}

// At its peak the error test sees the pulse, and steps become as short as it asks. A series knows what is at the
// beginning of its step, so that must lie where the pulse begins. Where the polynomial of the step follows what the
// model does at the peak, the pulse was seen, or does no harm.
bool Jumps::ends_at_pulse(double end, Jump jump) {
  const double a = run_.solution.reached, b = end;
  if (is_hunted(jump) || !forcing_.exist() || run_.options.step || kink_given_up_at_ == a) return false;
  bool has_polynomial = true;
  const auto pulse = forcing_.find(a, b, [&](double t) {
    has_polynomial = has_polynomial && run_.stepper->has_polynomial();
    return has_polynomial && missed_rates(t) > largest_miss;
  });
  if (!has_polynomial) return takes_half();
  if (!pulse) return false;
  constexpr double least_advance = 0.01;  // of the way to the peak
  const bool is_series = std::holds_alternative<method::Taylor>(run_.method());
  const double goal = is_series ? std::max(pulse->begin, std::lerp(a, pulse->peak, least_advance)) : pulse->peak;
  if (!(goal > a && goal < b)) return false;
  kink_goal_ = goal;
  return step_again_to(goal);
}

// Do kinks between branches that both ends show harm the last step? The defect of its polynomial tells, for methods
// whose error test may overlook them. That of multistep methods and of series does not.
bool Jumps::passed_kinks_matter() {
  const bool is_radau = std::holds_alternative<method::Radau>(run_.method());
  const bool is_half_explicit = std::holds_alternative<method::HalfExplicit>(run_.method());  // computes no defect
  if ((is_radau || is_half_explicit) && kinks_.passed_root()) return false;
  if (is_half_explicit) return true;
  return std::ranges::any_of(kinks_.passed(), [&](double t) { return is_bent(t); });
}

bool Jumps::is_bent(double t) {
  const bool is_radau = std::holds_alternative<method::Radau>(run_.method());
  return is_radau ? defect_of_collocation(t) > largest_of_collocation : run_.stepper->defect(t) > largest_defect;
}

double Jumps::defect_of_collocation(double t) {
  run_.stepper->interpolate(t, run_.y, run_.yp);
  const std::vector<double> slope = run_.yp;
  if (!(*run_.on_constraints)(t, run_.y, run_.yp)) return HUGE_VAL;
  run_.set_rates(t);
  std::vector<int> differential;
  for (int s = 0; s < run_.problem.size(); ++s)
    if (run_.problem.is_state(s) || run_.has_rate(s)) differential.push_back(s);
  return root_mean_square(differential, [&](int s) {
    const double size = std::abs(run_.y[s]) + run_.reduced.slots[s].nominal;
    return run_.stepper->last_step() * (slope[s] - run_.yp[s]) / (size * run_.options.tolerance);
  });
}

// By how much the slope of the polynomial, of whatever method, misses what the states have as rates there: as a defect.
double Jumps::missed_rates(double t) {
  constexpr double part = 1e-4;  // of a step, to either side
  const double h = run_.stepper->last_step(), from = t - part * h, to = t + part * h;
  run_.take_point(from);
  const std::vector<double> before = run_.y;
  run_.take_point(to);
  const std::vector<double> behind = run_.y;
  run_.take_point(t);
  if (!(*run_.on_constraints)(t, run_.y, run_.yp)) return HUGE_VAL;
  run_.set_rates(t);
  double largest = 0.0;
  for (int s = 0; s < run_.problem.size(); ++s)
    if (run_.problem.is_state(s) || run_.has_rate(s)) {
      const double size = std::abs(run_.y[s]) + run_.reduced.slots[s].nominal;
      const double miss = (behind[s] - before[s]) / (to - from) - run_.yp[s];
      largest = std::fmax(largest, h * std::abs(miss) / (size * run_.options.tolerance));
    }
  return largest;
}

bool Jumps::gives_up_kink() {
  const double a = run_.solution.reached;
  if (run_.options.step || kink_goal_ != run_.goal || kink_given_up_at_ == a) return false;
  kink_given_up_at_ = a;
  aim_behind(a);
  return run_.step_again_to(run_.goal);
}

Jumps::Jump Jumps::look_at_step(double end, StepReport& report) {
  if (!switches_.exist() || run_.options.step) return Jump::None;
  const double a = run_.solution.reached, b = end;
  const auto path = [&](double t, std::span<double> quantities) { return points_.observe(t, quantities); };
  const auto crossing = switches_.find(a, b, std::cref(path), points_between(run_.method()));
  if (!crossing) return Jump::None;
  if (crossing->is_pole) {
    run_.solution.details.push_back(crossing->what);
    report = {Outcome::EvaluationFailed, fmt::format("there is a pole at t = {:.9g}", crossing->behind), Advice::GoOn,
              Code::Pole};
    return Jump::Ends;
  }
  const double width = width_of_jump(*crossing);
  if (b - a <= 2.0 * width) {
    if (hunt_.width > 0.0) {
      report.reason = crossing->what;
      return Jump::Crossed;
    }
    // The step was not aimed at this jump, and the change it makes in such a step is harmless: the method goes on
    // without a restart.
    report = count_jump(crossing->behind, b - a, crossing->what);
    return report.outcome == Outcome::Success ? Jump::None : Jump::Ends;
  }
  if (crossing->before - a <= width) {  // so close that the rates before it lead across
    const double t = std::min(std::max(crossing->behind, a + width), b);
    StepReport counted = count_jump(t, width, crossing->what);
    if (counted.outcome != Outcome::Success) {
      report = std::move(counted);
      return Jump::Ends;
    }
    for (std::size_t s = 0; s < run_.from_y.size(); ++s) run_.from_y[s] += (t - a) * run_.from_yp[s];
    start_behind(t);
    return Jump::StepAgain;
  }
  const double until = run_.stepper->time();
  step_again_to(crossing->before);
  hunt_ = {width, until};
  return Jump::StepAgain;
}

StepReport Jumps::look_for_pole(double a, double b) {
  if (!switches_.exist()) return {};
  run_.end_y = run_.y, run_.end_yp = run_.yp;
  const auto path = [&](double t, std::span<double> quantities) {
    if (t >= b)
      run_.y = run_.end_y, run_.yp = run_.end_yp;
    else if (run_.y = run_.from_y, run_.yp = run_.from_yp; t > a && !(*run_.on_constraints)(t, run_.y, run_.yp))
      return false;
    run_.system->observe({t, run_.y, run_.yp}, quantities);
    return linear::all_finite(quantities);
  };
  std::optional<Switches::Crossing> crossing;
  for (double from = a; (crossing = switches_.find(from, b, std::cref(path), 1)) && !crossing->is_pole;)
    from = crossing->behind;
  run_.y = run_.end_y, run_.yp = run_.end_yp;
  if (!crossing) return {};
  run_.solution.reached = a;
  run_.solution.details.push_back(crossing->what);
  return {Outcome::EvaluationFailed, fmt::format("there is a pole at t = {:.9g}", crossing->behind), Advice::GoOn,
          Code::Pole};
}

// How long the step across a jump may be, from the difference of the rates on its two sides.
double Jumps::width_of_jump(const Switches::Crossing& crossing) {
  const double least = rounding_of(crossing.behind);
  std::vector<double> before;
  for (const double t : {crossing.before, crossing.behind}) {
    run_.take_point(t);
    if (!(*run_.on_constraints)(t, run_.y, run_.yp)) return least;
    run_.set_rates(t);
    if (t == crossing.before) before = run_.yp;
  }
  double fastest = 0.0;
  for (std::size_t s = 0; s < run_.y.size(); ++s)
    if (run_.problem.is_state(static_cast<int>(s)) || run_.has_rate(static_cast<int>(s)))
      fastest =
          std::max(fastest, std::abs(run_.yp[s] - before[s]) / (std::abs(run_.y[s]) + run_.reduced.slots[s].nominal));
  if (!std::isfinite(fastest)) return least;
  return fastest > 0.0 ? std::max(least, part_of_tolerance * run_.options.tolerance / fastest) : HUGE_VAL;
}

// Starts from the point that is kept as the beginning of a step.
void Jumps::start_behind(double t) {
  run_.y = run_.from_y, run_.yp = run_.from_yp;
  (*run_.on_constraints)(t, run_.y, run_.yp);
  run_.set_rates(t);
  run_.from_y = run_.y, run_.from_yp = run_.yp;
  run_.solution.reached = t;
  aim_behind(t);
  hunt_ = {};
  singular_.forget();
  kinks_.forget();
  run_.stepper->resume(t, run_.y, run_.yp, run_.goal);
}

StepReport Jumps::go_on_behind(double from, const std::string& what) {
  StepReport report = count_jump(run_.solution.reached, run_.solution.reached - from, what);
  if (report.outcome == Outcome::Success) start_behind(run_.stepper->time());
  return report;
}

StepReport Jumps::go_on_from_goal() {
  const double t = run_.stepper->time(), stop = run_.options.stop;
  if (t < run_.goal || run_.goal >= stop) return {};
  if (instant_is_goal_) {
    const double behind = moved(moved(run_.goal, HUGE_VAL), HUGE_VAL);
    if (behind >= stop) {  // something switches at the very end of the run: the steps end a rounding error before it
      run_.solution.reached = stop;
      return output_.deliver_rest();
    }
    start_behind(behind);
    return {};
  }
  const double across = t + hunt_.width;
  hunt_.width *= growth_of_width;
  if (across >= hunt_.until) hunt_ = {};
  aim_behind(t);
  if (hunt_.width != 0.0 && across < run_.goal) {
    run_.goal = across;
    instant_is_goal_ = false;
  }
  run_.stepper->resume(t, run_.from_y, run_.from_yp, run_.goal);
  return {};
}

void Jumps::archive(Archive& archive) {
  archive.section("jumps");
  archive(switches_, kinks_, forcing_, instant_is_goal_, hunt_.width, hunt_.until, jumps_, kink_goal_,
          kink_given_up_at_);
}

StepReport Jumps::count_jump(double t, double width, const std::string& what) {
  jumps_.push_back(t);
  if (jumps_.size() > jumps_of_chatter) jumps_.erase(jumps_.begin());
  if (jumps_.size() < jumps_of_chatter) return {};
  const double advance = t - jumps_.front(), rest = run_.options.stop - t;
  const double least = std::max(widths_of_chatter * jumps_of_chatter * std::max(width, rounding_of(t)),
                                interval_of_chatter * (run_.options.stop - run_.start.t));
  if (advance > least || rest * jumps_of_chatter <= most_passed * advance) return {};
  run_.solution.details.push_back(fmt::format(
      "{} changes back and forth, {} times between t = {:.9g} and t = {:.9g}: the solution slides along the "
      "jump. The option --sliding follows such motions along relations: write if v > 0 then 1 else -1 in "
      "the place of sign(v), and no noEvent",
      what, jumps_of_chatter, jumps_.front(), t));
  return {Outcome::StepTooSmall, "the equations jump again and again", Advice::GoOn, Code::EndlessJumps};
}

}  // namespace driftless
