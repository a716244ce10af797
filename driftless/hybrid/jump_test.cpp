#include "driftless/hybrid/jump.hpp"

#include <cmath>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "driftless/hybrid/sample_jump.hpp"
#include "driftless/model/builder.hpp"

namespace driftless {
namespace {

using samples::rope_of_second_order;
using samples::SampleJump;
using testing::HasSubstr;

constexpr double tiny = 1e-13;

// Two rotors of inertia 2 and 3 that have one speed.
Model locked_rotors() {
  ModelBuilder m("LockedRotors");
  const Expr w1 = m.variable("w1"), w2 = m.variable("w2");
  const Expr torque = m.variable("torque", {.unit = "N.m"}), angle = m.variable("angle");
  m.equation(2.0 * der(w1) == 1.0 - torque);
  m.equation(3.0 * der(w2) == torque - 0.1 * w2 * w2);
  m.equation(w1 == w2, "clutch");
  m.equation(der(angle) == w1);
  return m.build();
}

TEST(Jump, ClosingAClutchKeepsAngularMomentum) {
  SampleJump jump(locked_rotors());
  ASSERT_TRUE(jump.from({{"w1", 5.0}, {"w2", 1.0}, {"angle", 0.3}, {"torque", 7.0}})) << jump.why;
  EXPECT_NEAR(jump("w1"), 13.0 / 5.0, tiny);
  EXPECT_NEAR(jump("w2"), 13.0 / 5.0, tiny);
  EXPECT_EQ(jump("angle"), 0.3);
  ASSERT_EQ(jump.jumped.impulses.size(), 1u);
  EXPECT_NEAR(jump.impulse("torque"), 3.0 * (13.0 / 5.0 - 1.0), tiny);
  EXPECT_EQ(jump.jumped.impulses[0].unit, "N.m.s");
  ASSERT_EQ(jump.jumped.jumps.size(), 2u);
  EXPECT_EQ(jump.jumped.jumps[0].name, "w1");
  EXPECT_EQ(jump.jumped.jumps[0].from, 5.0);
}

TEST(Jump, WhatIsSatisfiedKeepsItsValuesExactly) {
  SampleJump jump(locked_rotors());
  const double w = 1.0 / 3.0;
  ASSERT_TRUE(jump.from({{"w1", w}, {"w2", w}, {"angle", 0.1}})) << jump.why;
  EXPECT_EQ(jump("w1"), w);
  EXPECT_EQ(jump("w2"), w);
  EXPECT_EQ(jump("angle"), 0.1);
  EXPECT_TRUE(jump.jumped.jumps.empty());
  EXPECT_TRUE(jump.jumped.impulses.empty());
}

TEST(Jump, ACapacitorLoopKeepsCharge) {
  ModelBuilder m("Capacitors");
  const Expr v1 = m.variable("v1"), v2 = m.variable("v2"), i = m.variable("i", {.unit = "A"}), q = m.variable("q");
  const Expr i1 = m.variable("i1"), r = m.variable("r");
  m.equation(2e-6 * der(v1) == i1);
  m.equation(3e-6 * der(v2) == i - r);
  m.equation(r == v2 / 1000.0);
  m.equation(i1 == -i);
  m.equation(v1 == v2, "switch");
  m.equation(der(q) == i);
  SampleJump jump(m.build());
  ASSERT_TRUE(jump.from({{"v1", 10.0}, {"v2", -5.0}, {"q", 0.0}})) << jump.why;
  EXPECT_NEAR(jump("v1"), 1.0, 1e-12);
  EXPECT_NEAR(jump("v2"), 1.0, 1e-12);
  EXPECT_NEAR(jump.impulse("i") * 1e6, 18.0, 1e-11);
  EXPECT_NEAR(jump.impulse("i1") * 1e6, -18.0, 1e-11);
  EXPECT_EQ(jump.impulse("r"), 0.0);
  EXPECT_NEAR(jump("q") * 1e6, 18.0, 1e-11);  // the charge that has passed
}

// Two plates in vacuum: charges far below the nominal value 1 are impulses as well.
TEST(Jump, SmallImpulsesAreTold) {
  ModelBuilder m("Plates");
  const Expr v1 = m.variable("v1"), v2 = m.variable("v2"), i = m.variable("i"), leak = m.variable("leak");
  m.equation(2e-15 * der(v1) == -i - leak);
  m.equation(3e-15 * der(v2) == i);
  m.equation(leak == 1e-12 * v1);
  m.equation(v1 == v2, "switch");
  SampleJump jump(m.build());
  ASSERT_TRUE(jump.from({{"v1", 10.0}, {"v2", -5.0}})) << jump.why;
  ASSERT_EQ(jump.jumped.impulses.size(), 1u);
  EXPECT_NEAR(jump.impulse("i") * 1e15, 18.0, 1e-11);
}

// Written with charges that depend on voltages nonlinearly: q1(v) + q2(v) is kept.
TEST(Jump, NonlinearCapacitorsKeepCharge) {
  ModelBuilder m("Varactors");
  const Expr q1 = m.variable("q1"), q2 = m.variable("q2"), v1 = m.variable("v1"), v2 = m.variable("v2");
  const Expr i = m.variable("i");
  m.equation(q1 == v1 + 0.1 * v1 * v1 * v1);
  m.equation(q2 == 2.0 * v2);
  m.equation(der(q1) == -i);
  m.equation(der(q2) == i);
  m.equation(v1 == v2, "switch");
  SampleJump jump(m.build());
  ASSERT_TRUE(jump.from({{"q1", 3.0}, {"q2", 0.5}, {"v1", 2.0}, {"v2", 0.25}})) << jump.why;
  EXPECT_NEAR(jump("q1") + jump("q2"), 3.5, tiny);
  EXPECT_NEAR(jump("v1"), jump("v2"), tiny);
  EXPECT_NEAR(jump("q1"), jump("v1") + 0.1 * std::pow(jump("v1"), 3), tiny);
  EXPECT_NEAR(jump.impulse("i"), jump("q2") - 0.5, tiny);
}

TEST(Jump, AnInductorCutsetKeepsFlux) {
  ModelBuilder m("Inductors");
  const Expr i1 = m.variable("i1"), i2 = m.variable("i2"), u = m.variable("u", {.unit = "V"});
  m.equation(0.5 * der(i1) == 12.0 - 4.0 * i1 - u);
  m.equation(1.5 * der(i2) == u - 8.0 * i2);
  m.equation(i1 == i2, "node");
  SampleJump jump(m.build());
  ASSERT_TRUE(jump.from({{"i1", 3.0}, {"i2", 1.0}})) << jump.why;
  EXPECT_NEAR(jump("i1"), (0.5 * 3.0 + 1.5 * 1.0) / 2.0, tiny);
  EXPECT_NEAR(jump("i2"), jump("i1"), tiny);
  EXPECT_NEAR(jump.impulse("u"), 1.5 * (jump("i2") - 1.0), tiny);
}

// A mass of 2 on a rope of length 5 that is taut, at the point (3, -4): the velocity along the rope is lost.
struct RopeCase {
  const char* name;
  Model (*model)();
  samples::Named before;
  std::string vx, vy;
};

// With velocities as variables, and the direction of the rope and its length as algebraic ones.
Model rope_of_first_order() {
  ModelBuilder m("Rope");
  const Expr x = m.variable("x"), y = m.variable("y"), vx = m.variable("vx"), vy = m.variable("vy");
  const Expr force = m.variable("force"), nx = m.variable("nx"), ny = m.variable("ny"), r = m.variable("r");
  m.equation(der(x) == vx);
  m.equation(der(y) == vy);
  m.equation(2.0 * der(vx) == -force * nx);
  m.equation(2.0 * der(vy) == -force * ny - 19.62);
  m.equation(nx * r == x);
  m.equation(ny * r == y);
  m.equation(r == sqrt(x * x + y * y));
  m.equation(r == 5.0, "rope");
  return m.build();
}

class TautRope : public testing::TestWithParam<RopeCase> {};

TEST_P(TautRope, LosesTheVelocityAlongTheRope) {
  SampleJump jump(GetParam().model());
  ASSERT_TRUE(jump.from(GetParam().before)) << jump.why;
  const double along = 0.6 * 7.0 - 0.8 * -2.0;  // (vx, vy) = (7, -2)
  EXPECT_NEAR(jump(GetParam().vx), 7.0 - 0.6 * along, tiny);
  EXPECT_NEAR(jump(GetParam().vy), -2.0 + 0.8 * along, tiny);
  EXPECT_EQ(jump("x"), 3.0);
  EXPECT_EQ(jump("y"), -4.0);
  EXPECT_NEAR(jump.impulse("force"), 2.0 * along, tiny);
  EXPECT_EQ(jump.jumped.impulses.size(), 1u);
  EXPECT_TRUE(jump.jumps(GetParam().vx));
  EXPECT_FALSE(jump.jumps("x"));
}

INSTANTIATE_TEST_SUITE_P(
    Forms, TautRope,
    testing::Values(RopeCase{"SecondOrder",
                             rope_of_second_order,
                             {{"x", 3.0}, {"y", -4.0}, {"der(x)", 7.0}, {"der(y)", -2.0}},
                             "der(x)",
                             "der(y)"},
                    RopeCase{
                        "FirstOrder",
                        rope_of_first_order,
                        {{"x", 3.0}, {"y", -4.0}, {"vx", 7.0}, {"vy", -2.0}, {"r", 4.0}, {"nx", 0.5}, {"ny", -0.5}},
                        "vx",
                        "vy"}),
    [](const auto& form) { return form.param.name; });

TEST(Jump, PositionsDoNotJump) {
  SampleJump jump(rope_of_second_order());
  EXPECT_FALSE(jump.from({{"x", 3.5}, {"y", -4.0}, {"der(x)", 7.0}, {"der(y)", -2.0}}));
  EXPECT_THAT(jump.why, HasSubstr("rope: "));
  EXPECT_THAT(jump.why, HasSubstr("3.25"));
}

TEST(Jump, RoundingsOfPositionsAreRemoved) {
  SampleJump jump(rope_of_second_order());
  ASSERT_TRUE(jump.from({{"x", 3.0 + 1e-9}, {"y", -4.0}, {"der(x)", 0.0}, {"der(y)", 0.0}})) << jump.why;
  EXPECT_NEAR(std::hypot(jump("x"), jump("y")), 5.0, 1e-15);
  EXPECT_TRUE(jump.jumped.jumps.empty());
}

TEST(Jump, RoundingsOfTheVelocityAreNoJump) {
  SampleJump jump(rope_of_second_order());
  ASSERT_TRUE(jump.from({{"x", 3.0}, {"y", -4.0}, {"der(x)", 4.0}, {"der(y)", 3.0}})) << jump.why;
  EXPECT_EQ(jump("der(x)"), 4.0);
  EXPECT_EQ(jump("der(y)"), 3.0);
  EXPECT_TRUE(jump.jumped.impulses.empty());
}

// sin and cos do not satisfy the equations exactly: this must not move any value.
TEST(Jump, RoundingsOfEquationsMoveNothing) {
  SampleJump jump(rope_of_second_order());
  for (double angle = 0.1; angle < 6.0; angle += 0.1) {
    const double x = 5.0 * std::sin(angle), y = -5.0 * std::cos(angle);
    const double vx = 2.0 * std::cos(angle), vy = 2.0 * std::sin(angle);
    ASSERT_TRUE(jump.from({{"x", x}, {"y", y}, {"der(x)", vx}, {"der(y)", vy}})) << jump.why;
    EXPECT_EQ(jump("x"), x);
    EXPECT_EQ(jump("y"), y);
    EXPECT_EQ(jump("der(x)"), vx);
    EXPECT_EQ(jump("der(y)"), vy);
  }
}

TEST(Jump, AnImplicitSystemHasNone) {
  ModelBuilder m("Implicit");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(der(x) + der(y) == -x);
  m.equation(der(x) + der(y) == -y * y * y);
  const auto mode = samples::reduced(m.build());
  ASSERT_TRUE(mode->implicit);
  const auto outcome = JumpIntoMode(mode)(0.0, {{1.0}, {1.0}}, {});
  ASSERT_TRUE(std::holds_alternative<std::string>(outcome));
}

TEST(Jump, AMovingConstraintGivesItsVelocity) {
  ModelBuilder m("Hand");
  const Expr x = m.variable("x"), force = m.variable("force");
  m.equation(4.0 * der(der(x)) == force);
  m.equation(x == sin(m.time()), "hand");
  SampleJump jump(m.build());
  ASSERT_TRUE(jump.from({{"x", std::sin(2.0)}, {"der(x)", 1.0}}, {}, 2.0)) << jump.why;
  EXPECT_NEAR(jump("der(x)"), std::cos(2.0), tiny);
  EXPECT_NEAR(jump.impulse("force"), 4.0 * (std::cos(2.0) - 1.0), 4 * tiny);
}

// A double pendulum in minimal coordinates: the mass matrix depends on the angles. Its tip is caught by a vertical
// slot, so that the horizontal velocity of the tip vanishes: M (v1 - v0) = Gᵀ Λ, G v1 = 0.
TEST(Jump, ADoublePendulumIsCaught) {
  ModelBuilder m("Caught");
  const Expr p = m.variable("p"), q = m.variable("q"), slot = m.variable("slot"), force = m.variable("force");
  const Expr coupling = cos(p - q);
  m.equation(3.0 * der(der(p)) + coupling * der(der(q)) + sin(p - q) * der(q) * der(q) + 30.0 * sin(p) ==
             force * cos(p));
  m.equation(coupling * der(der(p)) + der(der(q)) - sin(p - q) * der(p) * der(p) + 10.0 * sin(q) == force * cos(q));
  m.equation(sin(p) + sin(q) == slot, "slot");
  m.equation(slot == 1.2);
  SampleJump jump(m.build());
  const double a = 0.5, b = std::asin(1.2 - std::sin(0.5));
  const Eigen::Vector2d before(1.5, -0.3);
  ASSERT_TRUE(jump.from({{"p", a}, {"q", b}, {"der(p)", before(0)}, {"der(q)", before(1)}, {"slot", 1.2}})) << jump.why;
  Eigen::Matrix2d mass;
  mass << 3.0, std::cos(a - b), std::cos(a - b), 1.0;
  const Eigen::Vector2d g(std::cos(a), std::cos(b));
  const Eigen::Vector2d w = mass.inverse() * g;
  const double impulse = -g.dot(before) / g.dot(w);
  const Eigen::Vector2d after = before + impulse * w;
  EXPECT_NEAR(jump("der(p)"), after(0), tiny);
  EXPECT_NEAR(jump("der(q)"), after(1), tiny);
  EXPECT_NEAR(jump.impulse("force"), impulse, tiny);
  EXPECT_NEAR(jump("p"), a, 1e-15);
}

// x[1], y[1], x[2], ...
std::string coordinate(int k) {
  std::string name = k % 2 == 0 ? "x[" : "y[";
  name += std::to_string(k / 2 + 1);
  return name += ']';
}

// Three masses in a row, joined by two rods one after the other: the forces of both act at once.
TEST(Jump, SeveralConstraintsAtOnce) {
  ModelBuilder m("Chain");
  std::vector<Expr> x = m.variables("x", 3), y = m.variables("y", 3), force = m.variables("force", 2);
  const auto rod = [&](int k, Expr a, Expr b) { return force[k] * (a - b); };
  m.equation(1.0 * der(der(x[0])) == -rod(0, x[0], x[1]));
  m.equation(1.0 * der(der(y[0])) == -rod(0, y[0], y[1]));
  m.equation(2.0 * der(der(x[1])) == rod(0, x[0], x[1]) - rod(1, x[1], x[2]));
  m.equation(2.0 * der(der(y[1])) == rod(0, y[0], y[1]) - rod(1, y[1], y[2]));
  m.equation(3.0 * der(der(x[2])) == rod(1, x[1], x[2]));
  m.equation(3.0 * der(der(y[2])) == rod(1, y[1], y[2]));
  for (int k = 0; k < 2; ++k)
    m.equation(pow(x[k] - x[k + 1], 2.0) + pow(y[k] - y[k + 1], 2.0) == 25.0, "rod " + std::to_string(k + 1));
  SampleJump jump(m.build());
  const Eigen::VectorXd at = (Eigen::VectorXd(6) << 0, 0, 3, 4, 8, 4).finished();  // x1 y1 x2 y2 x3 y3
  const Eigen::VectorXd v = (Eigen::VectorXd(6) << 1, 2, -1, 0.5, 0.25, -3).finished();
  samples::Named before;
  for (int k = 0; k < 6; ++k) {
    before.emplace_back(coordinate(k), at(k));
    before.emplace_back(derivative_name(coordinate(k), 1), v(k));
  }
  ASSERT_TRUE(jump.from(before)) << jump.why;
  Eigen::MatrixXd g = Eigen::MatrixXd::Zero(2, 6);
  g.row(0) << -3, -4, 3, 4, 0, 0;
  g.row(1) << 0, 0, -5, 0, 5, 0;
  const Eigen::VectorXd inverse_mass = (Eigen::VectorXd(6) << 1, 1, .5, .5, 1 / 3., 1 / 3.).finished();
  const Eigen::MatrixXd w = inverse_mass.asDiagonal() * g.transpose();
  const Eigen::VectorXd after = v - w * (g * w).ldlt().solve(g * v);
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(jump(derivative_name(coordinate(k), 1)), after(k), tiny);
  EXPECT_NEAR(jump("der(x[1])") + 2 * jump("der(x[2])") + 3 * jump("der(x[3])"), v(0) + 2 * v(2) + 3 * v(4), tiny);
}

// The force of friction is a fraction of the constraint force, and so is its impulse.
TEST(Jump, ForcesThatFollowFromImpulses) {
  ModelBuilder m("Floor");
  const Expr x = m.variable("x"), y = m.variable("y"), normal = m.variable("normal"), friction = m.variable("friction");
  const Expr power = m.variable("power");
  m.equation(2.0 * der(der(x)) == -friction);
  m.equation(2.0 * der(der(y)) == normal - 20.0);
  m.equation(friction == 0.3 * abs(normal));
  m.equation(y == 0.0, "floor");
  m.equation(power == friction * der(x));
  SampleJump jump(m.build());
  ASSERT_TRUE(jump.from({{"x", 1.0}, {"y", 0.0}, {"der(x)", 4.0}, {"der(y)", -5.0}})) << jump.why;
  EXPECT_NEAR(jump.impulse("normal"), 10.0, 10 * tiny);
  EXPECT_NEAR(jump.impulse("friction"), 3.0, 10 * tiny);
  EXPECT_NEAR(jump("der(x)"), 4.0 - 1.5, 10 * tiny);
  EXPECT_NEAR(jump.impulse("power"), 3.0 * 2.5, 10 * tiny);
}

TEST(Jump, EquationsThatAreNotLinearInAnImpulseAreRefused) {
  ModelBuilder m("Floor");
  const Expr x = m.variable("x"), y = m.variable("y"), normal = m.variable("normal"), drag = m.variable("drag");
  m.equation(2.0 * der(der(x)) == -drag);
  m.equation(2.0 * der(der(y)) == normal - 20.0);
  m.equation(drag == 0.3 * normal * normal, "drag");
  m.equation(y == 0.0, "floor");
  SampleJump jump(m.build());
  EXPECT_FALSE(jump.from({{"x", 1.0}, {"y", 0.0}, {"der(x)", 4.0}, {"der(y)", -5.0}}));
  EXPECT_THAT(jump.why, HasSubstr("drag: "));
}

// Nothing depends on it: it has no finite impulse, and the jump is found nevertheless.
TEST(Jump, WhatIsOnlyLookedAtMayBeNonlinear) {
  ModelBuilder m("Floor");
  const Expr y = m.variable("y"), normal = m.variable("normal"), heat = m.variable("heat"), log = m.variable("log");
  m.equation(2.0 * der(der(y)) == normal - 20.0);
  m.equation(heat == 0.3 * normal * normal, "heat");
  m.equation(log == 2.0 * heat);
  m.equation(y == 0.0, "floor");
  SampleJump jump(m.build());
  ASSERT_TRUE(jump.from({{"y", 0.0}, {"der(y)", -5.0}})) << jump.why;
  EXPECT_NEAR(jump("der(y)"), 0.0, tiny);
  ASSERT_EQ(jump.jumped.impulses.size(), 1u);
  EXPECT_NEAR(jump.impulse("normal"), 10.0, tiny);
}

// Strongly nonlinear laws in parts without impulse do not matter.
TEST(Jump, NonlinearPartsWithoutImpulseStay) {
  ModelBuilder m("Diode");
  const Expr v1 = m.variable("v1"), v2 = m.variable("v2"), i = m.variable("i");
  const Expr diode = m.variable("diode"), u = m.variable("u");
  m.equation(der(v1) == -i - diode);
  m.equation(3.0 * der(v2) == i);
  m.equation(v1 == v2, "switch");
  m.equation(diode == 1e-9 * (exp(40.0 * u) - 1.0));
  m.equation(v1 == u + 100.0 * diode);
  SampleJump jump(m.build());
  ASSERT_TRUE(jump.from({{"v1", 4.0}, {"v2", 0.0}, {"diode", 0.03}, {"u", 0.43}})) << jump.why;
  EXPECT_NEAR(jump("v1"), 1.0, tiny);
  EXPECT_NEAR(jump.impulse("i"), 3.0, tiny);
  EXPECT_EQ(jump.jumped.impulses.size(), 1u);
}

TEST(Jump, WithoutMemoryNothingJumps) {
  ModelBuilder m("Algebraic");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(x * x * x + y == 3.0);
  m.equation(y - x == 1.0);
  SampleJump jump(m.build());
  ASSERT_TRUE(jump.from({{"x", 7.0}, {"y", -2.0}})) << jump.why;
  EXPECT_TRUE(jump.jumped.jumps.empty());
  EXPECT_TRUE(jump.jumped.impulses.empty());
}

TEST(Jump, ADifferentialEquationKeepsEverything) {
  ModelBuilder m("Oscillator");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(der(der(x)) == -x + y);
  m.equation(y == exp(x));
  SampleJump jump(m.build());
  ASSERT_TRUE(jump.from({{"x", 0.1}, {"der(x)", 0.7}, {"y", -2.0}})) << jump.why;
  EXPECT_EQ(jump("x"), 0.1);
  EXPECT_EQ(jump("der(x)"), 0.7);
}

TEST(Jump, AVelocityThatWasUnknownIsNamed) {
  SampleJump jump(rope_of_second_order());
  EXPECT_FALSE(jump.from({{"x", 3.0}, {"y", -4.0}, {"der(x)", 0.0}}));
  EXPECT_THAT(jump.why, HasSubstr("der(y) has no value before the event"));
}

}  // namespace
}  // namespace driftless
