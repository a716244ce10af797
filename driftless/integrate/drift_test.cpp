// Drift of the index-1 form with constant steps (Hairer, Wanner 1996, Section VII.2, Exercise 1).
//
// The index-1 form keeps w = x u + y v, and g' = 2 w. A step changes w by h^(p+1) c(t) + ... The pendulum swings to and
// fro and is reversible: c taken backwards is (-1)^p c, because every elementary differential of order p + 1 has p + 1
// factors f, each of which changes its sign, and w changes its own. So for a method of even order the changes add up: w
// grows linearly and g quadratically. For a method of odd order the leading terms cancel over a period, w stays bounded
// and g grows linearly, as long as the next term, h t times smaller, is not seen. A symmetric method has no terms of
// the other kind; and since w is quadratic, Gauss methods keep it altogether, and the trapezoidal rule, conjugate to
// one, nearly.
#include <algorithm>
#include <cmath>

#include "driftless/integrate/run/integrate.hpp"
#include "driftless/integrate/sample_problem.hpp"

namespace driftless {
namespace {

// Exponents of growth, from the largest residuals in windows of 10 time units.
struct Growth {
  double g, w, largest_w;
};

Growth growth(const Method& method, double step) {
  samples::SampleProblem sample(samples::pendulum({.x = 1.0, .y = 0.0, .vx = 0.0, .vy = 0.0}), formulation::Index1{});
  const double stop = 200.0, window = 10.0;
  const auto stepper = make_stepper(method, sample.problem, sample.start, {.stop = stop, .step = step});
  std::vector<double> times, g, w, residuals(sample.system.invariants());
  while (stepper->time() < stop) {
    if (stepper->step().outcome != Outcome::Success) return {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    const auto k = static_cast<std::size_t>((stepper->time() - 1e-9) / window);
    if (k == times.size()) times.push_back(window * (static_cast<double>(k) + 1.0)), g.push_back(0.0), w.push_back(0.0);
    sample.system.invariants({stepper->time(), stepper->y(), stepper->yp()}, residuals);
    g[k] = std::max(g[k], std::abs(residuals[0]));
    w[k] = std::max(w[k], 0.5 * std::abs(residuals[1]));
  }
  const auto late = [](const std::vector<double>& v) { return std::vector<double>(v.begin() + 4, v.end()); };
  return {samples::fitted_order(late(times), late(g)), samples::fitted_order(late(times), late(w)),
          *std::ranges::max_element(w)};
}

TEST(ConstantSteps, OfEvenOrderDriftLinearlyAndQuadratically) {
  const Growth rk4 = growth(method::ExplicitRungeKutta{method::Explicit::Rk4}, 0.05);
  EXPECT_NEAR(rk4.w, 1.0, 0.1);
  EXPECT_NEAR(rk4.g, 2.0, 0.1);
}

TEST(ConstantSteps, OfOddOrderCancelTheLeadingTerm) {
  for (const auto tableau : {method::Explicit::Euler, method::Explicit::Heun3}) {
    const Growth odd = growth(method::ExplicitRungeKutta{tableau}, 0.001);
    EXPECT_NEAR(odd.w, 0.0, 0.1);
    EXPECT_NEAR(odd.g, 1.0, 0.1);
    EXPECT_GT(odd.largest_w, 1e-10);  // bounded, not zero
  }
}

TEST(ConstantSteps, OfASymmetricMethodKeepBothBounded) {
  const Growth trapezoid = growth(method::Multistep{{1.0, -1.0}, {0.5, 0.5}}, 0.05);
  EXPECT_NEAR(trapezoid.w, 0.0, 0.05);
  EXPECT_NEAR(trapezoid.g, 0.0, 0.05);
  EXPECT_GT(trapezoid.largest_w, 1e-4);
}

TEST(ConstantSteps, OfGaussMethodsKeepTheQuadraticInvariant) {
  EXPECT_LT(growth(method::Gauss{1}, 0.05).largest_w, 1e-14);
  EXPECT_LT(growth(method::Gauss{2}, 0.05).largest_w, 1e-14);
}

}  // namespace
}  // namespace driftless
