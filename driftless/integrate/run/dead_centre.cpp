#include "driftless/integrate/run/dead_centre.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "driftless/integrate/run/failure.hpp"

namespace driftless {
namespace {

constexpr long steps_of_bdf = 30;

bool expands_or_tests_forces(const Method& method) {
  return std::holds_alternative<method::Radau>(method) || std::holds_alternative<method::Taylor>(method) ||
         std::holds_alternative<method::Ida>(method);
}

}  // namespace

// Who asks for constant steps, states that stay, or other successors, means the method as it is.
bool DeadCentre::may_take_over() const {
  const IntegrateOptions& options = run_.options;
  const std::vector<int>& c = run_.reduced.offsets.c;
  return !is_passing_ && !options.step && options.pivot == PivotMode::Continue && !options.successors.when_stiff &&
         !options.successors.when_not_stiff && !run_.is_rewritten() && !run_.projects() &&
         expands_or_tests_forces(options.method) && std::ranges::any_of(c, [](int n) { return n >= 2; });
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
  if (!is_passing_ || steps_ < patience_ || stepper.time() >= run_.goal) return;
  methods_.exchange(run_.options.method, stepper.time(), {stepper.y().begin(), stepper.y().end()},
                    {stepper.yp().begin(), stepper.yp().end()});
  is_passing_ = false;
  steps_ = 0;
}

void DeadCentre::archive(Archive& archive) {
  archive.section("dead centre");
  archive(is_passing_, has_remark_, steps_, patience_);
}

}  // namespace driftless
