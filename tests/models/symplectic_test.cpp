// Symplectic methods: orders, energy and constraints over long times, symmetry, and models they refuse.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "driftless/integrate/steppers/stepper.hpp"
#include "tests/models/measure.hpp"

namespace driftless {
namespace {

using formulation::Index1;
using formulation::Original;
using method::Symplectic;
using method::SymplecticKind;

const Symplectic euler{SymplecticKind::Euler}, verlet{SymplecticKind::StoermerVerlet}, shake{SymplecticKind::Shake},
    rattle{SymplecticKind::Rattle};
Symplectic lobatto_pair(int stages) { return {SymplecticKind::LobattoPair, stages}; }

Solution run(const Model& model, const Formulation& formulation, const Method& method, double h, double stop,
             int intervals = 1) {
  const Solution solution =
      simulate(analyze(std::make_shared<const Model>(model), formulation),
               {.stop = stop, .intervals = intervals, .method = method, .step = h, .dense = false});
  EXPECT_TRUE(reached_end(solution.outcome)) << solution.message;
  return solution;
}

// ---- orders, at t = 1 against phi'' = -sin phi

struct Row {
  Symplectic method;
  double h, order;
};
void PrintTo(const Row& row, std::ostream* out) { *out << to_string(Method(row.method)); }

class SymplecticOrders : public testing::TestWithParam<Row> {};

INSTANTIATE_TEST_SUITE_P(Methods, SymplecticOrders,
                         testing::Values(Row{euler, 1.0 / 64, 1}, Row{shake, 1.0 / 64, 2}, Row{rattle, 1.0 / 64, 2},
                                         Row{lobatto_pair(3), 1.0 / 32, 4}, Row{lobatto_pair(4), 1.0 / 8, 6}),
                         [](const auto& row) {
                           std::string name = to_string(Method(row.param.method));
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST_P(SymplecticOrders, OnThePendulum) {
  const Reference reference = read_reference("pendulum");
  const auto exact = std::ranges::find(reference.points, 1.0, &Reference::Point::t);
  const auto errors = [&](double h) {
    const Solution solution = run(read_shipped("pendulum"), Original{}, GetParam().method, h, 1.0);
    const auto error = [&](const char* name) { return std::abs(solution.final(name) - exact->values.at(name)); };
    return std::vector{std::max(error("x"), error("y")), std::max(error("der(x)"), error("der(y)")), error("lambda")};
  };
  const auto coarse = errors(GetParam().h), fine = errors(GetParam().h / 2);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(std::log2(coarse[k] / fine[k]), GetParam().order, 0.15) << k;
}

// Every level of the constraint is known in each of them: the discrete solution is the same.
TEST(SymplecticMethods, DoNotDependOnTheFormulation) {
  const Model pendulum = read_shipped("pendulum");
  const double x = run(pendulum, Original{}, lobatto_pair(3), 0.05, 2.0).final("x");
  for (const Formulation& formulation :
       {Formulation(Index1{}), Formulation(formulation::Index2{}), Formulation(formulation::Dummy{})})
    EXPECT_NEAR(run(pendulum, formulation, lobatto_pair(3), 0.05, 2.0).final("x"), x, 1e-13) << to_string(formulation);
}

// ---- long runs on the spherical pendulum

struct LongRun {
  std::vector<double> energy;  // error at the output points
  double position = 0.0, velocity = 0.0, momentum = 0.0;

  LongRun(const Formulation& formulation, const Method& method, double h, double stop, double every) {
    const Solution solution = run(read_shipped("spherical_pendulum"), formulation, method, h, stop,
                                  static_cast<int>(std::lround(stop / every)));
    const auto x = solution.column("x"), y = solution.column("y"), z = solution.column("z"),
               u = solution.column("der(x)"), v = solution.column("der(y)"), w = solution.column("der(z)");
    const double start = 0.5 * 1.5 * 1.5;
    for (std::size_t k = 0; k < x.size(); ++k) {
      energy.push_back(0.5 * (u[k] * u[k] + v[k] * v[k] + w[k] * w[k]) + 9.81 * z[k] - start);
      position = std::max(position, std::abs(x[k] * x[k] + y[k] * y[k] + z[k] * z[k] - 1.0));
      velocity = std::max(velocity, std::abs(x[k] * u[k] + y[k] * v[k] + z[k] * w[k]));
      momentum = std::max(momentum, std::abs(x[k] * v[k] - y[k] * u[k] - 1.5));
    }
  }

  double largest() const {
    return std::abs(*std::ranges::max_element(energy, {}, [](double e) { return std::abs(e); }));
  }
  // The change of the mean error from the first to the last eighth.
  double drift() const {
    const std::size_t part = energy.size() / 8;
    double sum = 0.0;
    for (std::size_t k = 0; k < part; ++k) sum += energy[energy.size() - 1 - k] - energy[k];
    return std::abs(sum) / static_cast<double>(part);
  }
};

TEST(SphericalPendulum, EnergyDoesNotDriftOverAHundredThousandSteps) {
  const LongRun second(Original{}, rattle, 0.01, 1000.0, 0.2);
  EXPECT_LT(second.largest(), 4e-3);
  EXPECT_LT(second.drift(), 1e-3 * second.largest());
  EXPECT_LT(second.position, 1e-15);
  EXPECT_LT(second.velocity, 2e-15);
  EXPECT_LT(second.momentum, 2e-12);

  const LongRun fourth(Original{}, lobatto_pair(3), 0.02, 1000.0, 0.2);
  EXPECT_LT(fourth.largest(), 1e-6);
  EXPECT_LT(fourth.drift(), 1e-3 * fourth.largest());
  EXPECT_LT(fourth.position, 1e-15);
  EXPECT_LT(fourth.velocity, 2e-15);
}

TEST(SphericalPendulum, EnergyDriftsWithAMethodThatIsNotSymplectic) {
  const LongRun radau(formulation::Index2{}, method::Radau{2}, 0.01, 100.0, 0.05);
  EXPECT_GT(radau.drift(), 0.8 * radau.largest());
  EXPECT_GT(radau.momentum, 1e-3);
}

// And here even its velocities: for a quadratic constraint half an acceleration leads from those between the steps
// exactly onto G v = 0.
TEST(SphericalPendulum, ShakeHasThePositionsOfRattle) {
  const Model model = read_shipped("spherical_pendulum");
  const Solution one = run(model, Index1{}, shake, 0.01, 5.0, 500),
                 other = run(model, Index1{}, rattle, 0.01, 5.0, 500);
  for (const char* name : {"x", "y", "z"}) {
    const auto a = one.column(name), b = other.column(name);
    for (std::size_t k = 0; k < a.size(); ++k) ASSERT_NEAR(a[k], b[k], 1e-11) << name << " at " << one.times[k];
  }
  EXPECT_NEAR(one.final("der(x)"), other.final("der(x)"), 1e-11);
  EXPECT_LT(LongRun(Index1{}, shake, 0.01, 5.0, 0.01).position, 1e-15);
}

// ---- symmetry: n steps, velocities reversed, n steps lead back to the start

double distance_after_return(const Symplectic& method) {
  const auto analysis = analyze(std::make_shared<const Model>(read_shipped("spherical_pendulum")), Original{});
  Diagnostics diagnostics;
  const State start = std::get<State>(initialize(*analysis.base, 0.0, diagnostics));
  System system(analysis.reduced, Backend::Interpreter);
  Problem problem(system);
  problem.set_states(analysis.reduced->permanent);
  const int steps = 100;
  const auto stepper = make_stepper(method, problem, start, {.stop = 10.0, .step = 0.02});
  const auto reverse = [&] {
    std::vector<double> y(stepper->y().begin(), stepper->y().end()), yp(stepper->yp().begin(), stepper->yp().end());
    for (std::size_t s = 0; s < y.size(); ++s) (analysis.reduced->slots[s].quantity.order == 1 ? y : yp)[s] *= -1.0;
    for (std::size_t s = 0; s < y.size(); ++s)
      if (analysis.reduced->slots[s].quantity.order == 1) yp[s] = stepper->yp()[s];
    stepper->replace(y, yp);
  };
  for (int k = 0; k < steps; ++k) EXPECT_EQ(stepper->step().outcome, Outcome::Success);
  reverse();
  for (int k = 0; k < steps; ++k) EXPECT_EQ(stepper->step().outcome, Outcome::Success);
  reverse();
  double worst = 0.0;
  for (std::size_t s = 0; s < start.y.size(); ++s) worst = std::max(worst, std::abs(stepper->y()[s] - start.y[s]));
  return worst;
}

TEST(Symmetry, RattleAndTheLobattoPairsComeBack) {
  EXPECT_LT(distance_after_return(rattle), 1e-11);
  EXPECT_LT(distance_after_return(lobatto_pair(3)), 1e-11);
  EXPECT_LT(distance_after_return(lobatto_pair(4)), 1e-11);
  EXPECT_GT(distance_after_return(euler), 1e-2);
}

// ---- perturbed Kepler problem (Hairer, Wanner 1996, Figure VII.2.3)

const std::string kepler = R"(
  model Kepler
    parameter Real k = 0.005;
    Real q1(start = 0.4, fixed = true), q2(start = 0, fixed = true);
    Real r;
  initial equation
    der(q1) = 0;
    der(q2) = 2;
  equation
    r = sqrt(q1^2 + q2^2);
    der(der(q1)) = -q1/r^3 - 3*k*q1/r^5;
    der(der(q2)) = -q2/r^3 - 3*k*q2/r^5;
  end Kepler;)";

struct Orbit {
  double narrowest = HUGE_VAL, widest = 0.0;  // over the last quarter
  double energy_end = 0.0, energy_largest = 0.0, momentum_end = 0.0;
};

Orbit orbit_of(const Method& method, double h) {
  const Solution solution = run(read_text(kepler), Index1{}, method, h, 100.0, static_cast<int>(std::lround(100 / h)));
  const auto q1 = solution.column("q1"), q2 = solution.column("q2"), p1 = solution.column("der(q1)"),
             p2 = solution.column("der(q2)");
  Orbit orbit;
  for (std::size_t k = 0; k < q1.size(); ++k) {
    const double r = std::hypot(q1[k], q2[k]);
    orbit.energy_end = (p1[k] * p1[k] + p2[k] * p2[k]) / 2 - 1 / r - 0.005 / (r * r * r) + 0.578125;
    orbit.energy_largest = std::max(orbit.energy_largest, std::abs(orbit.energy_end));
    orbit.momentum_end = std::abs(q1[k] * p2[k] - q2[k] * p1[k] - 0.8);
    if (solution.times[k] < 75.0) continue;
    orbit.narrowest = std::min(orbit.narrowest, r);
    orbit.widest = std::max(orbit.widest, r);
  }
  return orbit;
}

TEST(Kepler, SymplecticEulerKeepsTheAnnulus) {
  const Orbit orbit = orbit_of(euler, 0.01);
  EXPECT_NEAR(orbit.narrowest, 0.400, 5e-4);
  EXPECT_NEAR(orbit.widest, 1.316, 5e-4);
  EXPECT_NEAR(orbit.widest - orbit.narrowest, 0.9133, 0.01 * 0.9133);  // of the exact orbit
  EXPECT_NEAR(orbit.energy_largest, 1.4e-2, 5e-4);
  EXPECT_NEAR(orbit.energy_end, -6e-4, 5e-5);
  EXPECT_LT(orbit.momentum_end, 1e-13);
}

TEST(Kepler, HigherOrderKeepsItBetter) {
  const Orbit second = orbit_of(verlet, 0.01), fourth = orbit_of(lobatto_pair(3), 0.01);
  EXPECT_LT(second.energy_largest, 2e-3);
  EXPECT_LT(fourth.energy_largest, 2e-6);
  EXPECT_LT(second.momentum_end, 1e-12);
  EXPECT_LT(fourth.momentum_end, 1e-12);
}

// ---- what is refused

std::string refusal(const Model& model, const Formulation& formulation, const Symplectic& method) {
  try {
    simulate(analyze(std::make_shared<const Model>(model), formulation), {.stop = 0.1, .method = method, .step = 0.01});
    return "";
  } catch (const ModelError& error) {
    return error.what();
  }
}

// Accelerations that only the rows know, through a constant mass matrix: two masses on springs, x + y = cos t and
// x - y = cos(sqrt(3) t).
TEST(SymplecticMethods, SolveForAccelerationsInRows) {
  const Model springs = read_text(R"(
    model Springs
      Real x(start = 1, fixed = true), y(start = 0, fixed = true);
    initial equation
      der(x) = 0;
      der(y) = 0;
    equation
      2*der(der(x)) + der(der(y)) = -3*x;
      der(der(x)) + 2*der(der(y)) = -3*y;
    end Springs;)");
  const auto error = [&](const Symplectic& method, double h) {
    const double slow = std::cos(1.0), fast = std::cos(std::sqrt(3.0));
    return std::abs(run(springs, Index1{}, method, h, 1.0).final("x") - (slow + fast) / 2);
  };
  EXPECT_NEAR(std::log2(error(verlet, 0.05) / error(verlet, 0.025)), 2.0, 0.15);
  EXPECT_NEAR(std::log2(error(lobatto_pair(3), 0.05) / error(lobatto_pair(3), 0.025)), 4.0, 0.15);
}

TEST(SymplecticMethods, SayWhyAModelIsNotOfTheirKind) {
  using testing::HasSubstr;
  EXPECT_THAT(refusal(read_shipped("squeezer"), Original{}, rattle), HasSubstr("depends on the velocity der(beta)"));
  EXPECT_THAT(refusal(read_shipped("jay"), Original{}, rattle), HasSubstr("y1 is neither a position nor"));
  EXPECT_THAT(refusal(read_shipped("crane"), Original{}, rattle), HasSubstr("has to be differentiated"));
  EXPECT_THAT(refusal(read_shipped("pendulum"), formulation::Ggl{}, rattle), HasSubstr("adds multipliers"));
  EXPECT_THAT(refusal(read_shipped("pendulum"), Original{}, verlet), HasSubstr("rattle"));
  const Model changing_mass = read_text(R"(
    model ChangingMass
      Real x(start = 1, fixed = true), y(start = 0, fixed = true);
      Real f;
    equation
      (2 + x)*der(der(x)) + f*der(der(y)) = -x;
      der(der(x)) + 3*der(der(y)) = -y;
      f^3 + f = x;
    end ChangingMass;)");
  EXPECT_THAT(refusal(changing_mass, Index1{}, rattle), HasSubstr("is not constant"));
}

}  // namespace
}  // namespace driftless
