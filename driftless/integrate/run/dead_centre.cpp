#include "driftless/integrate/run/dead_centre.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "driftless/integrate/run/failure.hpp"

namespace driftless {
namespace {

constexpr long steps_of_bdf = 30;

// Many steps this short, as parts of the interval, do not get closer either.
constexpr double shortest_steps = 1e-8;
constexpr long most_short_steps = 200;

bool expands_or_tests_forces(const Method& method) {
  return std::holds_alternative<method::Radau>(method) || std::holds_alternative<method::Taylor>(method) ||
         std::holds_alternative<method::Ida>(method);
}

}  // namespace

// A user who asks for constant steps or fixed states wants the method itself.
bool DeadCentre::may_take_over() const {
  const IntegrateOptions& options = run_.options;
  const std::vector<int>& c = run_.reduced.offsets.c;
  return !is_passing_ && !options.step && options.pivot == PivotMode::Continue && !run_.is_rewritten() &&
         !run_.projects() && expands_or_tests_forces(options.method) &&
         std::ranges::any_of(c, [](int n) { return n >= 2; });
}

bool DeadCentre::takes_over() {
  if (!may_take_over()) return false;
  const double t = run_.solution.reached;
  pivoting_.choose_here(t, run_.from_y, run_.from_yp);
  const std::vector<EqnId> singular = singular_equations(run_.problem, {t, run_.from_y, run_.from_yp});
  const auto is_position = [&](EqnId e) {
    return index(e) < std::ssize(run_.reduced.offsets.c) && run_.reduced.offsets.c[index(e)] >= 2;
  };
  if (std::ranges::none_of(singular, is_position)) return false;
  if (!std::exchange(has_remark_, true))
    run_.solution.remarks.push_back(
        fmt::format("{} comes no nearer to where constraints depend on each other, from t = {:.6g} on: bdf passes "
                    "there, and at other such points",
                    to_string(run_.method()), t));
  methods_.exchange(method::Bdf{}, t, run_.from_y, run_.from_yp);
  is_passing_ = true;
  patience_ = steps_of_bdf;
  steps_ = 0;
  return true;
}

void DeadCentre::after_step() {
  ++steps_;
  const Stepper& stepper = *run_.stepper;
  if (stepper.time() >= run_.goal) return;
  const auto copy = [](std::span<const double> values) { return std::vector<double>(values.begin(), values.end()); };
  if (!is_passing_) {
    const bool is_short = stepper.last_step() < shortest_steps * (run_.options.stop - run_.start.t);
    patience_ = is_short ? patience_ + 1 : 0;
    if (patience_ < most_short_steps || !may_take_over()) return;
    patience_ = 0;
    run_.from_y = copy(stepper.y()), run_.from_yp = copy(stepper.yp());  // where the next step begins
    takes_over();
    return;
  }
  if (steps_ < patience_) return;
  methods_.exchange(run_.options.method, stepper.time(), copy(stepper.y()), copy(stepper.yp()));
  is_passing_ = false;
  steps_ = patience_ = 0;
}

void DeadCentre::archive(Archive& archive) {
  archive.section("dead centre");
  archive(is_passing_, has_remark_, steps_, patience_);
}

}  // namespace driftless
