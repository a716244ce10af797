#include "driftless/indices/power_law.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace driftless {
namespace {

// Exponents are integers if one term dominates the response; halfway between them the result is undecided.
constexpr double constant = 0.3, grows = 0.6, falls = -0.7;
constexpr double most_misfit = 0.3;

}  // namespace

PowerLaw fit_power_law(std::span<const double> frequencies, std::span<const double> values, std::size_t highest) {
  const std::size_t first = values.size() - highest;
  std::vector<double> x, y;
  double x_mean = 0.0, y_mean = 0.0, xx = 0.0, xy = 0.0;
  for (std::size_t k = first; k < values.size(); ++k) {
    x.push_back(std::log2(frequencies[k]));
    y.push_back(std::log2(values[k]));
    x_mean += x.back() / static_cast<double>(highest);
    y_mean += y.back() / static_cast<double>(highest);
  }
  for (std::size_t k = 0; k < highest; ++k) {
    xx += (x[k] - x_mean) * (x[k] - x_mean);
    xy += (x[k] - x_mean) * (y[k] - y_mean);
  }
  PowerLaw law{xy / xx, 0.0};
  for (std::size_t k = 1; k < highest; ++k)
    law.misfit = std::max(law.misfit, std::abs((y[k] - y[k - 1]) / (x[k] - x[k - 1]) - law.exponent));
  return law;
}

Growth growth_of(const PowerLaw& law) {
  if (!(law.misfit <= most_misfit)) return Growth::Undecided;
  if (law.exponent >= grows) return Growth::Grows;
  if (law.exponent <= falls) return Growth::Falls;
  return std::abs(law.exponent) <= constant ? Growth::Constant : Growth::Undecided;
}

bool is_bounded(const PowerLaw& law) { return law.exponent + law.misfit <= constant; }

}  // namespace driftless
