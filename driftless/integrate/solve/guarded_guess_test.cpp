#include "driftless/integrate/solve/guarded_guess.hpp"

#include <cmath>

#include "driftless/integrate/sample_problem.hpp"

namespace driftless {
namespace {

// Six diodes in a row on a source of 20 V: damped iterations do not converge.
Model chain() {
  return samples::from_text(R"(
    model Chain
      Real u[6], v(start = 0.5, fixed = true), i;
    equation
      20 = 100*i + u[1];
      for k in 1:5 loop
        i = 1e-14*(exp((u[k] - u[k + 1])/0.025) - 1);
      end for;
      i = 1e-14*(exp((u[6] - v)/0.025) - 1);
      1e-6*der(v) = i - v/1000;
    end Chain;)");
}

TEST(GuardedGuess, LeadsToTheRowsAndKeepsTheStates) {
  const auto reduced = samples::reduced(chain());
  System system(reduced, Backend::Interpreter);
  std::vector<double> y(system.size(), 0.0), yp(system.size(), 0.0), rows(system.rows() + system.candidates());
  ASSERT_EQ(reduced->permanent.size(), 1u);
  const int state = reduced->kinematics[reduced->permanent[0]].slot;
  y[state] = 0.5;
  ASSERT_TRUE(guarded_guess(*reduced, 0.0, y, yp));
  EXPECT_EQ(y[state], 0.5);
  system.rows_and_rates({0.0, y, yp}, rows);
  for (int i = 0; i < system.rows(); ++i) EXPECT_NEAR(rows[i], 0.0, 1e-12);
}

TEST(GuardedGuess, IsNoneWithoutSteepFunctions) {
  const auto reduced = samples::reduced(samples::from_text(R"(
    model Cubic
      Real x(start = 1, fixed = true), z;
    equation
      der(x) = -z;
      z^3 + z = x;
    end Cubic;)"));
  std::vector<double> y(reduced->slots.size(), 0.3), yp = y;
  const std::vector<double> before = y;
  EXPECT_FALSE(guarded_guess(*reduced, 0.0, y, yp));
  EXPECT_EQ(y, before);
}

}  // namespace
}  // namespace driftless
