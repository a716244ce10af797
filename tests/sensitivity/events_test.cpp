// Sensitivities across events, against closed forms.
#include <cmath>

#include <gtest/gtest.h>

#include "tests/sensitivity/sensitivity_testing.hpp"

namespace driftless {
namespace {

SensitiveSolution run(const std::shared_ptr<const Model>& model, double stop, const std::vector<std::string>& names,
                      double tolerance = 1e-11) {
  return simulate(compile(model, options_of("auto", tolerance, 20)), {.stop = stop}, names);
}

// h = 1 at first. Bounce n is at t1 (1 + 2 e (1 - e^(n-1)) / (1 - e)), t1 = √(2 h0 / g), and leaves with √(2 g h0) e^n.
TEST(EventSensitivities, OfABouncingBall) {
  const double e = 0.8, g = 9.81, stop = 2.5, t1 = std::sqrt(2 / g);
  const SensitiveSolution s = run(shipped("hybrid/bouncing_ball.mo"), stop, {"e", "g", "h"});
  ASSERT_GE(s.event_times.size(), 4u);
  for (std::size_t k = 0; k < s.event_times.size(); ++k) {
    const double n = static_cast<double>(k);
    const double factor = 1 + 2 * e * (1 - std::pow(e, n)) / (1 - e);
    // d/de of 2 Σ e^j, j = 1, ..., n
    double slope = 0.0;
    for (int j = 1; j <= static_cast<int>(k); ++j) slope += 2 * j * std::pow(e, j - 1);
    EXPECT_NEAR(s.event_times[k].time, t1 * factor, 1e-9);
    EXPECT_NEAR(s.event_times[k].slopes[0], t1 * slope, 1e-8) << k;
    EXPECT_NEAR(s.event_times[k].slopes[1], -t1 * factor / (2 * g), 1e-8) << k;
    EXPECT_NEAR(s.event_times[k].slopes[2], t1 * factor / 2, 1e-8) << k;
  }
  // Behind the last bounce n: v = e^n √(2 g h0) - g (t - t_n), h its integral.
  const std::size_t last = s.event_times.size() - 1;
  const double n = static_cast<double>(last) + 1, since = stop - s.event_times[last].time;
  const double v0 = std::pow(e, n) * std::sqrt(2 * g), v0e = n * std::pow(e, n - 1) * std::sqrt(2 * g);
  const double tn = s.event_times[last].slopes[0];
  EXPECT_NEAR(s.final("d(v)/d(e)"), v0e + g * tn, 1e-7);
  EXPECT_NEAR(s.final("d(h)/d(e)"), v0e * since - (v0 - g * since) * tn, 1e-7);
}

// A relay: der(x) = 1 until x passes a, then -b x. Nothing is set, only the slope jumps.
TEST(EventSensitivities, WhereOnlyTheEquationsChange) {
  const auto model = model_of(R"(model M
  parameter Real a = 0.7;
  parameter Real b = 2;
  Real x(start = 0, fixed = true), z;
  discrete Boolean on(start = false, fixed = true);
equation
  when x > a then
    on = true;
  end when;
  der(x) = if on then -b*x else 1;
  z = if on then a*x else b*x;
end M;)");
  const double a = 0.7, b = 2.0, t = 1.5;
  const SensitiveSolution s = run(model, t, {"a", "b", "x"});
  ASSERT_EQ(s.event_times.size(), 1u);
  EXPECT_NEAR(s.event_times[0].slopes[0], 1.0, 1e-9);
  EXPECT_NEAR(s.event_times[0].slopes[1], 0.0, 1e-9);
  EXPECT_NEAR(s.event_times[0].slopes[2], -1.0, 1e-9);
  // x = a exp(-b (t - t*)), t* = a - x0
  const double x = a * std::exp(-b * (t - a));
  EXPECT_NEAR(s.final("d(x)/d(a)"), x / a + b * x, 1e-8);
  EXPECT_NEAR(s.final("d(x)/d(b)"), -(t - a) * x, 1e-8);
  EXPECT_NEAR(s.final("d(x)/d(x)"), -b * x, 1e-8);
  EXPECT_NEAR(s.final("d(z)/d(a)"), x + a * (x / a + b * x), 1e-8);
}

// A sampled controller: u is a discrete Real variable, held between samples.
TEST(EventSensitivities, OfDiscreteVariables) {
  const auto model = model_of(R"(model M
  parameter Real k = 0.5;
  parameter Real T = 0.2;
  Real x(start = 1, fixed = true);
  discrete Real u(start = 0, fixed = true);
equation
  when sample(T, T) then
    u = -k*x;
  end when;
  der(x) = u;
end M;)");
  const SensitiveSolution s = run(model, 0.5, {"k", "T"});
  // x = 1 until T, 1 - k (t - T) until 2T, then (1 - k T) (1 - k (t - 2T)).
  const double k = 0.5, T = 0.2, t = 0.5;
  EXPECT_NEAR(s.final("x"), (1 - k * T) * (1 - k * (t - 2 * T)), 1e-10);
  EXPECT_NEAR(s.final("d(x)/d(k)"), -T * (1 - k * (t - 2 * T)) - (1 - k * T) * (t - 2 * T), 1e-9);
  EXPECT_NEAR(s.final("d(x)/d(T)"), -k * (1 - k * (t - 2 * T)) + (1 - k * T) * 2 * k, 1e-9);
  EXPECT_NEAR(s.final("d(u)/d(k)"), -(1 - k * T) + k * T, 1e-9);
  ASSERT_EQ(s.event_times.size(), 2u);
  EXPECT_NEAR(s.event_times[1].slopes[1], 2.0, 1e-12);
}

// Rows on both sides of an event have the sensitivities of that side.
TEST(EventSensitivities, JumpWithTheVariables) {
  const SensitiveSolution s = run(shipped("hybrid/bouncing_ball.mo"), 0.6, {"g"});
  const auto v = s.column("v"), vg = s.column("d(v)/d(g)");
  const double g = 9.81, t1 = std::sqrt(2 / g), t1g = -t1 / (2 * g);
  for (std::size_t k = 1; k < v.size(); ++k)
    if (s.times[k] == s.times[k - 1] && v[k - 1] < 0.0 && v[k] > 0.0) {
      EXPECT_NEAR(vg[k - 1], -t1, 1e-9);
      // v⁺ = 0.8 √(2 g) along the event; minus v' dt*/dg
      EXPECT_NEAR(vg[k], 0.8 / std::sqrt(2 * g) + g * t1g, 1e-9);
      return;
    }
  FAIL() << "no bounce among the rows";
}

// x' = 2 until x reaches p, then 1: x = p + (t - p/2).
TEST(SensitivitiesAcrossSwitches, ARateThatJumpsWithoutAnEvent) {
  const auto model = model_of(R"(model M
  parameter Real p = 0.6;
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), a;
equation
  der(x) = noEvent(if x > p then 1 else 2);
  a = noEvent(if time > 2*p then 3*p else p);
  der(y) = a;
end M;)");
  for (const char* method : {"auto", "radau", "bdf"}) {
    const SensitiveSolution s = simulate(compile(model, options_of(method, 1e-9, 30)), {.stop = 2.0}, {"p"});
    const auto x = s.column("d(x)/d(p)"), y = s.column("d(y)/d(p)"), a = s.column("d(a)/d(p)");
    for (std::size_t k = 0; k < s.times.size(); ++k) {
      const double t = s.times[k];
      // y = p t, from 2p on 2p² + 3p (t - 2p).
      if (std::abs(t - 0.3) > 1e-3) {
        EXPECT_NEAR(x[k], t > 0.3 ? 0.5 : 0.0, 1e-6) << method << " " << t;
      }
      if (std::abs(t - 1.2) < 1e-3) continue;
      EXPECT_NEAR(y[k], t > 1.2 ? 3 * t - 8 * 0.6 : t, 1e-6) << method << " " << t;
      EXPECT_NEAR(a[k], t > 1.2 ? 3.0 : 1.0, 1e-12) << method << " " << t;
    }
  }
}

// At a time that is one of many output points.
TEST(SensitivitiesAcrossSwitches, ARateThatJumpsAtAnOutputPoint) {
  const auto model = model_of(R"(model M
  parameter Real p = 0.5;
  Real x(start = 0, fixed = true);
equation
  der(x) = noEvent(if time > p then 2*p else p);
end M;)");
  for (const char* method : {"auto", "radau", "bdf"}) {
    const SensitiveSolution s = simulate(compile(model, options_of(method, 1e-6, 512)), {.stop = 1.0}, {"p"});
    EXPECT_NEAR(s.final("d(x)/d(p)"), 2.0 - 2.0 * 0.5, 1e-6) << method;  // x = p² + 2p (1 - p)
  }
}

// x' = -x until x = p at t = -ln p, then x' = -p: x = p - p (t + ln p).
TEST(SensitivitiesAcrossSwitches, ARateWithAKink) {
  const auto model = model_of(R"(model M
  parameter Real p = 0.5;
  Real x(start = 1, fixed = true);
equation
  der(x) = noEvent(if x > p then -x else -p);
end M;)");
  const SensitiveSolution s = simulate(compile(model, options_of("auto", 1e-9)), {.stop = 1.5}, {"p", "x"});
  EXPECT_NEAR(s.final("d(x)/d(p)"), -1.5 - std::log(0.5), 1e-7);
  EXPECT_NEAR(s.final("d(x)/d(x)"), 0.5, 1e-7);
}

// A motor whose friction changes its sign: v' = u - sign(v), from v = -1 on.
TEST(SensitivitiesAcrossSwitches, ASignWithoutAnEvent) {
  const auto model = model_of(R"(model M
  parameter Real u = 3;
  Real v(start = -1, fixed = true);
equation
  der(v) = u - noEvent(sign(v));
end M;)");
  const SensitiveSolution s = simulate(compile(model, options_of("auto", 1e-9)), {.stop = 1.0}, {"u", "v"});
  // t* = 1/(u + 1); v = (u - 1)(t - t*).
  EXPECT_NEAR(s.final("v"), 1.5, 1e-7);
  EXPECT_NEAR(s.final("d(v)/d(u)"), 0.75 + 2.0 / 16, 1e-6);
  EXPECT_NEAR(s.final("d(v)/d(v)"), 2.0 / 4, 1e-6);
}

}  // namespace
}  // namespace driftless
