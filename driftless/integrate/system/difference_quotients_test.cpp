#include "driftless/integrate/system/difference_quotients.hpp"

#include <cmath>

#include "driftless/integrate/sample_problem.hpp"

namespace driftless {
namespace {

using samples::from_text;

// Against the derivatives of the expressions, entry by entry, at points that are not the start.
TEST(DifferenceQuotients, AgreeWithTheExactDerivatives) {
  for (const char* name : {"pendulum", "squeezer", "transistor_amplifier", "chain", "crane"}) {
    const auto reduced = samples::reduced(samples::read(samples::path_of(name)), {.keep_constraints = true});
    System exact(reduced, Backend::Interpreter), quotients(reduced, Backend::Interpreter);
    quotients.use_difference_quotients();
    const State start = samples::consistent_start(*reduced);
    std::vector<double> y = start.y, yp = start.yp;
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += 1e-2 * std::sin(static_cast<double>(i));
    std::vector<double> a(exact.jacobian_entries().size()), b(a.size());
    exact.jacobian({0.1, y, yp}, a);
    quotients.jacobian({0.1, y, yp}, b);
    double largest = 1.0;
    for (const double value : a) largest = std::max(largest, std::abs(value));
    for (std::size_t k = 0; k < a.size(); ++k)
      EXPECT_NEAR(b[k], a[k], 1e-6 * std::abs(a[k]) + 1e-8 * largest) << name << ", entry " << k;
  }
}

// x_i' = f(x_{i-1}, x_i, x_{i+1}): three groups however long the chain is, and one more for the derivatives.
TEST(DifferenceQuotients, DisturbColumnsTogether) {
  const auto groups = [](int n) {
    std::vector<DifferenceQuotients::Entry> entries;
    for (int i = 0; i < n; ++i) {
      for (int j = std::max(i - 1, 0); j <= std::min(i + 1, n - 1); ++j) entries.push_back({i, j, false});
      entries.push_back({i, i, true});
    }
    return DifferenceQuotients(entries, std::vector<Slot>(n), n).groups();
  };
  EXPECT_EQ(groups(10), 4);
  EXPECT_EQ(groups(1000), 4);
}

// F = (y0^2 y1, y0' + 3 y1'): by value and by rate.
TEST(DifferenceQuotients, TellValuesFromRates) {
  DifferenceQuotients quotients({{0, 0, false}, {0, 1, false}, {1, 0, true}, {1, 1, true}}, std::vector<Slot>(2), 2);
  const std::vector<double> at{2.0, 3.0}, rate{0.5, -0.25};
  std::vector<double> values(4);
  quotients(
      at, rate, [](auto y, auto yp, auto out) { out[0] = y[0] * y[0] * y[1], out[1] = yp[0] + 3.0 * yp[1]; }, values);
  EXPECT_NEAR(values[0], 12.0, 1e-6);
  EXPECT_NEAR(values[1], 4.0, 1e-6);
  EXPECT_NEAR(values[2], 1.0, 1e-7);
  EXPECT_NEAR(values[3], 3.0, 1e-7);
}

}  // namespace
}  // namespace driftless
