#include "driftless/integrate/steppers/radau/stages_on_rows.hpp"

namespace driftless {

StagesOnRows::StagesOnRows(Problem& problem)
    : problem_(problem),
      is_steep_(problem.system().guard() != nullptr),
      on_rows_(problem),
      y_(problem.size()),
      yp_(problem.size()) {}

bool StagesOnRows::apply() { return is_steep_ && !problem_.reduced().implicit && on_rows_.determined(); }

bool StagesOnRows::put(const Stages& stages, double t, double h, std::span<const double> y, std::span<double> z,
                       std::span<double> correction) {
  const std::size_t n = y.size();
  for (int i = 0; i < stages.count(); ++i) {
    stages.value(z, i, y_);
    stages.slope(z, i, yp_);
    if (!on_rows_(t + stages.node(i) * h, y_, yp_)) return false;
    for (std::size_t k = 0; k < n; ++k) {
      if (problem_.is_whole_state(static_cast<int>(k))) continue;  // held exactly
      double& of_stage = z[i * n + k];
      const double completed = y_[k] - y[k];
      correction[i * n + k] += of_stage - completed;
      of_stage = completed;
    }
  }
  return true;
}

}  // namespace driftless
