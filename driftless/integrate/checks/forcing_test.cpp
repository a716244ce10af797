#include "driftless/integrate/checks/forcing.hpp"

#include <cmath>

#include <fmt/format.h>

#include "driftless/integrate/checks/forcing_terms.hpp"
#include "driftless/integrate/sample_problem.hpp"

namespace driftless {
namespace {

class Driven {
 public:
  explicit Driven(const std::string& equations, double tolerance = 1e-6)
      : problem_(samples::from_text_without_events("model M Real x(start = 1, fixed = true), u, v; parameter Real w = "
                                                   "1e-3; equation " +
                                                   equations + " end M;"),
                 formulation::Index1{}),
        forcing(problem_.system, tolerance, 0.0, 100.0) {}

  std::size_t terms() const { return forcing_terms(*problem_.system.reduced().model).size(); }
  std::optional<Forcing::Pulse> find(double a, double b) {
    return forcing.find(a, b, [](double) { return true; });
  }

 private:
  samples::SampleProblem problem_;

 public:
  Forcing forcing;
};

std::string rate(const std::string& forcing) { return "der(x) = -x + " + forcing + "; u = x; v = x;"; }

TEST(ForcingTerms, AreThoseThatMayRest) {
  for (const char* const even : {"sin(3*time)", "2*cos(time) + time^3", "sin(time)*cos(7*time + 1)", "sin(time)^2",
                                 "sin(time + sin(time))", "exp(w)", "x*exp(x)", "time*x"})
    EXPECT_EQ(Driven(rate(even)).terms(), 0u) << even;
  for (const char* const pulse : {"exp(-((time - 50)/w)^2)", "2*exp(-time^2)", "1/(1 + (time - 50)^2/w)",
                                  "sin(time)^200", "x*tanh(time/w)", "sin(time) + exp(-time)", "-exp(-time)/3"})
    EXPECT_EQ(Driven(rate(pulse)).terms(), 1u) << pulse;
  // Together, and each of them.
  EXPECT_EQ(Driven(rate("tanh(time/w) - tanh((time - 1)/w)")).terms(), 3u);
}

TEST(ForcingTerms, GoThroughUnknownsThatAreFunctionsOfTime) {
  const Driven chain("2*u + 4 = time - 50; v = exp(-(u/w)^2); der(x) = -x + v;");
  EXPECT_EQ(chain.terms(), 1u);
  EXPECT_EQ(Driven("u = x; v = exp(-(u/w)^2); der(x) = -x + v;").terms(), 0u);
}

TEST(Forcing, APulseIsFoundHoweverNarrow) {
  for (const double width : {1.0, 1e-2, 1e-4, 1e-6}) {
    for (const char* const shape : {"exp(-((time - 33.7)/{0})^2)", "1/(1 + ((time - 33.7)/{0})^4)",
                                    "3 + 2*exp(-((time - 33.7)/{0})^2) + sin(time)",
                                    "tanh((time - 33.7)/{0} + 1) - tanh((time - 33.7)/{0} - 1)"}) {
      Driven driven(rate(fmt::format(fmt::runtime(shape), width)));
      const auto pulse = driven.find(0.0, 100.0);
      ASSERT_TRUE(pulse) << shape << width;
      EXPECT_NEAR(pulse->peak, 33.7, 1.2 * width) << shape;
      EXPECT_LT(pulse->begin, 33.7) << shape;
      EXPECT_GT(pulse->begin, 33.7 - 110.0 * width) << shape;
      EXPECT_FALSE(driven.find(0.0, 30.0)) << shape << width;
    }
  }
}

TEST(Forcing, WhatTheEndsShowIsNoPulse) {
  Driven driven(rate("exp(-((time - 50)/w)^2)"));
  EXPECT_FALSE(driven.find(0.0, 49.99));
  EXPECT_FALSE(driven.find(49.9985, 49.999));   // it rises
  EXPECT_FALSE(driven.find(49.9998, 50.0002));  // a parabola
  EXPECT_TRUE(driven.find(49.9, 50.1));
  Driven step(rate("tanh((time - 50)/w)"));
  EXPECT_FALSE(step.find(0.0, 100.0));
  for (const char* const smooth : {"exp(-0.3*time)", "exp(sin(time))", "1/(2 + cos(time))", "time*exp(-time)"})
    for (double t = 0.0; t < 20.0; t += 0.5) EXPECT_FALSE(Driven(rate(smooth)).find(t, t + 0.5)) << smooth << t;
}

TEST(Forcing, WhatJumpsIsFound) {
  Driven driven(rate("(if exp(-((time - 50)/w)^2) > 0.5 then 3 else 0)"));
  const auto pulse = driven.find(0.0, 100.0);
  ASSERT_TRUE(pulse);
  EXPECT_NEAR(pulse->peak, 50.0, 1e-3);
}

TEST(Forcing, TheCallerSaysWhatMatters) {
  Driven driven(rate("exp(-((time - 20)/w)^2) + 1/(1 + ((time - 70)/w)^2)"));
  double asked = 0.0;
  const auto pulse = driven.forcing.find(0.0, 100.0, [&](double peak) {
    asked += peak;
    return peak > 60.0;
  });
  ASSERT_TRUE(pulse);
  EXPECT_NEAR(pulse->peak, 70.0, 1e-2);
  EXPECT_FALSE(driven.forcing.find(0.0, 100.0, [](double) { return false; }));
}

TEST(Forcing, FollowsTheParameters) {
  Driven driven(rate("exp(-((time - 50)/w)^2)"));
  const auto set = [&](double width) { driven.forcing.take_parameters(std::span<const double>(&width, 1)); };
  set(1e6);
  EXPECT_FALSE(driven.find(0.0, 100.0));
  set(1e-5);
  EXPECT_TRUE(driven.find(0.0, 100.0));
}

}  // namespace
}  // namespace driftless
