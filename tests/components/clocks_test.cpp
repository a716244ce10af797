// Clocked equations against recursions and counts written by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "driftless/language/read.hpp"
#include "driftless/simulate.hpp"

namespace driftless {
namespace {

Solution run(const std::string& text, double stop, const std::string& method = "auto") {
  SimulateOptions options;
  options.stop = stop;
  options.method = *parse_method(method);
  options.tolerance = 1e-9;
  options.intervals = 40;
  Solution solution = simulate(read_model_text("clocks.mo", text), options);
  EXPECT_EQ(solution.outcome, Outcome::Success) << solution.message;
  return solution;
}

// A first-order plant with a sampled PI controller: between ticks the plant is solved exactly.
TEST(Clocks, SampledControllerFollowsItsRecursion) {
  const std::string text = R"(model Loop
  Real x(start = 0.5, fixed = true), measured, error, integral, u;
equation
  der(x) = hold(u) - x;
  measured = sample(x, Clock(0.1));
  error = 1 - measured;
  integral = previous(integral) + 0.3*error;
  u = 2*error + integral;
end Loop;)";
  for (const char* method : {"auto", "bdf", "radau", "explicit"}) {
    const Solution solution = run(text, 2.0, method);
    const double decay = std::exp(-0.1);
    double x = 0.5, integral = 0.0;
    for (int k = 0; k < 20; ++k) {
      const double error = 1.0 - x;
      integral += 0.3 * error;
      const double u = 2.0 * error + integral;
      EXPECT_NEAR(solution.at(0.1 * k + 0.05, "u"), u, 1e-7) << method << ", tick " << k;
      EXPECT_NEAR(solution.at(0.1 * k + 0.05, "measured"), x, 1e-7) << method << ", tick " << k;
      x = decay * x + (1.0 - decay) * u;
    }
  }
}

constexpr const char* rates = R"(model Rates
  Clock c = Clock(1, 10);
  Integer n(start = 0), third, ahead, fine(start = 0), late, before;
  Real early, T, whole;
equation
  when c then
    n = previous(n) + 1;
    T = interval();
  end when;
  third = subSample(n, 3);
  when superSample(c, 2) then
    fine = previous(fine) + 1;
    ahead = superSample(n);
    whole = interval(ahead);
  end when;
  late = shiftSample(n, 3, 2);
  before = backSample(late, 1, 2);
  early = sample(hold(n), c);
end Rates;)";

TEST(Clocks, RelatedClocksTickWhereTheirFactorsSay) {
  const Solution solution = run(rates, 1.19);
  for (int k = 0; k < 46; ++k) {
    const double t = 0.0125 + 0.025 * k;
    const int ticks = static_cast<int>(t / 0.1) + 1;
    EXPECT_EQ(solution.at(t, "n"), ticks) << t;
    EXPECT_EQ(solution.at(t, "third"), 3 * ((ticks - 1) / 3) + 1) << t;
    EXPECT_EQ(solution.at(t, "fine"), static_cast<int>(t / 0.05) + 1) << t;
    EXPECT_EQ(solution.at(t, "ahead"), ticks) << t;
    // Half an interval after each tick from the second one on: n as it was last.
    EXPECT_EQ(solution.at(t, "late"), t < 0.15 ? 0 : static_cast<int>((t + 0.05) / 0.1)) << t;
  }
  EXPECT_NEAR(solution.final("T"), 0.1, 1e-15);
  EXPECT_NEAR(solution.final("whole"), 0.05, 1e-15);
}

// hold(n) jumps at the tick at which it is sampled.
TEST(Clocks, SampleIsTheLeftLimit) {
  const Solution solution = run(rates, 1.19);
  for (const double t : {0.05, 0.25, 0.75, 1.15}) EXPECT_EQ(solution.at(t, "early"), solution.at(t, "n") - 1.0) << t;
}

// A loop without delay but for the left limit: the plant is algebraic.
TEST(Clocks, AlgebraicPlantDoesNotSeeTheNewValueAtTheTick) {
  const Solution solution = run(R"(model Halving
  Real y(start = 8), plant;
equation
  plant = hold(y)/2;
  y = sample(plant, Clock(0.1));
end Halving;)",
                                0.95);
  for (int k = 0; k < 9; ++k) EXPECT_NEAR(solution.at(0.1 * k + 0.05, "y"), std::ldexp(4.0, -k), 1e-14) << k;
}

TEST(Clocks, EventClockMeasuresItsIntervals) {
  const Solution solution = run(R"(model Crossings
  Real x(start = 0, fixed = true), v(start = 1, fixed = true);
  Clock c = Clock(x > 0.5, 7);
  Real d, at;
  Boolean first;
  Integer k(start = 5);
equation
  der(x) = v;
  der(v) = -x;
  when c then
    d = interval();
    at = sample(time);
    first = firstTick();
    if firstTick() then
      k = 1;
    else
      k = previous(k) + 1;
    end if;
  end when;
end Crossings;)",
                                14.0);
  const double pi = std::acos(-1.0);
  EXPECT_EQ(solution.at(0.3, "k"), 5.0);
  EXPECT_NEAR(solution.at(1.0, "at"), pi / 6, 1e-8);
  EXPECT_EQ(solution.at(1.0, "d"), 7.0);
  EXPECT_EQ(solution.at(1.0, "first"), 1.0);
  EXPECT_EQ(solution.at(1.0, "k"), 1.0);
  EXPECT_NEAR(solution.at(8.0, "d"), 2 * pi, 1e-8);
  EXPECT_EQ(solution.at(8.0, "first"), 0.0);
  EXPECT_EQ(solution.final("k"), 3.0);
}

// Equations of a clock are found through parts and connections, in either direction of an equation.
TEST(Clocks, PartsAreInferredToBeClocked) {
  const Solution solution = run(R"(package Parts
  connector In = input Real;
  connector Out = output Real;
  block Sampler
    In u;
    Out y;
  equation
    y = sample(u);
  end Sampler;
  block Delay
    In u;
    Out y(start = -1);
  equation
    when Clock() then
      y = previous(u);
    end when;
  end Delay;
  block Holder
    In u(start = 3);
    Out y;
  equation
    y = hold(u);
  end Holder;
  block AssignClock
    In u;
    Out y;
    input Clock clock;
  equation
    when clock then
      y = u;
    end when;
  end AssignClock;
end Parts;
model System
  Parts.Sampler sampler;
  Parts.Delay delay;
  Parts.AssignClock assign(clock = Clock(0.25));
  Parts.Holder holder;
equation
  sampler.u = time;
  connect(sampler.y, delay.u);
  connect(delay.y, assign.u);
  connect(assign.y, holder.u);
end System;)",
                                1.1);
  EXPECT_EQ(solution.at(0.1, "holder.y"), 0.0);
  EXPECT_NEAR(solution.at(0.6, "holder.y"), 0.25, 1e-12);
  EXPECT_NEAR(solution.at(1.05, "holder.y"), 0.75, 1e-12);
  EXPECT_NEAR(solution.at(1.05, "sampler.y"), 1.0, 1e-12);
}

}  // namespace
}  // namespace driftless
