#include "driftless/sensitivity/step_values.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace driftless::sensitivity {
namespace {

constexpr double same_quantity = 1e-2;  // of a value at a sample, relative

}  // namespace

StepValues::StepValues(const Solution& solution, const Reduced& reduced, const VariationalArray& array,
                       const OutputInterpolation& rows, const std::vector<Sample>& samples)
    : solution_(solution), rows_(rows) {
  const auto count = static_cast<std::size_t>(array.cols());
  slot_.assign(count, -1);
  rate_.assign(count, -1);
  if (samples.empty()) return;
  const Segment& first = segment_at(samples.front().t);
  if (first.coefficients.size() != reduced.slots.size() * static_cast<std::size_t>(first.order + 1)) return;
  for (std::size_t s = 0; s < reduced.slots.size(); ++s) {
    const Quantity q = reduced.slots[s].quantity;
    if (const int col = array.place(q); col >= 0) slot_[static_cast<std::size_t>(col)] = static_cast<int>(s);
    if (const int col = array.place({q.variable, q.order + 1}); col >= 0)
      rate_[static_cast<std::size_t>(col)] = static_cast<int>(s);
  }
  for (int col = 0; col < array.cols(); ++col) nominal_.push_back(array.nominal(col));
  for (const Sample& sample : samples) check(sample);
  for (std::size_t col = 0; col < count; ++col) needs_rows_ |= slot_[col] < 0 && rate_[col] < 0;
}

void StepValues::check(const Sample& sample) {
  evaluate(segment_at(sample.t), sample.t, y_, yp_);
  const auto keep_if_same = [&](int& component, const std::vector<double>& values, std::size_t col) {
    if (component < 0) return;
    const double value = values[static_cast<std::size_t>(component)], exact = sample.quantities[col];
    if (!(std::abs(value - exact) <= same_quantity * (std::abs(exact) + nominal_[col]))) component = -1;
  };
  for (std::size_t col = 0; col < slot_.size(); ++col) {
    keep_if_same(slot_[col], y_, col);
    keep_if_same(rate_[col], yp_, col);
  }
}

const Segment& StepValues::segment_at(double t) const {
  const auto next = std::ranges::upper_bound(solution_.segments, t, {}, &Segment::begin);
  return next == solution_.segments.begin() ? *next : *std::prev(next);
}

bool StepValues::operator()(double t, const std::vector<int>& states, std::vector<double>& quantities) const {
  if (std::ranges::any_of(states, [&](int col) { return slot_[static_cast<std::size_t>(col)] < 0; })) return false;
  if (needs_rows_ && !rows_.roughly(t, quantities)) return false;
  evaluate(segment_at(t), t, y_, yp_);
  quantities.resize(slot_.size());
  for (std::size_t col = 0; col < slot_.size(); ++col)
    if (slot_[col] >= 0)
      quantities[col] = y_[static_cast<std::size_t>(slot_[col])];
    else if (rate_[col] >= 0)
      quantities[col] = yp_[static_cast<std::size_t>(rate_[col])];
  return true;
}

}  // namespace driftless::sensitivity
