// Mechanisms that are put together from bodies and joints move like the same mechanisms written by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/model/multibody.hpp"
#include "driftless/simulate.hpp"
#include "tests/models/reference.hpp"

namespace driftless {
namespace {

constexpr double tolerance = 1e-8;

Solution solved(Model model) {
  const double stop = model.experiment.stop;
  Solution solution = simulate(std::move(model), {.stop = stop, .tolerance = tolerance, .method = method::Bdf{}});
  EXPECT_EQ(solution.outcome, Outcome::Success) << solution.message;
  return solution;
}

using Pairs = std::vector<std::pair<std::string, std::string>>;  // in the mechanism, in the text

void expect_same(Model mechanism, const std::string& shipped, const Pairs& names, double allowance) {
  const Solution one = solved(std::move(mechanism)), other = solved(read_shipped(shipped));
  ASSERT_EQ(one.stop, other.stop);
  for (const auto& [left, right] : names)
    for (int i = 0; i <= 20; ++i) {
      const double t = one.start + (one.stop - one.start) * i / 20, reference = other.at(t, right);
      EXPECT_NEAR(one.at(t, left), reference, allowance * tolerance * (1.0 + std::abs(reference)))
          << left << " at t = " << t;
    }
}

TEST(Multibody, PendulumIsTheOneWrittenByHand) {
  Mechanism m("Pendulum", {.gravity = 1.0, .experiment = {.stop = 10.0}});
  const Body bob = m.point_mass("bob", {.mass = 1.0, .x = 1.0});
  m.distance("rod", m.ground(0, 0), bob.centre(), 1.0);
  m.hold(bob.y, 0.0, -1.0);
  expect_same(m.build(), "pendulum", {{"bob.x", "x"}, {"bob.y", "y"}, {"rod.lambda", "lambda"}}, 100.0);
}

TEST(Multibody, DoublePendulumIsTheOneWrittenByHand) {
  Mechanism m("DoublePendulum", {.experiment = {.stop = 10.0}});
  const Body upper = m.point_mass("upper", {.x = 0.6, .y = -0.8}), lower = m.point_mass("lower", {.x = 1.2, .y = -1.6});
  m.distance("rod 1", m.ground(0, 0), upper.centre(), 1.0);
  m.distance("rod 2", upper.centre(), lower.centre(), 1.0);
  m.hold(upper.x, 0.6, 0.0);
  m.hold(lower.x, 1.2, 0.0);
  expect_same(m.build(), "double_pendulum",
              {{"upper.x", "x1"}, {"lower.y", "y2"}, {"rod 1.lambda", "lambda1"}, {"rod 2.lambda", "lambda2"}}, 100.0);
}

TEST(Multibody, SliderCrankIsTheOneWrittenByHand) {
  const double r = 0.1, l = 0.3;
  Mechanism m("SliderCrank", {.experiment = {.stop = 1.0}});
  // 0.01 kg m² about the bearing
  const Body crank = m.body("crank", {.mass = 0.6, .inertia = 0.01 - 0.6 * r * r / 4, .x = r / 2});
  const Body rod = m.body("rod", {.mass = 0.4, .inertia = 0.003, .x = r + l / 2});
  const Body slider = m.body("slider", {.mass = 0.5, .inertia = 1.0, .x = r + l});
  m.revolute("bearing", m.ground(0, 0), crank.at(-r / 2, 0));
  m.revolute("crank pin", crank.at(r / 2, 0), rod.at(-l / 2, 0));
  m.revolute("slider pin", slider.centre(), rod.at(l / 2, 0));
  m.prismatic("guide", m.ground(0, 0), slider.centre());
  m.hold(crank.angle, 0.0, 20.0);
  expect_same(m.build(), "slider_crank",
              {{"crank.angle", "alpha"},
               {"rod.x", "x"},
               {"rod.angle", "beta"},
               {"slider.x", "s"},
               {"crank pin.fx", "Fx"},
               {"crank pin.fy", "Fy"},
               {"slider pin.fx", "Hx"},
               {"slider pin.fy", "Hy"}},
              100.0);
}

TEST(Multibody, FourBarIsTheOneWrittenByHand) {
  const auto bar = [](Mechanism& m, const char* name, double mass, double length, double x, double y, double angle) {
    return m.body(name, {.mass = mass, .inertia = mass * length * length / 12, .x = x, .y = y, .angle = angle});
  };
  Mechanism m("FourBar", {.experiment = {.stop = 2.0}});
  const Body crank = bar(m, "crank", 1.0, 1.0, 0.5, 0.0, 0.0);
  const Body coupler = bar(m, "coupler", 3.0, 3.0, 1.9, 1.2, 0.9);
  const Body rocker = bar(m, "rocker", 2.5, 2.5, 3.0, 1.25, 1.6);
  m.revolute("O", m.ground(0, 0), crank.at(-0.5, 0));
  m.revolute("A", crank.at(0.5, 0), coupler.at(-1.5, 0));
  m.revolute("B", rocker.at(1.25, 0), coupler.at(1.5, 0));
  m.revolute("C", m.ground(3, 0), rocker.at(-1.25, 0));
  m.torque(crank, 5.0);
  m.hold(crank.angle, 0.0, 8.0);
  const Model model = m.build();
  EXPECT_TRUE(model.invariants.empty()) << "the torque does work";
  expect_same(
      model, "four_bar",
      {{"crank.angle", "phi1"}, {"coupler.angle", "phi2"}, {"rocker.angle", "phi3"}, {"B.fx", "Fx"}, {"B.fy", "Fy"}},
      2000.0);
}

// A mass on a damped spring is known in closed form: with c²/4 < k (m = 1), x = 1 + e^(-ct/2) (cos wt + c/(2w) sin wt).
TEST(Multibody, SpringAndDamperFollowTheClosedForm) {
  const double k = 4.0, c = 0.4, w = std::sqrt(k - c * c / 4);
  Mechanism m("Oscillator", {.gravity = 0.0, .experiment = {.stop = 5.0}});
  const Body mass = m.body("mass", {.x = 2.0});
  m.prismatic("guide", m.ground(0, 0), mass.centre());
  m.spring("spring", m.ground(0, 0), mass.centre(), {.stiffness = k, .length = 1.0, .damping = c});
  m.hold(mass.x, 2.0, 0.0);
  const Solution solution = solved(m.build());
  for (const double t : {0.5, 1.0, 2.5, 5.0})
    EXPECT_NEAR(solution.at(t, "mass.x"), 1 + std::exp(-c * t / 2) * (std::cos(w * t) + c / (2 * w) * std::sin(w * t)),
                200 * tolerance);
}

// A disc on a torsion spring, and a force at its rim that turns it as a torque would: J phi'' = -k phi + F r.
TEST(Multibody, TorsionSpringAndForceAtAPoint) {
  const double k = 2.0, J = 0.5, r = 0.1, F = 3.0, w = std::sqrt(k / J);
  Mechanism m("Disc", {.experiment = {.stop = 3.0}});
  const Body disc = m.body("disc", {.inertia = J});
  m.revolute("axle", m.ground(0, 0), disc.centre());
  m.torsion_spring("spring", m.ground(0, 0), disc.centre(), {.stiffness = k});
  m.force(disc.at(r, 0), -F * sin(disc.angle), F * cos(disc.angle));  // it turns with the disc
  m.hold(disc.angle, 0.0, 0.0);
  const Solution solution = solved(m.build());
  for (const double t : {1.0, 2.0, 3.0})
    EXPECT_NEAR(solution.at(t, "disc.angle"), F * r / k * (1 - std::cos(w * t)), 200 * tolerance);
}

}  // namespace
}  // namespace driftless
