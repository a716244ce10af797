#include "driftless/sensitivity/output_interpolation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
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

// The weights of Lagrange's polynomials at t.
template <std::size_t N>
void lagrange_weights(const double* times, double t, std::size_t left_out, std::array<double, N>& weights) {
  for (std::size_t i = 0; i < N; ++i) {
    weights[i] = i == left_out ? 0.0 : 1.0;
    if (i == left_out) continue;
    for (std::size_t j = 0; j < N; ++j)
      if (j != i && j != left_out) weights[i] *= (t - times[j]) / (times[i] - times[j]);
  }
}

}  // namespace

OutputInterpolation::OutputInterpolation(const Solution& solution, std::size_t first, std::size_t last,
                                         std::vector<int> columns, std::vector<double> nominal, double tolerance)
    : solution_(solution),
      first_(first),
      last_(last),
      columns_(std::move(columns)),
      nominal_(std::move(nominal)),
      tolerance_(tolerance) {
  const bool all_are_delivered = std::ranges::all_of(columns_, [](int column) { return column >= 0; });
  if (all_are_delivered && last_ - first_ >= points) find_resolved();
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
  return std::clamp(next, first_ + points / 2, last_ - points / 2) - points / 2;
}

bool OutputInterpolation::roughly(double t, std::vector<double>& values) const {
  if (resolved_.empty()) return false;
  const std::size_t first = first_of_window(t), series = solution_.series();
  std::array<double, points> weights;
  lagrange_weights<points>(solution_.times.data() + first, t, points, weights);
  values.assign(columns_.size(), 0.0);
  for (std::size_t k = 0; k < columns_.size(); ++k)
    for (std::size_t i = 0; i < points; ++i)
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
  if (resolved_[place + points - 1] - resolved_[place] != static_cast<int>(points) - 1) return false;
  const double* times = solution_.times.data() + window.row;
  lagrange_weights<points>(times, t, points, window.weights);
  // In the middle of the interval, since all polynomials agree at its ends, also those through values that jump there.
  const double middle = std::midpoint(solution_.times[next - 1], solution_.times[next]);
  const std::size_t farthest = middle - times[0] > times[points - 1] - middle ? 0 : points - 1;
  std::array<double, points> fewer;
  lagrange_weights<points>(times, middle, points, window.check);
  lagrange_weights<points>(times, middle, farthest, fewer);
  for (std::size_t i = 0; i < points; ++i) window.check[i] -= fewer[i];
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
    for (std::size_t i = 0; i < points; ++i) {
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
