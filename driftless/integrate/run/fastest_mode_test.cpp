#include "driftless/integrate/run/fastest_mode.hpp"

#include <cmath>

#include <fmt/format.h>

#include "driftless/integrate/sample_problem.hpp"

namespace driftless {
namespace {

// Models without choices of states, linear or linearized at the start.
Mode mode_at_start(const std::string& text) {
  samples::SampleProblem sample(samples::from_text(text), formulation::Index1{});
  FastestMode fastest(sample.problem);
  const std::optional<Mode> mode = fastest(0.0, sample.start.y, sample.start.yp);
  if (!mode) throw std::runtime_error("the slopes have no value");
  return *mode;
}

// u'' + 2 a u' + (a^2 + w^2) u = 0 beside two slow modes: eigenvalues -a +- i w, -1 and -0.5.
std::string oscillator(double a, double w) {
  return fmt::format(R"(
    model M
      Real u(start = 1, fixed = true), v(start = 0, fixed = true), p(start = 1, fixed = true), q(start = 1, fixed = true);
    equation
      der(u) = v;
      der(v) = -{}*v - {}*u + p;
      der(p) = -p + 0.1*q;
      der(q) = -0.5*q;
    end M;)",
                     2.0 * a, a * a + w * w);
}

TEST(FastestMode, OfARelaxation) {
  const Mode mode = mode_at_start(R"(
    model M
      Real x(start = 1, fixed = true), y(start = 1, fixed = true), z(start = 1, fixed = true);
    equation
      der(x) = -2000*(x - y) + z;
      der(y) = -3*y + x;
      der(z) = y - z;
    end M;)");
  EXPECT_NEAR(mode.rate, 2001.0, 5.0);  // eigenvalues -2001, -2 and -1, each to within 1
  EXPECT_NEAR(mode.decay, mode.rate, 1e-3 * mode.rate);
}

TEST(FastestMode, OfAnOscillationHasNoDecay) {
  const Mode free = mode_at_start(oscillator(0.0, 50.0));
  EXPECT_NEAR(free.rate, 50.0, 2.5);
  EXPECT_LT(free.decay, 1.0);
}

TEST(FastestMode, OfADampedOscillationDecaysAtItsRealPart) {
  const Mode damped = mode_at_start(oscillator(30.0, 40.0));
  EXPECT_NEAR(damped.rate, 50.0, 2.5);
  EXPECT_NEAR(damped.decay, 30.0, 3.0);
}

// The inverted pendulum: one mode decays and the other grows.
TEST(FastestMode, OfMotionThatGrowsAndDecaysAlikeHasNoDecay) {
  const Mode mode = mode_at_start(R"(
    model M
      Real phi(start = 0, fixed = true), w(start = 0, fixed = true);
    equation
      der(phi) = w;
      der(w) = 100*sin(phi);
    end M;)");
  EXPECT_NEAR(mode.rate, 10.0, 0.5);
  EXPECT_LT(mode.decay, 0.5);
}

TEST(FastestMode, IsNoneWhereSlopesAreConstant) {
  const Mode mode =
      mode_at_start("model M\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = cos(time);\nend M;");
  EXPECT_EQ(mode.rate, 0.0);
}

// y' = -L(t) (y - 1), L = 1 + 999 t^2: later calls begin with the earlier result and follow it.
TEST(FastestMode, IsFollowedAlongARun) {
  samples::SampleProblem sample(samples::from_text(R"(
    model M
      Real y(start = 1, fixed = true), z(start = 1, fixed = true);
    equation
      der(y) = -(1 + 999*time^2)*(y - 1);
      der(z) = -2*z;
    end M;)"),
                                formulation::Index1{});
  FastestMode fastest(sample.problem);
  for (const double t : {0.0, 0.1, 0.2, 0.5, 1.0, 0.01})
    EXPECT_NEAR(fastest(t, sample.start.y, sample.start.yp)->decay, std::max(2.0, 1.0 + 999.0 * t * t),
                0.05 * std::max(2.0, 1.0 + 999.0 * t * t))
        << t;
}

TEST(FastestMode, IsUnknownWhereASlopeHasNoValue) {
  samples::SampleProblem sample(
      samples::from_text("model M\n  Real x(start = 1, fixed = true);\nequation\n  der(x) = log(x);\nend M;"),
      formulation::Index1{});
  FastestMode fastest(sample.problem);
  sample.start.y[0] = -1.0;
  EXPECT_FALSE(fastest(0.0, sample.start.y, sample.start.yp));
}

}  // namespace
}  // namespace driftless
