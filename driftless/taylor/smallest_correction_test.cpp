#include "driftless/taylor/smallest_correction.hpp"

#include <gtest/gtest.h>

#include <array>

namespace driftless::taylor {
namespace {

using Entries = std::vector<SmallestCorrection<double>::Entry>;

TEST(SmallestCorrection, IsShortestInUnitsOfTheSizes) {
  // 3 x + y = 5 with x of size 1 and y of size 2: (x, y / 2) is a multiple of (3, 2).
  SmallestCorrection<double> solver(1, 2, Entries{{0, 0, 1.0}, {0, 1, 2.0}});
  ASSERT_TRUE(solver.factorize(std::array{3.0, 1.0}));
  std::array<double, 1 + lanes> right{5.0};
  std::array<double, 2> x{};
  solver.solve(right.data(), x);
  EXPECT_NEAR(3.0 * x[0] + x[1], 5.0, 1e-15);
  EXPECT_NEAR(x[0] / 3.0, x[1] / 2.0 / 2.0, 1e-15);
}

TEST(SmallestCorrection, SolvesSquareSystems) {
  SmallestCorrection<double> solver(2, 2, Entries{{0, 0, 1.0}, {0, 1, 10.0}, {1, 0, 1.0}, {1, 1, 10.0}});
  ASSERT_TRUE(solver.factorize(std::array{2.0, 1.0, 1.0, 3.0}));
  std::array<double, 2 + lanes> right{4.0, 7.0};
  std::array<double, 2> x{};
  solver.solve(right.data(), x);
  EXPECT_NEAR(x[0], 1.0, 1e-12);
  EXPECT_NEAR(x[1], 2.0, 1e-12);
}

TEST(SmallestCorrection, LeavesUnknownsThatDoNotTakePart) {
  SmallestCorrection<double> solver(1, 3, Entries{{0, 1, 1.0}});
  ASSERT_TRUE(solver.factorize(std::array{2.0}));
  std::array<double, 1 + lanes> right{4.0};
  std::array<double, 3> x{9.0, 9.0, 9.0};
  solver.solve(right.data(), x);
  EXPECT_EQ(x, (std::array<double, 3>{0.0, 2.0, 0.0}));
}

TEST(SmallestCorrection, TellsOfDependentEquations) {
  SmallestCorrection<double> solver(2, 3, Entries{{0, 0, 1.0}, {0, 1, 1.0}, {1, 0, 1.0}, {1, 1, 1.0}});
  EXPECT_FALSE(solver.factorize(std::array{1.0, 2.0, 2.0, 4.0}));
}

}  // namespace
}  // namespace driftless::taylor
