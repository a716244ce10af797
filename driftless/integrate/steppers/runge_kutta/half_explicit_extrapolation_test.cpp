#include "driftless/integrate/steppers/runge_kutta/half_explicit_extrapolation.hpp"

#include <cmath>

#include "driftless/integrate/sample_run.hpp"

namespace driftless {
namespace {

using method::HalfExplicitTableau;
using samples::fitted_order;
using samples::run;

const Projection positions = projection::Coordinates{projection::Levels::Position, projection::Weight::Mass};

Method extrapolation(int columns, bool euler) {
  return method::HalfExplicit{HalfExplicitTableau::Extrapolation, columns, euler};
}

struct OrderCase {
  const char* name;
  int columns;
  bool euler;
  double order;
  std::vector<double> steps;
};
void PrintTo(const OrderCase& c, std::ostream* out) { *out << c.name; }

// ---- mechanics, linear in the multipliers: powers of h²

class ExtrapolationOrder : public testing::TestWithParam<OrderCase> {};
INSTANTIATE_TEST_SUITE_P(Extrapolation, ExtrapolationOrder,
                         testing::Values(OrderCase{"Midpoint2", 2, false, 4, {0.1, 0.05, 0.025}},
                                         OrderCase{"Midpoint3", 3, false, 6, {0.2, 0.1, 0.05}},
                                         OrderCase{"Midpoint4", 4, false, 8, {0.125, 0.1, 0.08}},
                                         OrderCase{"Euler2", 2, true, 2, {0.02, 0.01, 0.005}},
                                         OrderCase{"Euler3", 3, true, 3, {0.04, 0.02, 0.01}},
                                         OrderCase{"Euler4", 4, true, 4, {0.1, 0.05, 0.025}},
                                         OrderCase{"Euler5", 5, true, 5, {0.1, 0.05, 0.025}}),
                         [](const auto& tested) { return tested.param.name; });

TEST_P(ExtrapolationOrder, OfThePendulumIsThatOfTheColumns) {
  const auto swing = [](const Method& method, const Formulation& formulation, const Projection& projection,
                        double step) {
    return run(samples::pendulum({.x = 1.0, .y = 0.0, .vx = 0.0, .vy = -1.0}), formulation,
               {.stop = 2.0, .method = method, .projection = projection, .step = step, .intervals = 1});
  };
  const Solution exact = swing(method::ExplicitRungeKutta{}, formulation::Index1{}, projection::None{}, 1e-3);
  std::vector<double> x, u, lambda;
  for (const double step : GetParam().steps) {
    const Solution s =
        swing(extrapolation(GetParam().columns, GetParam().euler), formulation::Index2{}, positions, step);
    x.push_back(std::hypot(s.final("x") - exact.final("x"), s.final("y") - exact.final("y")));
    u.push_back(std::hypot(s.final("der(x)") - exact.final("der(x)"), s.final("der(y)") - exact.final("der(y)")));
    lambda.push_back(std::abs(s.final("lambda") - exact.final("lambda")));
    for (const auto& level : s.certificate) EXPECT_LT(level.max_residual, 1e-13);
  }
  for (const std::vector<double>* errors : {&x, &u, &lambda})
    EXPECT_NEAR(fitted_order(GetParam().steps, *errors), GetParam().order, 0.35) << testing::PrintToString(*errors);
}

// ---- index 2 that is not linear in the multiplier: Hairer & Wanner (1.9), from (1, 0) with the wheel straight

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

class EulerExtrapolation : public testing::TestWithParam<OrderCase> {};
INSTANTIATE_TEST_SUITE_P(Extrapolation, EulerExtrapolation,
                         testing::Values(OrderCase{"Columns2", 2, false, 2, {0.01, 0.005, 0.0025}},
                                         OrderCase{"Columns3", 3, false, 3, {0.03, 0.015, 0.0075}},
                                         OrderCase{"Columns4", 4, false, 4, {0.05, 0.025, 0.0125}}),
                         [](const auto& tested) { return tested.param.name; });

// Euler's scheme is chosen by itself; a point is on the constraint although the extrapolated one is not.
TEST_P(EulerExtrapolation, IsTakenWhereTheMultiplierEntersNonlinearly) {
  const Solution exact = steer(method::ExplicitRungeKutta{}, formulation::Index1{}, 1e-3);
  std::vector<double> y, z;
  for (const double step : GetParam().steps) {
    const Solution s = steer(extrapolation(GetParam().columns, false), formulation::Original{}, step);
    y.push_back(std::hypot(s.final("y1") - exact.final("y1"), s.final("y2") - exact.final("y2")));
    z.push_back(std::abs(s.final("z") - exact.final("z")));
    EXPECT_EQ(s.statistics.mean_order, GetParam().columns);
    EXPECT_LT(s.certificate[0].max_residual, 1e-14);
    EXPECT_LT(s.certificate[1].max_residual, 1e-13);
  }
  EXPECT_NEAR(fitted_order(GetParam().steps, y), GetParam().order, 0.35) << testing::PrintToString(y);
  EXPECT_NEAR(fitted_order(GetParam().steps, z), GetParam().order, 0.35) << testing::PrintToString(z);
}

// Without constraints it is Gragg's method: x'' = -x by 3 columns of the midpoint rule, a step of size h, is the
// polynomial of degree 6 of exp(i h) up to terms of order h^7.
TEST(Extrapolation, WithoutConstraintsIsTheExplicitMethod) {
  ModelBuilder m("Oscillator");
  const Expr x = m.variable("x", {.start = 1.0, .fixed = true}), v = m.variable("v", {.start = 0.0, .fixed = true});
  m.equation(der(x) == v);
  m.equation(der(v) == -x);
  const Model model = m.build();
  std::vector<double> errors, steps{0.4, 0.2, 0.1};
  for (const double h : steps) {
    const Solution s =
        run(model, formulation::Dummy{}, {.stop = 2.0, .method = extrapolation(3, false), .step = h, .intervals = 1});
    errors.push_back(std::hypot(s.final("x") - std::cos(2.0), s.final("v") + std::sin(2.0)));
  }
  EXPECT_NEAR(fitted_order(steps, errors), 6.0, 0.2) << testing::PrintToString(errors);
}

// ---- with an error test

Solution swing(double tolerance, int intervals = 1, bool dense = false) {
  return run(samples::pendulum({.x = 1.0, .y = 0.0, .vx = 0.0, .vy = -1.0}), formulation::Index2{},
             {.stop = 10.0,
              .method = extrapolation(0, false),
              .projection = positions,
              .tolerance = tolerance,
              .intervals = intervals,
              .dense = dense});
}

TEST(Extrapolation, KeepsTheErrorBelowTheTolerance) {
  const Solution exact = run(samples::pendulum({.x = 1.0, .y = 0.0, .vx = 0.0, .vy = -1.0}), formulation::Index2{},
                             {.stop = 10.0,
                              .method = method::HalfExplicit{HalfExplicitTableau::Hem5},
                              .projection = positions,
                              .tolerance = 1e-13,
                              .intervals = 1});
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    const Solution s = swing(tolerance);
    const double error = std::hypot(s.final("x") - exact.final("x"), s.final("y") - exact.final("y"));
    EXPECT_LT(error, 10.0 * tolerance) << tolerance;
    EXPECT_GT(error, 1e-5 * tolerance) << tolerance << ": steps are far too short";
  }
}

TEST(Extrapolation, KeepsEveryLevelAtTheOutputPoints) {
  const Solution s = swing(1e-6, 300);
  EXPECT_LT(s.certificate[0].max_residual, 1e-14);
  EXPECT_LT(s.certificate[1].max_residual, 1e-14);
  EXPECT_LT(s.certificate[2].max_residual, 1e-13);
}

// The polynomial of a step goes through points within the step: it is as good as the ends.
TEST(Extrapolation, HasDenseOutputWithinTheTolerance) {
  const Solution exact = swing(1e-12, 1, true);
  for (const double tolerance : {1e-5, 1e-8}) {
    const Solution s = swing(tolerance, 1, true);
    for (double t = 0.013; t < 10.0; t += 0.0717) {
      EXPECT_NEAR(s.at(t, "x"), exact.at(t, "x"), 50.0 * tolerance) << t;
      EXPECT_NEAR(s.at(t, "lambda"), exact.at(t, "lambda"), 500.0 * tolerance) << t;
    }
  }
}

}  // namespace
}  // namespace driftless
