// Does a quantity grow with the frequency, and with which power of it?
#pragma once

#include <span>

namespace driftless {

struct PowerLaw {
  double exponent = 0.0;  // of least squares, in logarithms
  double misfit = 0.0;    // the largest difference between it and the exponent between two neighbouring frequencies
};

// Fitted at the `highest` last frequencies, at least two. Frequencies ascend; values are positive.
PowerLaw fit_power_law(std::span<const double> frequencies, std::span<const double> values, std::size_t highest);

// Falls: at least like 1/ω. Constant: neither falls nor grows. Undecided: not a power, or an exponent between these.
enum class Growth { Falls, Constant, Grows, Undecided };
Growth growth_of(const PowerLaw& law);

// Does it not grow, even if it does not follow a power?
bool is_bounded(const PowerLaw& law);

}  // namespace driftless
