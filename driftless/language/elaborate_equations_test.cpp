// Equations of the text: which are decided by parameters before the run, and which are kept for it.
#include "driftless/language/elaborate.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <numbers>

#include "driftless/expr/calculus.hpp"
#include "driftless/language/reading.hpp"

namespace driftless {
namespace {

using ::testing::ElementsAre;
using testing::expect_residual;
using testing::labels;
using testing::Point;
using testing::read;
using testing::read_clean;

TEST(Elaborate, IfEquationsFollowTheParameters) {
  const std::string text = R"(
model M
  parameter Boolean fast = true;
  parameter Real mode = 2;
  Real x, y;
equation
  if fast then
    x = 1;
  else
    x = 2;
  end if;
  if mode < 1 then
    y = 1;
  elseif mode < 3 then
    y = 2;
  end if;
end M;)";
  EXPECT_THAT(labels(read_clean(text).equations), ElementsAre("line 8", "line 15"));
  const Model other = read_clean(text, {"", {{"fast", "false"}, {"mode", "0"}}});
  EXPECT_THAT(labels(other.equations), ElementsAre("line 10", "line 13"));
  EXPECT_TRUE(other.parameters[1].structural);
}

TEST(Elaborate, TimeDerivativesOfExpressions) {
  const Model model = read_clean(R"(
model M
  parameter Real a = 3;
  Real x, y, z[2];
equation
  der(x*y^2 + a*time) = 1;
  der({x, sin(y)}) = z;
  der(der(x*y)) = 0;
end M;)");
  expect_residual(model, "line 6", [](const Point& p) {
    const double x = p.variable("x"), y = p.variable("y");
    return p.der("x") * y * y + 2 * x * y * p.der("y") + p.parameter("a") - 1;
  });
  expect_residual(model, "line 7 [2]",
                  [](const Point& p) { return std::cos(p.variable("y")) * p.der("y") - p.variable("z[2]"); });
  expect_residual(model, "line 8", [](const Point& p) {
    return p.variable("x", 2) * p.variable("y") + 2 * p.der("x") * p.der("y") + p.variable("x") * p.variable("y", 2);
  });
}

TEST(Elaborate, ConditionsOfVariables) {
  const Model model = read_clean(R"(
model M
  parameter Real lim = 1;
  Real x, y, z;
equation
  y = if x > lim and not (time >= 1 or x == 2) then x elseif x < -1 then -x else 0;
  z = noEvent(if x <= 0 then smooth(1, x^2) else homotopy(simplified = 0, actual = abs(x)));
  x = semiLinear(y, 2, 3) + min(x, y)*max({x, y, z}) + mod(x, 1.5) + rem(x, -0.7) + div(x, 0.3) + sign(x)*floor(y) + ceil(y);
end M;)");
  expect_residual(
      model, "line 6",
      [](const Point& p) {
        const double x = p.variable("x");
        const double right = x > p.parameter("lim") && !(p.time() >= 1 || x == 2) ? x : x < -1 ? -x : 0;
        return p.variable("y") - right;
      },
      true);
  expect_residual(
      model, "line 7",
      [](const Point& p) {
        const double x = p.variable("x");
        return p.variable("z") - (x <= 0 ? x * x : std::abs(x));
      },
      true);
  expect_residual(
      model, "line 8",
      [](const Point& p) {
        const double x = p.variable("x"), y = p.variable("y"), z = p.variable("z");
        const double sign = x > 0 ? 1 : -1;
        return x - ((y >= 0 ? 2 * y : 3 * y) + std::min(x, y) * std::max({x, y, z}) + (x - std::floor(x / 1.5) * 1.5) +
                    std::fmod(x, -0.7) + std::trunc(x / 0.3) + sign * std::floor(y) + std::ceil(y));
      },
      true);
}

TEST(Elaborate, BranchesNotTakenNeedNotMakeSense) {
  const Model model = read_clean(R"(
model M
  Real x[3];
equation
  for i in 1:3 loop
    x[i] = if i == 1 then 1 elseif i > 1 and i < 3 then 2*x[i - 1] else x[i - 1] + (if i > 3 or i == 3 then 1 else x[4]);
  end for;
end M;)");
  expect_residual(model, "line 6 [i=3]", [](const Point& p) { return p.variable("x[3]") - (p.variable("x[2]") + 1); });
}

TEST(Elaborate, AssertionsOfParametersAreChecked) {
  const std::string text = R"(
model M
  parameter Real m = 1;
  Real x = m;
equation
  assert(m > 0, "the mass must be positive");
  assert(m < 10, "heavy", AssertionLevel.warning);
end M;)";
  read_clean(text);
  EXPECT_EQ(read(text, {"", {{"m", "-1"}}}).messages(), "6:3: error: assertion violated: the mass must be positive\n");
  EXPECT_EQ(read(text, {"", {{"m", "20"}}}).messages(), "7:3: warning: assertion violated: heavy\n");
  const Model later = read_clean("model M Real x = time;\nequation\nassert(x > 0, \"no\"); end M;");
  ASSERT_EQ(later.assertions.size(), 1u);
  EXPECT_EQ(later.assertions[0].message, "no");
  EXPECT_EQ(later.assertions[0].label, "line 3");
  EXPECT_EQ(later.assertions[0].text, "x > 0");
  EXPECT_EQ(later.assertions[0].level, AssertionLevel::Error);
}

TEST(Elaborate, ALoopOfAHundredThousandTurns) {
  const auto begin = std::chrono::steady_clock::now();
  const Model model = read_clean(R"(
model M
  parameter Integer n = 100000;
  parameter Real dx = 1/n;
  Real u[n](start = {sin(3.14*i*dx) for i in 1:n}, each fixed = true);
equation
  der(u[1]) = (u[2] - u[1])/dx^2;
  for i in 2:n - 1 loop
    der(u[i]) = (u[i + 1] - 2*u[i] + u[i - 1])/dx^2;
  end for;
  der(u[n]) = (u[n - 1] - u[n])/dx^2;
end M;)");
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  EXPECT_EQ(model.equations.size(), 100000U);
  EXPECT_EQ(model.variables[49999].start, std::sin(3.14 * 50000 * 1e-5));
  EXPECT_LT(seconds, 20);  // linear work takes half a second; quadratic work would take hours
}

}  // namespace
}  // namespace driftless
