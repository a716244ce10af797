// The meaning of starts: those of states are used exactly, unknowns without one begin at 0, the rest follows.
#include <cmath>
#include <random>

#include "driftless/initialize/sample_start.hpp"

namespace driftless {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr double rounding = 1e-13;

// ---- states keep their starts, however far algebraic unknowns move

TEST(Starts, AlgebraicUnknownsOfAnySizeFollow) {
  ModelBuilder m("Large");
  const Expr x = m.variable("x", {.start = 1.0}), y = m.variable("y");
  m.equation(der(x) == -x);
  m.equation(y + 0.5 * sin(y) == 1e5 * x);
  const Start start(m.build());
  ASSERT_TRUE(start.found());
  EXPECT_EQ(start("x"), 1.0);
  EXPECT_NEAR(start("y") + 0.5 * std::sin(start("y")), 1e5, 1e-9);
}

TEST(Starts, GasKeepsItsTemperature) {
  ModelBuilder m("Gas");
  const Expr temperature = m.variable("T", {.start = 300.0}), p = m.variable("p");
  m.equation(der(temperature) == -0.1 * (temperature - 293.15));
  m.equation(p * (1.0 + 1e-7 * p) == 344.4 * temperature);
  const Start start(m.build());
  ASSERT_TRUE(start.found());
  EXPECT_EQ(start("T"), 300.0);
  EXPECT_GT(start("p"), 0.0);
}

TEST(Starts, ImplicitDerivativesFollow) {
  ModelBuilder m("Coupled");
  const Expr x = m.variable("x", {.start = 1.0}), y = m.variable("y"), z = m.variable("z");
  m.equation(x * der(x) + 2.0 * der(y) + 3.0 * der(z) == 4.0);
  m.equation(2.0 * der(x) + der(y) + 3.0 * der(z) == 5.0);
  m.equation(2.0 * der(x) + 2.0 * der(y) + der(z) == 6.0);
  const Start start(m.build());
  ASSERT_TRUE(start.found());
  EXPECT_EQ(start("x"), 1.0);
  EXPECT_EQ(start("y"), 0.0);
  EXPECT_EQ(start("z"), 0.0);
  EXPECT_NEAR(start("x", 1), 2.0, rounding);
}

TEST(Starts, WhatHasNoStartBeginsAtRest) {
  ModelBuilder m("MassSpringDamper");
  const Expr x = m.variable("x", {.start = 0.1}), v = m.variable("v"), a = m.variable("a"), f = m.variable("F");
  m.equation(der(x) == v);
  m.equation(2.0 * a == f);
  m.equation(a == der(v));
  m.equation(f + 50.0 * x + 3.0 * v == 0.0);
  const Start start(m.build());
  ASSERT_TRUE(start.found());
  EXPECT_EQ(start("x"), 0.1);
  EXPECT_EQ(start("v"), 0.0);
  EXPECT_NEAR(start("a"), -2.5, rounding);
}

// v = 3 der(x) is no slot: its start is that of der(x).
TEST(Starts, OfADefinedVelocity) {
  ModelBuilder m("Scaled");
  const Expr x = m.variable("x"), v = m.variable("v", {.start = 0.5});
  m.equation(3.0 * der(x) == v);
  m.equation(der(v) == -x);
  const Start start(m.build());
  ASSERT_TRUE(start.found());
  EXPECT_EQ(start("x"), 0.0);
  EXPECT_NEAR(start("v"), 0.5, 1e-16);
}

Model pendulum_of_length(double length, std::optional<double> x0, std::optional<double> y0,
                         std::optional<double> v0 = {}) {
  ModelBuilder m("Pendulum");
  const Expr x = m.variable("x", {.start = x0}), y = m.variable("y", {.start = y0}), l = m.variable("lambda");
  const Expr vx = m.variable("vx", {.start = v0}), vy = m.variable("vy");
  m.equation(der(x) == vx);
  m.equation(der(y) == vy);
  m.equation(der(vx) == -l * x);
  m.equation(der(vy) == -l * y - 9.81);
  m.equation(x * x + y * y == length * length, "rod");
  return m.build();
}

// At y = 0 the slope of the rod in y vanishes, but x is what the user gave.
TEST(Starts, TheOneThatWasGivenIsKept) {
  const Start start(pendulum_of_length(2.0, 1.0, {}, 0.5));
  ASSERT_TRUE(start.found());
  EXPECT_EQ(start("x"), 1.0);
  EXPECT_EQ(start("vx"), 0.5);
  EXPECT_NEAR(std::abs(start("y")), std::sqrt(3.0), rounding);
  EXPECT_LT(start.largest_residual(), 1e-13);
}

TEST(Starts, ConsistentOnesAreKeptBitForBit) {
  const Start start(pendulum_of_length(1.0, 0.6, -0.8));
  ASSERT_TRUE(start.found());
  EXPECT_EQ(start("x"), 0.6);
  EXPECT_EQ(start("y"), -0.8);
  EXPECT_THAT(start.state().remarks, Not(Contains(HasSubstr("moved"))));
}

// The better conditioned coordinate moves, and the remark names the equation and the distance.
TEST(Starts, AMoveIsToldWithItsEquation) {
  const Start start(pendulum_of_length(1.0, 0.6, -1.0));
  ASSERT_TRUE(start.found());
  EXPECT_EQ(start("x"), 0.6);
  EXPECT_NEAR(start("y"), -0.8, rounding);
  EXPECT_THAT(start.state().remarks, Contains(HasSubstr("y = -1 was moved to -0.8 (by 0.2) by rod")));
}

// Keeping either would end at a turning point of the other: both change as little as possible.
TEST(Starts, ContradictingOnesShareTheChange) {
  const Start start(pendulum_of_length(1.0, 1.0, 1.0));
  ASSERT_TRUE(start.found());
  EXPECT_NEAR(start("x"), std::sqrt(0.5), 1e-9);
  EXPECT_NEAR(start("y"), std::sqrt(0.5), 1e-9);
  EXPECT_LT(start.largest_residual(), 1e-12);
}

// ---- steady states and polynomials

TEST(Starts, SteadyStateOfTwoVolumesOfGas) {
  ModelBuilder m("TwoVolumes");
  const Expr p1 = m.variable("p1", {.start = 1e5}), p2 = m.variable("p2", {.start = 1e5});
  const Expr t1 = m.variable("T1", {.start = 300.0}), t2 = m.variable("T2", {.start = 300.0});
  const Expr m1 = m.variable("m1"), m2 = m.variable("m2"), u1 = m.variable("U1"), u2 = m.variable("U2");
  const double gas = 287.0, cp = 1000.0, k = 1e-5;
  m.equation(p1 == m1 * gas * t1);
  m.equation(p2 == m2 * gas * t2);
  m.equation(u1 == m1 * (cp - gas) * t1);
  m.equation(u2 == m2 * (cp - gas) * t2);
  const Expr w = k * (p1 - p2), out = k * (p2 - 9e4), heat = 10.0 * (t1 - t2);
  m.equation(der(m1) == 0.1 - w);
  m.equation(der(m2) == w - out);
  m.equation(der(u1) == 0.1 * cp * 300.0 - w * cp * t1 - heat);
  m.equation(der(u2) == w * cp * t1 - out * cp * t2 + heat);
  for (const Expr& stored : {m1, m2, u1, u2}) m.initial_equation(der(stored) == 0.0);
  const Start start(m.build());
  ASSERT_TRUE(start.found());
  EXPECT_NEAR(start("p1"), 1.1e5, 1e-5);
  EXPECT_NEAR(start("T2"), 300.0, 1e-8);
}

TEST(Starts, PolynomialsFromZero) {
  ModelBuilder m("Polynomials");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(der(x) == 1.0 - x * y);
  m.equation(der(y) == x * x - y * y);
  m.initial_equation(der(x) == 0.0);
  m.initial_equation(der(y) == 0.0);
  const Start start(m.build());
  ASSERT_TRUE(start.found());
  EXPECT_NEAR(start("x") * start("y"), 1.0, rounding);
}

// ---- parameters that are computed at the start, and homotopy

TEST(Starts, FindAParameterThatIsNotFixed) {
  ModelBuilder m("Spring");
  const Expr k = m.parameter("k", 1.0, {.fixed = false});
  const Expr x = m.variable("x", {.start = 1.0, .fixed = true}), v = m.variable("v", {.start = 0.0, .fixed = true});
  m.equation(der(x) == v);
  m.equation(der(v) == -k * x);
  m.initial_equation(der(v) == -4.0);
  const Start start(m.build());
  ASSERT_TRUE(start.found());
  EXPECT_EQ(start.state().degrees_of_freedom, 3);
  ASSERT_EQ(start.state().parameters.size(), 1u);
  EXPECT_NEAR(start.state().parameters[0], 4.0, rounding);
  EXPECT_THAT(start.state().remarks, IsEmpty());
}

// y^3 - 7 y + 6 = (y - 1)(y - 2)(y + 3): from y = 3 the path leads to 2; a start of y selects one of them.
TEST(Starts, SimplifiedEquationsLeadToTheirSolution) {
  for (const std::optional<double> guess : {std::optional<double>(), std::optional<double>(0.9)}) {
    ModelBuilder m("Homotopy");
    const Expr x = m.variable("x", {.start = 1.0}), y = m.variable("y", {.start = guess});
    m.equation(der(x) == -x);
    m.equation(y * y * y - 7.0 * y + 6.0 * x == 0.0, y - 3.0 == 0.0);
    const Start start(m.build());
    ASSERT_TRUE(start.found());
    EXPECT_NEAR(start("y"), guess ? 1.0 : 2.0, 1e-12);
  }
}

// ---- every formulation has the same start

TEST(Starts, DoNotDependOnTheFormulation) {
  for (const std::string& name : samples::all_names()) {
    const auto model = std::make_shared<const Model>(samples::read(samples::path_of(name)));
    const structure::Structure shape = samples::structure_of(*model);
    if (find_hidden_singularity(*model, shape)) continue;
    const Reduced standard = reduce(model, shape), kept = reduce(model, shape, {.keep_constraints = true});
    Diagnostics diagnostics;
    const State a = std::get<State>(initialize(standard, model->experiment.start, diagnostics));
    const State b = std::get<State>(initialize(kept, model->experiment.start, diagnostics));
    for (std::size_t s = 0; s < standard.slots.size(); ++s) {
      const Quantity q = standard.slots[s].quantity;
      if (kept.place(q) == Place::Slot) {
        EXPECT_EQ(a.y[s], b.y[kept.slot_of(q)]) << name << ": " << standard.name(q);
      }
    }
  }
}

// ---- random models: states with or without starts, implicit derivatives, nonlinear unknowns of any size

struct RandomModel {
  std::optional<Model> model;
  std::vector<std::optional<double>> starts;
};

RandomModel random_model(std::mt19937_64& random) {
  std::uniform_real_distribution<double> unit(-1.0, 1.0), exponent(-6.0, 6.0);
  const int n = 1 + static_cast<int>(random() % 5), unknowns = static_cast<int>(random() % 4);
  ModelBuilder m("Random");
  RandomModel result;
  std::vector<Expr> x, y;
  for (int i = 0; i < n; ++i) {
    result.starts.push_back(random() % 3 ? std::optional<double>(10.0 * unit(random)) : std::nullopt);
    x.push_back(m.variable("x" + std::to_string(i), {.start = result.starts.back()}));
  }
  for (int j = 0; j < unknowns; ++j)
    y.push_back(m.variable("y" + std::to_string(j),
                           {.start = random() % 2 ? std::optional<double>(unit(random)) : std::nullopt}));
  const bool second_order = random() % 2;
  std::vector<Expr> v;
  if (second_order)
    for (int i = 0; i < n; ++i) {
      result.starts.push_back(random() % 2 ? std::optional<double>(unit(random)) : std::nullopt);
      v.push_back(m.variable("v" + std::to_string(i), {.start = result.starts.back()}));
      m.equation(der(x[i]) == v[i] * (1.0 + 0.0 * x[i]));
    }
  const std::vector<Expr>& top = second_order ? v : x;
  for (int i = 0; i < n; ++i) {
    Expr left = (2.0 * n + 1.0 + x[i] * x[i]) * der(top[i]), right = -x[i];
    for (int k = 0; k < n; ++k) left += unit(random) * der(top[k]) * (random() % 2 ? cos(x[k]) : Expr(1.0));
    for (const Expr& unknown : y) right += unit(random) * tanh(unknown);
    m.equation(left == right);
  }
  for (int j = 0; j < unknowns; ++j) {
    Expr right = unit(random);
    for (const Expr& state : x) right += unit(random) * state;
    if (j > 0) right += unit(random) * tanh(y[j - 1]);
    m.equation(y[j] + 0.9 * unit(random) * sin(y[j]) == std::pow(10.0, exponent(random)) * right);
  }
  result.model = m.build();
  return result;
}

TEST(Starts, OfRandomModelsAreUsedAsTheyAreWritten) {
  std::mt19937_64 random(11);
  for (int sample = 0; sample < 300; ++sample) {
    RandomModel made = random_model(random);
    const Start start(std::move(*made.model));
    ASSERT_TRUE(start.found()) << sample;
    const auto& variables = start.reduced().model->variables;
    std::size_t k = 0;
    for (const Variable& variable : variables) {
      if (variable.name[0] == 'y') continue;
      const double expected = variable.start.value_or(0.0);
      EXPECT_EQ(start(variable.name), expected) << sample << ": " << variable.name;
      ++k;
    }
    EXPECT_EQ(k, made.starts.size());
    EXPECT_LT(start.largest_residual(), 1e-11) << sample;
    EXPECT_THAT(start.state().remarks, Not(Contains(HasSubstr("moved")))) << sample;
  }
}

}  // namespace
}  // namespace driftless
