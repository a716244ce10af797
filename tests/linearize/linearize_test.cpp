// Linear systems at rest against closed forms.
#include <gmock/gmock.h>

#include <cmath>
#include <complex>

#include <fmt/format.h>

#include "driftless/language/read.hpp"
#include "driftless/linearize.hpp"

namespace driftless {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;
using Complex = std::complex<double>;

Compiled compiled(const std::string& text, const SimulateOptions& options = {}) {
  return compile(read_model_text("model.mo", text), options);
}

StateSpace at_rest(const std::string& text, const LinearizeOptions& options = {}, const RunInputs& inputs = {}) {
  return linearize_at_rest(std::make_shared<const Model>(read_model_text("model.mo", text)), options, inputs);
}

// C (s - A)^-1 B + D of one input and one output, by elimination.
Complex transfer(const StateSpace& system, Complex s) {
  const std::size_t n = system.states.size();
  std::vector<std::vector<Complex>> m(n, std::vector<Complex>(n + 1));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) m[i][j] = (i == j ? s : 0.0) - system.A(i, j);
    m[i][n] = system.B(i, 0);
  }
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::abs(m[i][k]) > std::abs(m[pivot][k])) pivot = i;
    std::swap(m[k], m[pivot]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const Complex factor = m[i][k] / m[k][k];
      for (std::size_t j = k; j <= n; ++j) m[i][j] -= factor * m[k][j];
    }
  }
  Complex sum = system.D(0, 0);
  for (std::size_t i = 0; i < n; ++i) sum += system.C(0, i) * m[i][n] / m[i][i];
  return sum;
}

// How far the eigenvalue that is nearest to a number lies from it.
double distance(const StateSpace& system, Complex expected) {
  double nearest = 1e300;
  for (const LinearMode& mode : system.modes) nearest = std::min(nearest, std::abs(mode.eigenvalue - expected));
  return nearest;
}

std::string pendulum(double g, double length) {
  return fmt::format(R"(
model Pendulum "Index 3, with a wind from the left"
  parameter Real L = {};
  parameter Real g = {};
  input Real wind(start = 0);
  Real x(start = 0), y(start = -1), lambda;
equation
  der(der(x)) = -lambda*x + wind;
  der(der(y)) = -lambda*y - g;
  x^2 + y^2 = L^2;
end Pendulum;
)",
                     length, g);
}

TEST(Linearize, APendulumOfIndex3HasItsFrequency) {
  for (const auto& [g, length] : {std::pair(9.81, 1.0), std::pair(1.62, 0.3), std::pair(9.81, 25.0)}) {
    const StateSpace system = at_rest(pendulum(g, length));
    ASSERT_THAT(system.states, ElementsAre("x", "der(x)"));
    ASSERT_EQ(system.modes.size(), 2u);
    EXPECT_LT(distance(system, Complex(0.0, std::sqrt(g / length))), 1e-10 * std::sqrt(g / length));
    EXPECT_TRUE(system.is_at_rest());
    EXPECT_NEAR(system.B(1, 0), 1.0, 1e-12);
    EXPECT_NEAR(system.modes[0].frequency(), std::sqrt(g / length) / (2.0 * M_PI), 1e-9);
  }
}

// With the wind w it hangs where tan φ = w/g, in a field of sqrt(g² + w²). x, y and both velocities can be states
// there.
TEST(Linearize, EigenvaluesDoNotDependOnTheStates) {
  const double w = 5.0, g = 9.81;
  const std::vector<std::string> candidates{"x", "y"};
  for (const std::string& position : candidates)
    for (const std::string& velocity : candidates) {
      const StateSpace system =
          at_rest(pendulum(g, 1.0), {.states = {position, "der(" + velocity + ")"}}, {.starts = {{"wind", w}}});
      EXPECT_THAT(system.states, UnorderedElementsAre(position, "der(" + velocity + ")"));
      EXPECT_LT(distance(system, Complex(0.0, std::sqrt(std::hypot(g, w)))), 1e-9);
    }
  EXPECT_THROW(at_rest(pendulum(g, 1.0), {.states = {"x", "y"}}, {.starts = {{"wind", w}}}), ModelError);
}

// A cart with a pole in Cartesian coordinates, upright. With q = px - x, the distance of the bob from the cart:
// q'' = (M + m) g q / (M L) - F/M, x'' = F/M - m g q / (M L).
TEST(Linearize, ACartPoleIsUnstableAsInTextbooks) {
  const double M = 2.0, m = 0.5, L = 0.8, g = 9.81;
  const StateSpace system = linearize(compiled(fmt::format(R"(
model CartPole
  parameter Real M = {}, m = {}, L = {}, g = {};
  input Real F(start = 0);
  Real x(start = 0, fixed = true), px(start = 0, fixed = true), py(start = {}), lambda;
initial equation
  der(x) = 0;
  der(px) = 0;
equation
  M*der(der(x)) = F + lambda*(px - x);
  m*der(der(px)) = -lambda*(px - x);
  m*der(der(py)) = -lambda*py - m*g;
  (px - x)^2 + py^2 = L^2;
end CartPole;
)",
                                                           M, m, L, g, L)),
                                      {.outputs = {{"x", "lambda"}}});
  ASSERT_THAT(system.states, UnorderedElementsAre("x", "der(x)", "px", "der(px)"));
  const double fast = std::sqrt((M + m) * g / (M * L));
  EXPECT_LT(distance(system, fast), 1e-10);
  EXPECT_LT(distance(system, -fast), 1e-10);
  // The pair of zeros belongs to the cart that rolls: x'' = F/(M + m) of all together.
  EXPECT_LT(distance(system, 0.0), 1e-6);
  for (const double frequency : {0.5, 3.0, 20.0}) {
    const Complex s(0.3, frequency), q = -1.0 / (M * (s * s - fast * fast));
    EXPECT_LT(std::abs(transfer(system, s) - (1.0 / M - m * g / (M * L) * q) / (s * s)), 1e-12);
  }
  for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(system.C(1, j), 0.0, 1e-12);  // λ = -m g / L to first order
  EXPECT_NEAR(system.y[1], -m * g / L, 1e-12);
}

TEST(Linearize, AnRlcCircuitHasItsMatricesAndItsDamping) {
  const double R = 3.0, L = 0.5, C = 0.02;
  const StateSpace system = linearize(compiled(fmt::format(R"(
model Rlc
  parameter Real R = {}, L = {}, C = {};
  input Real u(start = 0);
  Real i(start = 0, fixed = true), v(start = 0, fixed = true), vr, vl;
equation
  vr = R*i;
  L*der(i) = vl;
  C*der(v) = i;
  u = vr + vl + v;
end Rlc;
)",
                                                           R, L, C)),
                                      {.outputs = {{"v", "vl"}}, .states = {"i", "v"}});
  ASSERT_THAT(system.states, ElementsAre("i", "v"));
  EXPECT_THAT(system.A.values, ElementsAre(-R / L, -1.0 / L, 1.0 / C, 0.0));
  EXPECT_THAT(system.B.values, ElementsAre(1.0 / L, 0.0));
  EXPECT_THAT(system.C.values, ElementsAre(0.0, 1.0, -R, -1.0));
  EXPECT_THAT(system.D.values, ElementsAre(0.0, 1.0));
  EXPECT_NEAR(system.modes[0].natural_frequency(), 1.0 / std::sqrt(L * C), 1e-12);
  EXPECT_NEAR(system.modes[0].damping(), R / 2.0 * std::sqrt(C / L), 1e-12);
  EXPECT_FALSE(system.has_zeros);  // two outputs, one input
}

constexpr const char* motor = R"(
model Motor "Index 1: its algebraic unknowns are eliminated"
  parameter Real R = 2, L = 0.1, K = 0.4, J = 0.05, b = 0.02;
  parameter Real twice = 2*J;
  input Real u(start = 12);
  Real i(start = 0, fixed = true), w(start = 0, fixed = true), torque, emf, load;
equation
  u = R*i + L*der(i) + emf;
  emf = K*w;
  torque = K*i;
  J*der(w) = torque - b*w - load;
  load = 0.25*twice*w;
end Motor;
)";

// w/u = K / ((L s + R)(J s + b + J/2) + K²)
TEST(Linearize, ADcMotorHasItsTransferFunction) {
  const double R = 2, L = 0.1, K = 0.4, J = 0.05, b = 0.02;
  const StateSpace system = linearize(compiled(motor), {.outputs = {{"w"}}});
  EXPECT_THAT(system.inputs, ElementsAre("u"));
  EXPECT_THAT(system.u, ElementsAre(12.0));
  for (const Complex s : {Complex(0.0), Complex(1.0, 2.0), Complex(0.0, 30.0), Complex(-3.0, 5.0)})
    EXPECT_LT(std::abs(transfer(system, s) - K / ((L * s + R) * (J * s + b + 0.5 * J) + K * K)), 1e-12);
  ASSERT_TRUE(system.has_zeros);
  EXPECT_TRUE(system.zeros.empty());
  EXPECT_FALSE(system.is_at_rest());
}

// A parameter moves what the text computes from it; one that the run gives itself does not follow.
TEST(Linearize, AParameterCanBeAnInput) {
  const RunInputs moving{.starts = {{"w", 3.0}, {"i", 2.0}}};
  const double J = 0.05, w = 3.0, torque = 0.4 * 2.0;
  const StateSpace both = linearize(compiled(motor), {.inputs = {{"J"}}, .outputs = {{"load"}}}, moving);
  // J w' = torque - b w - J w / 2
  EXPECT_NEAR(both.B(1, 0), -(torque - 0.02 * w) / (J * J), 1e-9);
  EXPECT_NEAR(both.D(0, 0), 0.5 * w, 1e-12);
  RunInputs given = moving;
  given.parameters = {{"twice", 0.1}};
  const StateSpace alone = linearize(compiled(motor), {.inputs = {{"J"}}, .outputs = {{"load"}}}, given);
  EXPECT_EQ(alone.D(0, 0), 0.0);
  EXPECT_NEAR(alone.B(1, 0), -(torque - 0.02 * w - 0.025 * w) / (J * J), 1e-9);
}

// Masses in a row between two walls: ω_k = 2 sqrt(c/m) sin(k π / (2 (n + 1))), and every mass takes part in a mode by
// the square of its sine.
TEST(Linearize, ARowOfMassesHasItsModes) {
  constexpr int n = 40;
  const StateSpace system = at_rest(fmt::format(R"(
model Row
  parameter Integer n = {};
  Real q[n](each start = 0);
equation
  for i in 1:n loop
    2*der(der(q[i])) = 50*((if i < n then q[i + 1] else 0) - 2*q[i] + (if i > 1 then q[i - 1] else 0));
  end for;
end Row;
)",
                                                n));
  ASSERT_EQ(system.states.size(), 2u * n);
  const double unit = std::sqrt(50.0 / 2.0);
  for (int k = 1; k <= n; ++k)
    EXPECT_LT(distance(system, Complex(0.0, 2.0 * unit * std::sin(k * M_PI / (2.0 * (n + 1))))), 1e-10);
  for (const LinearMode& mode : system.modes) {
    const double k = std::asin(std::abs(mode.eigenvalue.imag()) / (2.0 * unit)) * 2.0 * (n + 1) / M_PI;
    for (int i = 1; i <= n; ++i) {
      const auto place = std::ranges::find(system.states, fmt::format("q[{}]", i)) - system.states.begin();
      const double expected = std::pow(std::sin(k * i * M_PI / (n + 1)), 2) / (n + 1);
      EXPECT_NEAR(mode.participation[place], expected, 1e-8);
    }
  }
}

// Where a constraint gives a position, a derivative of the input is an input of its own.
TEST(Linearize, DerivativesOfInputsAreNamed) {
  const StateSpace system = linearize(compiled(R"(
model Guided
  input Real u(start = 0.2);
  Real x, v, force, z(start = 1, fixed = true);
equation
  x = u^2;
  der(x) = v;
  2*der(v) = force;
  der(z) = force - z;
end Guided;
)"),
                                      {.outputs = {{"x", "v", "force"}}});
  EXPECT_THAT(system.states, ElementsAre("z"));
  ASSERT_THAT(system.inputs, ElementsAre("u", "der(u)", "der(der(u))"));
  // v = 2 u u', force = 4 u'² + 4 u u'' at u = 0.2 that stands still.
  EXPECT_NEAR(system.D(0, 0), 0.4, 1e-14);
  EXPECT_NEAR(system.D(1, 1), 0.4, 1e-14);
  EXPECT_NEAR(system.D(2, 2), 0.8, 1e-14);
  EXPECT_NEAR(system.B(0, 2), 0.8, 1e-14);
  EXPECT_EQ(system.B(0, 0), 0.0);
}

std::string refusal(const std::string& text, const LinearizeOptions& options) {
  try {
    linearize(compiled(text), options);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(Linearize, SaysWhatIsWrong) {
  EXPECT_THAT(refusal(motor, {.inputs = {{"volts"}}}), HasSubstr("Motor has no input or parameter 'volts'"));
  EXPECT_THAT(refusal(motor, {.inputs = {{"emf"}}}), HasSubstr("the equations determine it"));
  EXPECT_THAT(refusal(motor, {.outputs = {{"torqe"}}}), HasSubstr("did you mean 'torque'?"));
  EXPECT_THAT(refusal(motor, {.states = {"torque"}}), HasSubstr("no state"));
  EXPECT_THAT(refusal("model Late Real x(start = 1, fixed = true); equation der(x) = -delay(x, 0.5); end Late;", {}),
              HasSubstr("infinitely many modes"));
}

// One idea, one place: the modes of a steady state are those of its linear system.
TEST(Linearize, AtRestHasTheModesOfTheSteadyState) {
  const Analysis analysis = analyze(read_model_file(std::string(MODELS) + "/double_pendulum.mo"));
  const SteadyState state = find_steady_state(analysis);
  const StateSpace system = linearize(analysis, state.point);
  ASSERT_EQ(state.modes.size(), system.modes.size());
  for (std::size_t k = 0; k < state.modes.size(); ++k) EXPECT_EQ(state.modes[k], system.modes[k].eigenvalue);
}

}  // namespace
}  // namespace driftless
