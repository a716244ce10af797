#include "driftless/integrate/run/step_points.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/linear/number.hpp"

namespace driftless {
namespace {

// For continuation along a step: how much, relative to their size, unknowns may move in one solve, and the smallest
// part of the step after which they are solved again.
constexpr double longest_correction = 0.2, shortest_part = 1e-5;

}  // namespace

Origin StepPoints::load(double t) {
  const bool at_end = t == run_.stepper->time();
  if (at_end) {
    run_.y = run_.end_y, run_.yp = run_.end_yp;
    if (run_.point_solver && run_.reduced.equation_choice.exists()) (*run_.point_solver)(t, run_.y, run_.yp);
  } else {
    run_.stepper->interpolate(t, run_.y, run_.yp);
    if (run_.point_solver && !run_.stepper->is_exact_at(t)) (*run_.point_solver)(t, run_.y, run_.yp);
    projection_.project_output(t);
  }
  if (run_.completes_points()) {
    (*run_.on_constraints)(t, run_.y, run_.yp);
    return run_.on_constraints->determined() ? Origin::Solved : Origin::Interpolated;
  }
  // Gauss methods with constant steps satisfy the rows at their stages, but not at the ends of steps.
  const bool end_is_solved = at_end && !run_.options.step;
  return end_is_solved || !run_.is_rewritten() || is_explicit(run_.method()) ? Origin::Solved : Origin::Interpolated;
}

bool StepPoints::observe(double t, std::span<double> quantities) {
  const double a = run_.solution.reached, b = run_.stepper->time();
  if (t >= b)
    run_.system->observe({b, run_.end_y, run_.end_yp}, quantities);
  else if (t <= a)
    run_.system->observe({a, run_.from_y, run_.from_yp}, quantities);
  else
    run_.stepper->interpolate(t, run_.y, run_.yp), run_.system->observe({t, run_.y, run_.yp}, quantities);
  return linear::all_finite(quantities);
}

bool StepPoints::solve_again(double t) {
  if (!run_.stepper || !(t > run_.solution.reached && t < run_.stepper->time())) return false;
  if (!is_explicit(run_.method()) && run_.is_rewritten()) return false;
  const bool solved = (!uses_states(run_.method()) && (*run_.on_constraints)(t, run_.y, run_.yp)) ||
                      follow_from(run_.solution.reached, t) || follow_from(run_.stepper->time(), t);
  if (!solved || !run_.is_rewritten() || !run_.projects()) return solved;
  Projector project(run_.problem, run_.options.projection, run_.start);
  return project(t, run_.y, run_.yp).converged;
}

double StepPoints::distance(std::span<const double> a, std::span<const double> b) const {
  double largest = 0.0;
  for (std::size_t s = 0; s < a.size(); ++s)
    largest = std::max(largest, std::abs(a[s] - b[s]) / (std::abs(b[s]) + run_.reduced.slots[s].nominal));
  return largest;
}

bool StepPoints::follow_from(double end, double t) {
  const double span = run_.stepper->time() - run_.solution.reached;
  std::vector<double> y = end < t ? run_.from_y : run_.end_y, yp = end < t ? run_.from_yp : run_.end_yp;
  double from = end;
  for (double h = t - from; from != t;) {
    const double next = std::abs(h) < std::abs(t - from) ? from + h : t;
    run_.stepper->interpolate(next, run_.y, run_.yp);
    for (std::size_t s = 0; s < y.size(); ++s)
      if (!run_.problem.is_whole_state(static_cast<int>(s))) run_.y[s] = y[s], run_.yp[s] = yp[s];
    if ((*run_.on_constraints)(next, run_.y, run_.yp) && distance(y, run_.y) <= longest_correction) {
      y = run_.y, yp = run_.yp, from = next;
      h *= 2.0;
    } else if (std::abs(h *= 0.5) < shortest_part * span) {
      return false;
    }
  }
  return true;
}

}  // namespace driftless
