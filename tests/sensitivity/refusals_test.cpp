// Where there are no derivatives the reason is told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sensitivity/sensitivity_testing.hpp"

namespace driftless {
namespace {

using testing::HasSubstr;

std::string refusal(const std::shared_ptr<const Model>& model, const std::vector<std::string>& names,
                    const SimulateOptions& options = options_of("auto", 1e-8), std::optional<double> stop = {}) {
  try {
    simulate(compile(model, options), {.stop = stop}, names);
  } catch (const ModelError& error) {
    return error.what();
  }
  return {};
}

TEST(SensitivityRefusals, NameWhatIsUnknown) {
  EXPECT_THAT(refusal(shipped("pendulum.mo"), {"l"}), HasSubstr("neither a parameter nor a variable 'l'"));
  EXPECT_THAT(refusal(shipped("pendulum.mo"), {"L", "L"}), HasSubstr("named twice"));
  EXPECT_THAT(refusal(shipped("chain.mo"), {"N"}), HasSubstr("used up when the model was read"));
}

// A beam over pulleys: when one weight lies on the floor the others go on at another rate. The instant is a limit of
// infinitely many impacts.
TEST(SensitivityRefusals, TheInstantAtWhichRestBegins) {
  const auto model = model_of(R"(model M
  parameter Real e = 0.8;
  Real a(start = 1, fixed = true), b(start = 0, fixed = true), c, F;
  Real va(start = 0, fixed = true), vb(start = 0, fixed = true), vc;
equation
  der(a) = va;
  der(b) = vb;
  der(c) = vc;
  der(va) = F - 10;
  der(vb) = F;
  2*der(vc) = F;
  a + b + c = 0;
  when a < 0 then
    reinit(va, -e*pre(va));
  end when;
end M;)");
  EXPECT_THAT(refusal(model, {"e"}, options_of("auto", 1e-8), 8.0), HasSubstr("choose an earlier stop time"));
}

TEST(SensitivityRefusals, SwitchesAtOnceWhoseTimesMoveDifferently) {
  const auto model = model_of(R"(model M
  parameter Real p = 1;
  Real x(start = 0, fixed = true);
equation
  der(x) = noEvent(if time > p/2 then 2 else 1)*noEvent(if time > 1 - p/2 then 3 else 1);
end M;)");
  EXPECT_THAT(refusal(model, {"p"}), HasSubstr("what comes first depends on the direction"));
}

TEST(SensitivityRefusals, ConditionsThatAgreeByChance) {
  const auto model = model_of(R"(model M
  parameter Real L = 1;
  Real x(start = 1, fixed = true), y(start = 0, fixed = true), F, vx(start = 0), vy(start = 0, fixed = true);
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -F*x;
  der(vy) = -F*y - 1;
  x^2 + y^2 = L^2;
end M;)");
  EXPECT_THAT(refusal(model, {"L"}), HasSubstr("agree for this value of 'L' only"));
}

TEST(SensitivityRefusals, AProgramThatReadsTheParameter) {
  EXPECT_THAT(refusal(shipped("hybrid/kepler_equation.mo"), {"e"}), HasSubstr("reads the parameter 'e'"));
}

TEST(SensitivityRefusals, AFormulationWithoutStructure) {
  SimulateOptions options = options_of("auto", 1e-6);
  options.formulation = formulation::DerivativeArray{};
  EXPECT_THAT(refusal(shipped("pendulum.mo"), {"L"}, options), HasSubstr("by ranks instead of their structure"));
}

// u = K (r - y) and y = x + u/2 at the instant: at rest both have their values from before it, but not the derivatives,
// unless the rest itself moves with the parameter.
TEST(SensitivityRefusals, AControllerAtRestWhosePlantFollowsAtOnce) {
  const auto controlled = [](const std::string& rest) {
    return model_of("model M parameter Real K = 3, r = 1, rest = " + rest + R"(;
  Real x(start = rest, fixed = true), y;
  discrete Real u(start = rest, fixed = true);
equation
  der(x) = u - x;
  y = x + 0.5*u;
  when sample(0.1, 0.1) then
    u = K*(r - y);
  end when;
end M;)");
  };
  EXPECT_THAT(refusal(controlled("6/11"), {"r"}, options_of("radau", 1e-8), 0.45),
              HasSubstr("u depends on what the equations make of discrete values at once"));
  const SensitiveSolution moves =
      simulate(compile(controlled("K*r/(1 + 1.5*K)"), options_of("radau", 1e-8)), {.stop = 0.45}, {"r"});
  EXPECT_NEAR(moves.final("d(u)/d(r)"), 6.0 / 11.0, 1e-9);
}

// Two balls of one wall: which is first depends on the direction.
TEST(SensitivityRefusals, EventsAtTheSameTimeForDifferentReasons) {
  const auto model = model_of(R"(model M
  parameter Real a = 1;
  parameter Real b = 1;
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  discrete Boolean one(start = false, fixed = true), two(start = false, fixed = true);
equation
  when x > a then
    one = true;
  end when;
  when y > b then
    two = true;
  end when;
  der(x) = if one and not two then 2 else 1;
  der(y) = if two and not one then 3 else 1;
end M;)");
  EXPECT_THAT(refusal(model, {"a"}, options_of("auto", 1e-8), 2.0), HasSubstr("several relations change at once"));
}

}  // namespace
}  // namespace driftless
