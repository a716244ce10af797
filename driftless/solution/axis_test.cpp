#include "driftless/solution/axis.hpp"

#include <cmath>
#include <random>
#include <string>

#include "gtest/gtest.h"

namespace driftless {
namespace {

std::string labels(const Axis& axis) {
  std::string text;
  for (const Tick& tick : axis.ticks) text += (text.empty() ? "" : " ") + tick.label;
  return text;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// value = label * power + constant, read from the displayed text.
double read_back(const std::string& label, std::string shared) {
  const std::string super[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  for (int d = 0; d < 10; ++d) shared = replaced(shared, super[d], std::to_string(d));
  shared = replaced(replaced(shared, "⁻", "-"), "−", "-");
  double value = std::stod(replaced(label, "−", "-"));
  const std::string ten = "×10";
  std::string constant = shared;
  if (shared.starts_with(ten)) {
    std::size_t used = 0;
    value *= std::pow(10.0, std::stoi(shared.substr(ten.size()), &used));
    constant = shared.substr(ten.size() + used);
  }
  constant = replaced(constant, " ", "");
  return constant.empty() ? value : value + std::stod(constant);
}

TEST(Axis, TicksAtNiceNumbers) {
  EXPECT_EQ(labels(make_axis(0.0, 10.0, 6)), "0 2 4 6 8 10");
  EXPECT_EQ(labels(make_axis(-1.0, 1.0, 5)), "−1.0 −0.5 0.0 0.5 1.0");
  EXPECT_EQ(labels(make_axis(0.0, 0.3, 3)), "0.0 0.1 0.2 0.3");
}

TEST(Axis, TellsOnceWhatAllLabelsShare) {
  const Axis small = make_axis(0.0, 4e-6, 4);
  EXPECT_EQ(labels(small), "0 1 2 3 4");
  EXPECT_EQ(small.shared, "×10⁻⁶");
  const Axis large = make_axis(0.0, 2e7, 4);
  EXPECT_EQ(labels(large), "0 5 10 15 20");
  EXPECT_EQ(large.shared, "×10⁶");
  const Axis offset = make_axis(1.0 - 2e-12, 1.0 + 2e-12, 4);
  EXPECT_EQ(labels(offset), "−2 −1 0 1 2");
  EXPECT_EQ(offset.shared, "×10⁻¹² + 1");
}

TEST(Axis, WidensWhatIsConstant) {
  const Axis zero = make_axis(0.0, 0.0, 4);
  EXPECT_EQ(zero.low, -1.0);
  EXPECT_EQ(zero.high, 1.0);
  const Axis five = make_padded_axis(5.0, 5.0, 4);
  EXPECT_LT(five.low, 5.0);
  EXPECT_GT(five.high, 5.0);
  EXPECT_GE(five.ticks.size(), 2u);
  EXPECT_GE(make_axis(-1e-320, 1e-320, 4).ticks.size(), 2u);
}

TEST(LogarithmicAxis, TicksAtPowersOfTen) {
  EXPECT_EQ(labels(make_logarithmic_axis(3e-4, 20.0, 8)), "10⁻⁴ 10⁻³ 0.01 0.1 1 10 100");
  EXPECT_EQ(labels(make_logarithmic_axis(1e-16, 1e-4, 6)), "10⁻¹⁶ 10⁻¹⁴ 10⁻¹² 10⁻¹⁰ 10⁻⁸ 10⁻⁶ 10⁻⁴");
}

TEST(LogarithmicAxis, HasFinerTicksInANarrowRange) {
  EXPECT_EQ(labels(make_logarithmic_axis(300.0, 2100.0, 8)), "200 500 1000 2000 5000");
  EXPECT_EQ(labels(make_logarithmic_axis(3e-7, 1e-6, 8)), "2×10⁻⁷ 5×10⁻⁷ 10⁻⁶");
  EXPECT_EQ(labels(make_logarithmic_axis(100.0, 100.0, 8)), "100 200");
}

TEST(LogarithmicAxis, StaysFiniteAtTheEndsOfTheNumbers) {
  const Axis axis = make_logarithmic_axis(5e-324, 1.7e308, 6);
  EXPECT_GT(axis.low, 0.0);
  EXPECT_TRUE(std::isfinite(axis.high));
  EXPECT_EQ(labels(axis), "10⁻³⁰⁰ 10⁻²⁰⁰ 10⁻¹⁰⁰ 1 10¹⁰⁰ 10²⁰⁰ 10³⁰⁰");
}

TEST(LogarithmicAxis, EqualRatiosHaveEqualLengths) {
  const Axis axis = make_logarithmic_axis(1e-12, 1.0, 12);
  EXPECT_EQ(axis.fraction(1e-12), 0.0);
  EXPECT_EQ(axis.fraction(1.0), 1.0);
  EXPECT_NEAR(axis.fraction(1e-9), 0.25, 1e-14);
  EXPECT_NEAR(axis.fraction(3e-3) - axis.fraction(3e-5), 1.0 / 6.0, 1e-14);
}

TEST(LogarithmicAxis, ShowsAnyPositiveRangeTightlyBetweenTicks) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> exponent(-250.0, 250.0), decades(0.0, 30.0);
  for (int trial = 0; trial < 20'000; ++trial) {
    const double low = std::pow(10.0, exponent(random)), high = low * std::pow(10.0, decades(random));
    const int most = 2 + trial % 12;
    const Axis axis = make_logarithmic_axis(low, high, most);
    ASSERT_LE(axis.low, low * (1.0 + 1e-8));
    ASSERT_GE(axis.high, high * (1.0 - 1e-8));
    ASSERT_GE(axis.ticks.size(), 2u);
    ASSERT_LE(axis.ticks.size(), static_cast<std::size_t>(most) + 3);
    ASSERT_EQ(axis.ticks.front().value, axis.low);
    ASSERT_EQ(axis.ticks.back().value, axis.high);
    if (axis.ticks.size() > 2) {
      ASSERT_GT(axis.ticks[1].value, low);
      ASSERT_LT(axis.ticks[axis.ticks.size() - 2].value, high);
    }
    for (std::size_t k = 1; k < axis.ticks.size(); ++k) ASSERT_GT(axis.ticks[k].value, axis.ticks[k - 1].value);
  }
}

TEST(Axis, LabelsOfAnyRangeReadBackAsTheirTicks) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> exponent(-60.0, 60.0), unit(-1.0, 1.0), relative(-11.0, 0.5);
  for (int trial = 0; trial < 20'000; ++trial) {
    const double low = unit(random) * std::pow(10.0, exponent(random));
    const double high = low + std::abs(low) * std::pow(10.0, relative(random));
    const int most = 2 + trial % 12;
    const Axis axis = make_axis(low, high, most);
    const double width = axis.high - axis.low;
    ASSERT_GE(axis.ticks.size(), most >= 5 ? 2u : 0u) << low << " " << high;
    ASSERT_LE(axis.ticks.size(), static_cast<std::size_t>(most) + 1);
    for (std::size_t k = 0; k < axis.ticks.size(); ++k) {
      const Tick& tick = axis.ticks[k];
      ASSERT_GE(tick.value, axis.low);
      ASSERT_LE(tick.value, axis.high);
      ASSERT_TRUE(k == 0 || tick.value > axis.ticks[k - 1].value);
      const double rounding = 1e-14 * std::max(std::abs(low), std::abs(high));
      ASSERT_NEAR(read_back(tick.label, axis.shared), tick.value, 1e-6 * width + rounding)
          << low << " " << high << " label " << tick.label << " shared " << axis.shared;
    }
  }
}

}  // namespace
}  // namespace driftless
