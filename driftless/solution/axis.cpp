#include "driftless/solution/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "driftless/solution/characters.hpp"

namespace driftless {
namespace {

// 10^e; exact for the |e| <= 22 that matter.
double power_of_ten(int e) { return std::pow(10.0, e); }

struct Step {
  int mantissa;  // 1, 2 or 5
  int exponent;
  double size() const { return exponent >= 0 ? mantissa * power_of_ten(exponent) : mantissa / power_of_ten(-exponent); }
};

// The smallest nice step that is not below `least`.
Step nice_step(double least) {
  const int exponent = static_cast<int>(std::floor(std::log10(least)));
  const double lead = least / power_of_ten(exponent);
  constexpr double slack = 1.0 + 1e-9;
  if (lead <= 1.0 * slack) return {1, exponent};
  if (lead <= 2.0 * slack) return {2, exponent};
  if (lead <= 5.0 * slack) return {5, exponent};
  return {1, exponent + 1};
}

std::string with_true_minus(std::string text) {
  if (text.starts_with('-')) text.replace(0, 1, "−");
  return text;
}

int decimal_exponent(double positive) { return static_cast<int>(std::floor(std::log10(positive))); }

constexpr double smallest = 1e-290;  // below this, powers of ten lose digits

std::pair<double, double> widened(double low, double high) {
  const double magnitude = std::max(std::abs(low), std::abs(high));
  if (high - low > std::max(16.0 * std::numeric_limits<double>::epsilon() * magnitude, smallest)) return {low, high};
  const double air = magnitude < 10.0 * smallest ? 1.0 : 0.1 * magnitude;
  return {low - air, high + air};
}

// The ticks of a logarithmic axis, numbered: three per power of ten, or one per `stride` powers of ten.
struct LogarithmicTicks {
  int stride;  // 0: three per power of ten

  double value(int k) const {
    if (stride > 0) return std::pow(10.0, k * stride);
    const int decade = static_cast<int>(std::floor(k / 3.0));
    constexpr int mantissas[] = {1, 2, 5};
    return Step{mantissas[k - 3 * decade], decade}.size();
  }

  // The last tick that is not above `positive`, up to rounding.
  int at_or_below(double positive) const {
    constexpr double slack = 1.0 + 1e-9;
    const double decades = std::log10(positive);
    int k = static_cast<int>(std::floor(stride > 0 ? decades / stride : 3.0 * decades)) - 1;
    while (value(k + 1) <= positive * slack) ++k;
    return k;
  }
};

std::string logarithmic_label(double value) {
  const int exponent = decimal_exponent(value * (1.0 + 1e-9));
  if (exponent >= -2 && exponent <= 3) return fmt::format("{:g}", value);
  const long mantissa = std::lround(value / power_of_ten(exponent));
  return (mantissa == 1 ? "10" : fmt::format("{}×10", mantissa)) + superscript(exponent);
}

}  // namespace

Axis make_axis(double low, double high, int most, int power) {
  Axis axis;
  std::tie(axis.low, axis.high) = widened(low, high);
  const Step step = nice_step((axis.high - axis.low) / std::max(most, 1));
  const double size = step.size();

  // A constant is split off when the labels would need more than five digits to differ.
  const double magnitude = std::max(std::abs(axis.low), std::abs(axis.high));
  double constant = 0.0;
  if (decimal_exponent(magnitude) - step.exponent > 4) {
    const double grain = power_of_ten(step.exponent + 1 + (axis.high - axis.low > 10.0 * power_of_ten(step.exponent)));
    constant = std::round(0.5 * (axis.low + axis.high) / grain) * grain;
  }

  const double largest = std::max(std::abs(axis.low - constant), std::abs(axis.high - constant));
  const int exponent = decimal_exponent(largest);
  const int shared = exponent >= 5 || exponent <= -4 ? 3 * static_cast<int>(std::floor(exponent / 3.0)) : 0;
  const int decimals = std::max(0, shared - step.exponent);

  const double tolerance = 1e-9 * size + 2.0 * std::numeric_limits<double>::epsilon() * magnitude;
  const double first = std::ceil((axis.low - constant - tolerance) / size);
  for (double k = first; constant + k * size <= axis.high + tolerance; ++k) {
    const double label = k == 0.0 ? 0.0 : k * size / power_of_ten(shared);
    axis.ticks.push_back({std::clamp(constant + k * size, axis.low, axis.high),
                          with_true_minus(fmt::format("{:.{}f}", label, decimals))});
  }

  if (shared + power != 0) axis.shared = "×10" + superscript(shared + power);
  if (constant != 0.0) {
    if (!axis.shared.empty()) axis.shared += ' ';
    axis.shared += fmt::format("{} {:.15g}{}", constant < 0.0 ? "−" : "+", std::abs(constant),
                               power == 0 ? "" : "×10" + superscript(power));
  }
  return axis;
}

Axis make_padded_axis(double low, double high, int most, int power) {
  const auto [wide_low, wide_high] = widened(low, high);
  const double air = 0.05 * (wide_high - wide_low);
  return make_axis(wide_low - air, wide_high + air, most, power);
}

Axis make_logarithmic_axis(double low, double high, int most) {
  low = std::clamp(low, smallest, 1.0 / smallest);
  high = std::clamp(high, low, 1.0 / smallest);
  const double decades = std::log10(high / low);
  LogarithmicTicks ticks{0};
  if (3.0 * decades > most) {
    for (const int stride : {1, 2, 3, 5, 10, 20, 50, 100}) {
      ticks.stride = stride;
      if (decades <= stride * most) break;
    }
  }
  const int first = ticks.at_or_below(low);
  int last = ticks.at_or_below(high);
  if (ticks.value(last) < high * (1.0 - 1e-9) || last == first) ++last;

  Axis axis;
  axis.logarithmic = true;
  axis.low = ticks.value(first);
  axis.high = ticks.value(last);
  for (int k = first; k <= last; ++k) axis.ticks.push_back({ticks.value(k), logarithmic_label(ticks.value(k))});
  return axis;
}

}  // namespace driftless
