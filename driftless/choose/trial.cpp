#include "driftless/choose/trial.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/integrate/run/integrate.hpp"

namespace driftless::choose {
namespace {

constexpr int samples = 256;  // of the run, equally spaced
constexpr double sharper = 1e-2, sharpest = 1e-11;

}  // namespace

Trial::Trial(std::shared_ptr<System> system, const State& start, const TrialOptions& options)
    : system_(std::move(system)) {
  const Reduced& reduced = system_->reduced();
  const auto series_of = [&](Quantity q) {
    const auto found = std::ranges::lower_bound(reduced.quantities, q);
    return found != reduced.quantities.end() && *found == q ? static_cast<int>(found - reduced.quantities.begin()) : -1;
  };
  for (const Slot& slot : reduced.slots) {
    series_of_slot_.push_back(series_of(slot.quantity));
    series_of_rate_.push_back(series_of({slot.quantity.variable, slot.quantity.order + 1}));
  }
  IntegrateOptions run;
  run.stop = start.t + options.fraction * (options.stop - start.t);
  run.intervals = 1;
  run.max_steps = options.max_steps;
  run.dense = true;
  // If rounding errors prevent the sharp tolerance, the user's is used.
  for (const double factor : {sharper, 1.0}) {
    run.tolerance = std::max(factor * options.tolerance, sharpest);
    solution_ = {};
    integrate(system_, start, run, solution_);
    if (solution_.outcome == Outcome::Success || solution_.outcome == Outcome::TooManySteps) break;
  }
  if (moved()) accuracy_step_ = find_accuracy_step(options);
}

Trial::Point Trial::at(double t) const {
  const std::vector<double> series = solution_.at(std::clamp(t, begin(), end()));
  Point point{t, {}, {}};
  for (const int s : series_of_slot_) point.y.push_back(series[s]);
  for (const int s : series_of_rate_) point.yp.push_back(s < 0 ? 0.0 : series[s]);
  return point;
}

double Trial::find_accuracy_step(const TrialOptions& options) const {
  const Reduced& reduced = system_->reduced();
  std::vector<std::vector<double>> y;
  for (int i = 0; i <= samples; ++i) y.push_back(at(begin() + (end() - begin()) * i / samples).y);

  // The third difference at sample i, in units of the tolerance.
  const auto difference = [&](int i, int stride) {
    double sum = 0.0;
    int count = 0;
    for (std::size_t s = 0; s < reduced.slots.size(); ++s) {
      if (reduced.slots[s].stage == 0) continue;
      const double third = y[i][s] - 3.0 * y[i - stride][s] + 3.0 * y[i - 2 * stride][s] - y[i - 3 * stride][s];
      const double size = third / (options.tolerance * (std::abs(y[i][s]) + reduced.slots[s].nominal));
      sum += size * size;
      ++count;
    }
    return count > 0 ? std::sqrt(sum / count) : 0.0;
  };
  const auto typical = [&](int stride) {
    std::vector<double> all;
    for (int i = 3 * stride; i <= samples; ++i) all.push_back(difference(i, stride));
    std::ranges::nth_element(all, all.begin() + all.size() / 2);
    return all[all.size() / 2];
  };

  // Uses the longest accurate stride, and the cube root from there, as differences of shorter strides are noise.
  int stride = 1;
  double size = typical(stride);
  while (6 * stride <= samples) {
    const double next = typical(2 * stride);
    if (next > 1.0) break;
    size = next, stride *= 2;
  }
  const double step = stride * (end() - begin()) / samples / std::cbrt(std::max(size, 1e-30));
  return std::min(step, options.stop - begin());
}

}  // namespace driftless::choose
