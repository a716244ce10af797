#include "driftless/boundary/search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace driftless::boundary {
namespace {

// Errors of intervals for a solution whose derivative of the order of the power is exp(a t).
std::vector<double> errors_of(const std::vector<double>& mesh, double a, double power) {
  std::vector<double> errors;
  for (std::size_t k = 0; k + 1 < mesh.size(); ++k)
    errors.push_back(std::pow(mesh[k + 1] - mesh[k], power) * std::exp(a * 0.5 * (mesh[k] + mesh[k + 1])));
  return errors;
}

TEST(Equidistributed, MakesTheErrorsOfAllIntervalsAlike) {
  constexpr double a = 8.0, power = 4.0;
  std::vector<double> mesh;
  for (int k = 0; k <= 200; ++k) mesh.push_back(k / 200.0);
  const auto before = errors_of(mesh, a, power);
  EXPECT_GT(std::ranges::max(before) / std::ranges::min(before), 1000.0);
  const auto better = equidistributed(mesh, before, power, 50);
  ASSERT_EQ(better.size(), 51u);
  EXPECT_EQ(better.front(), 0.0);
  EXPECT_EQ(better.back(), 1.0);
  EXPECT_TRUE(std::ranges::is_sorted(better));
  const auto after = errors_of(better, a, power);
  EXPECT_LT(std::ranges::max(after) / std::ranges::min(after), 10.0);
  EXPECT_LT(better[50] - better[49], 0.3 * (better[1] - better[0]));
}

TEST(Equidistributed, IsEvenWhereNothingIsKnown) {
  const auto mesh = equidistributed({0.0, 0.1, 2.0}, {0.0, 0.0}, 3.0, 4);
  ASSERT_EQ(mesh.size(), 5u);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(mesh[k], 0.5 * static_cast<double>(k), 1e-15);
}

}  // namespace
}  // namespace driftless::boundary
