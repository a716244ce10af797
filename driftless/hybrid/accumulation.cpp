#include "driftless/hybrid/accumulation.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

// Varying forces change the factor from one interval to the next, but less and less as the intervals become short.
constexpr double same_factor = 0.05;
constexpr double slowest_factor = 0.999;

constexpr double part_of_longest = 3e-5;  // negligible intervals
constexpr double forgetting = 0.99;       // of the longest one, with each event

}  // namespace

void Accumulation::add(double t) {
  if (intervals_ < 0) begin_ = t;
  if (intervals_ >= 0) {
    const double interval = t - time_;
    if (intervals_ > 0 && !(interval < last_.front())) begin_ = time_;
    longest_ = std::max(interval, forgetting * longest_);
    brief_ = interval <= part_of_longest * longest_ ? brief_ + 1 : 0;
    std::ranges::rotate(last_, last_.end() - 1);
    last_.front() = interval;
  }
  time_ = t;
  ++intervals_;
}

bool Accumulation::is_brief_at(double t) const { return is_brief() && t - time_ <= part_of_longest * longest_; }

std::optional<double> Accumulation::remaining() const {
  if (intervals_ < kept) return {};
  const double q = last_[0] / last_[1];
  if (!(last_[0] > 0.0) || !(q <= slowest_factor)) return {};
  for (int k = 1; k + 1 < kept; ++k) {
    const double other = last_[k] / last_[k + 1];
    if (!(other <= slowest_factor) || std::abs(other - q) > same_factor * q) return {};
  }
  return last_[0] * q / (1.0 - q);
}

}  // namespace driftless
