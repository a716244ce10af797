// One text, many formulations: how each drifts, what it costs, and that all of them solve the same problem.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "driftless/integrate/steppers/ida/ida.hpp"
#include "tests/models/measure.hpp"

namespace driftless {
namespace {

using namespace formulation;

Solution run(const std::string& model, const Formulation& formulation, double stop, double tolerance, int intervals,
             const Method& method = method::Bdf{}) {
  return simulate(analyze(std::make_shared<const Model>(read_shipped(model)), formulation), {.stop = stop,
                                                                                             .tolerance = tolerance,
                                                                                             .intervals = intervals,
                                                                                             .formulation = formulation,
                                                                                             .method = method,
                                                                                             .dense = false});
}

// ---- drift

// |x² + y² - 1| and the size of its derivative along a run of the pendulum.
struct Drift {
  std::vector<double> times, position, velocity;

  explicit Drift(const Solution& solution) : times(solution.times) {
    const auto x = solution.column("x"), y = solution.column("y"), u = solution.column("der(x)"),
               v = solution.column("der(y)");
    for (std::size_t k = 0; k < times.size(); ++k) {
      position.push_back(std::abs(x[k] * x[k] + y[k] * y[k] - 1.0));
      velocity.push_back(std::abs(2.0 * (x[k] * u[k] + y[k] * v[k])));
    }
  }

  // max over begin <= t <= end.
  double largest(const std::vector<double>& residual, double begin, double end) const {
    double worst = 0.0;
    for (std::size_t k = 0; k < times.size(); ++k)
      if (begin <= times[k] && times[k] <= end) worst = std::max(worst, residual[k]);
    return worst;
  }

  // The exponent p of residual ~ t^p by least squares of the logarithms of its running maximum, for t >= begin.
  double exponent(const std::vector<double>& residual, double begin) const {
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, running = 0;
    for (std::size_t k = 0; k < times.size(); ++k) {
      running = std::max(running, residual[k]);
      if (times[k] < begin) continue;
      const double a = std::log(times[k]), b = std::log(running);
      n += 1, sx += a, sy += b, sxx += a * a, sxy += a * b;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
  }
};

// 46 periods. The laws are those of long times: the first steps, of low order, leave an offset.
constexpr double drift_tolerance = 1e-5, whole_run = 400.0, settled = 80.0;

Drift pendulum_drift(const Formulation& formulation, const Method& method = method::Bdf{}) {
  const Solution solution = run("pendulum", formulation, whole_run, drift_tolerance, 4000, method);
  EXPECT_TRUE(reached_end(solution.outcome)) << solution.message;
  const Drift drift(solution);
  const auto describe = [&](const char* level, const std::vector<double>& r) {
    return fmt::format("{} {:.2g} until {:g}, {:.2g} until {:g}, like t^{:.2f}", level, drift.largest(r, 0.0, settled),
                       settled, drift.largest(r, 0.0, whole_run), whole_run, drift.exponent(r, settled));
  };
  fmt::print("{:20} {};  {}\n", to_string(formulation), describe("position", drift.position),
             describe("velocity", drift.velocity));
  return drift;
}

// Within a few tolerances at all times, and not larger at the end than at the beginning but for chance.
void expect_newton_level(const Drift& drift, const std::vector<double>& residual) {
  EXPECT_LE(drift.largest(residual, 0.0, whole_run), 5.0 * drift_tolerance);
  EXPECT_LE(drift.largest(residual, whole_run - settled, whole_run), 6.0 * drift.largest(residual, 0.0, settled));
}

// From the time on when the offset of the start no longer counts.
void expect_power(const Drift& drift, const std::vector<double>& residual, double power) {
  EXPECT_NEAR(drift.exponent(residual, 2.0 * settled), power, 0.3);  // the steps themselves change with the drift
  EXPECT_GE(drift.largest(residual, 0.0, whole_run), 10.0 * drift_tolerance) << "too small to be a drift";
}

// Hairer & Wanner (1996), Theorem VII.2.1, for a one-step method without projections, as the theorem supposes. The
// errors of bdf change their sign with the order, and those of the velocity then partly cancel.
TEST(DriftLaws, Index1IsQuadraticInPositionAndLinearInVelocity) {
  const Drift drift = pendulum_drift(Index1{}, method::ExplicitRungeKutta{method::Explicit::Dopri5});
  expect_power(drift, drift.position, 2.0);
  expect_power(drift, drift.velocity, 1.0);
}

TEST(DriftLaws, Index2IsLinearInPositionAndKeepsTheVelocity) {
  const Drift drift = pendulum_drift(Index2{});
  expect_power(drift, drift.position, 1.0);
  expect_newton_level(drift, drift.velocity);
}

TEST(DriftLaws, GglAndStabilizedIndex1KeepBothLevels) {
  for (const Formulation& formulation : {Formulation(Ggl{}), Formulation(StabilizedIndex1{})}) {
    SCOPED_TRACE(to_string(formulation));
    const Drift drift = pendulum_drift(formulation);
    expect_newton_level(drift, drift.position);
    expect_newton_level(drift, drift.velocity);
  }
}

TEST(DriftLaws, DummyDerivativesKeepBothLevelsToRounding) {
  const Drift drift = pendulum_drift(Dummy{});
  EXPECT_LE(drift.largest(drift.position, 0.0, whole_run), 1e-14);
  EXPECT_LE(drift.largest(drift.velocity, 0.0, whole_run), 1e-14);
}

TEST(DriftLaws, BaumgarteIsBoundedAndSmallerForLargerGamma) {
  double before = HUGE_VAL;
  for (const double gamma : {0.1, 1.0, 10.0, 100.0}) {
    SCOPED_TRACE(gamma);
    const Drift drift = pendulum_drift(Baumgarte{.gamma = gamma});
    EXPECT_LE(drift.largest(drift.position, settled, whole_run), 3.0 * drift.largest(drift.position, 0.0, settled));
    EXPECT_LE(drift.largest(drift.velocity, settled, whole_run), 3.0 * drift.largest(drift.velocity, 0.0, settled));
    const double now = drift.largest(drift.position, 0.0, whole_run);
    EXPECT_LE(now, before / 3.0);
    before = now;
  }
}

// ---- Mattsson & Söderlind (1993), Tables 1 and 2: 1000 units of time at 1e-9
//
//            paper: steps  energy   length     here: steps  energy   length
//   case 1 b       26451   3.3e-6  -3.5e-6          43838  -9.8e-7   9.7e-7
//          c       27338  -1.1e-7    1e-11          35516  -2.9e-8   1.1e-16
//          d       26697  -1.5e-7    1e-11          24853  -2.0e-7   5.2e-11
//   case 2 b       68933   2.2e-3   1.6e-3          88353  -4.0e-5   2.8e-5
//          c      108731   7.9e-7    1e-11          82815  -2.4e-6   1.1e-16
//          d       84087   1.9e-5    1e-10          89502   2.4e-6   4.8e-10
//
// Iteration matrices of d in case 2: 6545 in the paper, 8563 here. In the paper lambda takes part in the error test of
// c and d as well, and model c restarts at each of 464 pivots.

struct Row {
  const char* name;
  const char* model;
  Formulation formulation;
  long steps;
  double energy, length;  // bounds of the errors, of the paper's orders of magnitude
};

class Tables : public ::testing::TestWithParam<Row> {};

// The steps are those of DASSL, which IDA takes as well.
TEST_P(Tables, StepsAndErrors) {
  if (!ida_available()) GTEST_SKIP() << "built without IDA";
  const Row& row = GetParam();
  const Solution solution = run(row.model, row.formulation, 1000.0, 1e-9, 10'000, method::Ida{});
  ASSERT_TRUE(reached_end(solution.outcome)) << solution.message;
  const auto x = solution.column("x"), y = solution.column("y"), u = solution.column("der(x)"),
             v = solution.column("der(y)");
  const auto energy = [&](std::size_t k) { return 0.5 * (u[k] * u[k] + v[k] * v[k]) + y[k]; };
  double length_error = 0.0;
  for (std::size_t k = 0; k < x.size(); ++k)
    length_error = std::max(length_error, std::abs(std::hypot(x[k], y[k]) - 1.0));
  const double energy_error = energy(x.size() - 1) - energy(0);
  fmt::print("{}: {} steps, {} residuals, {} Jacobians, energy {:.2g}, length {:.2g}\n", row.name,
             solution.statistics.steps, solution.statistics.residual_evaluations,
             solution.statistics.jacobian_evaluations, energy_error, length_error);
  EXPECT_NEAR(static_cast<double>(solution.statistics.steps), static_cast<double>(row.steps),
              0.2 * static_cast<double>(row.steps));
  EXPECT_LE(std::abs(energy_error), row.energy);
  EXPECT_LE(length_error, row.length);
  if (std::holds_alternative<Index1>(row.formulation)) {
    EXPECT_GE(length_error, 1e-3 * row.length) << "index 1 without a drift";
  }
}

INSTANTIATE_TEST_SUITE_P(MattssonSoderlind, Tables,
                         ::testing::Values(Row{"Case1ModelB", "pendulum_small", Index1{}, 43838, 1e-5, 1e-5},
                                           Row{"Case1ModelC", "pendulum_small", Dummy{}, 35516, 1e-6, 1e-9},
                                           Row{"Case1ModelD", "pendulum_small", Ggl{}, 24853, 1e-6, 1e-9},
                                           Row{"Case2ModelB", "pendulum", Index1{}, 88353, 1e-4, 1e-4},
                                           Row{"Case2ModelC", "pendulum", Dummy{}, 82815, 1e-5, 1e-9},
                                           Row{"Case2ModelD", "pendulum", Ggl{}, 89502, 2e-5, 1e-9}),
                         [](const auto& i) { return i.param.name; });

// ---- every mechanism, text unchanged

// Bounds of the errors, in tolerances. Forces take no part in the error test; index 2 forms find them by differencing
// velocities, worst in the first steps, and Newton's iteration leaves them a larger error than the motion. The car axis
// multiplies a disturbance of its start by 23; under stabilized-index1 its error is six times that of the others.
struct Mechanism {
  const char* model;
  double stop;
  double motion, forces;
  std::vector<const char*> formulations = {"dummy",
                                           "index1",
                                           "index2",
                                           "baumgarte",
                                           "damped-index2",
                                           "ggl",
                                           "ggl:D=mass",
                                           "stabilized-index1",
                                           "stabilized-index1:D=mass",
                                           "pa",
                                           "pb",
                                           "pb:D=mass",
                                           "pc",
                                           "stabilized-ode",
                                           "stabilized-ode:D=mass"};
  double of_drifting_levels = 1.0;
};

// Constraints that are differentiated four times, and no masses. Damped index 2 fails in the first, tiny steps of the
// two pendula. The forces of the crane follow from third and fourth derivatives of its path, which drift under
// projected-invariants with one or two levels. Of a constraint that is differentiated four times these impose one or
// two of four levels; the others are integrated, g^(4) = 0, and drift like polynomials of the time. For the two
// pendula, where the motion itself hangs on them, such forms are allowed four times the errors of the others.
const std::vector<const char*> of_higher_order{"dummy",
                                               "index1",
                                               "index2",
                                               "baumgarte",
                                               "ggl",
                                               "ggl:D=unit",
                                               "stabilized-index1",
                                               "pa",
                                               "pb",
                                               "pc",
                                               "stabilized-ode",
                                               "projected-invariants:levels=4"};

class Mechanisms : public ::testing::TestWithParam<Mechanism> {};

TEST_P(Mechanisms, MoveAlikeUnderEveryFormulation) {
  const auto& [name, stop, most_in_motion, most_in_forces, formulations, of_drifting_levels] = GetParam();
  const auto model = std::make_shared<const Model>(read_shipped(name));
  const std::vector<int> d = analyze(model).shape.offsets.d;
  constexpr double tolerance = 1e-6;
  const auto solve = [&, end = stop](const Formulation& formulation, double tol) {
    return simulate(
        analyze(model, formulation),
        {.stop = end, .tolerance = tol, .intervals = 100, .formulation = formulation, .method = method::Bdf{}});
  };
  const Solution exact = solve(Dummy{}, 1e-3 * tolerance);
  ASSERT_TRUE(reached_end(exact.outcome)) << exact.message;
  for (const char* text : formulations) {
    SCOPED_TRACE(text);
    const Formulation formulation = *parse_formulation(text);
    const auto* invariants = std::get_if<ProjectedInvariants>(&formulation);
    const double more = invariants && invariants->levels < 4 ? of_drifting_levels : 1.0;
    const double largest_in_motion = more * most_in_motion, largest_in_forces = more * most_in_forces;
    const Solution solution = solve(formulation, tolerance);
    ASSERT_TRUE(reached_end(solution.outcome)) << solution.message;
    Worst motion, forces;
    for (std::size_t j = 0; j < model->variables.size(); ++j) {
      const Variable& variable = model->variables[j];
      const auto a = exact.column(variable.name), b = solution.column(variable.name);
      for (std::size_t k = 0; k < a.size(); ++k)
        (d[j] > 0 ? motion : forces)
            .see(std::abs(a[k] - b[k]) / (std::abs(a[k]) + variable.nominal), variable.name, exact.times[k]);
    }
    fmt::print("{:20} {:18} {:4} steps, errors in tolerances: {:.2g} ({} at {:.3g}), {:.2g} ({} at {:.3g})\n", name,
               to_string(formulation), solution.statistics.steps, motion.error / tolerance, motion.name, motion.t,
               forces.error / tolerance, forces.name, forces.t);
    EXPECT_LE(motion.error, largest_in_motion * tolerance) << motion.name << " at t = " << motion.t;
    EXPECT_LE(forces.error, largest_in_forces * tolerance) << forces.name << " at t = " << forces.t;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Models, Mechanisms,
    ::testing::Values(Mechanism{"pendulum", 3.0, 20, 200}, Mechanism{"pendulum_first_order", 3.0, 20, 200},
                      Mechanism{"spherical_pendulum", 2.0, 20, 200}, Mechanism{"double_pendulum", 2.0, 20, 400},
                      Mechanism{"slider_crank", 0.3, 20, 200}, Mechanism{"four_bar", 0.5, 20, 1000},
                      Mechanism{"squeezer", 0.01, 60, 5000}, Mechanism{"chain", 1.0, 40, 3000},
                      Mechanism{"car_axis", 1.0, 2000, 50}, Mechanism{"fekete", 10.0, 40, 100},
                      Mechanism{"jay", 1.0, 40, 50}, Mechanism{"knife_edge", 5.0, 40, 200},
                      Mechanism{"two_pendula", 1.0, 25, 60, of_higher_order, 4},
                      Mechanism{"crane", 5.0, 40, 3000, of_higher_order}),
    [](const auto& i) { return i.param.model; });

}  // namespace
}  // namespace driftless
