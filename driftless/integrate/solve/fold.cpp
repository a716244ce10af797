#include "driftless/integrate/solve/fold.hpp"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>

#include "driftless/integrate/states/dependent_unknowns.hpp"
#include "driftless/linear/dense.hpp"

namespace driftless {
namespace {

constexpr int most_unknowns = 200, most_iterations = 8;
constexpr int most_points = 10000, least_points = 300;  // of all curves together: fewer of a large system,
constexpr double work = 1e9;                            // in cubes of its size
constexpr double converged = 1e-10;
constexpr double first_step = 1e-4, longest_step = 0.1, shortest_step = 1e-8;  // in units of the unknowns
constexpr double beyond_corner = 1e-5, behind_corner = 1e-4;
constexpr double turns_slowly = 0.8;      // the cosine between tangents one step apart
constexpr double same_direction = 0.999;  // the cosine
constexpr double soon = 1e-2;             // of the interval: a fold that explains why a run ends here
constexpr double least_earlier = 1e-8;    // of the interval
constexpr double least_away = 1e-4;       // in units of the unknowns
constexpr double near_fold = 0.2;         // in units of the unknowns
constexpr double other_point = 1e-2;      // likewise
constexpr double beyond_bounds = 1e8;

// The curve of solutions of the rows in unknowns and time: w holds the unknowns in units of their size, then the time
// since the point in units of the interval.
class Curve {
 public:
  Curve(Problem& problem, double t, std::span<const double> y, std::span<const double> yp, double interval)
      : problem_(problem),
        t_(t),
        interval_(interval),
        dependent_(dependent_unknowns(problem)),
        n_(dependent_.unknowns.size()),
        y0_(y.begin(), y.end()),
        yp0_(yp.begin(), yp.end()),
        y_(y0_),
        yp_(yp0_),
        rows_(problem.system().rows() + problem.system().candidates()),
        jacobian_(problem.system().jacobian_entries().size()) {
    for (const Unknown& unknown : dependent_.unknowns.all())
      sizes_.push_back(std::abs((unknown.rate ? yp0_ : y0_)[unknown.slot]) +
                       problem.reduced().slots[unknown.slot].nominal);
  }

  bool applies() const {
    return n_ > 0 && n_ <= most_unknowns && dependent_.equations == n_ && problem_.system().rows() == n_;
  }

  Eigen::VectorXd begin() const {
    Eigen::VectorXd w(n_ + 1);
    for (int k = 0; k < n_; ++k) w[k] = value(k) / sizes_[k];
    w[n_] = 0.0;
    return w;
  }

  Eigen::VectorXd residual(const Eigen::VectorXd& w) {
    set(w);
    problem_.system().rows_and_rates({t_ + interval_ * w[n_], y_, yp_}, rows_);
    return Eigen::Map<const Eigen::VectorXd>(rows_.data(), n_);
  }

  // Derivatives by the unknowns, and by time as a difference quotient.
  Eigen::MatrixXd slope(const Eigen::VectorXd& w) {
    constexpr double part = 1e-9;  // small, so that a corner lies in between only if it is very close
    Eigen::MatrixXd result = Eigen::MatrixXd::Zero(n_, n_ + 1);
    Eigen::VectorXd later = w, earlier = w;
    later[n_] += part, earlier[n_] -= part;
    result.col(n_) = (residual(later) - residual(earlier)) / (2.0 * part);
    set(w);
    problem_.system().jacobian({t_ + interval_ * w[n_], y_, yp_}, jacobian_);
    for (std::size_t k = 0; k < dependent_.entries.size(); ++k) {
      const linear::Coordinate at = dependent_.coordinates[k];
      result(at.row, at.col) += jacobian_[dependent_.entries[k]] * sizes_[at.col];
    }
    return result;
  }

  // Newton's iteration on the plane through w that is normal to the direction. False if it does not converge.
  bool correct(Eigen::VectorXd& w, const Eigen::VectorXd& normal) {
    const Eigen::VectorXd predicted = w;
    Eigen::MatrixXd matrix(n_ + 1, n_ + 1);
    Eigen::VectorXd right(n_ + 1);
    for (int k = 0; k < most_iterations; ++k) {
      matrix.topRows(n_) = slope(w);
      matrix.row(n_) = normal.transpose();
      right.head(n_) = residual(w);
      right[n_] = normal.dot(w - predicted);
      for (int i = 0; i < n_; ++i) {
        const double largest = matrix.row(i).cwiseAbs().maxCoeff();
        if (!(largest > 0.0)) return false;
        matrix.row(i) /= largest;
        right[i] /= largest;
      }
      const Eigen::VectorXd correction = linear::Lu(matrix).solve(right);
      if (!correction.allFinite()) return false;
      w -= correction;
      if (correction.norm() <= converged * (1.0 + w.norm())) return true;
    }
    return false;
  }

  // The direction in which no row changes; of length 0 where there is none.
  Eigen::VectorXd tangent(const Eigen::VectorXd& w) {
    Eigen::MatrixXd by = slope(w);
    if (!by.allFinite()) return Eigen::VectorXd::Zero(n_ + 1);
    for (int i = 0; i < n_; ++i)
      if (const double largest = by.row(i).cwiseAbs().maxCoeff(); largest > 0.0) by.row(i) /= largest;
    return linear::Qr(by.transpose()).q().col(n_);
  }

  void take(const Eigen::VectorXd& w, std::vector<double>& y, std::vector<double>& yp) {
    set(w);
    y = y_, yp = yp_;
  }

  // The slot whose unknown differs most between two points, and by how much.
  std::pair<int, double> largest_change(const Eigen::VectorXd& a, const Eigen::VectorXd& b) const {
    std::pair<int, double> largest{0, 0.0};
    for (int k = 0; k < n_; ++k) {
      const Unknown& unknown = dependent_.unknowns.all()[k];
      if (unknown.rate) continue;
      if (const double change = std::abs(a[k] - b[k]); change > largest.second) largest = {unknown.slot, change};
    }
    return largest;
  }

  int time() const { return n_; }  // its place in w

 private:
  double value(int k) const {
    const Unknown& unknown = dependent_.unknowns.all()[k];
    return (unknown.rate ? yp0_ : y0_)[unknown.slot];
  }

  void set(const Eigen::VectorXd& w) {
    for (int s = 0; s < problem_.size(); ++s)
      if (problem_.is_whole_state(s)) y_[s] = y0_[s] + w[n_] * interval_ * yp0_[s];
    for (int k = 0; k < n_; ++k) {
      const Unknown& unknown = dependent_.unknowns.all()[k];
      (unknown.rate ? yp_ : y_)[unknown.slot] = w[k] * sizes_[k];
    }
  }

  Problem& problem_;
  double t_, interval_;
  DependentUnknowns dependent_;
  int n_;
  std::vector<double> y0_, yp0_, y_, yp_, rows_, jacobian_, sizes_;
};

// A point on the curve and the direction in which it is followed.
struct Follower {
  Curve& curve;
  Eigen::VectorXd w, along;
  double step = first_step;
  bool is_at_corner = false;  // the last step

  // One step, as long as the curve allows. False if there is none.
  bool advance() {
    is_at_corner = false;
    for (; step >= shortest_step; step *= 0.5) {
      Eigen::VectorXd next = w + step * along;
      if (!curve.correct(next, along) || (next - w - step * along).norm() > 0.5 * step) continue;
      Eigen::VectorXd direction = curve.tangent(next);
      if (direction.dot(along) < 0.0) direction = -direction;
      if (!(direction.dot(along) >= turns_slowly)) continue;
      w = next, along = direction;
      step = std::min(1.5 * step, longest_step);
      return true;
    }
    step = first_step;
    is_at_corner = true;
    return turn_at_corner();
  }

  // At a corner, where the slope of the rows jumps: goes on a little beyond it along the tangent valid there.
  bool turn_at_corner() {
    const Eigen::VectorXd behind = curve.tangent(w + beyond_corner * along);
    for (const double sign : {1.0, -1.0}) {
      const Eigen::VectorXd direction = sign * behind;
      Eigen::VectorXd next = w + behind_corner * direction;
      if (!curve.correct(next, direction)) continue;
      const Eigen::VectorXd there = curve.tangent(next);
      const bool is_behind = std::abs(there.dot(behind)) > same_direction;
      const bool is_before = std::abs(there.dot(along)) > same_direction;
      if (!is_behind || is_before) continue;
      w = next, along = there.dot(direction) < 0.0 ? Eigen::VectorXd(-there) : there;
      return true;
    }
    return false;
  }
};

struct Back {
  Eigen::VectorXd w;    // at the present time, on the next solution
  double fold = -soon;  // the time at which the curve turned
};

// From a point of the curve through the fold to the next point at the present time. None if the curve does not turn
// soon, or does not come back within this many points.
std::optional<Back> come_back(Curve& curve, const Eigen::VectorXd& from, int& points) {
  const int time = curve.time();
  Follower point{curve, from, curve.tangent(from)};
  if (point.along[time] < 0.0) point.along = -point.along;
  Back back;
  bool has_turned = false;
  while (points-- > 0) {
    const Eigen::VectorXd before = point.w;
    const double rising = point.along[time];
    if (!point.advance() || !(point.w.norm() < beyond_bounds)) return std::nullopt;
    const double now = point.w[time];
    if ((!has_turned && now > soon) || now < -1.0) return std::nullopt;
    if (!has_turned && point.along[time] < 0.0) {
      has_turned = true;  // the slope of time along the curve falls from `rising` through zero, or leaps at a corner
      const double summit = rising * rising / (2.0 * (rising - point.along[time]));
      back.fold = before[time] + (point.is_at_corner ? 0.0 : summit * (point.w - before).norm());
    }
    if (!has_turned || before[time] >= 0.0 || now < 0.0) continue;
    back.w = before + (point.w - before) * (before[time] / (before[time] - now));
    return back;
  }
  return std::nullopt;
}

// Points of the curve a little earlier than the fold near `here`, on both of the solutions that meet there. The end of
// a step satisfies the equations within its tolerance only, and may lie on either side of a corner; at a smooth fold
// the curve is found on planes normal to it.
std::vector<Eigen::VectorXd> points_before_fold(Curve& curve, const Eigen::VectorXd& here) {
  std::vector<Eigen::VectorXd> points;
  const auto add = [&](Eigen::VectorXd from, const Eigen::VectorXd& normal) {
    const bool found =
        curve.correct(from, normal) && curve.largest_change(from, here).second <= near_fold && from[curve.time()] < 0.0;
    if (found) points.push_back(from);
    return found;
  };
  const Eigen::VectorXd at_time = Eigen::VectorXd::Unit(here.size(), curve.time()), along = curve.tangent(here);
  for (double earlier = least_earlier; earlier <= soon; earlier *= 100.0)
    if (add(here - earlier * at_time, at_time)) add(2.0 * here - points.back() - 2.0 * earlier * at_time, at_time);
  for (double away = least_away; away <= near_fold; away *= 100.0)
    for (const double sign : {1.0, -1.0}) add(here + sign * away * along, along);
  return points;
}

}  // namespace

std::optional<SolutionBehindFold> solution_behind_fold(Problem& problem, AlgebraicSolve& solve, double t,
                                                       std::span<const double> y, std::span<const double> yp,
                                                       double interval) {
  std::vector<double> rates(yp.begin(), yp.end());
  problem.system().set_rates(t, y, rates);
  Curve curve(problem, t, y, rates, interval);
  if (!curve.applies()) return std::nullopt;
  const Eigen::VectorXd here = curve.begin();
  const auto size = static_cast<double>(here.size());
  int points = static_cast<int>(std::clamp(work / (size * size * size), 1.0 * least_points, 1.0 * most_points));
  for (const Eigen::VectorXd& from : points_before_fold(curve, here)) {
    const auto back = come_back(curve, from, points);
    if (!back) continue;
    const auto [slot, change] = curve.largest_change(back->w, here);
    if (!(change > other_point)) continue;  // the curve is closed
    SolutionBehindFold found{{}, {}, slot, t + back->fold * interval};
    curve.take(back->w, found.y, found.yp);
    for (int s = 0; s < problem.size(); ++s) {
      if (problem.is_whole_state(s)) found.y[s] = y[s];
      if (!problem.is_state(s)) found.yp[s] = 0.0;  // it was infinite at the fold
    }
    if (!solve(t, found.y, found.yp)) continue;
    // Since the fold the states have followed the rates of the other solution.
    problem.system().set_rates(t, found.y, found.yp);
    for (int s = 0; s < problem.size(); ++s)
      if (problem.is_whole_state(s)) found.y[s] += (t - found.fold) * (found.yp[s] - rates[s]);
    if (solve(t, found.y, found.yp)) return found;
  }
  return std::nullopt;
}

}  // namespace driftless
