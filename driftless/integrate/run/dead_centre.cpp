#include "driftless/integrate/run/dead_centre.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace driftless {
namespace {

constexpr double forgets = 0.98;        // of the longest recent step, with each step
constexpr double short_step = 0.05;     // of it: such a step is worth a look
constexpr double steps_ahead = 8.0;     // a point farther ahead is not what makes steps short
constexpr double closer = 0.25;         // after a leap that was too long
constexpr double probe = 1e-8;          // of the interval: singular values are compared so far ahead
constexpr double shortest_leap = 1e-6;  // of the interval: nearer to the point no step has digits
constexpr double longest_leap = 0.05;   // of the interval
constexpr double largest_change = 0.3;  // of the velocity within a leap

std::vector<double> copy_of(std::span<const double> values) { return {values.begin(), values.end()}; }

bool is_of_positions(const Reduced& r, int row) {
  const EqnId equation = r.rows[row].equation;
  return r.rows[row].level == 0 && index(equation) < std::ssize(r.offsets.c) && r.offsets.c[index(equation)] >= 2;
}

// Do positions among which states are chosen keep nearly the same velocity for that time? If a mechanism comes to rest
// at such a point, its continuation is undetermined.
bool keeps_moving(System& system, const System::Point& at, double time) {
  const Reduced& r = system.reduced();
  std::vector<double> values(r.quantities.size());
  system.observe(at, values);
  const auto value = [&](Quantity q) {
    const auto place = std::ranges::lower_bound(r.quantities, q);
    return place != r.quantities.end() && *place == q ? std::abs(values[place - r.quantities.begin()]) : std::nan("");
  };
  double speed = 0.0, change = 0.0;
  for (const Choice& choice : r.choices) {
    if (std::ranges::none_of(choice.rows, [&](int row) { return is_of_positions(r, row); })) continue;
    for (const int k : choice.kinematics) {
      const Slot& slot = r.slots[r.kinematics[k].slot];
      const auto [variable, order] = slot.quantity;
      speed = std::fmax(speed, value({variable, order + 1}) / slot.nominal);
      change = std::fmax(change, time * value({variable, order + 2}) / slot.nominal);
    }
  }
  return change <= largest_change * speed;
}

}  // namespace

// A user who asks for constant steps or fixed states wants the method itself. A formulation is one that explicit
// methods step with, and puts the end of a step onto the constraints.
bool DeadCentre::may_leap() const {
  const IntegrateOptions& options = run_.options;
  const std::vector<int>& c = run_.reduced.offsets.c;
  const bool has_form = run_.is_rewritten() || run_.projects();
  const bool fits = !has_form || (run_.reduced.base && run_.projects() &&
                                  std::holds_alternative<method::ExplicitRungeKutta>(run_.method()));
  return fits && !is_leaping_ && !options.step && options.pivot == PivotMode::Continue &&
         run_.reduced.chart == Chart::Slots && std::ranges::any_of(c, [](int n) { return n >= 2; });
}

// The slots of the base, which knows the constraints, come first.
RankAhead& DeadCentre::ranks() {
  if (!ranks_) {
    if (run_.is_rewritten()) base_ = run_.system->base();
    ranks_.emplace(base_ ? *base_ : *run_.system);
  }
  return *ranks_;
}

bool DeadCentre::leaps(double farthest) {
  const double t = run_.solution.reached, interval = run_.options.stop - run_.start.t;
  if (!ranks().has_constraints()) return false;
  // Some methods have no rates of slots that are not states.
  std::vector<double> y = run_.from_y, yp = run_.from_yp;
  if (run_.completes_points()) {
    run_.on_constraints->take_noise(true);
    const bool is_solved = run_.solve_rows(t, y, yp);
    run_.on_constraints->take_noise(false);
    if (!is_solved) return false;
  }
  const std::size_t n = base_ ? base_->size() : y.size();
  const auto left = ranks().time_left({t, std::span(y).first(n), std::span(yp).first(n)}, probe * interval);
  if (!left || *left > std::min(farthest, nearest_)) return false;
  const double step = 2.0 * *left;
  if (step < shortest_leap * interval || step > longest_leap * interval || !(t + step < run_.goal)) return false;
  if (!keeps_moving(base_ ? *base_ : *run_.system, {t, std::span(y).first(n), std::span(yp).first(n)}, step))
    return false;
  remark_ = fmt::format(
      "constraints depend on each other at t = {:.6g}, where {} comes no nearer: a step of an explicit method leads "
      "from {:.6g} to {:.6g}, and over other such points",
      t + *left, to_string(run_.method()), t, t + step);
  distance_ = *left;
  pivoting_.choose_here(t, y, yp);
  methods_.leap(step, t, std::move(y), std::move(yp));
  return is_leaping_ = true;
}

bool DeadCentre::leaps_from_failure() {
  if (!is_leaping_) return may_leap() && leaps(steps_ahead * longest_);
  // The leap was too long for the tolerance: the next one may begin only closer to the point.
  is_leaping_ = false;
  nearest_ = closer * distance_;
  methods_.end_leap(run_.solution.reached, run_.from_y, run_.from_yp);
  return true;
}

void DeadCentre::after_step() {
  const Stepper& stepper = *run_.stepper;
  if (stepper.time() >= run_.goal) return;
  if (std::exchange(is_leaping_, false)) {
    nearest_ = HUGE_VAL;
    if (!std::exchange(has_remark_, true)) run_.solution.remarks.push_back(remark_);
    return methods_.end_leap(stepper.time(), copy_of(stepper.y()), copy_of(stepper.yp()));
  }
  const double h = stepper.last_step();
  longest_ = std::max(forgets * longest_, h);
  if (h > short_step * longest_ || !may_leap()) return;
  run_.from_y = copy_of(stepper.y()), run_.from_yp = copy_of(stepper.yp());  // where the next step begins
  leaps(steps_ahead * h);
}

void DeadCentre::archive(Archive& archive) {
  archive.section("dead centre");
  archive(is_leaping_, has_remark_, remark_, longest_, distance_, nearest_);
}

}  // namespace driftless
