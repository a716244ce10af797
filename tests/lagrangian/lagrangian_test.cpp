// Models that are given by a Lagrangian move as the same models whose equations were written by hand, and as closed
// forms say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "driftless/language/read.hpp"
#include "driftless/model/mechanics.hpp"
#include "driftless/simulate.hpp"

namespace driftless {
namespace {

const std::string source_dir = DRIFTLESS_SOURCE_DIR;

Model read_text(const std::string& text) {
  const auto sources = std::make_shared<Sources>();
  Diagnostics diagnostics;
  auto model = read_model_text("test.mo", text, {}, sources, diagnostics);
  if (!model) throw ModelError(diagnostics, *sources);
  return std::move(*model);
}

Model read_file(const std::string& path) {
  const auto sources = std::make_shared<Sources>();
  Diagnostics diagnostics;
  auto model = read_model_file(source_dir + "/models/" + path, {}, sources, diagnostics);
  if (!model) throw ModelError(diagnostics, *sources);
  return std::move(*model);
}

Solution run(const Model& model, const Method& method = method::Auto{}, double tolerance = 1e-12) {
  Solution solution = simulate(model, {.tolerance = tolerance, .intervals = 50, .method = method});
  EXPECT_EQ(solution.outcome, Outcome::Success) << solution.message;
  return solution;
}

using Exact = std::function<double(double t)>;

void expect_along(const Solution& solution, const std::string& name, const Exact& exact, double allowed) {
  const std::vector<double> values = solution.column(name);
  ASSERT_GT(values.size(), 10u);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double wanted = exact(solution.times[k]);
    EXPECT_NEAR(values[k], wanted, allowed * (1.0 + std::abs(wanted))) << name << " at t = " << solution.times[k];
  }
}

using Names = std::vector<std::pair<std::string, std::string>>;  // in the model by its energies, in the one by hand

void expect_same(const Solution& one, const Solution& other, const Names& names, double allowed) {
  ASSERT_EQ(one.times, other.times);
  for (const auto& [left, right] : names) {
    const std::vector<double> values = one.column(left), wanted = other.column(right);
    for (std::size_t k = 0; k < values.size(); ++k)
      EXPECT_NEAR(values[k], wanted[k], allowed * (1.0 + std::abs(wanted[k]))) << left << " at t = " << one.times[k];
  }
}

void expect_energy_constant(const Solution& solution, double allowed) {
  const std::vector<double> energy = solution.column("energy");
  for (const double value : energy) EXPECT_NEAR(value, energy.front(), allowed * (1.0 + std::abs(energy.front())));
}

// ---- pendula

TEST(LagrangianModels, PendulumInItsAngleIsTheOneWrittenByHand) {
  const Solution ours = run(read_file("lagrangian/pendulum_angle.mo"));
  expect_same(ours, run(read_file("pendulum_angle.mo")), {{"phi", "phi"}, {"der(phi)", "omega"}}, 1e-9);
  expect_energy_constant(ours, 1e-10);
}

TEST(LagrangianModels, PendulumInCartesianCoordinatesIsTheOneWrittenByHand) {
  const Model ours = read_file("lagrangian/pendulum.mo"), by_hand = read_file("pendulum.mo");
  expect_same(run(ours), run(by_hand),
              {{"x", "x"}, {"y", "y"}, {"der(x)", "der(x)"}, {"lambda[1]", "lambda"}, {"energy", "energy"}}, 1e-9);
  // and by a method that solves the rows, whose structure is that of the text written by hand
  expect_same(run(ours, method::Radau{}, 1e-11), run(by_hand), {{"x", "x"}, {"lambda[1]", "lambda"}}, 1e-8);
}

TEST(LagrangianModels, SphericalPendulumIsTheOneWrittenByHand) {
  expect_same(run(read_file("lagrangian/spherical_pendulum.mo")), run(read_file("spherical_pendulum.mo")),
              {{"r[1]", "x"}, {"r[2]", "y"}, {"r[3]", "z"}, {"lambda[1]", "lambda"}}, 1e-9);
}

TEST(LagrangianModels, DoublePendulumInAnglesIsTheOneInCartesianCoordinates) {
  const Solution angles = run(read_file("lagrangian/double_pendulum.mo")),
                 by_hand = run(read_file("double_pendulum.mo"));
  const std::vector<double> phi1 = angles.column("phi1"), phi2 = angles.column("phi2"), x2 = by_hand.column("x2"),
                            y2 = by_hand.column("y2");
  for (std::size_t k = 0; k < phi1.size(); ++k) {
    EXPECT_NEAR(std::sin(phi1[k]) + std::sin(phi2[k]), x2[k], 1e-9) << angles.times[k];
    EXPECT_NEAR(-std::cos(phi1[k]) - std::cos(phi2[k]), y2[k], 1e-9) << angles.times[k];
  }
  expect_energy_constant(angles, 1e-10);
}

// In the angle from the upward vertical: L phi'' = (g - a w² cos(w t)) sin(phi).
TEST(LagrangianModels, PivotThatMovesIsAConstraintInWhichTimeOccurs) {
  const Solution ours = run(read_file("lagrangian/driven_pendulum.mo"));
  const Solution by_hand = run(read_text(R"(model Angle
    parameter Real g = 9.81, L = 1, a = 0.2, w = 40;
    Real phi(start = 0.3, fixed = true), omega(start = 0, fixed = true);
    Real x = L*sin(phi), y = a*cos(w*time) + L*cos(phi);
  equation
    der(phi) = omega;
    L*der(omega) = (g - a*w^2*cos(w*time))*sin(phi);
    annotation(experiment(StopTime = 2));
  end Angle;)"));
  expect_same(ours, by_hand, {{"x", "x"}, {"y", "y"}}, 1e-9);
  EXPECT_TRUE(ours.invariants.empty());
  for (const double y : ours.column("y")) EXPECT_GT(y, 0.5) << "it stands upright";
}

// ---- the seven-body mechanism

TEST(LagrangianModels, SevenBodiesStartAsTheLiteratureSays) {
  const Solution ours = run(read_file("lagrangian/squeezer.mo"));
  const auto start = [&](const std::string& name) { return ours.column(name).front(); };
  // the last printed digit may be rounded
  EXPECT_NEAR(start("der(der(beta))"), 14222.44, 0.005);
  EXPECT_NEAR(start("der(der(Theta))"), -10666.83, 0.005);
  for (const char* name : {"gamma", "Phi", "delta", "Omega", "epsilon"})
    EXPECT_NEAR(start(fmt::format("der(der({}))", name)), 0.0, 1e-8) << name;
  EXPECT_NEAR(start("lambda1"), 98.56687, 5e-6);
  EXPECT_NEAR(start("lambda2"), -6.122688, 5e-7);
  for (const char* name : {"lambda3", "lambda4", "lambda5", "lambda6"}) EXPECT_NEAR(start(name), 0.0, 1e-10) << name;
}

TEST(LagrangianModels, SevenBodiesMoveAsTheReferenceSays) {
  const Solution ours = run(read_file("lagrangian/squeezer.mo"));
  std::ifstream file(source_dir + "/tests/references/squeezer.json");
  const auto reference = nlohmann::json::parse(file);
  const nlohmann::json values = reference.at("points").back().at("values");
  int compared = 0;
  for (const auto& column : ours.columns) {
    if (!values.contains(column.name)) continue;
    ++compared;
    const double wanted = values.at(column.name);
    EXPECT_NEAR(ours.column(column.name).back(), wanted, 1e-8 * (1.0 + std::abs(wanted))) << column.name;
  }
  EXPECT_GE(compared, 20) << "seven angles, seven velocities, six forces";
  expect_energy_constant(ours, 1e-9);
}

TEST(LagrangianModels, SevenBodiesMoveAsTheOnesWrittenByHand) {
  const Solution ours = run(read_file("lagrangian/squeezer.mo")), by_hand = run(read_file("squeezer.mo"));
  for (const char* name : {"beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon", "lambda1", "lambda6"})
    expect_same(ours, by_hand, {{name, name}}, 1e-8);
  expect_same(ours, by_hand, {{"energy", "energy"}}, 1e-9);
}

// ---- closed forms

// A bead on a rod that turns with w, released at rest on the rod: r = cosh(w t), and the rod pushes with 2 m w r'.
TEST(LagrangianModels, BeadOnATurningRodFliesOff) {
  const double w = 1.5;
  const Solution bead = run(read_text(R"(model Bead
    parameter Real m = 2, w = 1.5;
    Real x(start = 1, fixed = true), y(start = 0);
  initial equation
    der(x) = 0;
    annotation(experiment(StopTime = 2),
      __Driftless(lagrangian = m*(der(x)^2 + der(y)^2)/2, coordinates = {x, y},
                  constraints = {y*cos(w*time) == x*sin(w*time)}));
  end Bead;)"));
  expect_along(
      bead, "x", [&](double t) { return std::cosh(w * t) * std::cos(w * t); }, 1e-9);
  expect_along(
      bead, "lambda[1]", [&](double t) { return -2 * 2 * w * w * std::sinh(w * t); }, 1e-9);
}

// A force without a potential: x'' + 2 d x' + (1 + d²) x = 0 has x = e^(-d t) cos t.
TEST(LagrangianModels, ForceWithoutAPotentialDamps) {
  const Solution damped = run(read_text(R"(model Damped
    parameter Real d = 0.2;
    Real x(start = 1, fixed = true);
  initial equation
    der(x) = -d;
    annotation(experiment(StopTime = 5), __Driftless(lagrangian = der(x)^2/2 - (1 + d^2)*x^2/2, coordinates = {x},
                                                     forces = {-2*d*der(x)}));
  end Damped;)"));
  expect_along(
      damped, "x", [](double t) { return std::exp(-0.2 * t) * std::cos(t); }, 1e-9);
  EXPECT_TRUE(damped.invariants.empty());
}

// L = -sqrt(1 - v²) - x (units in which m = c = 1): constant force on a relativistic mass, x = 1 - sqrt(1 + t²).
TEST(LagrangianModels, KineticEnergyNeedNotBeQuadratic) {
  const Solution relativistic = run(read_text(R"(model Relativistic
    Real x(start = 0, fixed = true);
  initial equation
    der(x) = 0;
    annotation(experiment(StopTime = 3), __Driftless(lagrangian = -sqrt(1 - der(x)^2) - x, coordinates = {x}));
  end Relativistic;)"));
  expect_along(
      relativistic, "x", [](double t) { return 1 - std::sqrt(1 + t * t); }, 1e-9);
  expect_energy_constant(relativistic, 1e-9);
}

// A skate on a slope does not slide down: with the edge turning at rate w it moves along a cycloid,
// x = g sin²(w t)/(2 w²) (Neimark, Fufaev 1972).
TEST(LagrangianModels, SkateOnASlopeMovesAlongACycloid) {
  const double w = 1.3, g = 2.0;
  const Solution skate = run(read_text(R"(model Skate
    parameter Real g = 2, w = 1.3;
    Real x(start = 0, fixed = true), y(start = 0, fixed = true), a(start = 0, fixed = true);
  initial equation
    der(x) = 0;
    der(a) = w;
    annotation(experiment(StopTime = 5),
      __Driftless(lagrangian = (der(x)^2 + der(y)^2 + der(a)^2)/2 + g*x, coordinates = {x, y, a},
                  constraints = {der(x)*sin(a) == der(y)*cos(a)}));
  end Skate;)"));
  expect_along(
      skate, "x", [&](double t) { return g * std::pow(std::sin(w * t) / w, 2) / 2; }, 1e-9);
  expect_along(
      skate, "y", [&](double t) { return g * (w * t - std::sin(2 * w * t) / 2) / (2 * w * w); }, 1e-9);
}

// Other equations may stand beside the Lagrangian: a controller that pulls the mass back.
TEST(LagrangianModels, EquationsMayStandBeside) {
  const Solution held = run(read_text(R"(model Held
    Real x(start = 1, fixed = true), pull;
  initial equation
    der(x) = 0;
  equation
    pull = -4*x;
    annotation(experiment(StopTime = 3), __Driftless(lagrangian = der(x)^2/2, coordinates = {x}, forces = {pull}));
  end Held;)"));
  expect_along(
      held, "x", [](double t) { return std::cos(2 * t); }, 1e-9);
}

// ---- the same in C++

TEST(LagrangianModels, CppAndTextGiveTheSameMotion) {
  const Model model = constrained_motion(
      "Pendulum", {{.name = "x", .start = 1.0}, {.name = "y", .velocity = -1.0, .fixed = true}},
      [](Expr, const std::vector<Expr>& p, const std::vector<Expr>& v) {
        return Lagrangian{.kinetic = (v[0] * v[0] + v[1] * v[1]) / 2.0 - p[1],
                          .constraints = {{"rod", (p[0] * p[0] + p[1] * p[1] - 1.0) / 2.0, "lambda"}}};
      },
      {.stop = 10.0});
  expect_same(run(model), run(read_file("lagrangian/pendulum.mo")),
              {{"x", "x"}, {"lambda", "lambda[1]"}, {"energy", "energy"}}, 1e-9);
}

}  // namespace
}  // namespace driftless
