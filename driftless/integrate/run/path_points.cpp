#include "driftless/integrate/run/path_points.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/integrate/run/chord.hpp"
#include "driftless/linear/number.hpp"

namespace driftless {

PathPoints::PathPoints(RunContext& run, double t)
    : run_(run), path_(run.problem, *run.on_constraints, t, run.y, run.yp, run.options.stop - t) {}

bool PathPoints::follow_to(double t) {
  Solution& solution = run_.solution;
  run_.from_y = run_.y, run_.from_yp = run_.yp;
  bool goes_on = true;
  while (goes_on && path_.time() < t) {
    goes_on = path_.leap_towards(std::min(t, path_.time() + run_.options.longest_step));
    if (!goes_on) break;
    ++solution.statistics.steps;
    if (run_.options.dense)
      solution.segments.push_back(chord(path_.time_before(), path_.y_before(), path_.time(), path_.y()));
    solution.reached = path_.time();
  }
  run_.y = path_.y(), run_.yp = path_.yp();
  return goes_on;
}

std::optional<EventSearch::Found> PathPoints::find_event(double a, double b) {
  if (!run_.events) return {};
  run_.end_y = run_.y, run_.end_yp = run_.yp;
  const auto path = [&](double t, std::span<double> quantities) {
    return solve(a, b, t) && run_.events->observe(t, run_.y, run_.yp, quantities);
  };
  // From one output point to the next anything may happen.
  const auto found = run_.events->find(a, b, path, EventSearch::Steps::Oscillating);
  run_.y = run_.end_y, run_.yp = run_.end_yp;
  return found;
}

void PathPoints::tell(double a, double b, double to) {
  if (!run_.options.step_taken) return;
  run_.end_y = run_.y, run_.end_yp = run_.yp;
  const auto observe = [&](double t, std::span<double> quantities) {
    if (!solve(a, b, t)) return false;
    run_.system->observe({t, run_.y, run_.yp}, quantities);
    return linear::all_finite(quantities);
  };
  run_.options.step_taken(a, to, observe);
  run_.y = run_.end_y, run_.yp = run_.end_yp;
}

void PathPoints::go_back_to(double t) {
  run_.end_y = run_.y, run_.end_yp = run_.yp;
  solve(-HUGE_VAL, run_.solution.reached, t);
  std::erase_if(run_.solution.segments, [t](const Segment& segment) { return segment.begin >= t; });
}

bool PathPoints::solve(double a, double b, double t) {
  run_.y = t >= b ? run_.end_y : run_.from_y;
  run_.yp = t >= b ? run_.end_yp : run_.from_yp;
  return t >= b || t <= a || (*run_.on_constraints)(t, run_.y, run_.yp);
}

void PathPoints::begin_at(double t, std::vector<double>& y, std::vector<double>& yp) const {
  const double a = path_.time_before(), b = path_.time();
  yp = path_.yp();
  for (std::size_t i = 0; i < y.size(); ++i)
    y[i] = std::lerp(path_.y_before()[i], path_.y()[i], b > a ? (t - a) / (b - a) : 1.0);
}

}  // namespace driftless
