// Determinants that touch 0 within a step without changing their sign.
#include <algorithm>
#include <cmath>

#include "driftless/integrate/checks/singular_points.hpp"

namespace driftless {
namespace {

constexpr double is_small = 0.01;    // of a determinant, relative to the largest
constexpr double vanishes = 23.0;    // of logarithms of determinants: a factor 1e10
constexpr double golden = 0.381966;  // of golden section
constexpr int looks_for_smallest = 60, looks_for_a_minimum = 6;
constexpr double is_a_minimum = 1.0, falls_far = 2.3;  // of logarithms: by this much less than at the ends
// A rounding error of one unit in the residual moves a double solution by its square root.
constexpr double rounding = 4.0 * 1.5e-8;

}  // namespace

// A determinant may touch 0, as that of y^2 = x^2 does on the solution y = |x|. Steps become short before such a point.
// If a determinant is small compared to earlier values, or would reach 0 within the step if extrapolated from the
// previous step, its minimum is searched.
std::optional<SingularPoints::Found> SingularPoints::find_touched(double a, double b, const Path& path,
                                                                  const MayPass& may_pass) {
  for (std::size_t k = 0; k < watched_.size(); ++k) {
    const linear::Determinant &before = before_[k], &here = here_[k];
    if (before.sign == 0 || here.sign != before.sign) continue;
    const bool falls_to_zero =
        older_ < a && (ratio(oldest_[k], before.size) - 1.0) * (b - a) > a - older_;  // extrapolated by a straight line
    const bool is_small_here = ratio(before.size, largest_[k]) < is_small || ratio(here.size, largest_[k]) < is_small;
    if (!falls_to_zero && !is_small_here) continue;
    if (auto& steep = watched_[k]->steep; steep && (*steep)(problem_.system())) continue;
    const std::optional<double> zero = find_zero(k, a, b, path);
    if (!zero) continue;
    path(b, y_, yp_);
    differentiate({b, y_, yp_});
    const Eigen::VectorXd sizes = slopes_by_candidates(*watched_[k]).rowwise().norm();
    path(*zero, y_, yp_);
    differentiate({*zero, y_, yp_});
    const Found found = found_at(*zero, *watched_[k], sizes);
    if (!found.only_chart && !(may_pass && may_pass(found))) return found;
  }
  return {};
}

// By golden section, towards points at which the equations cannot be solved, as at the singular point itself, where the
// determinant becomes very small before; or at which they are solved as well as possible. If the determinant is
// smallest at an end of the step, the zero may lie between this end and the nearest evaluation: it is then tried where
// straight lines through the two meet at 0. Not used for choices of states, whose determinants often become small.
std::optional<double> SingularPoints::find_zero(std::size_t k, double a, double b, const Path& path) {
  const linear::Determinant &before = before_[k], &here = here_[k], &inside = inside_[k];
  const auto [smaller_end, ends] = std::minmax({before.size.log(), here.size.log()});
  bool unsolved = false;
  double smallest = HUGE_VAL, at = b;
  const auto value_at = [&](double t) {
    if (!evaluate(t, path)) {
      unsolved = true;
      return -HUGE_VAL;
    }
    const double value = inside.sign == before.sign ? inside.size.log() : -HUGE_VAL;
    if (value < smallest) smallest = value, at = t;
    return value;
  };
  double left = a, right = b, t1 = a, t2 = b, g1 = 0.0, g2 = 0.0;
  const auto divide = [&] {
    g1 = value_at(t1 = std::lerp(left, right, golden));
    g2 = value_at(t2 = std::lerp(right, left, golden));
  };
  divide();
  const bool is_fixed = slopes_->exist && k < fixed_.size();
  for (int i = 0; i < looks_for_smallest && smallest > ends - vanishes && (is_fixed || !unsolved); ++i) {
    if (i == looks_for_a_minimum && std::min(g1, g2) > smaller_end - is_a_minimum) {
      if (!is_fixed) break;
      const bool at_begin = before.size.log() < here.size.log();
      const double end = at_begin ? a : b, nearest = at_begin ? t1 : t2;
      const double distance = (nearest - end) / (1.0 + std::exp((at_begin ? g1 : g2) - smaller_end));
      if (!(value_at(end + distance) < smaller_end - is_a_minimum)) break;
      left = std::min(end, end + 2.0 * distance), right = std::max(end, end + 2.0 * distance);
      divide();
    }
    if (g1 < g2) {
      right = t2, t2 = t1, g2 = g1;
      g1 = value_at(t1 = std::lerp(left, right, golden));
    } else {
      left = t1, t1 = t2, g1 = g2;
      g2 = value_at(t2 = std::lerp(right, left, golden));
    }
  }
  if (smallest <= ends - vanishes) return at;
  if (smallest > smaller_end - falls_far) return {};
  if (unsolved || !evaluate(at, path) || vanishes_by_rounding(k, at)) return at;
  return {};
}

// Does the determinant vanish, at the point evaluated last, within the rounding errors of unknowns near a double
// solution? Then it does not decrease further at points closer to the zero.
bool SingularPoints::vanishes_by_rounding(std::size_t k, double t) {
  const int sign = inside_[k].sign;
  for (const auto& [slot, rate] : watched_[k]->unknowns) {
    double& unknown = (rate ? yp_ : y_)[slot];
    const double value = unknown, change = rounding * (std::abs(value) + problem_.reduced().slots[slot].nominal);
    bool changes_sign = sign == 0;
    for (const double moved : {value - change, value + change}) {
      unknown = moved;
      evaluate({t, y_, yp_}, inside_);
      changes_sign = changes_sign || inside_[k].sign != sign;
    }
    unknown = value;
    if (changes_sign) return true;
  }
  return false;
}

std::optional<SingularPoints::Found> SingularPoints::find_touched_by_fixed(const System::Point& begin,
                                                                           const System::Point& end, const Path& path,
                                                                           const MayPass& may_pass) {
  if (!exist() || !slopes_->exist) return {};
  evaluate(begin, before_);
  evaluate(end, here_);
  for (std::size_t k = 0; k < fixed_.size(); ++k) {
    if (before_[k].sign == 0 || here_[k].sign != before_[k].sign) continue;
    if (auto& steep = fixed_[k].steep; steep && (*steep)(problem_.system())) continue;
    const auto ends_at = [&](double t) -> std::optional<Found> {
      Found found{t, describe(fixed_[k]), false, equations_of(fixed_[k])};
      return may_pass && may_pass(found) ? std::nullopt : std::optional(std::move(found));
    };
    if (const auto zero = find_zero(k, begin.t, end.t, path)) {
      if (auto found = ends_at(*zero)) return found;
      continue;
    }
    std::ranges::copy(end.y, y_.begin());
    std::ranges::copy(end.yp, yp_.begin());
    evaluate(end, inside_);
    if (vanishes_by_rounding(k, end.t))
      if (auto found = ends_at(end.t)) return found;
  }
  return {};
}

}  // namespace driftless
