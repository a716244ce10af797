#include "driftless/integrate/steppers/runge_kutta/explicit_runge_kutta.hpp"

#include <cmath>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "driftless/integrate/solve/projector.hpp"
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
                                         OrderCase{"Dopri5", Explicit::Dopri5, 5, {0.08, 0.04, 0.02}},
                                         OrderCase{"Dop853", Explicit::Dop853, 8, {0.125, 0.1, 0.08}}),
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

TEST(ExplicitRungeKutta, DenseOutputOfDop853HasOrderSeven) {
  const auto thrown = [](double stop, double step) {
    return run(samples::pendulum({.x = 1.0, .y = 0.0, .vx = 0.0, .vy = -1.0}), formulation::Index1{},
               {.stop = stop,
                .method = method::ExplicitRungeKutta{Explicit::Dop853},
                .step = step,
                .intervals = 1,
                .dense = true});
  };
  std::vector<double> errors;
  const std::vector<double> steps{0.3, 0.25, 0.2};
  for (const double step : steps)
    errors.push_back(std::abs(thrown(step, step).at(0.7 * step, "x") - thrown(0.7 * step, 0.01).final("x")));
  EXPECT_NEAR(fitted_order(steps, errors), 8.0, 0.3) << testing::PrintToString(errors);
}

// ---- with the constraints restored: by the driver with constant steps, otherwise inside the step

constexpr projection::Coordinates on_constraints{projection::Levels::Both, projection::Weight::Mass};

// All steps divide 1: the errors at t = 1, ..., 10 are those of the steps, not of the polynomials between them.
class Projected : public testing::TestWithParam<OrderCase> {
 protected:
  static Solution solution(Explicit tableau, double step) {
    return run(released(), formulation::Index1{},
               {.stop = 10.0,
                .method = method::ExplicitRungeKutta{tableau},
                .projection = on_constraints,
                .step = step,
                .intervals = 10});
  }
  static double error(const Solution& solution, const std::string& name) {
    static const Solution reference = Projected::solution(Explicit::Dop853, 0.02);
    const std::vector<double> values = solution.column(name), exact = reference.column(name);
    double worst = 0.0;
    for (std::size_t k = 0; k < values.size(); ++k) worst = std::max(worst, std::abs(values[k] - exact[k]));
    return worst;
  }
};
INSTANTIATE_TEST_SUITE_P(ExplicitRungeKutta, Projected,
                         testing::Values(OrderCase{"Rk4", Explicit::Rk4, 4, {0.05, 0.04, 0.025}},
                                         OrderCase{"Dopri5", Explicit::Dopri5, 5, {0.1, 0.05, 0.04}},
                                         OrderCase{"Dop853", Explicit::Dop853, 8, {1.0 / 8, 1.0 / 10, 1.0 / 12}}),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(Projected, PositionsVelocitiesAndMultipliersKeepTheOrder) {
  const auto& [name, tableau, order, steps] = GetParam();
  std::vector<double> position, velocity, multiplier;
  for (const double step : steps) {
    const Solution s = solution(tableau, step);
    position.push_back(std::max(error(s, "x"), error(s, "y")));
    velocity.push_back(std::max(error(s, "der(x)"), error(s, "der(y)")));
    multiplier.push_back(error(s, "lambda"));
    EXPECT_LT(s.largest_residual(), 1e-12);
    EXPECT_EQ(s.statistics.projections, s.statistics.steps);
  }
  EXPECT_NEAR(fitted_order(steps, position), order, 0.1 * order) << testing::PrintToString(position);
  EXPECT_NEAR(fitted_order(steps, velocity), order, 0.1 * order) << testing::PrintToString(velocity);
  EXPECT_NEAR(fitted_order(steps, multiplier), order, 0.1 * order) << testing::PrintToString(multiplier);
}

// Error against number of steps, as the tolerance becomes sharper.
TEST(ExplicitRungeKutta, RestoringTheConstraintsInsideTheStepKeepsTheOrder) {
  for (const auto& [tableau, order] : {std::pair(Explicit::Dopri5, 5.0), std::pair(Explicit::Dop853, 8.0)}) {
    std::vector<double> lengths, errors;
    for (const double tolerance : {1e-5, 1e-6, 1e-7, 1e-8, 1e-9}) {
      const Solution solution = run(released(), formulation::Index1{},
                                    {.stop = 10.0,
                                     .method = method::ExplicitRungeKutta{tableau},
                                     .projection = on_constraints,
                                     .tolerance = tolerance});
      lengths.push_back(1.0 / static_cast<double>(solution.statistics.steps));
      errors.push_back(std::hypot(solution.final("x") - x_at_10, solution.final("y") - y_at_10));
    }
    EXPECT_NEAR(fitted_order(lengths, errors), order, 0.15 * order) << testing::PrintToString(errors);
  }
}

TEST(ExplicitRungeKutta, RestoresTheConstraintsBetweenItsStepsToo) {
  const Solution solution = run(released(), formulation::Index1{},
                                {.stop = 20.0,
                                 .method = method::ExplicitRungeKutta{},
                                 .projection = on_constraints,
                                 .tolerance = 1e-6,
                                 .intervals = 997,
                                 .dense = true});
  EXPECT_LT(solution.largest_residual(), 1e-8);
  for (const double t : {0.1234, 7.77, 19.9}) {
    EXPECT_NEAR(std::hypot(solution.at(t, "x"), solution.at(t, "y")), 1.0, 1e-12);
    EXPECT_NEAR(solution.at(t, "x") * solution.at(t, "der(x)") + solution.at(t, "y") * solution.at(t, "der(y)"), 0.0,
                1e-12);
  }
}

// The projection solves with the matrix of the linear rows, which are gone where the states are too few for them.
TEST(ExplicitRungeKutta, TheProjectionEndsWithTheLinearRows) {
  samples::SampleProblem sample(samples::pendulum(), formulation::Index1{});
  const auto stepper = make_stepper(method::ExplicitRungeKutta{}, sample.problem, sample.start,
                                    {.tolerance = 1e-6, .stop = 1.0, .projection = on_constraints});
  ASSERT_TRUE(stepper->projects());
  sample.problem.set_states(std::vector<int>{0});
  stepper->continue_with_new_states();
  EXPECT_FALSE(stepper->projects());
  sample.problem.set_states(sample.system.reduced().permanent);
  stepper->continue_with_new_states();
  EXPECT_TRUE(stepper->projects());
}

TEST(ExplicitRungeKutta, TheProjectionInsideTheStepIsThatOfTheDriver) {
  samples::SampleProblem sample(samples::pendulum({.x = 1.0, .y = 0.0, .vx = 0.0, .vy = -1.0}), formulation::Index1{});
  const auto stepper = make_stepper(method::ExplicitRungeKutta{}, sample.problem, sample.start,
                                    {.tolerance = 1e-6, .stop = 1.0, .projection = on_constraints});
  const auto plain =
      make_stepper(method::ExplicitRungeKutta{}, sample.problem, sample.start, {.tolerance = 1e-6, .stop = 1.0});
  EXPECT_TRUE(stepper->projects());
  EXPECT_FALSE(plain->projects());
  Projector projector(sample.problem, on_constraints, sample.start);
  ASSERT_EQ(stepper->step().outcome, Outcome::Success);
  ASSERT_EQ(plain->step().outcome, Outcome::Success);
  std::vector<double> y(plain->y().begin(), plain->y().end()), yp(plain->yp().begin(), plain->yp().end());
  ASSERT_TRUE(projector(plain->time(), y, yp).converged);
  for (std::size_t s = 0; s < y.size(); ++s) EXPECT_NEAR(stepper->y()[s], y[s], 1e-13) << s;
}

TEST(ExplicitRungeKutta, ReachesToleranceNearRounding) {
  const Solution solution = run(released(), formulation::Index1{},
                                {.stop = 10.0,
                                 .method = method::ExplicitRungeKutta{Explicit::Dop853},
                                 .projection = on_constraints,
                                 .tolerance = 1e-14});
  EXPECT_NEAR(solution.final("x"), x_at_10, 1e-12);
  EXPECT_LT(solution.largest_residual(), 1e-13);
}

Model chain_of(int n) {
  std::ifstream file(samples::path_of("chain"));
  std::string text((std::istreambuf_iterator<char>(file)), {});
  const std::string ten = "Integer N = 10 ";
  text.replace(text.find(ten), ten.size(), "Integer N = " + std::to_string(n) + " ");
  return samples::from_text(text);
}

// A chain of pendulums, released at rest from the horizontal: where the last mass of 100 is after 10 seconds
// (two codes of order 5 and above at tolerances of 1e-9 and 1e-15 agree on these digits).
TEST(ExplicitRungeKutta, FollowsALongChainAndKeepsEveryRod) {
  const Solution solution = run(chain_of(100), formulation::Index1{},
                                {.stop = 10.0,
                                 .method = method::ExplicitRungeKutta{Explicit::Dop853},
                                 .projection = on_constraints,
                                 .tolerance = 1e-6,
                                 .intervals = 20});
  EXPECT_NEAR(solution.final("x[100]"), -90.750349, 2e-5);
  EXPECT_NEAR(solution.final("y[100]"), -17.976366, 2e-5);
  EXPECT_LT(solution.largest_residual(), 1e-5);
}

TEST(ExplicitRungeKutta, OrderEightNeedsFewerEvaluationsAtSharpTolerances) {
  const auto evaluations = [](Explicit tableau, double tolerance) {
    return run(released(), formulation::Index1{},
               {.stop = 10.0, .method = method::ExplicitRungeKutta{tableau}, .tolerance = tolerance})
        .statistics.residual_evaluations;
  };
  EXPECT_LT(2 * evaluations(Explicit::Dop853, 1e-12), evaluations(Explicit::Dopri5, 1e-12));
  EXPECT_EQ(evaluations(Explicit::Adaptive, 1e-6), evaluations(Explicit::Dop853, 1e-6));
  EXPECT_EQ(evaluations(Explicit::Adaptive, 1e-2), evaluations(Explicit::Dopri5, 1e-2));
}

// ---- stiffness

// y' = -L (y - cos t): after the first moments the solution is smooth, and only stability bounds the step.
Model relaxing(double rate) {
  return samples::from_text(
      "model Relaxing\n  parameter Real L = " + std::to_string(rate) +
      ";\n  Real y(start = 1, fixed = true);\nequation\n  der(y) = -L*(y - cos(time)) - sin(time);\nend Relaxing;");
}

TEST(ExplicitRungeKutta, NoticesStiffness) {
  for (const auto tableau : {Explicit::Dopri5, Explicit::Dop853}) {
    samples::SampleProblem sample(relaxing(1e4), formulation::Index1{});
    const auto stepper = make_stepper(method::ExplicitRungeKutta{tableau}, sample.problem, sample.start,
                                      {.tolerance = 1e-5, .stop = 10.0});
    bool stiff = false;
    while (!stiff && stepper->time() < 1.0) {
      const StepReport report = stepper->step();
      ASSERT_EQ(report.outcome, Outcome::Success);
      stiff = report.advice == Advice::Stiff;
    }
    EXPECT_TRUE(stiff);
    EXPECT_LT(stepper->time(), 0.2);
  }
}

TEST(ExplicitRungeKutta, DoesNotTakeOscillationsForStiffness) {
  samples::SampleProblem sample(released(), formulation::Index1{});
  const auto stepper =
      make_stepper(method::ExplicitRungeKutta{}, sample.problem, sample.start, {.tolerance = 1e-6, .stop = 100.0});
  while (stepper->time() < 100.0) ASSERT_EQ(stepper->step().advice, Advice::GoOn);
}

TEST(ExplicitRungeKutta, HandsOverToAnotherMethodWhereTheProblemIsStiff) {
  const IntegrateOptions alone{.stop = 10.0, .method = method::ExplicitRungeKutta{Explicit::Adaptive}};
  IntegrateOptions together = alone;
  together.successors.when_stiff = method::Radau{3};
  const Solution slow = run(relaxing(1e4), formulation::Index1{}, alone),
                 fast = run(relaxing(1e4), formulation::Index1{}, together);
  EXPECT_GT(slow.statistics.steps, 15'000);  // 10 L / 6.1
  EXPECT_LT(fast.statistics.steps, 300);
  EXPECT_NEAR(fast.final("y"), std::cos(10.0), 1e-5);
  ASSERT_EQ(fast.remarks.size(), 1u);
  EXPECT_THAT(fast.remarks[0], HasSubstr("radau3 takes over from explicit"));
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

// y has no value for a moment. The polynomial of order 7 needs three further stages, at 0.1, 0.2 and 7/9 of the step.
TEST(ExplicitRungeKutta, SaysThatAStepHasNoPolynomial) {
  for (const double c : {0.1, 0.15, 0.2, 0.5, 7.0 / 9}) {
    samples::SampleProblem p(
        samples::from_text(fmt::format("model M Real x(start = 0, fixed = true), y(start = 1); equation"
                                       " der(x) = cos(time); y^2 = (time - {:.17g})^2 - 1e-6; end M;",
                                       c)),
        formulation::Index1{});
    const auto stepper =
        make_stepper(method::ExplicitRungeKutta{Explicit::Dop853}, p.problem, p.start, {.stop = 1.0, .step = 1.0});
    ASSERT_EQ(stepper->step().outcome, Outcome::Success) << c;
    EXPECT_EQ(stepper->has_polynomial(), c == 0.15 || c == 0.5) << c;
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
