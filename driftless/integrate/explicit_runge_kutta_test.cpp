#include "driftless/integrate/explicit_runge_kutta.hpp"

#include <cmath>

#include "driftless/integrate/sample_run.hpp"

namespace driftless {
namespace {

using method::Explicit;
using samples::fitted_order;
using samples::run;
using testing::HasSubstr;

// The pendulum of Hairer & Wanner, Section VII.2: from (1, 0) at rest, gravity 1.
Model released() { return samples::pendulum({.x = 1.0, .y = 0.0, .vx = 0.0, .vy = 0.0}); }
constexpr double x_at_10 = -0.811586446191304, y_at_10 = -0.584232351345396, u_at_10 = -0.631529149065018,
                 v_at_10 = 0.877288798841069;

double error_at_10(Explicit tableau, double step) {
  const Solution solution = run(released(), formulation::Index1{},
                                {.stop = 10.0, .method = method::ExplicitRungeKutta{tableau}, .step = step});
  return std::hypot(std::hypot(solution.final("x") - x_at_10, solution.final("y") - y_at_10),
                    std::hypot(solution.final("der(x)") - u_at_10, solution.final("der(y)") - v_at_10));
}

struct OrderCase {
  const char* name;
  Explicit tableau;
  double order;
  std::vector<double> steps;
};
void PrintTo(const OrderCase& c, std::ostream* out) { *out << c.name; }

class Order : public testing::TestWithParam<OrderCase> {};
INSTANTIATE_TEST_SUITE_P(ExplicitRungeKutta, Order,
                         testing::Values(OrderCase{"Euler", Explicit::Euler, 1, {2e-4, 1e-4, 5e-5}},
                                         OrderCase{"Heun3", Explicit::Heun3, 3, {0.02, 0.01, 0.005}},
                                         OrderCase{"Rk4", Explicit::Rk4, 4, {0.02, 0.01, 0.005}},
                                         OrderCase{"Dopri5", Explicit::Dopri5, 5, {0.08, 0.04, 0.02}}),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(Order, IsThatOfTheTableauOnTheIndexOneForm) {
  std::vector<double> errors;
  for (const double step : GetParam().steps) errors.push_back(error_at_10(GetParam().tableau, step));
  EXPECT_NEAR(fitted_order(GetParam().steps, errors), GetParam().order, 0.15) << testing::PrintToString(errors);
}

// ---- the drift experiment of Hairer & Wanner

class Drift : public testing::Test {
 protected:
  static const Solution& solution() {
    static const Solution result = run(released(), formulation::Index1{},
                                       {.stop = 100.0, .method = method::ExplicitRungeKutta{}, .intervals = 1000});
    return result;
  }
  // of x^2 + y^2 - 1 at level 0, of its derivative 2 (x u + y v) at level 1
  static double drift(double t, int level) {
    return solution().constraint_drift[static_cast<std::size_t>(std::lround(10 * t)) * solution().drift_levels + level];
  }
};

TEST_F(Drift, TakesTheStepsOfTheStandardController) {
  EXPECT_NEAR(static_cast<double>(solution().statistics.steps), 533, 1);
  EXPECT_NEAR(static_cast<double>(solution().statistics.rejected_steps), 28, 1);
}

TEST_F(Drift, OfTheVelocityIsLinearAndOfThePositionQuadratic) {
  std::vector<double> times, g, gu;
  for (double t = 20.0; t <= 100.0; t += 0.1) {
    times.push_back(t);
    g.push_back(drift(t, 0));
    gu.push_back(0.5 * drift(t, 1));
  }
  EXPECT_NEAR(fitted_order(times, gu), 1.0, 0.15);
  EXPECT_NEAR(fitted_order(times, g), 2.0, 0.15);
  EXPECT_NEAR(gu.back(), 7.85e-5, 0.05 * 7.85e-5);
  EXPECT_NEAR(g.back(), 7.80e-3, 0.05 * 7.80e-3);
}

// ---- what else a stepper must do

TEST(ExplicitRungeKutta, RunsOnDummyDerivativesThroughEveryPivot) {
  const Solution solution =
      run(released(), formulation::Dummy{}, {.stop = 10.0, .method = method::ExplicitRungeKutta{}, .tolerance = 1e-8});
  EXPECT_GE(solution.pivots.size(), 4u);
  EXPECT_NEAR(solution.final("x"), x_at_10, 1e-6);
  EXPECT_NEAR(solution.final("y"), y_at_10, 1e-6);
  EXPECT_LT(solution.largest_residual(), 1e-13);
}

// Within one step from an exact point the error of a polynomial of order 4 is of order 5.
TEST(ExplicitRungeKutta, DenseOutputHasOrderFour) {
  const auto thrown = [](double stop, double step) {
    return run(samples::pendulum({.x = 1.0, .y = 0.0, .vx = 0.0, .vy = -1.0}), formulation::Index1{},
               {.stop = stop, .method = method::ExplicitRungeKutta{}, .step = step, .intervals = 1, .dense = true});
  };
  std::vector<double> errors;
  const std::vector<double> steps{0.03, 0.02, 0.01};
  for (const double step : steps)
    errors.push_back(std::abs(thrown(step, step).at(0.7 * step, "lambda") - thrown(0.7 * step, 1e-4).final("lambda")));
  EXPECT_NEAR(fitted_order(steps, errors), 5.0, 0.15) << testing::PrintToString(errors);
}

// x' = f - gamma F h: along it the highest level h of the invariants obeys h' = -gamma h, wherever it starts.
TEST(ExplicitRungeKutta, OnTheStabilizedEquationRemovesResidualsAtTheGivenRate) {
  for (const double gamma : {2.0, 5.0}) {
    samples::SampleProblem sample(samples::pendulum({.x = 1.0, .y = 0.0, .vx = 0.0, .vy = -1.0}),
                                  formulation::StabilizedOde{.gamma = gamma});
    const Reduced& reduced = sample.system.reduced();
    for (std::size_t s = 0; s < reduced.slots.size(); ++s)
      if (reduced.slots[s].stage < 0) sample.start.y[s] += 0.01 * static_cast<double>(s + 1);
    const auto stepper =
        make_stepper(method::ExplicitRungeKutta{}, sample.problem, sample.start, {.tolerance = 1e-9, .stop = 1.0});
    const auto velocity_residual = [&] {
      return 2.0 *
             (sample(*stepper, "x") * sample(*stepper, "der(x)") + sample(*stepper, "y") * sample(*stepper, "der(y)"));
    };
    const double before = velocity_residual();
    ASSERT_GT(std::abs(before), 1e-3);
    ASSERT_EQ(samples::run_to(*stepper, 1.0).outcome, Outcome::Success);
    EXPECT_NEAR(velocity_residual() / before, std::exp(-gamma), 1e-6);
  }
}

TEST(ExplicitRungeKutta, LastStepOfAConstantStepSizeEndsAtTheStop) {
  const Solution solution =
      run(released(), formulation::Index1{}, {.stop = 1.0, .method = method::ExplicitRungeKutta{}, .step = 0.03});
  EXPECT_EQ(solution.statistics.steps, 34);
  EXPECT_EQ(solution.reached, 1.0);
  EXPECT_EQ(run(released(), formulation::Index1{}, {.stop = 1.0, .method = method::ExplicitRungeKutta{}, .step = 0.1})
                .statistics.steps,
            10);
}

TEST(ExplicitRungeKutta, NamesTheConstraintThatNeedsMoreThanAnExplicitMethod) {
  try {
    run(released(), formulation::Index2{}, {.method = method::ExplicitRungeKutta{}});
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("rod"));
    EXPECT_THAT(error.what(), HasSubstr("does not apply"));
  }
}

}  // namespace
}  // namespace driftless
