#include "driftless/integrate/solve/projector.hpp"

#include <cmath>

#include <fmt/format.h>

#include "driftless/integrate/steppers/ida/ida.hpp"
#include "driftless/integrate/sample_run.hpp"
#include "driftless/integrate/solve/sample_projections.hpp"

namespace driftless {
namespace {

using namespace projection;
using samples::constant_steps;
using samples::fitted_order;
using samples::residual_below_the_highest;
using samples::run;
using samples::thrown;
using testing::HasSubstr;

// ---- post-stabilization

// A bead on the ellipse x^2/4 + y^2 = 1. (On a circle the velocity is normal to all constraint forces, and F is better
// than it is in general.)
Model bead() {
  ModelBuilder m("Bead");
  const Expr x = m.variable("x", {.start = 2.0}), y = m.variable("y", {.start = 0.0, .fixed = true});
  const Expr lambda = m.variable("lambda");
  m.equation(der(der(x)) == -0.5 * lambda * x);
  m.equation(der(der(y)) == -2.0 * lambda * y - 1.0);
  m.equation(0.25 * x * x + y * y == 1.0, "wire");
  m.initial_equation(der(y) == -1.0);
  return m.build();
}

struct Law {
  const char* name;
  PostStabilization post;
  double slope;
};
void PrintTo(const Law& law, std::ostream* out) { *out << law.name; }

class PostStabilizationLaw : public testing::TestWithParam<Law> {};
INSTANTIATE_TEST_SUITE_P(Projections, PostStabilizationLaw,
                         testing::Values(Law{"Newton", {Stabilizer::Newton, 1}, 4.0},
                                         Law{"ForceTwice", {Stabilizer::Force, 2}, 4.0},
                                         Law{"NormalTwice", {Stabilizer::Normal, 2}, 4.0},
                                         Law{"ForceOnce", {Stabilizer::Force, 1}, 2.0}),
                         [](const auto& tested) { return tested.param.name; });

// |h(x_n)| = O(h^2(p+1)) if h_x F = I, or after two applications if (I - h_x F)^2 = 0; once leaves O(h^(p+1)).
TEST_P(PostStabilizationLaw, HoldsForEulersMethod) {
  const auto solve = [](const Projection& projection, method::Explicit tableau, double step) {
    return run(bead(), formulation::Index1{},
               {.stop = 1.0,
                .method = method::ExplicitRungeKutta{tableau},
                .projection = projection,
                .step = step,
                .intervals = 1});
  };
  const std::vector<double> steps{0.01, 0.005, 0.0025, 0.00125};
  std::vector<double> residuals, errors;
  const Solution exact = solve(None{}, method::Explicit::Dopri5, 1e-3);
  for (const double step : steps) {
    const Solution solution = solve(GetParam().post, method::Explicit::Euler, step);
    residuals.push_back(residual_below_the_highest(solution));
    errors.push_back(std::hypot(solution.final("x") - exact.final("x"), solution.final("y") - exact.final("y")));
  }
  EXPECT_NEAR(fitted_order(steps, residuals), GetParam().slope, 0.15) << testing::PrintToString(residuals);
  EXPECT_NEAR(fitted_order(steps, errors), 1.0, 0.15) << testing::PrintToString(errors);
}

TEST(Projections, KeepTheOrderOfTheMethod) {
  const std::vector<double> steps{0.1, 0.05, 0.025};
  const Solution exact = constant_steps(None{}, method::Explicit::Dopri5, 1e-3, 2.0);
  for (const Projection& projection :
       {Projection(PostStabilization{Stabilizer::Newton, 1}), Projection(PostStabilization{Stabilizer::Force, 2}),
        Projection(PostStabilization{Stabilizer::Normal, 2}), Projection(Coordinates{Levels::Velocity}),
        Projection(Coordinates{Levels::Both}), Projection(Coordinates{Levels::Both, Weight::Mass})}) {
    std::vector<double> errors;
    for (const double step : steps) {
      const Solution s = constant_steps(projection, method::Explicit::Rk4, step, 2.0);
      errors.push_back(std::hypot(s.final("der(x)") - exact.final("der(x)"), s.final("y") - exact.final("y")));
    }
    EXPECT_NEAR(fitted_order(steps, errors), 4.0, 0.3) << to_string(projection) << testing::PrintToString(errors);
  }
}

TEST(Projections, MayKeepTheirMatrixOverSeveralSteps) {
  const Solution fresh = constant_steps(PostStabilization{Stabilizer::Newton, 1}, method::Explicit::Heun3, 0.01);
  const Solution frozen = constant_steps(PostStabilization{Stabilizer::Newton, 1, true}, method::Explicit::Heun3, 0.01);
  const Solution none = constant_steps(None{}, method::Explicit::Heun3, 0.01);
  EXPECT_LT(residual_below_the_highest(frozen), 0.1 * residual_below_the_highest(none));
  EXPECT_GT(residual_below_the_highest(frozen), residual_below_the_highest(fresh));  // it is not the same matrix
  EXPECT_NEAR(frozen.final("x"), fresh.final("x"), 1e-7);
}

// A point beside the manifold of the pendulum, with its slots in this order.
struct Beside {
  samples::SampleProblem sample{thrown(), formulation::Index1{}};
  std::vector<double> y = sample.start.y, yp = sample.start.yp;

  int slot(const std::string& name) const {
    const Reduced& r = sample.problem.reduced();
    for (std::size_t s = 0; s < r.slots.size(); ++s)
      if (r.name(r.slots[s].quantity) == name) return static_cast<int>(s);
    throw std::out_of_range(name);
  }
  double& at(const std::string& name) { return y[slot(name)]; }
  Beside() { at("x") = 0.6, at("y") = -0.81, at("der(x)") = 0.7, at("der(y)") = 0.5; }
};

// With h = (x^2 + y^2 - 1, 2 (x u + y v)) and H its gradient by (x, y, u, v), the first Newton step of min |z - z~|,
// h(z) = 0 is z~ - H^T (H H^T)^-1 h.
TEST(Projections, FirstNewtonStepOfTheMinimizationIsAPostStabilization) {
  Beside point;
  const double x = 0.6, y = -0.81, u = 0.7, v = 0.5;
  const double h[2] = {x * x + y * y - 1.0, 2.0 * (x * u + y * v)};
  const double H[2][4] = {{2 * x, 2 * y, 0.0, 0.0}, {2 * u, 2 * v, 2 * x, 2 * y}};
  double a = 0.0, b = 0.0, d = 0.0;
  for (int k = 0; k < 4; ++k) a += H[0][k] * H[0][k], b += H[0][k] * H[1][k], d += H[1][k] * H[1][k];
  const double determinant = a * d - b * b;
  const double mu[2] = {(d * h[0] - b * h[1]) / determinant, (a * h[1] - b * h[0]) / determinant};
  const double before[4] = {x, y, u, v};
  Projector projector(point.sample.problem, PostStabilization{Stabilizer::Newton, 1}, point.sample.start);
  EXPECT_TRUE(projector(0.0, point.y, point.yp).converged);
  const char* names[4] = {"x", "y", "der(x)", "der(y)"};
  for (int k = 0; k < 4; ++k)
    EXPECT_NEAR(point.at(names[k]), before[k] - H[0][k] * mu[0] - H[1][k] * mu[1], 1e-15) << names[k];
}

// ---- coordinates

TEST(Projections, OfPositionsMoveNoVelocityAndOfVelocitiesNoPosition) {
  for (const Weight weight : {Weight::Identity, Weight::Mass}) {
    Beside point;
    Projector positions(point.sample.problem, Coordinates{Levels::Position, weight}, point.sample.start);
    ASSERT_TRUE(positions(0.0, point.y, point.yp).converged);
    EXPECT_NEAR(std::hypot(point.at("x"), point.at("y")), 1.0, 1e-15);
    EXPECT_NEAR(point.at("x") / point.at("y"), 0.6 / -0.81, 1e-15);  // along the normal
    EXPECT_EQ(point.at("der(x)"), 0.7);
    EXPECT_EQ(point.at("der(y)"), 0.5);
    const double x = point.at("x"), y = point.at("y");
    Projector velocities(point.sample.problem, Coordinates{Levels::Velocity, weight}, point.sample.start);
    ASSERT_TRUE(velocities(0.0, point.y, point.yp).converged);
    const double normal = x * 0.7 + y * 0.5;
    EXPECT_EQ(point.at("x"), x);
    EXPECT_NEAR(point.at("der(x)"), 0.7 - normal * x, 1e-15);
    EXPECT_NEAR(point.at("der(y)"), 0.5 - normal * y, 1e-15);
    const double u = point.at("der(x)"), v = point.at("der(y)");
    EXPECT_NEAR(point.at("lambda"), u * u + v * v - y, 1e-14);  // from the highest level, on the circle
  }
}

// The pendulum in oblique coordinates (p, r): x = 2 p + r, y = p - r + c. Its equations are A^T times the old ones.
Model oblique() {
  ModelBuilder m("Oblique");
  const Expr p = m.variable("p", {.start = 1.0 / 3.0}), r = m.variable("r", {.start = 1.0 / 3.0, .fixed = true});
  const Expr lambda = m.variable("lambda");
  const Expr x = 2.0 * p + r, y = p - r;
  const Expr fx = der(der(x)) + lambda * x, fy = der(der(y)) + lambda * y + 1.0;
  m.equation(2.0 * fx + fy == 0.0);
  m.equation(fx - fy == 0.0);
  m.equation(x * x + y * y == 1.0, "rod");
  m.initial_equation(der(y) == -1.0);
  return m.build();
}

TEST(Projections, InTheNormOfTheMassDoNotDependOnTheCoordinates) {
  const auto x_at_5 = [](Model model, Weight weight) {
    const Solution s = run(std::move(model), formulation::Index1{},
                           {.stop = 5.0,
                            .method = method::ExplicitRungeKutta{method::Explicit::Rk4},
                            .projection = Coordinates{Levels::Both, weight},
                            .step = 0.1,
                            .intervals = 1});
    return s.find("p") ? 2.0 * s.final("p") + s.final("r") : s.final("x");
  };
  const double reference = x_at_5(thrown(), Weight::Identity);  // here the mass matrix is the identity
  EXPECT_NEAR(x_at_5(thrown(), Weight::Mass), reference, 1e-12);
  EXPECT_NEAR(x_at_5(oblique(), Weight::Mass), reference, 1e-12);
  EXPECT_GT(std::abs(x_at_5(oblique(), Weight::Identity) - reference), 1e-7);
}

// y - y~ = f_z(y~) mu, g(y) = 0, then z from the hidden constraint (Hairer, Wanner 1996, VII (2.8)-(2.9)).
TEST(Projections, OfIndexTwoKeepTheOrderOfBothKindsOfVariables) {
  const auto steering = [](const Projection& projection, double step) {
    return run(samples::read(samples::path_of("steering_wheel")), formulation::Index1{},
               {.stop = 0.5,
                .method = method::ExplicitRungeKutta{method::Explicit::Rk4},
                .projection = projection,
                .step = step,
                .intervals = 1});
  };
  const Solution exact = steering(None{}, 5e-4);
  const std::vector<double> steps{0.05, 0.025, 0.0125};
  for (const Weight weight : {Weight::Identity, Weight::Mass}) {
    std::vector<double> y, z;
    for (const double step : steps) {
      const Solution s = steering(Coordinates{Levels::Velocity, weight}, step);
      y.push_back(std::abs(s.final("y1") - exact.final("y1")));
      z.push_back(std::abs(s.final("z") - exact.final("z")));
      EXPECT_LT(s.certificate[0].max_residual, 1e-15);
    }
    EXPECT_NEAR(fitted_order(steps, y), 4.0, 0.15) << testing::PrintToString(y);
    EXPECT_NEAR(fitted_order(steps, z), 4.0, 0.15) << testing::PrintToString(z);
  }
}

// Potra's stages: in the chart q = q_0 + Q_0 eta + Q_1 eta^, Q_1 = G(q_0)^T, the dependent eta^ of a stage is predicted
// by the same formula as eta, and only the end point is put on the manifold. That is the index-1 form and a projection
// along Q_1 (Hairer, Wanner 1996, Section VII.2).
TEST(Projections, PredictedStagesInAChartAreTheIndexOneFormAndAProjection) {
  samples::SampleProblem sample(thrown(), formulation::Index1{});
  Beside names;
  const double h = 0.2;
  StepSettings settings{.stop = h, .step = h};
  const auto stepper =
      make_stepper(method::ExplicitRungeKutta{method::Explicit::Rk4}, sample.problem, sample.start, settings);
  stepper->step();
  std::vector<double> y(stepper->y().begin(), stepper->y().end()), yp(stepper->yp().begin(), stepper->yp().end());
  const Reduced& r = sample.problem.reduced();
  const auto inverse =
      make_normal_inverse(sample.system, {0}, [&](int, int slot) { return r.slots[slot].stage == -2; });
  ASSERT_EQ(r.invariants[0].level, 0);
  ASSERT_TRUE(inverse->find({0.0, sample.start.y, sample.start.yp}));
  for (int m = 0; m < 6; ++m) {
    ASSERT_TRUE(inverse->improve({h, y, yp}));
    std::vector<double> residuals(sample.system.invariants());
    sample.system.invariants({h, y, yp}, residuals);
    inverse->apply(std::span(residuals).first(1), y);
  }

  // By hand: q_0 = (1, 0), Q_0 = (0, 1)^T, Q_1 = (1, 0)^T up to its length; eta and eta^ are y and x - 1.
  struct Full {
    double x, y, u, v;
  };
  const auto f = [](Full s) {
    const double lambda = (s.u * s.u + s.v * s.v - s.y) / (s.x * s.x + s.y * s.y);
    return Full{s.u, s.v, -lambda * s.x, -lambda * s.y - 1.0};
  };
  const auto plus = [](Full s, double c, Full k) {
    return Full{s.x + c * k.x, s.y + c * k.y, s.u + c * k.u, s.v + c * k.v};
  };
  const Full s0{1.0, 0.0, 0.0, -1.0};
  const Full k1 = f(s0), k2 = f(plus(s0, h / 2, k1)), k3 = f(plus(s0, h / 2, k2)), k4 = f(plus(s0, h, k3));
  const Full end = plus(plus(plus(plus(s0, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
  const double eta = end.y, dependent = std::sqrt(1.0 - eta * eta);
  EXPECT_NEAR(y[names.slot("y")], eta, 1e-15);
  EXPECT_NEAR(y[names.slot("x")], dependent, 1e-15);
  EXPECT_GT(std::abs(end.x - dependent), 1e-7);  // the prediction alone is not on the circle
}

// The same in the product, `--projection both:predicted`, over many steps: a Runge-Kutta step in the tangent chart of
// its beginning, computed in chart coordinates. Q_0 = (-y_0, x_0), Q_1 = (x_0, y_0); q = q_0 + Q_0 eta + Q_1 eta^,
// u = Q_0 nu + Q_1 nu^.
TEST(Projections, PredictedStagesAreStepsInTheTangentChart) {
  const double h = 0.0625;  // output falls on the ends of steps
  const int steps = 40;
  const auto solve = [&](bool predicted) {
    return run(thrown(), formulation::Index1{},
               {.stop = h * steps,
                .method = method::ExplicitRungeKutta{method::Explicit::Rk4},
                .projection = Coordinates{Levels::Both, Weight::Identity, predicted},
                .step = h,
                .intervals = steps});
  };
  const Solution s = solve(true);
  using Chart = std::array<double, 4>;  // eta, eta^, nu, nu^
  double x = 1.0, y = 0.0, u = 0.0, v = -1.0, from_other_directions = 0.0;
  const Solution other = solve(false);
  for (int k = 1; k <= steps; ++k) {
    const double x0 = x, y0 = y;
    const auto f = [&](const Chart& c) {
      const double qx = x0 - y0 * c[0] + x0 * c[1], qy = y0 + x0 * c[0] + y0 * c[1];
      const double ux = -y0 * c[2] + x0 * c[3], uy = x0 * c[2] + y0 * c[3];
      const double lambda = (ux * ux + uy * uy - qy) / (qx * qx + qy * qy);
      const double ax = -lambda * qx, ay = -lambda * qy - 1.0;
      return Chart{c[2], c[3], -y0 * ax + x0 * ay, x0 * ax + y0 * ay};
    };
    const auto plus = [](Chart c, double factor, const Chart& slope) {
      for (int i = 0; i < 4; ++i) c[i] += factor * slope[i];
      return c;
    };
    const Chart c0{0.0, 0.0, -y0 * u + x0 * v, x0 * u + y0 * v};
    const Chart k1 = f(c0), k2 = f(plus(c0, h / 2, k1)), k3 = f(plus(c0, h / 2, k2)), k4 = f(plus(c0, h, k3));
    const Chart end = plus(plus(plus(plus(c0, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
    // On the manifold with the same eta and nu: (1 + eta^)^2 + eta^2 = 1, and q u = 0.
    const double eta = end[0], dependent = std::sqrt(1.0 - eta * eta), nu = end[2];
    x = -y0 * eta + x0 * dependent, y = x0 * eta + y0 * dependent;
    const double other_nu = -eta * nu / dependent;
    u = -y0 * nu + x0 * other_nu, v = x0 * nu + y0 * other_nu;
    for (const auto& [name, value] : {std::pair{"x", x}, {"y", y}, {"der(x)", u}, {"der(y)", v}}) {
      EXPECT_NEAR(s.value(k, *s.find(name)), value, 2e-14) << name << " after " << k << " steps";
      from_other_directions = std::max(from_other_directions, std::abs(other.value(k, *other.find(name)) - value));
    }
  }
  EXPECT_GT(from_other_directions, 1e-9);  // with the directions of the end it is another method
}

// In the chart of the mass matrix, Q_1 = M^-1 G^T, and with several constraints: the levels hold, and the order stays.
TEST(Projections, PredictedStagesKeepLevelsAndOrder) {
  for (const Weight weight : {Weight::Identity, Weight::Mass}) {
    const std::vector<double> steps{0.02, 0.01, 0.005};
    std::vector<double> errors;
    const auto end = [&](double step) {
      const Solution s = run(samples::read(samples::path_of("double_pendulum")), formulation::Index1{},
                             {.stop = 1.0,
                              .method = method::ExplicitRungeKutta{method::Explicit::Rk4},
                              .projection = Coordinates{Levels::Both, weight, true},
                              .step = step,
                              .intervals = 1});
      EXPECT_LT(residual_below_the_highest(s), 1e-13);
      return s.final("x1");
    };
    const double exact = end(0.0005);
    for (const double step : steps) errors.push_back(std::abs(end(step) - exact));
    EXPECT_NEAR(fitted_order(steps, errors), 4.0, 0.25) << testing::PrintToString(errors);
  }
}

// ---- unsuitable projections

std::string refusal(const Formulation& formulation, const IntegrateOptions& options, Model model = thrown()) {
  try {
    run(std::move(model), formulation, options);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(Projections, ThatDoNotApplySayWhy) {
  const Method explicit_method = method::ExplicitRungeKutta{};
  EXPECT_THAT(refusal(formulation::Index1{}, {.method = method::Ida{}, .projection = Coordinates{Levels::Both}}),
              HasSubstr(ida_available() ? "owns its history" : "built without IDA"));
  EXPECT_THAT(refusal(formulation::Dummy{}, {.method = explicit_method, .projection = Coordinates{Levels::Both}}),
              HasSubstr("leave out no level"));
  EXPECT_THAT(refusal(formulation::Index1{}, {.method = explicit_method, .projection = Coordinates{Levels::Position}},
                      samples::read(samples::path_of("steering_wheel"))),
              HasSubstr("no position level"));
  EXPECT_THAT(refusal(formulation::Index1{}, {.method = explicit_method, .projection = Invariants{}}),
              HasSubstr("declares no invariant"));
}

// x is not an invariant of x' = 1: the projection reverses every step, far beyond the tolerance.
TEST(Projections, ThatMoveTheSolutionTooFarAreReported) {
  ModelBuilder m("Wrong");
  const Expr x = m.variable("x", {.start = 1.0, .fixed = true}), y = m.variable("y", {.start = 1.0, .fixed = true});
  m.equation(der(x) == 1.0 + 0.0 * y);
  m.equation(der(y) == -y);
  Model model = m.build();
  model.invariants.push_back({"x", x.node_in(*model.pool), {}});
  const Solution s = run(std::move(model), formulation::Index1{},
                         {.method = method::ExplicitRungeKutta{}, .projection = Invariants{}});
  ASSERT_EQ(s.remarks.size(), 1u);
  EXPECT_THAT(s.remarks[0], HasSubstr("the projection moved the solution by"));
  EXPECT_EQ(s.statistics.projections, s.statistics.steps);
  EXPECT_TRUE(constant_steps(Coordinates{Levels::Both}, method::Explicit::Rk4, 0.1).remarks.empty());
}

}  // namespace
}  // namespace driftless
