// Relations and continuous equations that determine each other: ideal diodes and thyristors, friction that sticks,
// contacts. Closed forms, by every method that chooses its steps.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/events/shipped_run.hpp"

namespace driftless {
namespace {

using namespace testing;
constexpr double pi = std::numbers::pi;

class MixedSystem : public ByMethod {
 protected:
  // What IDA lets pass adds up to somewhat more than the errors of the others.
  double bound() const { return std::string(GetParam()) == "ida" ? 3e-10 : 1e-10; }
};
INSTANTIATE_TEST_SUITE_P(Methods, MixedSystem,
                         Values("bdf", "radau", "explicit", "taylor", "ida", "half-explicit", "auto"));

TEST_P(MixedSystem, BridgeRectifierDeliversTheAbsoluteValue) {
  const Solution s = run_shipped("bridge_rectifier", GetParam());
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  for (std::size_t row = 0; row < s.times.size(); ++row) {
    EXPECT_NEAR(value(s, row, "vl"), std::abs(5.0 * std::sin(2.0 * pi * s.times[row])), 1e-13);
    EXPECT_NEAR(value(s, row, "il"), value(s, row, "vl") / 10.0, 1e-13);
  }
  // From where on which diodes conduct; at 0 all of them are on their bounds.
  for (const double t : {0.5, 1.0, 1.5, 2.0})
    EXPECT_TRUE(std::ranges::any_of(s.events, [&](const Event& event) { return std::abs(event.time - t) < 1e-14; }));
}

// Between two zeros of the source the current of R and L under A sin(w tau), tau from the last zero.
double current_of_rl(double t) {
  const double A = 5.0, R = 10.0, L = 2.0, w = 2.0 * pi, z = R * R + w * w * L * L;
  const auto particular = [&](double tau) { return A * (R * std::sin(w * tau) - w * L * std::cos(w * tau)) / z; };
  double i = 0.0;
  for (; t > 0.5; t -= 0.5) i = particular(0.5) + (i - particular(0.0)) * std::exp(-R / L * 0.5);
  return particular(t) + (i - particular(0.0)) * std::exp(-R / L * t);
}

TEST_P(MixedSystem, BridgeRectifierWithInductor) {
  const Solution s = run_shipped("bridge_rectifier_rl", GetParam());
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  for (std::size_t row = 0; row < s.times.size(); ++row)
    EXPECT_NEAR(value(s, row, "il"), current_of_rl(s.times[row]), 1e-10) << s.times[row];
}

// The voltage of the capacitor: C v' = max(|e| - v, 0)/Rs - v/R with e = A sin(w t).
class SmoothedVoltage {
 public:
  struct Phase {
    long double from, v;
    bool conducts;
  };
  explicit SmoothedVoltage(long double stop) {
    phases_.push_back({0.0L, 0.0L, true});
    while (phases_.back().from < stop) {
      const Phase& last = phases_.back();
      const auto difference = [&](long double t) { return std::abs(source(t)) - at(last, t); };
      long double t = last.from + 1e-9L;
      while ((difference(t) > 0.0L) == last.conducts) t += 1e-3L;
      const long double end = root_between(std::max(t - 1e-3L, last.from + 1e-9L), t, difference);
      phases_.push_back({end, at(last, end), !last.conducts});
    }
  }
  const std::vector<Phase>& phases() const { return phases_; }
  double operator()(double t) const {
    auto next = std::ranges::upper_bound(phases_, static_cast<long double>(t), {}, &Phase::from);
    return static_cast<double>(at(*std::prev(next), t));
  }

 private:
  static constexpr long double A = 5.0L, R = 10.0L, Rs = 0.5L, C = 0.1L, w = 2.0L * std::numbers::pi_v<long double>;
  static long double source(long double t) { return A * std::sin(w * t); }
  static long double at(const Phase& phase, long double t) {
    if (!phase.conducts) return phase.v * std::exp(-(t - phase.from) / (R * C));
    const long double a = 1.0L / (Rs * C) + 1.0L / (R * C), z = a * a + w * w;
    const long double sign = source((phase.from + phase.from + 1e-3L) / 2.0L) < 0.0L ? -1.0L : 1.0L;
    const auto particular = [&](long double s) {
      return sign * A / (Rs * C) * (a * std::sin(w * s) - w * std::cos(w * s)) / z;
    };
    return particular(t) + (phase.v - particular(phase.from)) * std::exp(-a * (t - phase.from));
  }
  std::vector<Phase> phases_;
};

TEST_P(MixedSystem, BridgeRectifierWithCapacitor) {
  const Solution s = run_shipped("bridge_rectifier_rc", GetParam());
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  const SmoothedVoltage exact(2.3L);
  for (std::size_t row = 0; row < s.times.size(); ++row)
    EXPECT_NEAR(value(s, row, "vl"), exact(s.times[row]), 1e-10) << s.times[row];
  for (const auto& phase : exact.phases())
    if (phase.from > 0.0L && phase.from < 2.3L) {
      EXPECT_TRUE(std::ranges::any_of(s.events, [&](const Event& e) {
        return std::abs(e.time - static_cast<double>(phase.from)) < 1e-10;
      })) << static_cast<double>(phase.from);
    }
}

TEST_P(MixedSystem, HalfWaveRectifierWithInductor) {
  const Solution s = run_shipped("half_wave_rectifier", GetParam());
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  const auto current = [](long double t) { return (std::sin(t) - std::cos(t) + std::exp(-t)) / 2.0L; };
  const double end = static_cast<double>(root_between(3.5L, 4.5L, current));
  for (std::size_t row = 0; row < s.times.size(); ++row) {
    const double t = std::fmod(s.times[row], 2.0 * pi);
    EXPECT_NEAR(value(s, row, "i"), t < end ? static_cast<double>(current(t)) : 0.0, 1e-10) << s.times[row];
  }
  std::vector<double> expected;
  for (int k = 0; k < 4; ++k)
    for (const double t : {2.0 * pi * k, 2.0 * pi * k + end})
      if (t > 0.0 && t < 20.0) expected.push_back(t);
  EXPECT_THAT(changes(s, "off"), Pointwise(DoubleNear(1e-10), expected));
}

TEST_P(MixedSystem, OneOf24DiodesConducts) {
  const Solution s = run_shipped("largest_of_sources", GetParam());
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  for (std::size_t row = 0; row < s.times.size(); ++row) {
    double largest = 0.0;
    for (int k = 1; k <= 24; ++k) largest = std::max(largest, 5.0 + std::sin(s.times[row] + 2.0 * pi * k / 24));
    EXPECT_NEAR(value(s, row, "node"), largest, 1e-13);
  }
  EXPECT_LT(s.statistics.event_iterations, 1000) << "of 2^24 combinations";
}

// From firing on the load has the voltage sqrt(3) A sin(pi/3 + alpha + w tau), for a sixth of a period.
double current_of_thyristors(double t) {
  const double A = std::sqrt(3.0) * 100.0, R = 1.0, L = 0.5, w = 2.0 * pi, alpha = 0.5, z = R * R + w * w * L * L;
  const double first = (pi / 6.0 + alpha) / w;
  if (t < first) return 0.0;
  const auto particular = [&](double tau) {
    const double angle = pi / 3.0 + alpha + w * tau;
    return A * (R * std::sin(angle) - w * L * std::cos(angle)) / z;
  };
  double i = 0.0, tau = t - first;
  for (; tau > 1.0 / 6.0; tau -= 1.0 / 6.0) i = particular(1.0 / 6.0) + (i - particular(0.0)) * std::exp(-R / L / 6.0);
  return particular(tau) + (i - particular(0.0)) * std::exp(-R / L * tau);
}

TEST_P(MixedSystem, ThyristorBridge) {
  const Solution s = run_shipped("three_phase_bridge", GetParam());
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  double largest = 0.0;
  for (const double t : s.times) largest = std::max(largest, current_of_thyristors(t));
  for (std::size_t row = 0; row < s.times.size(); ++row)
    EXPECT_NEAR(value(s, row, "il"), current_of_thyristors(s.times[row]), 1e-10 * largest) << s.times[row];
}

TEST_P(MixedSystem, StickSlip) {
  const Solution s = run_shipped("stick_slip", GetParam(), 1e-13);
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  // It slips from x = 1.5 with x = 1 + cos(tau)/2 + sin(tau)/5 until it is as fast as the belt, at x = 0.5.
  const double slips = 2.0 * pi - 2.0 * std::atan(2.5), sticks = 1.0 / 0.2;
  std::vector<double> expected;
  for (double t = 7.5; t < 40.0; t += sticks + slips)
    for (const double at : {t, t + slips})
      if (at < 40.0) expected.push_back(at);
  EXPECT_THAT(changes(s, "stuck"), Pointwise(DoubleNear(bound()), expected));
  for (std::size_t row = 0; row < s.times.size(); ++row) {
    const double t = s.times[row] < 7.5 ? s.times[row] - 2.5 + sticks : std::fmod(s.times[row] - 7.5, sticks + slips);
    const double x = s.times[row] < 7.5 ? 0.2 * s.times[row]
                     : t < slips        ? 1.0 + std::cos(t) / 2.0 + std::sin(t) / 5.0
                                        : 0.5 + 0.2 * (t - slips);
    EXPECT_NEAR(value(s, row, "x"), x, bound()) << s.times[row];
  }
}

// The speed of a body under F sin(t) with friction f0 while it moves and f0_max until it does, found by bracketing.
TEST_P(MixedSystem, RoughTable) {
  const Solution s = run_shipped("rough_table", GetParam());
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  struct Phase {
    long double from;
    int direction;
  };
  std::vector<Phase> phases{{0.0L, 0}};
  const auto speed = [](const Phase& phase, long double t) {
    return phase.direction == 0 ? 0.0L
                                : 2.0L * (std::cos(phase.from) - std::cos(t)) - phase.direction * (t - phase.from);
  };
  while (phases.back().from < 12.0L) {
    const Phase last = phases.back();
    if (last.direction == 0) {  // the next time at which 2 |sin t| comes to 1.5
      long double t = last.from;
      while (2.0L * std::abs(std::sin(t)) < 1.5L) t += 1e-4L;
      const long double at = t == last.from ? t : root_between(t - 1e-4L, t, [](long double u) {
        return 2.0L * std::abs(std::sin(u)) - 1.5L;
      });
      phases.push_back({at, std::sin(at) > 0.0L ? 1 : -1});
    } else {
      long double t = last.from + 1e-3L;
      while (speed(last, t) * last.direction > 0.0L) t += 1e-3L;
      phases.push_back({root_between(t - 1e-3L, t, [&](long double u) { return speed(last, u); }), 0});
    }
  }
  for (std::size_t row = 0; row < s.times.size(); ++row) {
    const auto next = std::ranges::upper_bound(phases, static_cast<long double>(s.times[row]), {}, &Phase::from);
    EXPECT_NEAR(value(s, row, "v"), static_cast<double>(speed(*std::prev(next), s.times[row])), 1e-10) << s.times[row];
  }
}

TEST_P(MixedSystem, TwoBlocksKeepTheirMomentum) {
  const Solution s = run_shipped("two_blocks", GetParam(), 1e-13);
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  const double begins = std::asin(0.75);  // f = 4 sin t comes to 3
  const auto v1 = [&](double t) { return 4.0 * (1.0 - std::cos(begins)) + 3.0 * (t - begins); };
  const auto v2 = [&](double t) { return (12.0 * (1.0 - std::cos(t)) - v1(t)) / 2.0; };
  const double ends = static_cast<double>(root_between(2.5L, 4.0L, [&](long double t) {
    const double at = static_cast<double>(t);
    return v2(at) - v1(at);
  }));
  const std::vector<double> times = changes(s, "slips");
  ASSERT_GE(times.size(), 2u);
  EXPECT_NEAR(times[0], begins, bound());
  EXPECT_NEAR(times[1], ends, bound());
  for (std::size_t row = 0; row < s.times.size(); ++row) {
    const double t = s.times[row];
    EXPECT_NEAR(value(s, row, "v1") + 2.0 * value(s, row, "v2"), 12.0 * (1.0 - std::cos(t)), bound()) << t;
    EXPECT_LE(std::abs(value(s, row, "f")), 3.0 + 1e-9);
    if (t < begins) {
      EXPECT_NEAR(value(s, row, "v1"), 4.0 * (1.0 - std::cos(t)), bound());
    }
    if (t > begins && t < ends) {
      EXPECT_NEAR(value(s, row, "v1"), v1(t), bound());
    }
  }
}

TEST_P(MixedSystem, ContactOpensAndCloses) {
  const Solution s = run_shipped("contact", GetParam());
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  const auto falls = [](long double t) { return 1.0L - t * t + 4.0L * (t - std::sin(t)); };
  const long double lifts = (2.0L + 1.0L / 6.0L) * std::numbers::pi_v<long double>;
  const auto flies = [&](long double t) {
    const long double u = t - lifts;
    return -u * u + 4.0L * (std::cos(lifts) * u - (std::sin(t) - std::sin(lifts)));
  };
  const long double hits = root_between(4.0L, 6.0L, falls), again = root_between(9.0L, 12.0L, flies);
  EXPECT_THAT(changes(s, "closed"),
              ElementsAre(DoubleNear(static_cast<double>(hits), 1e-10), DoubleNear(static_cast<double>(lifts), 1e-10),
                          DoubleNear(static_cast<double>(again), 1e-10)));
  for (std::size_t row = 0; row < s.times.size(); ++row) {
    const double t = s.times[row];
    const double x = t < hits                 ? static_cast<double>(falls(t))
                     : t < lifts || t > again ? 0.0
                                              : static_cast<double>(flies(t));
    EXPECT_NEAR(value(s, row, "x"), x, 1e-10) << t;
    EXPECT_GE(value(s, row, "f"), -1e-9);
  }
}

// Behind the event the rate of v is the difference of large currents, divided by a tiny capacitance: Newton's
// corrections of it stay as large as it is. At rest v is the voltage of the node before it.
TEST(MixedSystems, ATinyCapacitorGoesOnBehindAnEvent) {
  const Solution s = simulate(read_model_text("tiny_capacitor.mo", R"(model TinyCapacitor
  Real u = if time < 5 then 1.2*time else 6;
  Real v(start = 0, fixed = true), w[4](each start = 0.1), i, diode;
equation
  1e-15*der(v) = i;
  i = 10*(w[4] - v);
  diode = 1e-9*(exp(min(w[1] - w[2], 0.6)/0.025) - 1);
  (u - w[1])/3 = diode + w[1]/7;
  (w[1] - w[2])/11 + diode = (w[2] - w[3])/1.3;
  (w[2] - w[3])/1.3 = w[3]^3/3 + (w[3] - w[4])/0.7;
  (w[3] - w[4])/0.7 = w[4]/13 + i;
  annotation(experiment(StopTime = 10));
end TinyCapacitor;)"));
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  const std::size_t last = s.times.size() - 1;
  const double v = value(s, last, "v");
  EXPECT_NEAR(v, value(s, last, "w[4]"), 1e-12);
  EXPECT_NEAR((value(s, last, "w[3]") - v) / 0.7, v / 13, 1e-12);
}

TEST(MixedSystems, ABridgeWhoseModesAreAllSingularIsNamed) {
  EXPECT_THROW(simulate(read_model_text("loop.mo", R"(model Loop "a diode in parallel with a source, whichever way"
  Real s, v, i;
  Boolean off;
equation
  off = s < 0;
  v = 1;
  v = 0*s;
  i = s*(if off then 0 else 1);
end Loop;)")),
               ModelError);
}

TEST(MixedSystems, AContradictionIsNamed) {
  const Solution s = simulate(read_model_text("contradiction.mo", R"(model Contradiction
  Real x(start = 0, fixed = true), y;
  Boolean high;
equation
  der(x) = 1;
  high = y > 1;
  y = x - (if high then 1 else 0);
  annotation(experiment(StopTime = 2));
end Contradiction;)"),
                              {.tolerance = 1e-9});
  EXPECT_FALSE(reached_end(s.outcome));
  EXPECT_THAT(s.code, Optional(Code::EventUnresolved));
  EXPECT_THAT(s.message, HasSubstr("1 < y"));
  EXPECT_NEAR(s.reached, 1.0, 1e-6);
}

}  // namespace
}  // namespace driftless
