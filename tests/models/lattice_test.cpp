// A net of rods and springs: coupled in two dimensions, so that its matrices are eliminated in fronts when it is large.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "driftless/simulate.hpp"
#include "tests/models/reference.hpp"

namespace driftless {
namespace {

Solution solved(int n, double stop, double tolerance, Method method) {
  Solution solution = simulate(read_shipped("large/lattice", {{"N", std::to_string(n)}}),
                               {.stop = stop, .tolerance = tolerance, .intervals = 2, .method = std::move(method)});
  EXPECT_EQ(solution.outcome, Outcome::Success) << solution.message;
  return solution;
}

// Of masses all over the net.
double distance(const Solution& one, const Solution& other, int n) {
  double worst = 0.0;
  for (int i = n; i > 0; i -= (n + 3) / 4)
    for (int j = n; j > 0; j -= (n + 3) / 4)
      for (const char* const name : {"x", "y"}) {
        const std::string variable = std::string(name) + "[" + std::to_string(i) + "," + std::to_string(j) + "]";
        const double difference = std::abs(one.at(one.stop, variable) - other.at(other.stop, variable));
        if (!(difference <= worst)) worst = difference;
      }
  return worst;
}

// Every rod takes a coordinate away, and none is counted twice.
TEST(Lattice, HasTwoStatesForEachCoordinateThatIsFree) {
  for (const int n : {3, 4, 5}) {
    int rods = n * (n - 1) + 1;
    for (int i = 1; i < n; ++i)
      for (int j = 1; j <= n; ++j) rods += (i + j) % 2 == 0;
    const Solution solution = solved(n, 0.01, 1e-6, method::Bdf{});
    EXPECT_EQ(solution.structure.degrees_of_freedom, 2 * (2 * n * n - rods)) << n;
  }
}

TEST(Lattice, MovesAlikeByThreeMethods) {
  const Solution automatic = solved(4, 0.5, 1e-10, method::Auto{});
  EXPECT_LT(distance(solved(4, 0.5, 1e-9, method::Radau{}), automatic, 4), 1e-7);
  EXPECT_LT(distance(solved(4, 0.5, 1e-9, method::Bdf{}), automatic, 4), 1e-6);
}

// 5408 equations: the matrices of bdf and radau, real and complex, are eliminated in fronts. The method that is chosen
// is explicit and has none of these matrices.
TEST(Lattice, MovesAlikeByThreeMethodsInFronts) {
  const Solution automatic = solved(26, 0.02, 1e-9, method::Auto{});
  EXPECT_LT(distance(solved(26, 0.02, 1e-7, method::Radau{}), automatic, 26), 1e-6);
  EXPECT_LT(distance(solved(26, 0.02, 1e-7, method::Bdf{}), automatic, 26), 1e-5);
}

}  // namespace
}  // namespace driftless
