#include "driftless/integrate/run/step_count.hpp"

#include <algorithm>

namespace driftless {
namespace {

// This many steps within this part of the interval are a failure.
constexpr long steps_of_a_crawl = 10'000;
constexpr double shortest_crawl = 1e-9;

}  // namespace

StepCount::StepCount(double start, double interval) : interval_(interval), t_(start), milestone_{.t = start} {}

void StepCount::add(double t, double h, int order, Statistics& statistics) {
  t_ = t;
  ++steps_;
  statistics.largest_step = std::max(statistics.largest_step, h);
  statistics.smallest_step = steps_ == 1 ? h : std::min(statistics.smallest_step, h);
  statistics.mean_order += (order - statistics.mean_order) / static_cast<double>(steps_);
}

bool StepCount::crawls() {
  if (steps_ - milestone_.steps < steps_of_a_crawl) return false;
  const double advance = t_ - milestone_.t;
  milestone_ = {steps_, t_};
  return advance < shortest_crawl * interval_;
}

}  // namespace driftless
