#include "driftless/initialize/initialize.hpp"

#include <cmath>
#include <random>

#include <fmt/format.h>

#include "driftless/initialize/report.hpp"
#include "driftless/initialize/sample_start.hpp"

namespace driftless {
namespace {

using samples::pendulum;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

std::string text(const NoConsistentStart& why) {
  std::string all = why.message;
  for (const std::string& line : why.details) all += "\n" + line;
  return all;
}

constexpr double rounding = 1e-13;

// ---- guesses move as little as possible

// Two unknowns on the unit circle, and no others.
Model on_circle(double x0, double y0, double nominal_x = 1.0) {
  ModelBuilder m("Circle");
  const Expr x = m.variable("x", {.start = x0, .nominal = nominal_x}), y = m.variable("y", {.start = y0});
  m.equation(der(x) == -y);
  m.equation(x * x + y * y == 1.0);
  return m.build();
}

// x is the state: it is kept where the circle allows it, and y follows on the side of its guess. Otherwise both change
// as little as possible.
TEST(Initialize, KeepsTheStateOrProjectsGuessesOntoTheCircle) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> angle(0.0, 6.283), radius(0.3, 3.0);
  for (int sample = 0; sample < 50; ++sample) {
    const double phi = angle(random), r = radius(random), x0 = r * std::cos(phi), y0 = r * std::sin(phi);
    const Start start(on_circle(x0, y0));
    ASSERT_TRUE(start.found());
    if (std::abs(x0) < 1.0) {
      EXPECT_EQ(start("x"), x0);
      EXPECT_NEAR(start("y"), std::copysign(std::sqrt(1.0 - x0 * x0), y0), 1e-12);
    } else {
      EXPECT_NEAR(start("x"), std::cos(phi), 1e-7);
      EXPECT_NEAR(start("y"), std::sin(phi), 1e-7);
      EXPECT_THAT(start.state().remarks, Contains(HasSubstr("was moved to")));
    }
    EXPECT_LT(start.largest_residual(), rounding);
  }
}

// Distances are measured in nominal values: compared with all points of the circle.
TEST(Initialize, MeasuresTheChangeInNominalValues) {
  const double x0 = 1.5, y0 = 1.0, nominal = 5.0;
  const Start start(on_circle(x0, y0, nominal));
  ASSERT_TRUE(start.found());
  const auto distance = [&](double x, double y) { return std::hypot((x - x0) / nominal, y - y0); };
  double best = HUGE_VAL;
  for (int k = 0; k < 100'000; ++k) best = std::min(best, distance(std::cos(k * 1e-4), std::sin(k * 1e-4)));
  EXPECT_NEAR(distance(start("x"), start("y")), best, 1e-8);
}

TEST(Initialize, SignOfTheGuessChoosesTheBranch) {
  for (const double sign : {-1.0, 1.0}) {
    const Start start(pendulum({.x = 0.6, .y = 0.3 * sign, .vx = 0.0, .fixed = true}));
    ASSERT_TRUE(start.found());
    EXPECT_DOUBLE_EQ(start("x"), 0.6);
    EXPECT_NEAR(start("y"), 0.8 * sign, rounding);
    EXPECT_THAT(start.state().remarks, IsEmpty());
  }
}

TEST(Initialize, SaysWhichGuessesTookThePlaceOfConditions) {
  const Start start(pendulum({.x = 2.0, .y = 1.0}));
  ASSERT_TRUE(start.found());
  EXPECT_EQ(start.state().degrees_of_freedom, 2);
  EXPECT_THAT(start.state().remarks, Contains(HasSubstr("0 of 2 initial conditions")));
  // The multiplier does not affect the projection, and the pendulum starts at rest.
  EXPECT_NEAR(start("x"), 2.0 / std::sqrt(5.0), 1e-6);
  EXPECT_NEAR(start("x", 1), 0.0, 1e-6);
}

// ---- conditions

TEST(Initialize, VelocityAndMultiplierFollowFromTheConditions) {
  const double x = 0.6, y = -0.8, vx = 0.5, vy = -x * vx / y;
  const Start start(pendulum({.x = x, .y = y, .vx = vx, .fixed = true}));
  ASSERT_TRUE(start.found());
  EXPECT_DOUBLE_EQ(start("x"), x);
  EXPECT_NEAR(start("x", 1), vx, rounding);
  EXPECT_NEAR(start("y", 1), vy, rounding);
  EXPECT_NEAR(start("lambda"), vx * vx + vy * vy - y, rounding);
  EXPECT_NEAR(start("x", 2), -start("lambda") * x, rounding);
}

// d/dt lambda = d/dt (|v|² - y) = -3 der(y): one differentiation more than the reduction has.
TEST(Initialize, DerivativeOfTheMultiplierIsACondition) {
  ModelBuilder m("Pendulum");
  const Expr x = m.variable("x", {.start = 0.6, .fixed = true}), y = m.variable("y", {.start = -1.0});
  const Expr lambda = m.variable("lambda");
  m.equation(der(der(x)) == -lambda * x);
  m.equation(der(der(y)) == -lambda * y - 1.0);
  m.equation(x * x + y * y == 1.0);
  m.initial_equation(der(lambda) == 0.3);
  const Start start(m.build());
  ASSERT_TRUE(start.found());
  EXPECT_NEAR(start("y", 1), -0.1, rounding);
  EXPECT_NEAR(start("x", 1), -start("y") * start("y", 1) / 0.6, rounding);
}

TEST(Initialize, RefusesDerivativesFarBeyondTheEquations) {
  ModelBuilder m("Far");
  const Expr x = m.variable("x");
  m.equation(der(x) == -x);
  m.initial_equation(der(der(der(der(der(der(der(x))))))) == 1.0);
  const Start start(m.build());
  EXPECT_TRUE(start.refused);
  EXPECT_FALSE(start.found());
}

TEST(Initialize, SteadyState) {
  ModelBuilder m("Tank");
  const Expr level = m.variable("level", {.start = 1.0}), flow = m.variable("flow");
  m.equation(der(level) == 3.0 - flow);
  m.equation(flow == 2.0 * sqrt(level));
  m.initial_equation(der(level) == 0.0);
  const Start start(m.build());
  ASSERT_TRUE(start.found());
  EXPECT_NEAR(start("level"), 2.25, rounding);
  EXPECT_NEAR(start("flow"), 3.0, rounding);
  EXPECT_NEAR(start("level", 1), 0.0, rounding);
}

// The pendulum hangs at rest, or stands: the guess decides.
TEST(Initialize, SteadyStateOfAConstrainedSystem) {
  for (const double side : {-1.0, 1.0}) {
    ModelBuilder m("Pendulum");
    const Expr x = m.variable("x", {.start = 0.2}), y = m.variable("y", {.start = side});
    const Expr lambda = m.variable("lambda", {.start = -side});
    m.equation(der(der(x)) == -lambda * x);
    m.equation(der(der(y)) == -lambda * y - 1.0);
    m.equation(x * x + y * y == 1.0);
    m.initial_equation(der(x) == 0.0);
    m.initial_equation(der(der(x)) == 0.0);
    const Start start(m.build());
    ASSERT_TRUE(start.found());
    EXPECT_NEAR(start("x"), 0.0, 1e-9);
    EXPECT_NEAR(start("y"), side, 1e-9);
    EXPECT_NEAR(start("lambda"), -side, 1e-9);
  }
}

TEST(Initialize, TimeEntersTheConstraints) {
  ModelBuilder m("Driven");
  const Expr x = m.variable("x"), f = m.variable("f");
  m.equation(x == sin(m.time()));
  m.equation(der(der(x)) == f);
  const Start start(m.build(), 0.7);
  ASSERT_TRUE(start.found());
  EXPECT_EQ(start.state().degrees_of_freedom, 0);
  EXPECT_NEAR(start("x"), std::sin(0.7), rounding);
  EXPECT_NEAR(start("x", 1), std::cos(0.7), rounding);
  EXPECT_NEAR(start("f"), -std::sin(0.7), rounding);
}

// ---- too many conditions

TEST(Initialize, SurplusConditionsMayAgree) {
  ModelBuilder m("Agree");
  const Expr x = m.variable("x", {.start = 0.6, .fixed = true}), y = m.variable("y", {.start = 0.8, .fixed = true});
  m.equation(der(x) == -y);
  m.equation(x * x + y * y == 1.0);
  const Start start(m.build());
  ASSERT_TRUE(start.found());
  EXPECT_DOUBLE_EQ(start("x"), 0.6);
  EXPECT_DOUBLE_EQ(start("y"), 0.8);
  EXPECT_THAT(start.state().remarks, Contains(HasSubstr("2 initial conditions for 1 degree of freedom")));
}

TEST(Initialize, ContradictionNamesBothConditions) {
  ModelBuilder m("Contradict");
  const Expr x = m.variable("x", {.start = 0.6, .fixed = true}), y = m.variable("y", {.start = 0.9, .fixed = true});
  m.equation(der(x) == -y);
  m.equation(x * x + y * y == 1.0);
  const Start start(m.build());
  ASSERT_FALSE(start.found());
  EXPECT_FALSE(start.why().evaluation_failed);
  EXPECT_THAT(start.why().message, HasSubstr("2 initial conditions for 1 degree of freedom"));
  EXPECT_THAT(text(start.why()), AllOf(HasSubstr("the fixed start x = 0.6"), HasSubstr("the fixed start y = 0.9")));
}

// The right number of conditions, but a value that the constraint excludes.
TEST(Initialize, ImpossibleValueIsNamed) {
  const Start start(pendulum({.x = 1.5, .y = -0.2, .vx = 0.0, .fixed = true}));
  ASSERT_FALSE(start.found());
  EXPECT_THAT(text(start.why()), AllOf(HasSubstr("the fixed start x = 1.5"), HasSubstr("rod")));
}

// ---- guesses at bad places

TEST(Initialize, LeavesASingularPointThatNobodyChose) {
  ModelBuilder m("Pole");
  const Expr x = m.variable("x", {.start = 1.0, .fixed = true}), z = m.variable("z");
  m.equation(der(x) == -x);
  m.equation(1.0 / z + log(z) == 1.5 + 0.0 * x);
  const Start start(m.build());
  ASSERT_TRUE(start.found());
  EXPECT_NEAR(1.0 / start("z") + std::log(start("z")), 1.5, 1e-12);
}

TEST(Initialize, NamesTheEquationThatHasNoValue) {
  ModelBuilder m("Log");
  const Expr x = m.variable("x", {.start = -2.0, .fixed = true}), z = m.variable("z");
  m.equation(der(x) == -x);
  m.equation(z * z * z + z == log(x), "logarithm");
  const Start start(m.build());
  ASSERT_FALSE(start.found());
  EXPECT_TRUE(start.why().evaluation_failed);
  EXPECT_THAT(text(start.why()), HasSubstr("logarithm"));
}

// ---- random starts (methods.md M51)

TEST(Initialize, RandomStartsOfThePendulumReachEveryLevel) {
  std::mt19937_64 random(2);
  std::normal_distribution<double> normal;
  for (int sample = 0; sample < 200; ++sample) {
    const double x = normal(random), y = normal(random);
    if (std::hypot(x, y) < 0.05) continue;
    const Start start(pendulum({.x = x, .y = y}));
    ASSERT_TRUE(start.found()) << x << ", " << y;
    EXPECT_LT(start.largest_residual(), 1e-11);
    EXPECT_GT(start("x") * x + start("y") * y, 0.0);  // the same side of the circle
  }
}

// The starts of models/ are solutions; changed by up to a few percent they must lead back to one.
class EveryModel : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Models, EveryModel, testing::ValuesIn(samples::all_names()),
                         [](const auto& name) { return name.param; });

TEST_P(EveryModel, StartsOnEveryLevel) {
  const Start start(samples::read(samples::path_of(GetParam())));
  ASSERT_TRUE(start.found()) << text(start.why());
  EXPECT_LT(start.largest_residual(), 1e-9);
}

TEST_P(EveryModel, RecoversFromPerturbedGuesses) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> noise(-0.02, 0.02);
  Model model = samples::read(samples::path_of(GetParam()));
  for (Variable& variable : model.variables)
    if (variable.start && !variable.fixed)
      *variable.start += noise(random) * (std::abs(*variable.start) + 0.1 * variable.nominal);
  const Start start(std::move(model));
  ASSERT_TRUE(start.found()) << text(start.why());
  EXPECT_LT(start.largest_residual(), 1e-9);
}

// ---- derivatives that only differentiated equations determine (Lecture notes, 10.1.4; methods.md 7-L3)

TEST(Initialize, ImplicitDerivativeNeedsTheDifferentiatedConstraint) {
  ModelBuilder m("Example1");
  const Expr y1 = m.variable("y1", {.start = 2.0, .fixed = true}), y2 = m.variable("y2", {.start = 7.0});
  m.equation(der(y1) + der(y2) == -y1 + exp(-m.time()));
  m.equation(y2 == 1.0 + sin(3.0 * m.time()));
  const Start start(m.build());
  ASSERT_TRUE(start.found());
  EXPECT_EQ(start.state().degrees_of_freedom, 1);
  EXPECT_NEAR(start("y2"), 1.0, rounding);
  EXPECT_NEAR(start("y2", 1), 3.0, rounding);
  EXPECT_NEAR(start("y1", 1), -2.0 + 1.0 - 3.0, rounding);
}

TEST(Initialize, TheSameInOtherCoordinates) {
  ModelBuilder m("Example1");  // u = y1 + y2
  const Expr u = m.variable("u"), y1 = m.variable("y1", {.start = 2.0, .fixed = true}), y2 = m.variable("y2");
  m.equation(der(u) == -y1 + exp(-m.time()));
  m.equation(y2 == 1.0 + sin(3.0 * m.time()));
  m.equation(u == y1 + y2);
  const Start start(m.build());
  ASSERT_TRUE(start.found());
  EXPECT_EQ(start.state().degrees_of_freedom, 1);
  EXPECT_NEAR(start("u"), 3.0, rounding);
  EXPECT_NEAR(start("u", 1), -1.0, rounding);
}

// By structure there are 8 states, but three pairs of derivatives occur only as differences.
TEST(Initialize, TransistorAmplifierHasFiveDegreesOfFreedom) {
  const Start start(samples::read(samples::path_of("transistor_amplifier")));
  ASSERT_TRUE(start.found());
  EXPECT_EQ(start.state().degrees_of_freedom, 5);
  EXPECT_TRUE(start.state().index_one);
}

// ---- large systems are solved by sparse methods

TEST(Initialize, LongChain) {
  const int n = 60;
  ModelBuilder m("Chain");
  Expr x0 = 0.0, y0 = 0.0;
  std::vector<Expr> x, y, force = m.variables("force", n);
  for (int i = 1; i <= n; ++i) {  // links of length 0.92 instead of 1
    x.push_back(m.variable(std::to_string(i).append(".x"), {.start = 0.6 * i}));
    y.push_back(m.variable(std::to_string(i).append(".y"), {.start = -0.7 * i}));
  }
  for (int i = 0; i < n; ++i) {
    const Expr dx = x[i] - x0, dy = y[i] - y0;
    m.equation(dx * dx + dy * dy == 1.0);
    Expr fx = -force[i] * dx, fy = -force[i] * dy - 1.0;
    if (i + 1 < n) fx += force[i + 1] * (x[i + 1] - x[i]), fy += force[i + 1] * (y[i + 1] - y[i]);
    m.equation(der(der(x[i])) == fx);
    m.equation(der(der(y[i])) == fy);
    x0 = x[i], y0 = y[i];
  }
  const Start start(m.build());
  ASSERT_TRUE(start.found()) << text(start.why());
  EXPECT_EQ(start.state().degrees_of_freedom, 2 * n);
  EXPECT_LT(start.largest_residual(), 1e-10);
}

// ---- large systems

// A mesh of resistors between two corners, with a voltage and a current at every pin, as in component models.
Model mesh(int n) {
  ModelBuilder m("Mesh");
  const Expr source = m.variable("source");
  std::vector<Expr> sum(n * n, Expr(0.0));
  std::vector<Expr> potential(n * n, source);
  for (int k = 0; k < n * n; ++k) potential[k] = m.variable(fmt::format("v[{}]", k));
  int parts = 0;
  const auto resistor = [&](int a, int b) {
    const std::string name = fmt::format("r[{}]", parts++);
    const Expr i = m.variable(name + ".i"), v = m.variable(name + ".v"), n_i = m.variable(name + ".n.i");
    m.equation(v == potential[a] - potential[b]);
    m.equation(v == 1.0 * i);
    m.equation(i + n_i == 0.0);
    sum[a] = sum[a] + i;
    sum[b] = sum[b] + n_i;
  };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      if (j + 1 < n) resistor(n * i + j, n * i + j + 1);
      if (i + 1 < n) resistor(n * i + j, n * i + j + n);
    }
  m.equation(potential[0] == 1.0);
  m.equation(potential[n * n - 1] == 0.0);
  for (int k = 1; k + 1 < n * n; ++k) m.equation(sum[k] == 0.0);
  m.equation(sum[0] + source == 0.0);
  return m.build();
}

// No unknown is held and no row is superfluous, however long the chains of an elimination are.
TEST(Initialize, HoldsNothingInALargeMesh) {
  const Start start(mesh(41));
  ASSERT_TRUE(start.found());
  EXPECT_NEAR(start("v[840]"), 0.5, 1e-12) << "the middle, by symmetry";
  EXPECT_LT(start.largest_residual(), rounding);
  Diagnostics diagnostics;
  const StartReport report = report_start(start.reduced(), 0.0, diagnostics);
  EXPECT_EQ(report.degrees_of_freedom, 0);
  EXPECT_THAT(report.choices, IsEmpty());
  EXPECT_EQ(report.trials[Strategy::Release].tried, 0);
}

// ---- equations that contradict each other among many

// Of 100 joints, each on a circle around its own centre and at some distance from the next, one pair is too far apart.
TEST(Initialize, NamesTheFewEquationsThatCannotHoldTogether) {
  ModelBuilder m("Joints");
  for (int k = 0; k < 100; ++k) {
    const Expr x = m.variable(fmt::format("x{}", k), {.start = 0.5}),
               y = m.variable(fmt::format("y{}", k), {.start = 0.8});
    const Expr z = m.variable(fmt::format("z{}", k), {.start = 0.1});
    m.equation(x * x + y * y == 1.0);
    m.equation((x - 1.0) * (x - 1.0) + y * y == (k == 61 ? 9.5 : 1.0));
    m.equation(der(z) == x - z);
  }
  const Start start(m.build());
  ASSERT_FALSE(start.found());
  EXPECT_THAT(text(start.why()),
              AllOf(HasSubstr("no values were found that satisfy equation 184 and equation 185 together"),
                    HasSubstr("without any one of them the others can hold")));
}

}  // namespace
}  // namespace driftless
