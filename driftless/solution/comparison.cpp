#include "driftless/solution/comparison.hpp"

#include <fmt/format.h>

#include <cmath>

namespace driftless {

std::string tolerance_text(double tolerance) {
  const double exponent = std::floor(std::log10(tolerance) + 1e-9);
  return fmt::format("{:.3g}e{}", tolerance / std::pow(10.0, exponent), exponent);
}

}  // namespace driftless
