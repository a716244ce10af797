// Sensitivities across jumps by impulses, and along surfaces, against closed forms.
#include <cmath>

#include <gtest/gtest.h>

#include "tests/sensitivity/sensitivity_testing.hpp"

namespace driftless {
namespace {

SensitiveSolution run(const std::shared_ptr<const Model>& model, double stop, const std::vector<std::string>& names,
                      const std::string& method = "auto", double tolerance = 1e-11) {
  SimulateOptions options = options_of(method, tolerance, 20);
  options.sliding = true;
  return simulate(compile(model, options), {.stop = stop}, names);
}

// Momentum is kept where the clutch closes.
TEST(JumpSensitivities, OfAClutch) {
  const double J1 = 2, J2 = 3, drive = 1, w1 = 10, w2 = 1, J = J1 + J2;
  for (const char* method : {"auto", "bdf", "radau"}) {
    const double tolerance = method == std::string("bdf") ? 1e-9 : 1e-11;
    const SensitiveSolution s =
        run(shipped("hybrid/clutch.mo"), 1.5, {"J1", "J2", "closes", "drive", "w1"}, method, tolerance);
    // From then on J w = J1 w1 + J2 w2 + drive t: the instant makes no difference.
    const double t = 1.5, w = (J1 * w1 + J2 * w2 + drive * t) / J;
    ASSERT_EQ(s.event_times.size(), 1u);
    EXPECT_NEAR(s.event_times[0].slopes[2], 1.0, 1e-12);
    EXPECT_NEAR(s.final("w1"), w, 1e-7);
    for (const char* name : {"w1", "w2"}) {
      const auto slope = [&](const char* to) { return s.final(sensitivity_name(name, to)); };
      EXPECT_NEAR(slope("J1"), (w1 - w) / J, 1e-7) << method;
      EXPECT_NEAR(slope("J2"), (w2 - w) / J, 1e-7) << method;
      EXPECT_NEAR(slope("closes"), 0.0, 1e-7) << method;
      EXPECT_NEAR(slope("drive"), t / J, 1e-7) << method;
      EXPECT_NEAR(slope("w1"), J1 / J, 1e-7) << method;
    }
  }
}

// Until the clutch opens again both rotors turn together, and then J1 goes on alone: its speed knows when it was.
TEST(JumpSensitivities, OfAClutchThatOpensAgain) {
  const double J1 = 2, J2 = 3, drive = 1, opens = 2, stop = 3, J = J1 + J2;
  const SensitiveSolution s = run(shipped("hybrid/clutch.mo"), stop, {"opens", "J1"});
  const double at_opening = (J1 * 10 + J2 * 1 + drive * opens) / J;
  EXPECT_NEAR(s.final("d(w1)/d(opens)"), drive / J - drive / J1, 1e-8);
  EXPECT_NEAR(s.final("d(w2)/d(opens)"), drive / J, 1e-8);
  EXPECT_NEAR(s.final("d(w1)/d(J1)"), (10 - at_opening) / J - drive * (stop - opens) / (J1 * J1), 1e-8);
}

// A mass flies along x = b with the speed u until the rope of length L is taut. The speed along the rope is lost, and
// it goes round with what is left, u b/L: the angle is acos(b/L) + u b/L² (t - t*) with t* = √(L² - b²)/u.
TEST(JumpSensitivities, OfARopeThatBecomesTaut) {
  const auto model = model_of(R"(model Rope
  parameter Real L = 1, m = 2;
  Real x(start = 0.6, fixed = true), y(start = 0, fixed = true);
  Real vx(start = 0, fixed = true), vy(start = 0.5, fixed = true), F;
  Boolean taut(start = false, fixed = true);
equation
  der(x) = vx;
  der(y) = vy;
  m*der(vx) = -F*x;
  m*der(vy) = -F*y;
  taut = pre(taut) or x^2 + y^2 >= L^2;
  if taut then
    x^2 + y^2 = L^2;
  else
    F = 0;
  end if;
end Rope;)");
  const double L = 1, b = 0.6, u = 0.5, t = 2.5, root = std::sqrt(L * L - b * b), when = root / u,
               rate = u * b / (L * L);
  const double angle = std::acos(b / L) + rate * (t - when);
  const SensitiveSolution s = run(model, t, {"L", "x", "vy", "m"});
  ASSERT_EQ(s.event_times.size(), 1u);
  EXPECT_NEAR(s.final("x"), L * std::cos(angle), 1e-9);
  EXPECT_NEAR(s.event_times[0].slopes[0], L / root / u, 1e-8);
  EXPECT_NEAR(s.event_times[0].slopes[1], -b / root / u, 1e-8);
  EXPECT_NEAR(s.event_times[0].slopes[2], -when / u, 1e-8);
  const double of_L = b / (L * root) - 2 * rate / L * (t - when) - rate * L / root / u;
  const double of_b = -1 / root + rate / b * (t - when) + rate * b / root / u;
  const double of_u = rate / u * (t - when) + rate * when / u;
  EXPECT_NEAR(s.final("d(x)/d(L)"), std::cos(angle) - L * std::sin(angle) * of_L, 1e-7);
  EXPECT_NEAR(s.final("d(y)/d(x)"), L * std::cos(angle) * of_b, 1e-7);
  EXPECT_NEAR(s.final("d(y)/d(vy)"), L * std::cos(angle) * of_u, 1e-7);
  EXPECT_NEAR(s.final("d(vx)/d(vy)"), -L * std::cos(angle) * of_u * rate - L * std::sin(angle) * rate / u, 1e-7);
  EXPECT_NEAR(s.final("d(x)/d(m)"), 0.0, 1e-9);
}

// Two carts on one rod: reinit turns the first one round, the rod takes the second one along. An instant later both
// have the speed that was set.
TEST(JumpSensitivities, OfWhatFollowsAReinitByImpulses) {
  const auto model = model_of(R"(model Carts
  parameter Real e = 0.5, d = 1, k = 2;
  Real x(start = 0, fixed = true), v(start = 1, fixed = true), z, w, F, a(start = 0, fixed = true);
equation
  der(x) = v;
  der(z) = w;
  der(v) = -F;
  k*der(w) = F;
  z = x + 1;
  der(a) = w*w;
  when x > d then
    reinit(v, -e*pre(v));
  end when;
end Carts;)");
  const double e = 0.5, d = 1, t = 1.6;
  const SensitiveSolution s = run(model, t, {"e", "d", "v", "k"});
  // x = v t until t* = d/v, then d - e v (t - t*); a = v² t* + e² v² (t - t*).
  EXPECT_NEAR(s.final("x"), d - e * (t - d), 1e-9);
  EXPECT_NEAR(s.final("d(z)/d(e)"), -(t - d), 1e-8);
  EXPECT_NEAR(s.final("d(z)/d(d)"), 1 + e, 1e-8);
  EXPECT_NEAR(s.final("d(z)/d(v)"), -e * t, 1e-8);
  EXPECT_NEAR(s.final("d(w)/d(v)"), -e, 1e-8);
  EXPECT_NEAR(s.final("d(a)/d(e)"), 2 * e * (t - d), 1e-8);
  EXPECT_NEAR(s.final("d(a)/d(v)"), d + 2 * e * e * t - e * e * d, 1e-8);
  EXPECT_NEAR(s.final("d(z)/d(k)"), 0.0, 1e-9);
}

// x' = 2 below p sin t and -1 above: from t* on, where -1 + 2 t* = p sin t*, x = p sin t, and z is its integral.
TEST(SensitivitiesOnSurfaces, WhileSliding) {
  const auto model = model_of(R"(model M
  parameter Real p = 0.3;
  Real x(start = -1, fixed = true), z(start = 0, fixed = true), w(start = 0, fixed = true);
equation
  der(x) = if x < p*sin(time) then 2 else -1;
  der(w) = if x < p*sin(time) then 4 else -2;
  der(z) = x;
end M;)");
  const double p = 0.3, t = 2;
  double when = 0.6;
  for (int k = 0; k < 50; ++k) when = (1 + p * std::sin(when)) / 2;
  const SensitiveSolution s = run(model, t, {"p", "x"});
  EXPECT_NEAR(s.final("x"), p * std::sin(t), 1e-9);
  EXPECT_NEAR(s.final("d(x)/d(p)"), std::sin(t), 1e-8);
  EXPECT_NEAR(s.final("d(x)/d(x)"), 0.0, 1e-8);
  EXPECT_NEAR(s.final("d(z)/d(p)"), std::cos(when) - std::cos(t), 1e-8);
  EXPECT_NEAR(s.final("d(z)/d(x)"), when, 1e-8);
  EXPECT_NEAR(s.final("d(w)/d(p)"), 2 * std::sin(t), 1e-8);  // w = 2 (x + 1)
  EXPECT_NEAR(s.final("d(w)/d(x)"), -2.0, 1e-8);
}

// The surface p t² is slower than 2 until 1/p; u is the time for which the relation is true, a part (2 p t + 1)/3 of it
// while sliding.
TEST(SensitivitiesOnSurfaces, WhereSlidingEnds) {
  const auto model = model_of(R"(model M
  parameter Real p = 1;
  Real x(start = -0.5, fixed = true), u(start = 0, fixed = true);
equation
  der(x) = if x < p*time^2 then 2 else -1;
  der(u) = if x < p*time^2 then 1 else 0;
end M;)");
  const double p = 1, begin = (2 - std::sqrt(2.0)) / 2, end = 1 / p, stop = 2;
  const double begin_moves = begin * begin / (2 - 2 * p * begin);
  const SensitiveSolution s = run(model, stop, {"p"});
  EXPECT_NEAR(s.final("x"), 2 * stop - 1 / p, 1e-9);
  EXPECT_NEAR(s.final("d(x)/d(p)"), 1 / (p * p), 1e-7);
  EXPECT_NEAR(s.final("d(u)/d(p)"), begin_moves * (1 - (2 * p * begin + 1) / 3) + (end * end - begin * begin) / 3,
              1e-7);
}

// Friction that holds a body on a belt: on the belt v = w, and y' = v.
TEST(SensitivitiesOnSurfaces, OnABelt) {
  const auto model = model_of(R"(model M
  parameter Real w = 0.2, F = 0.9, k = 1;
  Real v(start = 0, fixed = true), y(start = 0, fixed = true);
equation
  der(y) = v;
  der(v) = -k*y + (if v < w then F else -F);
end M;)");
  // v = F sin t until it is w (k = 1), then y = y* + w (t - t*), until y = F, where the belt pulls no more.
  const double w = 0.2, F = 0.9, when = std::asin(w / F), stop = 2;
  const double of_w = 1 / std::sqrt(F * F - w * w), of_F = -w / F * of_w;
  const SensitiveSolution s = run(model, stop, {"w", "F"});
  EXPECT_NEAR(s.final("y"), F * (1 - std::cos(when)) + w * (stop - when), 1e-9);
  EXPECT_NEAR(s.final("d(v)/d(w)"), 1.0, 1e-9);
  EXPECT_NEAR(s.final("d(y)/d(w)"), stop - when + (F * std::sin(when) - w) * of_w, 1e-8);
  EXPECT_NEAR(s.final("d(y)/d(F)"), 1 - std::cos(when) + (F * std::sin(when) - w) * of_F, 1e-8);
}

// A ball that comes to rest after 9 √(2 h/g) = 4.06 s: nothing of its bounces is left.
TEST(SensitivitiesOnSurfaces, AtRest) {
  const auto model = model_of(R"(model M
  parameter Real e = 0.8, g = 9.81, u = 1.5, a = 0.1;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true), x(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -g;
  der(x) = u*exp(-a*time);
  when h < 0 then
    reinit(v, -e*pre(v));
  end when;
end M;)");
  const SensitiveSolution s = run(model, 6, {"e", "g", "u", "a"}, "auto", 1e-8);
  for (const char* name : {"d(h)/d(e)", "d(v)/d(e)", "d(h)/d(g)", "d(v)/d(g)", "d(x)/d(e)", "d(x)/d(g)"})
    EXPECT_NEAR(s.final(name), 0.0, 1e-9) << name;
  EXPECT_NEAR(s.final("d(x)/d(u)"), (1 - std::exp(-0.6)) / 0.1, 1e-6);
  EXPECT_NEAR(s.final("d(x)/d(a)"), 1.5 * ((1 + 0.6) * std::exp(-0.6) - 1) / 0.01, 1e-5);
}

}  // namespace
}  // namespace driftless
