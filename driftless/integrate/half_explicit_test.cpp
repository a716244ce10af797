#include "driftless/integrate/half_explicit.hpp"

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

}  // namespace
}  // namespace driftless
