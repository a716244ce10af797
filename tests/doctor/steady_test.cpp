// Steady states against closed forms: where they are, whether they are stable, and that there is none where there is
// none.
#include <gmock/gmock.h>

#include <cmath>

#include "driftless/language/read.hpp"
#include "driftless/steady.hpp"

namespace driftless {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct Steady {
  std::shared_ptr<const Model> model;
  SteadyState state;

  double operator()(const std::string& name) const {
    const auto found = std::ranges::find(model->variables, name, &Variable::name);
    return state.point.values[found - model->variables.begin()];
  }
};

Steady steady(const std::string& text) {
  const Analysis analysis = analyze(read_model_text("model.mo", text));
  return {analysis.model, find_steady_state(analysis)};
}

Steady shipped(const std::string& name) {
  const Analysis analysis = analyze(read_model_file(std::string(MODELS) + "/" + name + ".mo"));
  return {analysis.model, find_steady_state(analysis)};
}

// Small oscillations of two equal pendula: omega^2 = (2 -+ sqrt 2) g / L.
TEST(SteadyState, OfTheDoublePendulumHangs) {
  const Steady found = shipped("double_pendulum");
  ASSERT_TRUE(found.state.point.found);
  EXPECT_NEAR(found("x1"), 0.0, 1e-12);
  EXPECT_NEAR(found("y1"), -1.0, 1e-12);
  EXPECT_NEAR(found("y2"), -2.0, 1e-12);
  ASSERT_TRUE(found.state.has_modes);
  ASSERT_THAT(found.state.modes, SizeIs(4));
  EXPECT_EQ(found.state.stability(), Stability::Marginal);
  const double g = 9.81;
  for (const double square : {2.0 - std::sqrt(2.0), 2.0 + std::sqrt(2.0)}) {
    double nearest = 1e9;
    for (const auto& mode : found.state.modes)
      nearest = std::min(nearest, std::abs(mode - std::complex<double>(0.0, std::sqrt(square * g))));
    EXPECT_LT(nearest, 1e-8);
  }
}

constexpr const char* pendulum = R"(
model Pendulum
  Real x(start = 0.1);
  Real y(start = {});
  Real lambda;
equation
  der(der(x)) = -lambda*x - 0.2*der(x);
  der(der(y)) = -lambda*y - 1 - 0.2*der(y);
  x^2 + y^2 = 1;
end Pendulum;
)";

std::string with_start(double y) {
  std::string text = pendulum;
  return text.replace(text.find("{}"), 2, std::to_string(y));
}

// With friction 0.2 the modes are those of s^2 + 0.2 s +- 1.
TEST(SteadyState, IsStableBelowAndUnstableAbove) {
  const Steady below = steady(with_start(-0.9)), above = steady(with_start(0.9));
  ASSERT_TRUE(below.state.point.found && above.state.point.found);
  EXPECT_NEAR(below("y"), -1.0, 1e-12);
  EXPECT_NEAR(above("y"), 1.0, 1e-12);
  ASSERT_THAT(below.state.modes, SizeIs(2));
  EXPECT_EQ(below.state.stability(), Stability::Stable);
  EXPECT_EQ(above.state.stability(), Stability::Unstable);
  EXPECT_EQ(above.state.growing(), 1);
  for (const auto& mode : below.state.modes) EXPECT_NEAR(mode.real(), -0.1, 1e-10);
  EXPECT_NEAR(above.state.modes[0].real(), -0.1 + std::sqrt(1.01), 1e-10);
  EXPECT_NEAR(above.state.modes[1].real(), -0.1 - std::sqrt(1.01), 1e-10);
  EXPECT_THAT(below.state.point.branches, SizeIs(1));
}

TEST(SteadyState, OfTheBrusselatorIsKnown) {
  const Steady found = steady(R"(
model Brusselator
  Real u(start = 1.5), v(start = 2);
equation
  der(u) = 1 + u^2*v - 4*u;
  der(v) = 3*u - u^2*v;
end Brusselator;
)");
  ASSERT_TRUE(found.state.point.found);
  EXPECT_NEAR(found("u"), 1.0, 1e-12);
  EXPECT_NEAR(found("v"), 3.0, 1e-12);
  EXPECT_NEAR(found.state.modes[0].real(), 0.5, 1e-10);  // trace 1, determinant 1: unstable
  EXPECT_FALSE(found.state.point.depends_on_time);
}

// Which of them is meant only the start says.
TEST(SteadyState, MayBeOneOfAFamily) {
  const Steady found = steady(R"(
model Exchange
  Real a(start = 3), b(start = 1);
equation
  der(a) = b - 2*a;
  der(b) = 2*a - b;
end Exchange;
)");
  ASSERT_TRUE(found.state.point.found);
  EXPECT_THAT(found.state.point.open, SizeIs(1));
  EXPECT_NEAR(found("b"), 2.0 * found("a"), 1e-12);
}

TEST(SteadyState, IsProvenAbsentWhereEquationsContradict) {
  const Steady found = steady(R"(
model Ramp
  Real x(start = 0), y;
equation
  der(x) = 2;
  y = 3*x;
end Ramp;
)");
  EXPECT_FALSE(found.state.point.found);
  EXPECT_TRUE(found.state.point.proven_absent);
  ASSERT_THAT(found.state.point.violations, SizeIs(1));
  EXPECT_THAT(found.state.point.violations[0].row, ::testing::HasSubstr("der(x) = 2"));
}

TEST(SteadyState, IsNotClaimedAbsentWithoutAProof) {
  const Steady found = steady(R"(
model Fold
  Real x(start = 1);
equation
  der(x) = x^2 + 1e-3 - 0.5*sin(x)*x;
end Fold;
)");
  EXPECT_FALSE(found.state.point.found);
  EXPECT_FALSE(found.state.point.proven_absent);
}

TEST(SteadyState, OfAModelThatCannotMoveHasNoModes) {
  const Steady found = steady("model Still\n  Real x;\nequation\n  x = 2;\nend Still;\n");
  ASSERT_TRUE(found.state.point.found);
  EXPECT_TRUE(found.state.has_modes);
  EXPECT_THAT(found.state.modes, IsEmpty());
}

TEST(SteadyState, SaysThatTimeMatters) {
  const Steady found = steady(R"(
model Driven
  Real x;
equation
  der(x) = sin(time + 1) - x;
end Driven;
)");
  ASSERT_TRUE(found.state.point.found);
  EXPECT_TRUE(found.state.point.depends_on_time);
  EXPECT_NEAR(found("x"), std::sin(1.0), 1e-14);
}

}  // namespace
}  // namespace driftless
