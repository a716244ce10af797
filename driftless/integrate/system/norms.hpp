// Norms that error tests and iterations have in common.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

namespace driftless {

// sqrt(sum part(i)^2 / n) over i = 0 ... n - 1, summed in this order; 0 if there are none.
template <class Part>
double root_mean_square(std::size_t n, const Part& part) {
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double p = part(i);
    sum += p * p;
  }
  return n == 0 ? 0.0 : std::sqrt(sum / static_cast<double>(n));
}

// The same over some slots.
template <class Part>
double root_mean_square(std::span<const int> slots, const Part& part) {
  return root_mean_square(slots.size(), [&](std::size_t k) { return part(slots[k]); });
}

// The largest change of a value, relative to its size. NaN counts as larger than any number.
class RelativeChange {
 public:
  void add(double change, double value, double nominal) {
    const double part = std::abs(change) / (std::abs(value) + nominal);
    if (part > largest_ || std::isnan(part)) largest_ = part;
  }
  double largest() const { return largest_; }

 private:
  double largest_ = 0.0;
};

}  // namespace driftless
