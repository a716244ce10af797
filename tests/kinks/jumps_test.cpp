// Equations that must be differentiated: refused where they jump, accepted where their branches meet.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include <fmt/format.h>

#include "run_text.hpp"

namespace driftless {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// x is given by an expression, and its derivative is needed.
std::string once(const std::string& expression) {
  return "model J\n  Real x, y, z(start = 0, fixed = true), u(start = -0.4, fixed = true);\nequation\n  der(u) = 1;\n  "
         "x = " +
         expression + ";\n  y = der(x);\n  der(z) = y;\nend J;\n";
}

// The same, and its second derivative.
std::string twice(const std::string& expression) {
  return "model J\n  Real x, y, v, z(start = 0, fixed = true), u(start = -0.4, fixed = true);\nequation\n  der(u) = "
         "1;\n  x = " +
         expression + ";\n  v = der(x);\n  y = der(v);\n  der(z) = y;\nend J;\n";
}

// Without an event nobody would see the impulse.
std::string quiet(const std::string& expression) { return "noEvent(" + expression + ")"; }

TEST(Jumps, ThatCauseNoEventAreRefused) {
  for (const char* const jump :
       {"if time < 0.5 then 0 else 1", "sign(u)", "floor(3*u)", "ceil(u)", "integer(5*u)", "div(u, 0.3)", "mod(u, 0.3)",
        "rem(u, 0.3)", "if u > 0 then u else 1e-3", "if u > 0 and time > 0.2 then 1 else 0", "sign(u - 0.1)*u",
        "if u < 0 then 0 elseif u < 0.2 then u else 1", "if u == 0 then 1 else 0", "u*(if time >= 0.1 then 2 else 3)",
        "if u^3 > 0.001 then 1 else 0", "noEvent(if u > 0 then 1 else 0)", "smooth(0, u) + sign(u)",
        "if sin(7*u) > 0 then 1 else 2", "if u > 0 then u^2 else u^2 - 1e-6"})
    EXPECT_THAT(refusal_of(once(quiet(jump))), HasSubstr("must be differentiated once")) << jump;
}

// z integrates the derivative of x, so it is x but for a constant, jumps included.
TEST(Jumps, ThatCauseEventsAreIntegratedWithTheirImpulses) {
  for (const char* const jump :
       {"if time < 0.5 then 0 else 1", "floor(3*u)", "ceil(u)", "integer(5*u)", "div(u, 0.3)", "mod(u, 0.3)",
        "rem(u, 0.3)", "if u > 0 then u else 1e-3", "if u > 0 and time > 0.2 then 1 else 0",
        "if u < 0 then 0 elseif u < 0.2 then u else 1", "u*(if time >= 0.1 then 2 else 3)",
        "if u^3 > 0.001 then 1 else 0", "if sin(7*u) > 0 then 1 else 2", "if u > 0 then u^2 else u^2 - 1e-6"}) {
    const Solution s = run_text(once(jump), {.tolerance = 1e-9});
    ASSERT_EQ(s.outcome, Outcome::Success) << jump << ": " << s.message;
    EXPECT_GT(s.statistics.events, 0) << jump;
    EXPECT_NEAR(s.final("z"), s.final("x") - s.at(0.0, "x"), 1e-7) << jump;
  }
}

TEST(Jumps, ContinuousExpressionsAreAccepted) {
  for (const char* const meeting :
       {"if u > 0 then u else 0", "if u > 0 then u^2 else -u^2", "abs(u)", "max(u, 0.1)", "min(u, max(-0.2, time))",
        "sign(u)*u^2", "sign(u)*sqrt(abs(u))", "if time < 0.5 then time else 0.5", "smooth(0, if u > 0 then u else 0)",
        "smooth(1, if u > 0 then 1 else 2)", "noEvent(if u > 0 then u else 2*u)",
        "if u < 0 then 0 elseif u < 0.2 then u else 0.2", "if u^3 > 0.001 then u^3 else 0.001",
        "(u - floor(u))*(1 - (u - floor(u)))", "if u > 0 or time > 2 then u*(time - 2) else u*(time - 2)*1",
        "if u > 0 then sqrt(u) else 0", "(if u > 0 then 1 else -1)*u", "semiLinear(u, 2, 3)",
        "if abs(u) > 1e-4 then sin(u)/u else 1 - u^2/6 + u^4/120"})
    EXPECT_THAT(refusal_of(once(meeting)), IsEmpty()) << meeting;
}

TEST(Jumps, AKinkIsNotDifferentiatedTwice) {
  for (const char* const kink : {"abs(u)", "max(u, 0)", "noEvent(if u > 0 then u else 0)", "smooth(0, abs(u))"})
    EXPECT_THAT(refusal_of(twice(kink)), HasSubstr("its first derivative jumps where")) << kink;
  const Solution held = run_text(twice("if u > 0 then u else 0"), {.tolerance = 1e-9});
  ASSERT_EQ(held.outcome, Outcome::Success) << held.message;
  EXPECT_NEAR(held.final("z"), 1.0, 1e-9) << "the jump of the slope";
  for (const char* const smooth_one :
       {"abs(u)^3", "max(u, 0)^2", "if u > 0 then u^2 else 0", "sign(u)*u^2", "smooth(1, abs(u))"})
    EXPECT_THAT(refusal_of(twice(smooth_one)), IsEmpty()) << smooth_one;
}

TEST(Jumps, DerOfAnExpressionThatJumps) {
  EXPECT_THAT(refusal_of("model D Real z(start = 0); equation der(z) = der(if time < 0.5 then 0 else 1); end D;"),
              HasSubstr("has no derivative: it jumps where time = 0.5"));
  EXPECT_THAT(refusal_of("model D Real z(start = 0); equation der(z) = der(max(time, 0.5)); end D;"), IsEmpty());
}

TEST(Jumps, WhatIsNotDifferentiatedMayJump) {
  EXPECT_THAT(refusal_of("model D Real z(start = 0); equation der(z) = if z > 0.5 then 0 else floor(z + 1.5); end D;"),
              IsEmpty());
}

// Piecewise polynomials of one variable with random break points: continuous ones are accepted, and a step of any size
// at one of the points is found.
TEST(Jumps, RandomPiecewisePolynomials) {
  std::mt19937 generator(7);
  std::uniform_real_distribution<> uniform(-2.0, 2.0);
  for (int round = 0; round < 300; ++round) {
    const int pieces = 2 + round % 3;
    const int broken = round % 2 == 0 ? -1 : round % (pieces - 1);  // where a step is
    const double step = (round % 4 < 2 ? 1.0 : -1.0) * std::pow(10.0, -static_cast<double>(round % 6));
    std::vector<double> ends;
    for (int k = 0; k + 1 < pieces; ++k) ends.push_back(uniform(generator));
    std::ranges::sort(ends);
    const std::string argument = round % 5 == 0 ? "time" : "u";
    double slope = uniform(generator), value = 0.0;
    std::string text = fmt::format("{:.17g}*({} - ({:.17g})) + {:.17g}", slope, argument, ends[0], value);
    std::string whole;
    for (int k = 0; k + 1 < pieces; ++k) {
      whole += fmt::format("{} {} < {:.17g} then {} ", k == 0 ? "if" : "elseif", argument,
                           ends[static_cast<std::size_t>(k)], text);
      if (k == broken) value += step;
      const double curvature = uniform(generator);
      slope = uniform(generator);
      text = fmt::format("{0:.17g}*({1} - ({2:.17g}))^2 + {3:.17g}*({1} - ({2:.17g})) + {4:.17g}", curvature, argument,
                         ends[static_cast<std::size_t>(k)], slope, value);
      if (k + 2 < pieces) {
        const double d = ends[static_cast<std::size_t>(k) + 1] - ends[static_cast<std::size_t>(k)];
        const double last = value;
        value = curvature * d * d + slope * d + last;
      }
    }
    whole += "else " + text;
    const std::string answer = refusal_of(once(quiet(whole)));
    if (broken < 0)
      EXPECT_THAT(answer, IsEmpty()) << whole;
    else
      EXPECT_THAT(answer, HasSubstr("jumps where")) << whole;
  }
}

}  // namespace
}  // namespace driftless
