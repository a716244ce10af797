#include "driftless/taylor/square_solver.hpp"

#include <random>

namespace driftless::taylor {
namespace {

// Rows and columns of very different size, small enough for the inverse and too large for it.
TEST(SquareSolver, SolvesBadlyScaledSystems) {
  for (const int n : {1, 3, 6, 10, 13, 20, 40}) {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> draw(-1.0, 1.0);
    std::vector<linear::Coordinate> coordinates;
    std::vector<double> values, x, b(n, 0.0);
    for (int i = 0; i < n; ++i) x.push_back(std::pow(10.0, i % 5));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        coordinates.push_back({i, j});
        values.push_back((draw(random) + (i == j ? 4.0 : 0.0)) * std::pow(10.0, (i % 7) - (j % 5)));
        b[i] += values.back() * x[j];
      }
    SquareSolver<double> solver(n, coordinates);
    ASSERT_TRUE(solver.factorize(values));
    std::vector<double> solution(n + lanes);
    solver.solve(b.data(), solution.data());
    for (int i = 0; i < n; ++i) EXPECT_NEAR(solution[i] / x[i], 1.0, 1e-12) << n;
  }
}

TEST(SquareSolver, SeesSingularMatrices) {
  const std::vector<linear::Coordinate> coordinates{{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  SquareSolver<double> solver(2, coordinates);
  EXPECT_FALSE(solver.factorize(std::vector<double>{1.0, 2.0, 2.0, 4.0}));
  EXPECT_FALSE(solver.factorize(std::vector<double>{1.0, 0.0, 2.0, 0.0}));
  EXPECT_FALSE(solver.factorize(std::vector<double>{1.0, 2.0, std::nan(""), 4.0}));
  EXPECT_TRUE(solver.factorize(std::vector<double>{0.0, 2.0, 2.0, 4.0}));
}

}  // namespace
}  // namespace driftless::taylor
