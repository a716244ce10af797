#include "driftless/integrate/steppers/runge_kutta/half_explicit.hpp"

#include <cmath>

#include "driftless/integrate/sample_run.hpp"

namespace driftless {
namespace {

using method::HalfExplicitTableau;
using samples::fitted_order;
using samples::run;
using testing::HasSubstr;

// Hairer & Wanner (1.9), from (1, 0) with the wheel straight.
Model steering() {
  ModelBuilder m("SteeringWheel");
  const Expr y1 = m.variable("y1", {.start = 1.0}), y2 = m.variable("y2", {.start = 0.0, .fixed = true});
  const Expr z = m.variable("z", {.start = 0.0});
  m.equation(der(y1) == 0.7 * y2 + sin(2.5 * z));
  m.equation(der(y2) == 1.4 * y1 + cos(2.5 * z));
  m.equation(y1 * y1 + y2 * y2 == 1.0, "circle");
  return m.build();
}

Solution steer(const Method& method, const Formulation& formulation, double step) {
  return run(steering(), formulation, {.stop = 0.15, .method = method, .step = step, .intervals = 1});
}

struct OrderCase {
  const char* name;
  HalfExplicitTableau tableau;
  double order;
  std::vector<double> steps;
};
void PrintTo(const OrderCase& c, std::ostream* out) { *out << c.name; }

class HalfExplicitOrder : public testing::TestWithParam<OrderCase> {};
INSTANTIATE_TEST_SUITE_P(HalfExplicit, HalfExplicitOrder,
                         testing::Values(OrderCase{"Euler", HalfExplicitTableau::Euler, 1, {3e-3, 1.5e-3, 7.5e-4}},
                                         OrderCase{"Midpoint", HalfExplicitTableau::Midpoint, 2, {0.01, 0.005, 0.0025}},
                                         OrderCase{"Hem3", HalfExplicitTableau::Hem3, 3, {0.015, 0.0075, 0.00375}},
                                         OrderCase{"Hem4", HalfExplicitTableau::Hem4, 4, {0.025, 0.0125, 0.00625}},
                                         OrderCase{"Heun3", HalfExplicitTableau::Heun3, 2, {0.01, 0.005, 0.0025}}),
                         [](const auto& tested) { return tested.param.name; });

// Of order 3 for ordinary differential equations, Heun's method lacks the conditions of index 2.
TEST_P(HalfExplicitOrder, OnIndexTwoIsThatOfTheTableauForBothKindsOfVariables) {
  const Solution exact = steer(method::ExplicitRungeKutta{}, formulation::Index1{}, 1e-3);
  std::vector<double> y, z;
  for (const double step : GetParam().steps) {
    const Solution s = steer(method::HalfExplicit{GetParam().tableau}, formulation::Original{}, step);
    y.push_back(std::hypot(s.final("y1") - exact.final("y1"), s.final("y2") - exact.final("y2")));
    z.push_back(std::abs(s.final("z") - exact.final("z")));
    EXPECT_LT(s.certificate[0].max_residual, 1e-15);
    EXPECT_LT(s.certificate[1].max_residual, 1e-14);  // the hidden constraint determines z
  }
  EXPECT_NEAR(fitted_order(GetParam().steps, y), GetParam().order, 0.15) << testing::PrintToString(y);
  EXPECT_NEAR(fitted_order(GetParam().steps, z), GetParam().order, 0.15) << testing::PrintToString(z);
}

TEST(HalfExplicit, IsAnExplicitMethodOnTheIndexOneForm) {
  const Solution half = steer(method::HalfExplicit{HalfExplicitTableau::Heun3}, formulation::Index1{}, 0.01);
  const Solution full = steer(method::ExplicitRungeKutta{method::Explicit::Heun3}, formulation::Index1{}, 0.01);
  EXPECT_NEAR(half.final("y1"), full.final("y1"), 1e-15);
  EXPECT_NEAR(half.final("z"), full.final("z"), 1e-14);
}

// ---- mechanics: the index-2 form of the pendulum, each step followed by a projection of the positions

// x = sin t, y = cos t, with rates that the rows contain only together: they are unknowns of a stage.
TEST(HalfExplicit, SolvesForRatesThatAreNotGivenExplicitly) {
  ModelBuilder m("Mixed");
  const Expr x = m.variable("x", {.start = 0.0, .fixed = true}), y = m.variable("y", {.start = 1.0, .fixed = true});
  const Expr t = m.time();
  m.equation(der(x) * (2.0 + sin(x)) + 0.2 * der(y) == cos(t) * (2.0 + sin(sin(t))) - 0.2 * sin(t));
  m.equation(der(y) + 0.3 * der(x) == 0.3 * cos(t) - sin(t));
  const Solution solution =
      run(m.build(), formulation::Dummy{},
          {.stop = 1.0, .method = method::HalfExplicit{HalfExplicitTableau::Hem5}, .tolerance = 1e-8});
  EXPECT_NEAR(solution.final("x"), std::sin(1.0), 1e-7);
  EXPECT_NEAR(solution.final("y"), std::cos(1.0), 1e-7);
}

TEST(HalfExplicit, WithPositionsProjectedSolvesMechanicsWithItsOrder) {
  const auto swing = [](const Method& method, const Formulation& formulation, const Projection& projection,
                        double step) {
    return run(samples::pendulum({.x = 1.0, .y = 0.0, .vx = 0.0, .vy = -1.0}), formulation,
               {.stop = 2.0, .method = method, .projection = projection, .step = step, .intervals = 1});
  };
  const Solution exact = swing(method::ExplicitRungeKutta{}, formulation::Index1{}, projection::None{}, 1e-3);
  const std::vector<double> steps{0.1, 0.05, 0.025};
  for (const auto weight : {projection::Weight::Identity, projection::Weight::Mass}) {
    std::vector<double> x, u, lambda;
    for (const double step : steps) {
      const Solution s = swing(method::HalfExplicit{}, formulation::Index2{},
                               projection::Coordinates{projection::Levels::Position, weight}, step);
      x.push_back(std::abs(s.final("x") - exact.final("x")));
      u.push_back(std::abs(s.final("der(x)") - exact.final("der(x)")));
      lambda.push_back(std::abs(s.final("lambda") - exact.final("lambda")));
      EXPECT_LT(s.certificate[0].max_residual, 1e-14);
    }
    EXPECT_NEAR(fitted_order(steps, x), 4.0, 0.3) << testing::PrintToString(x);
    EXPECT_NEAR(fitted_order(steps, u), 4.0, 0.3) << testing::PrintToString(u);
    EXPECT_NEAR(fitted_order(steps, lambda), 4.0, 0.3) << testing::PrintToString(lambda);
  }
  const Solution bare = swing(method::HalfExplicit{}, formulation::Index2{}, projection::None{}, 0.05);
  EXPECT_LT(bare.certificate[1].max_residual, 1e-14);  // velocities are on their constraint
  EXPECT_GT(bare.certificate[0].max_residual, 1e-9);   // positions drift
}

TEST(HalfExplicit, NamesAConstraintOfHigherIndex) {
  try {
    run(samples::pendulum(), formulation::Original{}, {.method = method::HalfExplicit{}, .step = 0.01});
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("rod"));
    EXPECT_THAT(error.what(), HasSubstr("index2"));
  }
}

// ---- order 5 in mechanics: each step projects the positions in the norm of the mass matrix

const Projection positions = projection::Coordinates{projection::Levels::Position, projection::Weight::Mass};
const Method hem5 = method::HalfExplicit{HalfExplicitTableau::Hem5};

struct Mechanism {
  const char* name;
  double stop;
  std::vector<double> steps;
  std::vector<std::string> positions, velocities, multipliers;
};
void PrintTo(const Mechanism& m, std::ostream* out) { *out << m.name; }

Model read(const Mechanism& m) { return samples::read(samples::path_of(m.name)); }

class OrderFive : public testing::TestWithParam<Mechanism> {};
INSTANTIATE_TEST_SUITE_P(
    HalfExplicit, OrderFive,
    testing::Values(Mechanism{"pendulum", 2.0, {0.05, 0.025, 0.0125}, {"x", "y"}, {"der(x)", "der(y)"}, {"lambda"}},
                    Mechanism{"squeezer",
                              0.02,
                              {1.0 / 8000, 1.0 / 16000, 1.0 / 32000},
                              {"beta", "Theta", "gamma", "Phi"},
                              {"der(beta)", "der(Theta)", "der(gamma)", "der(Phi)"},
                              {"lambda1", "lambda4"}},
                    Mechanism{"jay", 1.0, {0.0125, 0.00625, 0.003125}, {"y1", "y2"}, {"z1", "z2"}, {}}),
    [](const auto& tested) { return tested.param.name; });

TEST_P(OrderFive, InPositionsVelocitiesAndMultipliers) {
  const Mechanism& m = GetParam();
  const auto at_end = [&](const Method& method, const Formulation& formulation, const Projection& projection,
                          double step) {
    return run(read(m), formulation,
               {.stop = m.stop, .method = method, .projection = projection, .step = step, .intervals = 1});
  };
  const Solution exact =
      at_end(method::ExplicitRungeKutta{}, formulation::Index1{}, projection::None{}, m.steps.back() / 5.0);
  std::vector<Solution> solutions;
  for (const double step : m.steps) solutions.push_back(at_end(hem5, formulation::Index2{}, positions, step));
  for (const auto* kind : {&m.positions, &m.velocities, &m.multipliers}) {
    if (kind->empty()) continue;  // the error of Jay's multiplier passes through zero
    std::vector<double> errors;
    for (const Solution& s : solutions) {
      double error = 0.0;
      for (const std::string& name : *kind) error = std::max(error, std::abs(s.final(name) - exact.final(name)));
      errors.push_back(error);
    }
    EXPECT_NEAR(fitted_order(m.steps, errors), 5.0, 0.3) << kind->front() << testing::PrintToString(errors);
  }
}

// ---- with an error test

Solution swing(double tolerance, const Projection& projection, int intervals = 1, bool dense = false) {
  return run(samples::pendulum({.x = 1.0, .y = 0.0, .vx = 0.0, .vy = -1.0}), formulation::Index2{},
             {.stop = 10.0,
              .method = hem5,
              .projection = projection,
              .tolerance = tolerance,
              .intervals = intervals,
              .dense = dense});
}

TEST(HalfExplicitSteps, MakeTheErrorProportionalToTheTolerance) {
  const Solution exact = swing(1e-13, positions);
  std::vector<double> in_tolerances;
  for (const double tolerance : {1e-5, 1e-7, 1e-9, 1e-11}) {
    const Solution s = swing(tolerance, positions);
    in_tolerances.push_back(std::hypot(s.final("x") - exact.final("x"), s.final("y") - exact.final("y")) / tolerance);
  }
  EXPECT_LT(std::ranges::max(in_tolerances), 50.0) << testing::PrintToString(in_tolerances);
  EXPECT_LT(std::ranges::max(in_tolerances), 10.0 * std::ranges::min(in_tolerances))
      << testing::PrintToString(in_tolerances);
}

// The number of steps grows with the fifth root of the tolerance.
TEST(HalfExplicitSteps, AreAsManyAsTheOrderPromises) {
  std::vector<double> tolerances{1e-6, 1e-8, 1e-10}, steps;
  for (const double tolerance : tolerances)
    steps.push_back(static_cast<double>(swing(tolerance, positions).statistics.steps));
  EXPECT_NEAR(fitted_order(tolerances, steps), -0.2, 0.01) << testing::PrintToString(steps);
}

TEST(HalfExplicitSteps, KeepEveryLevelToRoundingAtTheOutputPoints) {
  const Solution s = swing(1e-6, positions, 997);
  EXPECT_LT(s.certificate[0].max_residual, 1e-14);
  EXPECT_LT(s.certificate[1].max_residual, 1e-14);
  EXPECT_LT(s.certificate[2].max_residual, 1e-13);
  EXPECT_EQ(s.statistics.projections, s.statistics.steps);
  EXPECT_LT(s.statistics.factorizations, 7 * (s.statistics.steps + s.statistics.rejected_steps) + 2 * 997);
}

TEST(HalfExplicitSteps, HaveDenseOutputWithinTheTolerance) {
  const double tolerance = 1e-7;
  for (const Projection& projection : {positions, Projection(projection::None{})}) {
    const Solution s = swing(tolerance, projection, 1, true), exact = swing(1e-13, positions, 1, true);
    for (double t = 0.013; t < 10.0; t += 0.0717) {
      const double x = s.at(t, "x"), y = s.at(t, "y"), u = s.at(t, "der(x)"), v = s.at(t, "der(y)");
      EXPECT_NEAR(x * x + y * y, 1.0, 10.0 * tolerance) << t;
      EXPECT_NEAR(x * u + y * v, 0.0, 10.0 * tolerance) << t;
      EXPECT_NEAR(x, exact.at(t, "x"), 50.0 * tolerance) << t;
      EXPECT_NEAR(s.at(t, "lambda"), exact.at(t, "lambda"), 500.0 * tolerance) << t;
    }
  }
}

TEST(HalfExplicitSteps, EndWhereAnExpressionHasNoValue) {
  ModelBuilder m("Edge");
  const Expr x = m.variable("x", {.start = 1.0, .fixed = true});
  m.equation(der(x) == -1.0 / sqrt(x));
  EXPECT_THROW(run(m.build(), formulation::Dummy{}, {.stop = 2.0, .method = hem5, .tolerance = 1e-6}),
               std::runtime_error);
}

// y = sqrt(1 - x) ends at x = 1.
TEST(HalfExplicitSteps, EndWhereASolutionEndsAndBlameNoConstantStep) {
  ModelBuilder m("Fold");
  const Expr x = m.variable("x", {.start = 0.0, .fixed = true}), y = m.variable("y", {.start = 1.0});
  m.equation(der(x) == 1.0);
  m.equation(y * y + x == 1.0);
  try {
    run(m.build(), formulation::Dummy{}, {.stop = 2.0, .method = hem5, .tolerance = 1e-6});
    FAIL();
  } catch (const std::runtime_error& failure) {
    EXPECT_THAT(failure.what(), testing::EndsWith(": Newton's iteration does not converge"));
  }
}

}  // namespace
}  // namespace driftless
