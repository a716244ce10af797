#include "driftless/sensitivity/output_interpolation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

namespace driftless::sensitivity {
namespace {

// A step of order k is at most some k / 4 radians of the fastest motion that it resolves. With (k + 1) / 4 output
// points in it these are at most a radian apart, and resolve that motion. The polynomial of a multistep formula extends
// over k steps, which together resolve the motion.
constexpr double radians_of_order = 4.0;
constexpr double least_size = 1e-3;  // of a value, in units of its nominal value
constexpr double difference =
    0.01;  // difference of two polynomials, in units of the tolerance: more would act like noise on steps

// The points of a window in units of its length, and one by ∏ (u_i - u_j) over all others.
struct Points {
  explicit Points(std::span<const double> times) : begin(times.front()), length(times.back() - times.front()) {
    for (std::size_t i = 0; i < times.size(); ++i) u[i] = (times[i] - begin) / length;
    for (std::size_t i = 0; i < times.size(); ++i) {
      double product = 1.0;
      for (std::size_t j = 0; j < times.size(); ++j)
        if (j != i) product *= u[i] - u[j];
      inverse[i] = 1.0 / product;
    }
    count = times.size();
  }

  // Those of Lagrange's polynomials at t.
  void weights(double t, std::span<double> result) const {
    const double at = (t - begin) / length;
    double left = 1.0, right = 1.0;
    for (std::size_t i = 0; i < count; ++i) {
      result[i] = left * inverse[i];
      left *= at - u[i];
    }
    for (std::size_t i = count; i-- > 0;) {
      result[i] *= right;
      right *= at - u[i];
    }
  }

  // Those of what the polynomial through all points adds at t to the one that leaves out the farthest of them.
  void check(double t, std::span<double> result) const {
    const double at = (t - begin) / length;
    const std::size_t farthest = at > 1.0 - at ? 0 : count - 1;
    double product = 1.0;
    for (std::size_t j = 0; j < count; ++j)
      if (j != farthest) product *= at - u[j];
    for (std::size_t i = 0; i < count; ++i) result[i] = product * inverse[i];
  }

  double begin, length;
  std::size_t count = 0;
  std::array<double, OutputInterpolation::most_points> u{}, inverse{};
};

}  // namespace

OutputInterpolation::OutputInterpolation(const Solution& solution, std::size_t first, std::size_t last,
                                         std::vector<int> columns, std::vector<double> nominal, double tolerance)
    : solution_(solution),
      first_(first),
      last_(last),
      columns_(std::move(columns)),
      nominal_(std::move(nominal)),
      tolerance_(tolerance),
      points_(std::min(most_points, last - first)) {
  const bool all_are_delivered = std::ranges::all_of(columns_, [](int column) { return column >= 0; });
  if (all_are_delivered && points_ >= fewest_points) find_resolved();
}

void OutputInterpolation::find_resolved() {
  const std::vector<Segment>& segments = solution_.segments;
  const std::vector<double>& times = solution_.times;
  const bool is_multistep = solution_.method.starts_with("bdf") || solution_.method.starts_with("ida");
  const auto reach = [&](const Segment& segment) {
    return (is_multistep ? segment.order : 1.0) * (segment.end - segment.begin);
  };
  std::size_t k = 0;
  resolved_.assign(last_ - first_, 0);
  for (std::size_t row = first_; row + 1 < last_; ++row) {
    const double begin = times[row], end = times[row + 1];
    while (k < segments.size() && segments[k].end <= begin) ++k;
    bool follows = k < segments.size() && end > begin;
    for (std::size_t s = k; follows && s < segments.size() && segments[s].begin < end; ++s)
      follows = end - begin <= radians_of_order / (segments[s].order + 1.0) * reach(segments[s]);
    resolved_[row + 1 - first_] = resolved_[row - first_] + (follows ? 1 : 0);
  }
}

std::size_t OutputInterpolation::first_of_window(double t) const {
  const auto begin = solution_.times.begin();
  const auto first = begin + static_cast<std::ptrdiff_t>(first_), last = begin + static_cast<std::ptrdiff_t>(last_);
  const std::size_t next =
      std::clamp(static_cast<std::size_t>(std::upper_bound(first, last, t) - begin), first_ + 1, last_ - 1);
  return std::clamp(next, first_ + points_ / 2, last_ - (points_ + 1) / 2) - points_ / 2;
}

bool OutputInterpolation::roughly(double t, std::vector<double>& values) const {
  if (resolved_.empty()) return false;
  const std::size_t first = first_of_window(t), series = solution_.series();
  Weights weights;
  Points{std::span(solution_.times).subspan(first, points_)}.weights(t, weights);
  values.assign(columns_.size(), 0.0);
  for (std::size_t k = 0; k < columns_.size(); ++k)
    for (std::size_t i = 0; i < points_; ++i)
      values[k] += weights[i] * solution_.values[(first + i) * series + static_cast<std::size_t>(columns_[k])];
  return true;
}

bool OutputInterpolation::find_window(double t, Window& window) const {
  if (resolved_.empty()) return false;
  const std::vector<double>& all = solution_.times;
  if (!(t >= all[first_] && t <= all[last_ - 1])) return false;
  const std::size_t next =
      std::clamp(static_cast<std::size_t>(std::upper_bound(all.begin() + static_cast<std::ptrdiff_t>(first_),
                                                           all.begin() + static_cast<std::ptrdiff_t>(last_), t) -
                                          all.begin()),
                 first_ + 1, last_ - 1);
  window.row = first_of_window(t);
  const std::size_t place = window.row - first_;
  if (resolved_[place + points_ - 1] - resolved_[place] != static_cast<int>(points_) - 1) return false;
  const Points around{std::span(all).subspan(window.row, points_)};
  around.weights(t, window.weights);
  // In the middle of the interval, since all polynomials agree at its ends, also those through values that jump there.
  around.check(std::midpoint(all[next - 1], all[next]), window.check);
  return true;
}

bool OutputInterpolation::operator()(double t, std::vector<double>& values) const {
  Window window;
  if (!find_window(t, window)) return false;
  const std::size_t series = solution_.series();
  const double* row = solution_.values.data() + window.row * series;
  values.resize(columns_.size());
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    double value = 0.0, gap = 0.0, size = least_size * nominal_[k];
    for (std::size_t i = 0; i < points_; ++i) {
      const double at = row[i * series + static_cast<std::size_t>(columns_[k])];
      value += window.weights[i] * at;
      gap += window.check[i] * at;
      size = std::max(size, std::abs(at));
    }
    if (!(std::abs(gap) <= difference * tolerance_ * size)) return false;
    values[k] = value;
  }
  return true;
}

}  // namespace driftless::sensitivity
