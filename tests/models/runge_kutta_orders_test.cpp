// Orders of the implicit Runge-Kutta methods on every form of the pendulum, for positions, velocities and the
// multiplier (Hairer, Lubich, Roche 1989; Hairer, Wanner 1996, Sections VII.4 and VII.5), with the methods that must
// fail.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/models/measure.hpp"

namespace driftless {
namespace {

using formulation::Ggl;
using formulation::Index1;
using formulation::Index2;
using formulation::Original;
using method::Gauss;
using method::Lobatto;
using method::LobattoKind;
using method::Radau;

struct Errors {
  double position = 0.0, velocity = 0.0, multiplier = 0.0;
};

Solution run(const Analysis& analysis, const Method& method, double h, double stop) {
  const Solution solution =
      simulate(analysis, {.stop = stop, .intervals = 1, .method = method, .step = h, .dense = false});
  EXPECT_TRUE(reached_end(solution.outcome)) << solution.message;
  return solution;
}

// At t = 1 against phi'' = -sin phi, computed with many digits.
Errors errors_of_pendulum(const Analysis& analysis, const Method& method, double h) {
  static const Reference reference = read_reference("pendulum");
  const auto exact = std::ranges::find(reference.points, 1.0, &Reference::Point::t);
  const Solution solution = run(analysis, method, h, 1.0);
  const auto error = [&](const char* name) { return std::abs(solution.final(name) - exact->values.at(name)); };
  return {std::max(error("x"), error("y")), std::max(error("der(x)"), error("der(y)")), error("lambda")};
}

double order(double coarse, double fine) { return std::log2(coarse / fine); }

// Of the straight line through the points, by least squares.
double slope(const std::vector<double>& x, const std::vector<double>& y) {
  double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
  const auto n = static_cast<double>(x.size());
  for (std::size_t k = 0; k < x.size(); ++k) sx += x[k], sy += y[k], sxx += x[k] * x[k], sxy += x[k] * y[k];
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

struct Row {
  Formulation formulation;
  Method method;
  double h;                               // and h / 2: above rounding, below the first terms' reach
  double position, velocity, multiplier;  // expected orders
};

void PrintTo(const Row& row, std::ostream* out) { *out << to_string(row.formulation) << " " << to_string(row.method); }

class Orders : public testing::TestWithParam<Row> {};

std::string name_of(const testing::TestParamInfo<Row>& info) {
  std::string name = to_string(info.param.formulation) + "_" + to_string(info.param.method);
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
}

TEST_P(Orders, OnThePendulum) {
  const Row& row = GetParam();
  const Analysis analysis = analyze(std::make_shared<const Model>(read_shipped("pendulum")), row.formulation);
  const Errors coarse = errors_of_pendulum(analysis, row.method, row.h),
               fine = errors_of_pendulum(analysis, row.method, row.h / 2);
  fmt::print("{:10} {:14} positions {:.1e} velocities {:.1e} multiplier {:.1e}\n", to_string(row.formulation),
             to_string(row.method), fine.position, fine.velocity, fine.multiplier);
  EXPECT_NEAR(order(coarse.position, fine.position), row.position, 0.15);
  EXPECT_NEAR(order(coarse.velocity, fine.velocity), row.velocity, 0.15);
  EXPECT_NEAR(order(coarse.multiplier, fine.multiplier), row.multiplier, 0.15);
}

constexpr double wide = 1.0 / 16, middle = 1.0 / 32, narrow = 1.0 / 64;

// Index 1: 2s - 1 everywhere. Index 2 and GGL: 2s - 1, and s for the multiplier. Index 3: positions 2s - 1 (the theory
// guarantees 2s - 2), velocities s, multiplier s - 1.
INSTANTIATE_TEST_SUITE_P(Radau, Orders,
                         testing::Values(Row{Index1{}, Radau{1}, narrow / 2, 1, 1, 1},  //
                                         Row{Index1{}, Radau{2}, narrow, 3, 3, 3},      //
                                         Row{Index1{}, Radau{3}, middle, 5, 5, 5},      //
                                         Row{Index2{}, Radau{1}, narrow / 2, 1, 1, 1},  //
                                         Row{Index2{}, Radau{2}, narrow, 3, 3, 2},      //
                                         Row{Index2{}, Radau{3}, middle, 5, 5, 3},      //
                                         Row{Index2{}, Radau{4}, wide * 2, 7, 7, 4},    //
                                         Row{Ggl{}, Radau{1}, narrow, 1, 1, 1},         //
                                         Row{Ggl{}, Radau{2}, narrow, 3, 3, 2},         //
                                         Row{Ggl{}, Radau{3}, middle, 5, 5, 3},         //
                                         Row{Original{}, Radau{2}, narrow, 3, 2, 1},    //
                                         Row{Original{}, Radau{3}, middle, 5, 3, 2}),   //
                         name_of);

// Five and seven stages reach rounding within a few steps: longer runs with large steps, and all of these at once. On
// Jay's example the multiplier of the index-2 form is of a higher order than in general; that of the others is not.
struct Fit {
  const char* model;
  Formulation formulation;
  int stages;
  double stop;
  std::vector<int> steps;
  std::vector<std::pair<const char*, double>> orders;  // by variable
  double tolerance = 0.15;
};

void PrintTo(const Fit& fit, std::ostream* out) {
  *out << fit.model << " " << to_string(fit.formulation) << " " << fit.stages << " stages";
}

class HighOrders : public testing::TestWithParam<Fit> {};
INSTANTIATE_TEST_SUITE_P(
    Radau, HighOrders,
    testing::Values(
        Fit{"jay", Index1{}, 5, 1, {2, 3, 4, 6}, {{"y1", 9}, {"z2", 9}, {"u", 9}}},
        Fit{"pendulum", Index1{}, 7, 2, {4, 5, 6}, {{"x", 13}}, 0.4},
        Fit{"pendulum", Index2{}, 5, 10, {24, 32, 40, 48}, {{"x", 9}, {"y", 9}, {"der(x)", 9}, {"der(y)", 9}}},
        Fit{"pendulum", Index2{}, 7, 10, {20, 24, 28, 32}, {{"x", 13}, {"y", 13}, {"der(x)", 13}, {"der(y)", 13}}},
        Fit{"pendulum", Ggl{}, 5, 10, {24, 32, 40, 48}, {{"x", 9}, {"y", 9}, {"der(x)", 9}, {"der(y)", 9}}},
        Fit{"pendulum", Ggl{}, 7, 10, {20, 24, 28, 32}, {{"x", 13}, {"y", 13}, {"der(x)", 13}, {"der(y)", 13}}},
        Fit{"jay", Ggl{}, 5, 1, {3, 4, 6, 8}, {{"u", 5}}}, Fit{"jay", Ggl{}, 7, 1, {3, 4, 6, 8}, {{"u", 7}}},
        Fit{"jay", Original{}, 5, 1, {3, 4, 6, 8}, {{"z1", 5}, {"z2", 5}, {"u", 4}}},
        Fit{"jay", Original{}, 7, 1, {3, 4, 6, 8}, {{"z1", 7}, {"z2", 7}, {"u", 6}}}));

TEST_P(HighOrders, AreThoseOfTheTheory) {
  const Fit& fit = GetParam();
  const Reference reference = read_reference(fit.model);
  const auto exact = std::ranges::find(reference.points, fit.stop, &Reference::Point::t);
  const Analysis analysis = analyze(std::make_shared<const Model>(reference.model()), fit.formulation);
  std::vector<double> log_steps;
  std::vector<std::vector<double>> log_errors(fit.orders.size());
  for (const int n : fit.steps) {
    const Solution solution = run(analysis, Radau{fit.stages}, fit.stop / n, fit.stop);
    log_steps.push_back(std::log(fit.stop / n));
    for (std::size_t k = 0; k < fit.orders.size(); ++k)
      log_errors[k].push_back(
          std::log(std::abs(solution.final(fit.orders[k].first) - exact->values.at(fit.orders[k].first))));
  }
  for (std::size_t k = 0; k < fit.orders.size(); ++k)
    EXPECT_NEAR(slope(log_steps, log_errors[k]), fit.orders[k].second, fit.tolerance) << fit.orders[k].first;
}

// 2s - 2, and s - 1 for a multiplier of index 2.
INSTANTIATE_TEST_SUITE_P(LobattoIIIC, Orders,
                         testing::Values(Row{Index1{}, Lobatto{LobattoKind::C, 2}, narrow, 2, 2, 2},
                                         Row{Index1{}, Lobatto{LobattoKind::C, 3}, narrow, 4, 4, 4},
                                         Row{Index1{}, Lobatto{LobattoKind::C, 4}, wide, 6, 6, 6},
                                         Row{Index2{}, Lobatto{LobattoKind::C, 2}, narrow, 2, 2, 1},
                                         Row{Index2{}, Lobatto{LobattoKind::C, 3}, narrow, 4, 4, 2},
                                         Row{Index2{}, Lobatto{LobattoKind::C, 4}, wide, 6, 6, 3},
                                         Row{Ggl{}, Lobatto{LobattoKind::C, 3}, narrow, 4, 4, 2}),
                         name_of);

INSTANTIATE_TEST_SUITE_P(LobattoIIIA, Orders,
                         testing::Values(Row{Index1{}, Lobatto{LobattoKind::A, 2}, narrow, 2, 2, 2},
                                         Row{Index1{}, Lobatto{LobattoKind::A, 3}, narrow, 4, 4, 4}),
                         name_of);

INSTANTIATE_TEST_SUITE_P(Gauss, Orders,
                         testing::Values(Row{Index1{}, Gauss{1}, narrow, 2, 2, 2},  //
                                         Row{Index1{}, Gauss{2}, narrow, 4, 4, 4},  //
                                         Row{Index1{}, Gauss{3}, wide, 6, 6, 6}),
                         name_of);

// With the projection the order is 2s everywhere: the multiplier is solved for again at a point of that order.
INSTANTIATE_TEST_SUITE_P(ProjectedGauss, Orders,
                         testing::Values(Row{Index2{}, Gauss{1, true}, narrow, 2, 2, 2},  //
                                         Row{Index2{}, Gauss{2, true}, narrow, 4, 4, 4},  //
                                         Row{Index2{}, Gauss{3, true}, wide * 2, 6, 6, 6}),
                         name_of);

// Without damping at infinity: on index 2 the multiplier of the midpoint rule and of Gauss 2 stays wrong by O(1); Gauss
// 3 loses orders. On index 3 it grows like h^-2, and the velocities stay wrong.
INSTANTIATE_TEST_SUITE_P(GaussFails, Orders,
                         testing::Values(Row{Index2{}, Gauss{1}, narrow, 2, 2, 0},  //
                                         Row{Index2{}, Gauss{2}, narrow, 4, 2, 0},  //
                                         Row{Index2{}, Gauss{3}, middle, 6, 4, 2},  //
                                         Row{Ggl{}, Gauss{2}, narrow, 2, 2, 0},     //
                                         Row{Original{}, Gauss{1}, narrow, 2, 0, -2},
                                         Row{Original{}, Gauss{2}, narrow, 2, 0, -2}),
                         name_of);

TEST(RungeKutta, TheMultiplierOfTheMidpointRuleIsWrongOnIndexTwo) {
  const Analysis analysis = analyze(std::make_shared<const Model>(read_shipped("pendulum")), Index2{});
  EXPECT_GT(errors_of_pendulum(analysis, Gauss{1}, 1.0 / 256).multiplier, 0.5);
}

// The new point of a stiffly accurate method satisfies what is imposed, to rounding; that of Gauss does not.
TEST(RungeKutta, StiffAccuracyMeansThatConstraintsHoldAtEveryStep) {
  const auto residual = [](const Formulation& formulation, const Method& method, int level) {
    const Analysis analysis = analyze(std::make_shared<const Model>(read_shipped("pendulum")), formulation);
    const Solution solution =
        simulate(analysis, {.stop = 2.0, .intervals = 40, .method = method, .step = 0.05, .dense = false});
    EXPECT_TRUE(reached_end(solution.outcome)) << solution.message;
    const auto entry = std::ranges::find(solution.certificate, level, &CertificateEntry::level);
    return entry->max_residual;
  };
  for (const Method& method : {Method(Radau{2}), Method(Radau{3}), Method(Lobatto{LobattoKind::C, 3})}) {
    EXPECT_LT(residual(Original{}, method, 0), 4e-15) << to_string(method);
    EXPECT_LT(residual(Index2{}, method, 1), 4e-15) << to_string(method);
    EXPECT_LT(residual(Ggl{}, method, 0), 4e-15) << to_string(method);
    EXPECT_LT(residual(Ggl{}, method, 1), 4e-15) << to_string(method);
  }
  EXPECT_GT(residual(Original{}, Gauss{2}, 0), 1e-5);
  EXPECT_GT(residual(Index2{}, Gauss{2}, 1), 1e-5);
}

// What the polynomial of a step says between the steps has the order of the stages at least.
TEST(RungeKutta, DenseOutputConvergesToo) {
  const Reference reference = read_reference("pendulum");
  const auto error = [&](const Method& method, double h) {
    const Analysis analysis = analyze(std::make_shared<const Model>(read_shipped("pendulum")), Index2{});
    const Solution coarse = simulate(analysis, {.stop = 1.5, .method = method, .step = h}),
                   exact = simulate(analysis, {.stop = 1.5, .method = Radau{5}, .step = h / 8});
    double worst = 0.0;
    for (double t = 0.01; t < 1.5; t += 0.0137) worst = std::max(worst, std::abs(coarse.at(t, "x") - exact.at(t, "x")));
    return worst;
  };
  EXPECT_NEAR(order(error(Radau{3}, 0.1), error(Radau{3}, 0.05)), 4.0, 0.35);
}

// x² + y² and x u + y v are quadratic: on index 1, where both are invariants, Gauss methods keep the first integrals
// that are quadratic in the unknowns they integrate (Cooper 1987).
TEST(RungeKutta, GaussKeepsQuadraticInvariants) {
  const std::string oscillator = R"(
    model Rigid "a free rigid body: energy and angular momentum are quadratic"
      Real a(start = 1, fixed = true), b(start = 0.2, fixed = true), c(start = 0.5, fixed = true);
    equation
      der(a) = (1/2 - 1/3)*b*c;
      der(b) = (1/3 - 1)*c*a;
      der(c) = (1 - 1/2)*a*b;
    end Rigid;)";
  const Analysis analysis = analyze(std::make_shared<const Model>(read_text(oscillator)), Index1{});
  const auto drift = [&](const Method& method) {
    const Solution solution =
        simulate(analysis, {.stop = 100.0, .intervals = 1000, .method = method, .step = 0.1, .dense = false});
    EXPECT_TRUE(reached_end(solution.outcome)) << solution.message;
    const auto a = solution.column("a"), b = solution.column("b"), c = solution.column("c");
    double worst = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      worst = std::max(worst, std::abs(a[k] * a[k] + b[k] * b[k] + c[k] * c[k] - 1.29));
      worst = std::max(worst, std::abs(a[k] * a[k] + b[k] * b[k] / 2 + c[k] * c[k] / 3 - (1.02 + 0.25 / 3)));
    }
    return worst;
  };
  for (int s = 1; s <= 3; ++s) EXPECT_LT(drift(Gauss{s}), 1e-13) << s;
  EXPECT_GT(drift(Radau{2}), 1e-5);
  EXPECT_GT(drift(Lobatto{LobattoKind::A, 2}), 1e-5);
}

// ---- constant steps on the index-1 form: how its two invariants drift (Hairer, Wanner 1996, Exercise VII.2.1)

struct Drift {
  double position_early, position_late, velocity_early, velocity_late;  // largest in the first and the last quarter
};

Drift drift_of(const Method& method) {
  const Analysis analysis = analyze(std::make_shared<const Model>(read_shipped("pendulum")), Index1{});
  const Solution solution =
      simulate(analysis, {.stop = 160.0, .intervals = 1600, .method = method, .step = 0.1, .dense = false});
  EXPECT_TRUE(reached_end(solution.outcome)) << solution.message;
  const std::size_t rows = solution.times.size(), levels = solution.drift_levels;
  const auto largest = [&](std::size_t level, std::size_t begin, std::size_t end) {
    double worst = 0.0;
    for (std::size_t row = begin; row < end; ++row)
      worst = std::max(worst, solution.constraint_drift[row * levels + level]);
    return worst;
  };
  return {largest(0, 0, rows / 4), largest(0, 3 * rows / 4, rows), largest(1, 0, rows / 4),
          largest(1, 3 * rows / 4, rows)};
}

// x u + y v is a quadratic first integral of the index-1 form, which Gauss methods keep exactly; as they are symmetric,
// the residual of the constraint itself only oscillates.
TEST(ConstantSteps, GaussKeepsTheVelocityConstraintAndBoundsTheOther) {
  for (int s = 1; s <= 2; ++s) {
    const Drift drift = drift_of(Gauss{s});
    EXPECT_LT(drift.velocity_late, 1e-13);
    EXPECT_LT(drift.position_late, 1.01 * drift.position_early);
    EXPECT_GT(drift.position_early, 1e-6);
  }
}

// Radau damps: the velocity residual stays where it is, and the position residual grows linearly, by 4 from the first
// quarter to the last. Without such luck they grow linearly and quadratically, by 4 and 16.
TEST(ConstantSteps, RadauBoundsTheVelocityResidualAndLetsTheOtherGrowLinearly) {
  const Drift radau = drift_of(Radau{3});
  EXPECT_LT(radau.velocity_late, 1.2 * radau.velocity_early);
  EXPECT_NEAR(radau.position_late / radau.position_early, 4.0, 0.5);
  const Drift explicit_method = drift_of(method::ExplicitRungeKutta{method::Explicit::Heun3});
  EXPECT_GT(explicit_method.velocity_late, 2.0 * explicit_method.velocity_early);
}

// ---- Ascher, Petzold 1993, Example 2: the multiplier's own directions make a stiff problem explicit

const std::string second_example = R"(
  model Example2 "large B, slowly varying C"
    parameter Real nu = 1000;
    Real x1(start = 1, fixed = true), x2(start = 1), y;
  equation
    der(x1) = (2 - time)*nu*y + (1 + nu)*exp(time);
    der(x2) = (nu - 1)*y + (1 + (nu - 1)/(2 - time))*exp(time);
    (time + 2)*x1 + (time^2 - 4)*x2 = (time^2 + time - 2)*exp(time);
  end Example2;)";

double error_of_second_example(const Formulation& formulation, const Method& method, double h) {
  const Solution solution =
      run(analyze(std::make_shared<const Model>(read_text(second_example)), formulation), method, h, 1.0);
  return std::max(std::abs(solution.final("x1") - std::exp(1.0)), std::abs(solution.final("x2") - std::exp(1.0)));
}

TEST(ProjectedGauss, IsANonstiffMethodOnTheIndexTwoFormAndAStiffOneOnProjectedInvariants) {
  const Formulation invariants = formulation::ProjectedInvariants{};
  const double h = 0.01;  // h nu = 10
  EXPECT_GT(error_of_second_example(Original{}, Gauss{1, true}, h), 1e50);
  EXPECT_GT(error_of_second_example(Original{}, Gauss{2, true}, h), 1e50);
  EXPECT_LT(error_of_second_example(Original{}, Gauss{2, true}, 0.001), 1e-10);  // h nu = 1
  EXPECT_LT(error_of_second_example(invariants, Gauss{1, true}, h), 4e-5);
  EXPECT_LT(error_of_second_example(invariants, Gauss{2, true}, h), 1e-7);
  EXPECT_NEAR(order(error_of_second_example(invariants, Gauss{2, true}, h),
                    error_of_second_example(invariants, Gauss{2, true}, h / 2)),
              4.0, 0.15);
}

TEST(ProjectedGauss, SaysWhereItDoesNotApply) {
  const Analysis analysis = analyze(std::make_shared<const Model>(read_shipped("pendulum")), Original{});
  try {
    simulate(analysis, {.stop = 1.0, .method = Gauss{2, true}, .step = 0.1});
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("x^2 + y^2 = L^2"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("index2"), std::string::npos) << error.what();
  }
}

// ---- regularization eps z' = g(x, z): what is left of a perturbed start after ten steps

double left_of_perturbation(const Method& method, double eps) {
  const Model model = read_text(fmt::format(R"(
    model Regularized
      Real x(start = 0, fixed = true), z(start = 1.5, fixed = true);
    equation
      der(x) = z;
      {}*der(z) = cos(x) - z;
    end Regularized;)",
                                            eps));
  const Solution solution = run(analyze(std::make_shared<const Model>(model), Index1{}), method, 0.1, 1.0);
  return std::abs(solution.final("z") - std::cos(solution.final("x")));
}

TEST(Regularization, LeavesMethodsWithStiffDecayAlone) {
  for (const double eps : {1e-6, 1e-9, 1e-12}) {
    for (const Method& method :
         {Method(Radau{1}), Method(Radau{2}), Method(Radau{3}), Method(Lobatto{LobattoKind::C, 3})})
      EXPECT_LT(left_of_perturbation(method, eps), 2 * eps) << to_string(method) << " " << eps;
    for (const Method& method : {Method(Gauss{1}), Method(Gauss{2}), Method(Lobatto{LobattoKind::A, 2})})
      EXPECT_GT(left_of_perturbation(method, eps), 0.3) << to_string(method) << " " << eps;
  }
}

}  // namespace
}  // namespace driftless
