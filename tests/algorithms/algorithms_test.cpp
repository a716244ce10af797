// Models with algorithm sections against closed forms and against the same model in equations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/language/read.hpp"
#include "driftless/simulate.hpp"

namespace driftless {
namespace {

Model shipped(const std::string& name) { return read_model_file(DRIFTLESS_SOURCE_DIR "/models/" + name); }

Solution run(const std::string& name, const SimulateOptions& options) {
  Solution solution = simulate(shipped(name), options);
  EXPECT_EQ(solution.outcome, Outcome::Success) << solution.message;
  return solution;
}

// The constraint is the value of a loop, and is differentiated twice.
TEST(AlgorithmSections, GiveThePendulumOfTheEquations) {
  for (const Method& method : {Method(method::Bdf{}), Method(method::Radau{}), Method(method::Taylor{})}) {
    const SimulateOptions options{.tolerance = 1e-10, .method = method};
    const Solution statements = run("hybrid/pendulum_by_algorithm.mo", options),
                   equations = run("pendulum.mo", options);
    EXPECT_EQ(statements.structure.structural_index, 3);
    EXPECT_NEAR(statements.final("r[1]"), equations.final("x"), 1e-7) << to_string(method);
    EXPECT_NEAR(statements.final("r[2]"), equations.final("y"), 1e-7) << to_string(method);
    EXPECT_NEAR(statements.final("F"), equations.final("lambda"), 1e-7) << to_string(method);
    EXPECT_NEAR(statements.final("distance"), 1.0, 1e-12);
    EXPECT_NEAR(statements.final("energy"), 0.5, 1e-7);
  }
}

// Kepler's second law: the area grows by sqrt(1 - e^2)/2 in a unit of time.
TEST(AlgorithmSections, LoopsThatDependOnTimeAreDifferentiated) {
  const Solution solution = run("hybrid/kepler_equation.mo", {.tolerance = 1e-9});
  EXPECT_NEAR(solution.final("area"), 3 * 0.8 / 2, 1e-8);
  const double anomaly = solution.final("E");
  EXPECT_NEAR(anomaly - 0.6 * std::sin(anomaly), 3.0, 1e-14);
}

}  // namespace
}  // namespace driftless
