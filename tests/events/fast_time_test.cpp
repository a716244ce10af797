// Event functions that oscillate by the time in them while all states are slow, at random: a method takes steps of many
// periods, and every crossing is found all the same, whichever way the function depends on time.
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "driftless/language/read.hpp"
#include "driftless/simulation.hpp"

namespace driftless {
namespace {

using namespace testing;

struct Way {
  const char* name;
  const char* unknowns;
  const char* equations;               // of y; s stands for x*sin(w*time + phase), with the slow state x
  double (*s_of)(double y, double w);  // s, or what oscillates like it, where y has this value
};

// c = d becomes true where s passes the value that belongs to d.
const Way ways[] = {
    {"definition", "Real y;", "y = x*sin(w*time + phase);", [](double y, double) { return y; }},
    {"phase by a state", "Real y; Real p(start = 0, fixed = true);",
     "der(p) = 0.5*w; y = x*sin(0.5*w*time + p + phase);", [](double y, double) { return y; }},
    {"row", "Real y;", "y + 0.3*y^3 = x*sin(w*time + phase);", [](double y, double) { return y + 0.3 * y * y * y; }},
    {"two rows", "Real y; Real z;", "y + 0.2*z^3 = x*sin(w*time + phase); z + 0.2*y^3 = x*sin(w*time + phase);",
     [](double y, double) { return y + 0.2 * y * y * y; }},
    {"row of a definition", "Real y; Real u;", "u = x*sin(w*time + phase); exp(y) - exp(-y) + y = 3*u;",
     [](double y, double) { return (2.0 * std::sinh(y) + y) / 3.0; }},
};

struct Case {
  double w, phase, decay, stop, c, s_at_c;
  double s(double t) const { return std::exp(-decay * t) * std::sin(w * t + phase); }
};

// No crossing touches, and none lies at the end of the run.
Case random_case(std::mt19937& random, const Way& way) {
  std::uniform_real_distribution<double> u(0.0, 1.0);
  for (;;) {
    const double w = std::pow(10.0, 0.5 + 2.5 * u(random)), stop = (40.0 + 200.0 * u(random)) / w;
    Case c{w, 6.0 * u(random), 0.1 / stop, stop, 1.2 * u(random) - 0.6, 0.0};
    c.s_at_c = way.s_of(c.c, w);
    if (std::abs(c.s_at_c) < 0.8 && std::abs(c.s(stop) - c.s_at_c) > 0.1 && std::abs(c.s(0.0) - c.s_at_c) > 0.1)
      return c;
  }
}

int crossings_of(const Case& c) {
  int count = 0;
  constexpr int points = 20'000;
  for (int k = 0; k < points; ++k) {
    const bool before = c.s(c.stop * k / points) > c.s_at_c, behind = c.s(c.stop * (k + 1) / points) > c.s_at_c;
    count += before != behind;
  }
  return count;
}

std::string text_of(const Way& way, const Case& c, bool changes_equations) {
  const char* use =
      changes_equations ? "der(n) = if y > c then 1 else 0;" : "der(n) = 0; when y > c then k = pre(k) + 1; end when;";
  return fmt::format(R"(model Fast
  parameter Real w = {:.17g}; parameter Real phase = {:.17g}; parameter Real c = {:.17g};
  Real x(start = 1, fixed = true); Real n(start = 0, fixed = true); Integer k(start = 0, fixed = true); {}
equation
  der(x) = -{:.17g}*x;
  {}
  {}
  annotation(experiment(StopTime = {:.17g}));
end Fast;)",
                     c.w, c.phase, c.c, way.unknowns, c.decay, way.equations,
                     changes_equations ? std::string(use) + " when false then k = 1; end when;" : use, c.stop);
}

class FastTime : public TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, FastTime, Values("bdf", "ida", "radau", "explicit", "taylor"),
                         [](const auto& method) { return std::string(method.param); });

TEST_P(FastTime, CausesAllEventsWhileStatesAreSlow) {
  std::mt19937 random(11);
  for (const Way& way : ways)
    for (int trial = 0; trial < 6; ++trial) {
      const Case c = random_case(random, way);
      const int expected = crossings_of(c);
      for (const bool changes_equations : {false, true})
        for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
          SimulateOptions options;
          options.method = *parse_method(GetParam());
          options.tolerance = tolerance;
          options.dense = false;
          const Solution s = simulate(read_model_text("fast.mo", text_of(way, c, changes_equations)), options);
          const std::string where = fmt::format("{}, trial {}, tolerance {:g}, {}", way.name, trial, tolerance,
                                                changes_equations ? "changes equations" : "counts");
          ASSERT_EQ(s.outcome, Outcome::Success) << where << ": " << s.message;
          EXPECT_EQ(static_cast<int>(s.events.size()), expected) << where;
          for (const auto& event : s.events)
            EXPECT_NEAR(c.s(event.time), c.s_at_c, 100.0 * tolerance) << where << " at " << event.time * c.w;
        }
    }
}

// Ideal diode and capacitor: conduction ends where the current C u' + u/R is 0, and begins where the decaying voltage
// meets the source again.
struct PeakDetector {
  int events = 1;
  double conducting = 0.0;
};

PeakDetector exact_peak_detector(double w, double time_constant, double stop) {
  const double pi = std::numbers::pi, end = pi - std::atan(w * time_constant);
  PeakDetector exact{1, end / w};
  for (int period = 1;; ++period) {
    const double left = (2.0 * pi * (period - 1) + end) / w;
    double low = 2.0 * pi * period / w, high = (2.0 * pi * period + 0.5 * pi) / w;
    for (int k = 0; k < 200; ++k) {
      const double t = std::midpoint(low, high);
      (std::sin(w * t) > std::sin(end) * std::exp((left - t) / time_constant) ? high : low) = t;
    }
    if (high > stop) return exact;
    exact.events += 2;
    exact.conducting += (2.0 * pi * period + end) / w - high;
  }
}

TEST_P(FastTime, ADiodeConductsAroundEveryPeakOfItsSource) {
  const PeakDetector exact = exact_peak_detector(314.159265358979, 100.0, 1.0);
  for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
    SimulateOptions options;
    options.method = *parse_method(GetParam());
    options.tolerance = tolerance;
    const Solution s = simulate(read_model_file(DRIFTLESS_SOURCE_DIR "/models/hybrid/peak_detector.mo"), options);
    ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
    EXPECT_EQ(static_cast<int>(s.events.size()), exact.events) << tolerance;
    EXPECT_NEAR(s.final("t_on"), exact.conducting, 1e-2 * tolerance) << tolerance;
  }
}

}  // namespace
}  // namespace driftless
