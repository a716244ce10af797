// A current that passes from one switch to another one at an instant at which several relations are on their bounds.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/events/shipped_run.hpp"

namespace driftless {
namespace {

using namespace testing;

class Commutation : public ByMethod {};
INSTANTIATE_TEST_SUITE_P(Methods, Commutation, Values("bdf", "radau", "explicit", "taylor", "auto"));

constexpr double w = 2.0 * std::numbers::pi * 50.0, V = 325.0, R = 10.0, L = 0.05, firing = 1.2;

// Fired at 1.2, the thyristor conducts until the voltage of the mains is zero, and then the diode does.
double current(double t) {
  const double period = 2.0 * std::numbers::pi / w, z = R * R + w * w * L * L;
  const auto particular = [&](double angle) { return V * (R * std::sin(angle) - w * L * std::cos(angle)) / z; };
  const auto decay = [](double angle) { return std::exp(-R / (w * L) * angle); };
  double i = 0.0;
  const int periods = static_cast<int>(t / period + 1e-9);
  const double phase = std::max(t - periods * period, 0.0) * w;
  for (int k = 0; k < periods; ++k) {
    const double fired = i * decay(firing);
    const double end = particular(std::numbers::pi) + (fired - particular(firing)) * decay(std::numbers::pi - firing);
    i = end * decay(std::numbers::pi);
  }
  if (phase < firing) return i * decay(phase);
  const double fired = i * decay(firing), until = std::min(phase, std::numbers::pi);
  return (particular(until) + (fired - particular(firing)) * decay(until - firing)) * decay(phase - until);
}

// The voltage is zero where the thyristor is no longer fired: if no switch conducted, the current would jump to zero by
// an impulse that makes both conduct.
TEST_P(Commutation, OfAThyristorToAFreewheelingDiode) {
  SimulateOptions options;
  options.method = *parse_method(GetParam());
  options.tolerance = 1e-11;
  const Solution s = simulate(read_model_text("freewheel.mo", R"(model Freewheel
  constant Real pi = 3.141592653589793;
  parameter Real V = 325, f = 50, R = 10, L = 0.05, alpha = 1.2;
  Real i(start = 0, fixed = true), u, vs, it, id, st, sd;
  Boolean fire(start = false, fixed = true), t_off, d_off;
equation
  vs = V*sin(2*pi*f*time);
  fire = mod(2*pi*f*time, 2*pi) > alpha and mod(2*pi*f*time, 2*pi) < pi;
  L*der(i) + R*i = u;
  i = it + id;
  t_off = st < 0 or not fire and pre(t_off);
  vs - u = if t_off then st else 0;
  it = if t_off then 0 else st;
  d_off = sd < 0;
  -u = if d_off then sd else 0;
  id = if d_off then 0 else sd;
  annotation(experiment(StopTime = 0.1));
end Freewheel;)"),
                              options);
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  for (std::size_t row = 0; row < s.times.size(); ++row)
    EXPECT_NEAR(value(s, row, "i"), current(s.times[row]), 1e-10 * 16.0) << s.times[row];
}

}  // namespace
}  // namespace driftless
