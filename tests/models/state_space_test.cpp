// State-space forms: local coordinates on the manifold of the constraints, kept while they are well conditioned.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "driftless/reduce/sample_ascher_petzold.hpp"
#include "tests/models/measure.hpp"

namespace driftless {
namespace {

using formulation::StateSpace;

// By BDF, unless another method is named.
Solution run(const Model& model, SimulateOptions options) {
  if (std::holds_alternative<method::Auto>(options.method)) options.method = method::Bdf{};
  Solution solution = simulate(Model(model), options);
  EXPECT_TRUE(reached_end(solution.outcome)) << solution.message;
  return solution;
}

// Thrown so fast that it turns over and over.
Model rotating_pendulum() { return read_shipped("pendulum", {{"vy0", "-3"}}); }

// The angle from the downward vertical, without jumps.
std::vector<double> angle(const Solution& solution) {
  const auto x = solution.column("x"), y = solution.column("y");
  std::vector<double> phi;
  for (std::size_t k = 0; k < x.size(); ++k) {
    double value = std::atan2(x[k], -y[k]);
    if (k > 0) value += 2.0 * std::numbers::pi * std::round((phi[k - 1] - value) / (2.0 * std::numbers::pi));
    phi.push_back(value);
  }
  return phi;
}

constexpr Chart charts[] = {Chart::Partition, Chart::Tangent, Chart::TangentMass};

// ---- M13, M14: levels at rounding, charts change by themselves, all charts give the same motion

TEST(StateSpace, RotatingPendulumChangesItsChartsByItself) {
  const Model model = rotating_pendulum();
  const double tolerance = 1e-8;
  const Solution reference = run(model, {.stop = 20.0, .tolerance = 1e-11, .dense = false});
  // Charts are kept until their conditioning has grown fivefold, and errors with it.
  const double error_of_dummy =
      distance(model, run(model, {.stop = 20.0, .tolerance = tolerance, .dense = false}), reference).error;
  for (const Chart chart : charts) {
    const Solution solution =
        run(model, {.stop = 20.0, .tolerance = tolerance, .formulation = StateSpace{chart}, .dense = false});
    EXPECT_LT(solution.largest_residual(), 1e-13) << solution.formulation;  // all three levels
    EXPECT_LT(distance(model, solution, reference).error, 10.0 * error_of_dummy) << solution.formulation;
    const std::vector<double> phi = angle(solution);
    const double turns = std::abs(phi.back() - phi.front()) / (2.0 * std::numbers::pi);
    EXPECT_GT(turns, 7.0);
    // A chart of the circle by one coordinate serves a quarter of a turn, one by a tangent up to where the projection
    // has shrunk to a fifth, arccos(1/5) = 78 degrees.
    const double expected = chart == Chart::Partition ? 4.0 * turns : 360.0 / 78.5 * turns;
    fmt::print("{:36} {:.2f} turns, {} charts\n", solution.formulation, turns, solution.statistics.pivots + 1);
    EXPECT_NEAR(static_cast<double>(solution.statistics.pivots), expected, 0.15 * expected) << solution.formulation;
  }
}

TEST(StateSpace, PartitionExchangesCoordinatesAlternately) {
  const Solution solution = run(rotating_pendulum(), {.stop = 5.0, .formulation = StateSpace{}, .dense = false});
  std::string state;
  for (const Pivot& pivot : solution.pivots) {
    if (pivot.out != "x" && pivot.out != "y") continue;
    EXPECT_TRUE(state.empty() || pivot.out == state) << pivot.time;
    state = pivot.in;
  }
  EXPECT_FALSE(state.empty());
}

// Without changes the same run must stop where the coordinate turns back, at a quarter of a turn, and say why. Steps at
// a crude tolerance are longer than the neighbourhood in which Newton's iteration feels that point.
TEST(StateSpace, OneChartIsNotEnough) {
  for (const Chart chart : {Chart::Partition, Chart::Tangent, Chart::TangentMass})
    for (const Method& method : {Method(method::Bdf{}), Method(method::Radau{})})
      for (const double tolerance : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}) {
        const Solution solution = simulate(rotating_pendulum(), {.stop = 20.0,
                                                                 .tolerance = tolerance,
                                                                 .formulation = StateSpace{chart},
                                                                 .method = method,
                                                                 .pivot = PivotMode::Never,
                                                                 .max_steps = 20'000,
                                                                 .dense = false});
        EXPECT_NE(solution.outcome, Outcome::Success) << solution.formulation << " at " << tolerance;
        EXPECT_LT(solution.reached, 0.6) << solution.formulation << " at " << tolerance;
      }
}

// The motion of dummy derivatives, within three times the error that these have. Errors of one run may cancel by
// chance; compared are geometric means over five neighbouring tolerances. One case has more, the four-bar linkage in
// the chart of its mass matrix: with its crank as the state the errors of the first and of the second half of a turn
// cancel, with that combination of all three angles they add up (the next test).
TEST(StateSpace, EveryMechanicalModelAgreesWithDummyDerivatives) {
  const double tolerance = 1e-7;
  for (const char* name : {"double_pendulum", "slider_crank", "four_bar", "spherical_pendulum", "car_axis",
                           "pendulum_first_order", "crane", "knife_edge"}) {
    const Model model = read_shipped(name);
    const double stop = std::min(model.experiment.stop, 2.0);
    const Solution exact = run(model, {.stop = stop, .tolerance = 1e-11, .dense = false});
    const auto mean_error = [&](const Formulation& formulation) {
      double sum = 0.0;
      for (const double near : {0.6, 0.8, 1.0, 1.25, 1.6}) {
        const Solution solution =
            run(model, {.stop = stop, .tolerance = near * tolerance, .formulation = formulation, .dense = false});
        EXPECT_LT(solution.largest_residual(), 1e-9) << name << " " << solution.formulation;
        sum += std::log(distance(model, solution, exact).error / near);
      }
      return std::exp(sum / 5.0);
    };
    const double of_dummy = mean_error(formulation::Dummy{});
    for (const Chart chart : charts) {
      const double of_chart = mean_error(StateSpace{chart});
      fmt::print("{:20} {:40} {:8.3g} tolerances, {:8.3g} with dummy derivatives\n", name,
                 to_string(Formulation(StateSpace{chart})), of_chart / tolerance, of_dummy / tolerance);
      const bool cancels_in_dummy = std::string_view(name) == "four_bar" && chart == Chart::TangentMass;
      EXPECT_LT(of_chart, (cancels_in_dummy ? 15.0 : 3.0) * of_dummy + 10.0 * tolerance)
          << name << " " << to_string(Formulation(StateSpace{chart}));
    }
  }
}

// What the steps do to the energy of the linkage, summed without signs, does not depend on the chart. The signed sum
// does: less than a twentieth of it is left at the end with dummy derivatives and in the tangent chart, and much more
// in the chart of the mass matrix.
TEST(StateSpace, LocalErrorsOfTheFourBarLinkageDoNotDependOnTheChart) {
  struct Energy {
    double variation = 0.0, change = 0.0;
  };
  const auto energy_of = [](const Formulation& formulation) {
    const Solution solution = run(read_shipped("four_bar"),
                                  {.tolerance = 1e-7, .intervals = 2000, .formulation = formulation, .dense = false});
    const auto energy = solution.column("energy");
    Energy result{.change = std::abs(energy[energy.size() - 1] - energy[0])};
    for (std::size_t k = 1; k < energy.size(); ++k) result.variation += std::abs(energy[k] - energy[k - 1]);
    return result;
  };
  const Energy dummy = energy_of(formulation::Dummy{});
  EXPECT_LT(dummy.change, 0.05 * dummy.variation);
  for (const Chart chart : charts) {
    const Energy energy = energy_of(StateSpace{chart});
    fmt::print("{:36} energy: {:.2e} by all steps together, {:.2e} at the end\n",
               to_string(Formulation(StateSpace{chart})), energy.variation, energy.change);
    EXPECT_LT(energy.variation, 1.5 * dummy.variation);
    EXPECT_GT(energy.variation, dummy.variation / 1.5);
    if (chart == Chart::TangentMass) {
      EXPECT_GT(energy.change, 3.0 * dummy.change);
    }
  }
}

// ---- M35: a new chart at every step keeps the order of the method

Solution by_angle(double stop) {
  return run(read_shipped("pendulum_angle"), {.stop = stop,
                                              .intervals = 10,
                                              .method = method::ExplicitRungeKutta{method::Explicit::Rk4},
                                              .step = 1e-3,
                                              .dense = false});
}

double order_of(const Method& method, const Formulation& formulation, const std::vector<double>& steps) {
  const double stop = 2.0, phi = by_angle(stop).final("phi");
  std::vector<double> errors;
  for (const double h : steps) {
    const Solution solution =
        run(read_shipped("pendulum"),
            {.stop = stop, .intervals = 10, .formulation = formulation, .method = method, .step = h, .dense = false});
    EXPECT_LT(solution.largest_residual(), 1e-12);
    errors.push_back(std::hypot(solution.final("x") - std::sin(phi), solution.final("y") + std::cos(phi)));
  }
  double x = 0, y = 0, xx = 0, xy = 0;
  const auto n = static_cast<double>(steps.size());
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const double a = std::log(steps[k]), b = std::log(errors[k]);
    x += a, y += b, xx += a * a, xy += a * b;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

TEST(StateSpace, NewChartsAtEveryStepKeepTheOrder) {
  const std::vector<double> steps{0.025, 0.0125, 0.00625, 0.003125};
  const Method rk4 = method::ExplicitRungeKutta{method::Explicit::Rk4},
               heun = method::ExplicitRungeKutta{method::Explicit::Heun3};
  for (const Chart chart : {Chart::Tangent, Chart::TangentMass}) {
    EXPECT_NEAR(order_of(rk4, StateSpace{chart, true}, steps), 4.0, 0.15);
    EXPECT_NEAR(order_of(heun, StateSpace{chart, true}, steps), 3.0, 0.15);
  }
  EXPECT_NEAR(order_of(method::ConstantBdf{1}, StateSpace{Chart::Tangent, true}, {0.0025, 0.00125, 0.000625}), 1.0,
              0.15);
}

TEST(StateSpace, EveryStepHasAChartOfItsOwn) {
  const Solution solution = run(read_shipped("pendulum"), {.stop = 1.0,
                                                           .formulation = StateSpace{Chart::Tangent, true},
                                                           .method = method::ExplicitRungeKutta{method::Explicit::Rk4},
                                                           .step = 0.01});
  EXPECT_EQ(solution.statistics.pivots, solution.statistics.steps);
}

// ---- 7-H6: the pendulum in one angle, by the same method

TEST(StateSpace, AgreesWithThePendulumInItsAngle) {
  const double tolerance = 1e-8;
  const Method dopri = method::ExplicitRungeKutta{};
  const Solution in_angle = run(read_shipped("pendulum_angle"), {.tolerance = tolerance, .method = dopri});
  const Solution solution = run(read_shipped("pendulum"),
                                {.tolerance = tolerance, .formulation = StateSpace{Chart::Tangent}, .method = dopri});
  ASSERT_EQ(solution.times, in_angle.times);
  const auto x = solution.column("x"), y = solution.column("y"), phi = in_angle.column("phi");
  for (std::size_t k = 0; k < x.size(); ++k) {
    EXPECT_NEAR(x[k], std::sin(phi[k]), 300.0 * tolerance);
    EXPECT_NEAR(y[k], -std::cos(phi[k]), 300.0 * tolerance);
  }
  EXPECT_LT(solution.largest_residual(), 1e-13);
}

// ---- M6, 7-A1, 7-A2: examples 1 and 2 of Ascher & Petzold by the backward Euler method, h = 0.01

Solution backward_euler(Model model, PivotMode pivot, double stop = 1.0) {
  return run(model, {.stop = stop,
                     .intervals = 100,
                     .formulation = StateSpace{},
                     .method = method::ConstantBdf{1},
                     .step = 0.01,
                     .pivot = pivot,
                     .dense = false});
}

double error_at_end(const Solution& solution) {
  const double exact = std::exp(solution.stop);
  return std::max(std::abs(solution.final("x1") - exact), std::abs(solution.final("x2") - exact));
}

constexpr samples::AscherPetzold first_component{.nu = 1000.0, .first = StateSelect::Always};

TEST(StateSpace, ExampleTwoHasTheErrorOfThePaper) {
  const Solution solution = backward_euler(samples::ascher_petzold_2(first_component), PivotMode::Never);
  EXPECT_NEAR(error_at_end(solution), 1.3546e-5, 1e-9);
  EXPECT_LT(solution.largest_residual(), 1e-11);
  const Solution two_steps = backward_euler(samples::ascher_petzold_2(first_component), PivotMode::Never, 0.02);
  EXPECT_NEAR(two_steps.final("x1"), 1.0202111, 6e-8);
  EXPECT_NEAR(two_steps.final("x2"), 1.0202063, 6e-8);
}

// Monitoring finds nothing wrong with R = (1, 0): no restarts in example 2.
TEST(StateSpace, ExampleTwoKeepsItsChart) {
  const Solution solution = backward_euler(samples::ascher_petzold_2(first_component), PivotMode::Continue);
  EXPECT_EQ(solution.statistics.pivots, 0);
  EXPECT_NEAR(error_at_end(solution), 1.3546e-5, 1e-9);
}

// Fixed, R = (1, 0) steps over its singularities at (j + 1/2) pi/nu without a word.
TEST(StateSpace, ExampleOneWithOneChartStepsOverSingularities) {
  const Solution two_steps = backward_euler(samples::ascher_petzold_1(first_component), PivotMode::Never, 0.02);
  EXPECT_NEAR(two_steps.final("x1"), 1.0202038, 6e-8);
  EXPECT_NEAR(two_steps.final("x2"), 1.0201958, 6e-8);
  const Solution solution = backward_euler(samples::ascher_petzold_1(first_component), PivotMode::Never);
  EXPECT_NEAR(solution.final("x1") - std::exp(1.0), 8.415e-6, 1e-8);
  EXPECT_NEAR(solution.final("x2") - std::exp(1.0), -1.237e-5, 1e-8);
}

// Monitored, each of them is seen before it is stepped over: x1 stops being the state just before.
TEST(StateSpace, ExampleOneSeesEverySingularityInsideItsSteps) {
  const double nu = 1000.0;
  const Solution solution = backward_euler(samples::ascher_petzold_1({.nu = nu}), PivotMode::Continue);
  std::vector<double> left;
  for (const Pivot& pivot : solution.pivots)
    if (pivot.out == "x1") left.push_back(pivot.time);
  int singular = 0;
  for (double t = 0.5 * std::numbers::pi / nu; t < 1.0; t += std::numbers::pi / nu, ++singular)
    EXPECT_TRUE(std::ranges::any_of(left, [&](double at) { return at > t - 0.5 / nu && at < t + 0.3 / nu; })) << t;
  EXPECT_EQ(singular, 318);
  EXPECT_NEAR(static_cast<double>(left.size()), singular, 2.0);
  EXPECT_LT(solution.largest_residual(), 1e-12);
  fmt::print("example 1: {} chart changes, error {:.3g}\n", solution.statistics.pivots, error_at_end(solution));
  EXPECT_LT(error_at_end(solution), 4e-4);
}

// ---- M20: for linear constraints the overdetermined form is the state-space form

Model linear_constraint() {
  return read_text(R"(
    model Linkage
      Real x(start = 1, fixed = true), y(start = 0.5), lambda;
    initial equation
      der(x) = 0.3;
    equation
      2*der(der(x)) = -x^3 - lambda;
      der(der(y)) = -sin(y) - 2*lambda;
      x + 2*y = 2;
    end Linkage;)");
}

TEST(StateSpace, EqualsTheStateSpaceFormOfOverdeterminedEquationsForLinearConstraints) {
  const auto solve = [](const Formulation& formulation) {
    return run(linear_constraint(), {.stop = 1.0,
                                     .intervals = 10,
                                     .formulation = formulation,
                                     .method = method::ConstantBdf{2},
                                     .step = 0.02,
                                     .dense = false});
  };
  const Solution overdetermined = solve(formulation::Overdetermined{});
  for (const Chart chart : charts) {
    const Solution solution = solve(StateSpace{chart});
    for (const char* name : {"x", "y", "der(x)", "der(y)"})
      for (std::size_t k = 0; k < solution.times.size(); ++k)
        EXPECT_NEAR(overdetermined.column(name)[k], solution.column(name)[k], 1e-12) << name << solution.formulation;
  }
}

// ---- every kind of method runs in local coordinates

// Errors of the same size as those of the same method on dummy derivatives, and the constraints at rounding.
TEST(StateSpace, WorksWithEveryKindOfMethod) {
  const Model model = read_shipped("spherical_pendulum");
  const Solution reference = run(model, {.stop = 1.0, .tolerance = 1e-11, .intervals = 20, .dense = false});
  // A chart is kept until its coordinates are stretched fivefold; the error of an explicit method of order 4 contains
  // fourth derivatives of the chart.
  struct Case {
    Method method;
    double step, factor;
  };
  for (const Case& c : {Case{method::ConstantBdf{3}, 1e-3, 10.0}, Case{method::Radau{3}, 0.02, 10.0},
                        Case{method::ExplicitRungeKutta{method::Explicit::Rk4}, 0.005, 50.0}}) {
    const auto solve = [&](const Formulation& formulation) {
      return run(model, {.stop = 1.0,
                         .intervals = 20,
                         .formulation = formulation,
                         .method = c.method,
                         .step = c.step,
                         .dense = false});
    };
    const double error_of_dummy = distance(model, solve(formulation::Dummy{}), reference).error;
    EXPECT_LT(error_of_dummy, 1e-4) << to_string(c.method);
    for (const Chart chart : charts) {
      const Solution solution = solve(StateSpace{chart});
      EXPECT_LT(distance(model, solution, reference).error, c.factor * error_of_dummy)
          << solution.method << " " << solution.formulation;
      EXPECT_LT(solution.largest_residual(), 1e-11) << solution.method << " " << solution.formulation;
    }
  }
}

TEST(StateSpace, DenseOutputLiesOnTheConstraints) {
  for (const Chart chart : charts) {
    const Solution solution =
        run(rotating_pendulum(), {.stop = 3.0, .tolerance = 1e-5, .formulation = StateSpace{chart}});
    for (double t = 0.013; t < 3.0; t += 0.1)
      EXPECT_NEAR(std::hypot(solution.at(t, "x"), solution.at(t, "y")), 1.0, 1e-13) << t;
  }
}

}  // namespace
}  // namespace driftless
