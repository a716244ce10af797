// Kinks and jumps of the equations in the part of a step that lies before an event: the event cuts the step, but what
// it stands on must be right.
#include <cmath>
#include <numbers>
#include <random>

#include "tests/events/shipped_run.hpp"

namespace driftless {
namespace {

constexpr double pi = std::numbers::pi, stop = 10.0;

class BeforeEvents : public ByMethod {
 protected:
  // der(y) = law, with events of x = sin(t) that change nothing, or the equation of z.
  Solution run(const std::string& law, double tolerance = 1e-9) {
    SimulateOptions options{.stop = stop, .tolerance = tolerance, .intervals = 20};
    options.method = *parse_method(GetParam());
    return simulate(read_model_text("m.mo", R"(model M
  Real x(start = 0, fixed = true), v(start = 1, fixed = true), y(start = 0, fixed = true), z(start = 0, fixed = true);
  Real s = sin(time);
  Integer n(start = 0, fixed = true), m(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x;
  der(y) = )" + law + R"(;
  der(z) = if x > -0.3 then 1 else -1;
  when x > 0.7 then
    n = pre(n) + 1;
  end when;
  when s > 0.2 then
    m = pre(m) + 1;
  end when;
end M;)"),
                    options);
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, BeforeEvents,
                         testing::Values("auto", "bdf", "ida", "radau", "explicit", "taylor", "half-explicit5"));

TEST_P(BeforeEvents, KinksAndJumpsAreSeen) {
  const double a = std::asin(0.45), b = std::asin(0.2);
  const struct {
    const char* law;
    double exact;  // y(10)
  } cases[] = {
      {"sign(x)", 4.0 * pi - stop},
      {"sign(s)", 4.0 * pi - stop},
      {"noEvent(if x > -0.45 then 1 else 0)", 2.0 * pi + 3.0 * a},
      {"noEvent(if s > -0.45 then 1 else 0)", 2.0 * pi + 3.0 * a},
      {"max(x, 0)", 4.0},
      {"abs(s)", 6.0 + 1.0 + std::cos(stop)},
      // On the surface of an event: 0.2 falls below x and above it again in each period.
      {"max(s - 0.2, 0)", 2.0 * (2.0 * std::cos(b) - 0.2 * (pi - 2.0 * b))},
      {"sign(x - 0.7)", 4.0 * (pi - 2.0 * std::asin(0.7)) - stop},
  };
  for (const auto& [law, exact] : cases) {
    const Solution solution = run(law);
    ASSERT_EQ(solution.outcome, Outcome::Success) << law << ": " << solution.message;
    EXPECT_NEAR(solution.final("y"), exact, 3e-6) << law;
    EXPECT_NEAR(solution.final("z"), 2.0 * (2.0 * pi + 3.0 * std::asin(0.3)) - stop, 1e-6) << law;
    EXPECT_EQ(solution.final("n"), 2.0) << law;
    EXPECT_EQ(solution.final("m"), 2.0) << law;
  }
}

// m * law(A sin(w t + p) + o, c), as text and as a number.
struct Term {
  int law;
  double m, c, amplitude, frequency, phase, offset;

  double signal(double t) const { return amplitude * std::sin(frequency * t + phase) + offset; }
  double operator()(double t) const {
    const double x = signal(t), d = x - c;
    const double sign = d > 0.0 ? 1.0 : d < 0.0 ? -1.0 : 0.0;
    const double values[] = {std::max(x, c), std::min(x, c), std::abs(d), sign, d > 0.0 ? 1.0 : 0.0};
    return m * values[law];
  }
  std::string text(int place) const {
    static constexpr const char* laws[] = {"max(x{0}, {1})", "min(x{0}, {1})", "abs(x{0} - ({1}))",
                                           "sign(x{0} - ({1}))", "noEvent(if x{0} > {1} then 1 else 0)"};
    return fmt::format("{}*{}", m, fmt::format(fmt::runtime(laws[law]), place, c));
  }
};

// Stages of a step that meet a kink behind the event, and ends of steps that have come back over two of them.
TEST_P(BeforeEvents, RandomKinksAndJumpsAreSeen) {
  std::mt19937 random(142);
  const auto uniform = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
  SimulateOptions options{.stop = stop, .tolerance = 1e-9, .intervals = 20};
  options.method = *parse_method(GetParam());
  for (int sample = 0; sample < 40; ++sample) {
    std::vector<Term> terms(1 + random() % 3);
    std::string declared, equations, law = "0";
    for (std::size_t k = 0; k < terms.size(); ++k) {
      Term& term = terms[k];
      term = {static_cast<int>(random() % 5),
              uniform(0.3, 2.0),
              uniform(-0.9, 0.9),
              uniform(0.5, 1.5),
              uniform(0.6, 2.5),
              uniform(0.0, 6.0),
              uniform(-0.3, 0.3)};
      declared += fmt::format("  Real x{};\n  Integer n{}(start = 0, fixed = true);\n", k, k);
      equations += fmt::format(
          "  x{0} = {1}*sin({2}*time + {3}) + ({4});\n  when x{0} > {5} then\n    n{0} = pre(n{0}) + "
          "1;\n  end when;\n",
          k, term.amplitude, term.frequency, term.phase, term.offset, uniform(-0.9, 0.9));
      law += " + " + term.text(static_cast<int>(k));
    }
    const Solution solution =
        simulate(read_model_text("m.mo", "model M\n" + declared + "  Real y(start = 0, fixed = true);\nequation\n" +
                                             equations + "  der(y) = " + law + ";\nend M;"),
                 options);
    constexpr int parts = 200'000;
    double exact = 0.0;
    for (int i = 0; i < parts; ++i)
      for (const Term& term : terms) exact += stop / parts * term((i + 0.5) * stop / parts);
    ASSERT_EQ(solution.outcome, Outcome::Success) << sample << ": " << law << ": " << solution.message;
    EXPECT_NEAR(solution.final("y"), exact, 6e-4) << sample << ": " << law;  // a part for each of up to six jumps
  }
}

// A jump behind the event, which stages of the step have met and its error test has not, bends the polynomial before
// it. The exact values are sums of lengths between roots, and of integrals of sines between them.
TEST_P(BeforeEvents, WhatLiesBehindBendsNothing) {
  SimulateOptions options{.stop = 20.0, .tolerance = 1e-9, .intervals = 20};
  options.method = *parse_method(GetParam());
  const Solution sign = simulate(read_model_text("m.mo", R"(model M
  Real x = 0.99*sin(1.26*time + 5) - 0.14, y(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(y) = 1.47*sign(x - 0.78) + (if x > 0.53 then 1 else -1);
  when x > -0.42 then
    n = pre(n) + 1;
  end when;
end M;)"),
                                 options);
  ASSERT_EQ(sign.outcome, Outcome::Success) << sign.message;
  const auto above = [](double bound) {  // how long in [0, 20]
    const double a = std::asin((bound + 0.14) / 0.99);
    double sum = 0.0;
    for (int k = 0; k < 6; ++k)
      sum += std::max(
          0.0, std::min(20.0, (pi - a + 2.0 * pi * k - 5.0) / 1.26) - std::max(0.0, (a + 2.0 * pi * k - 5.0) / 1.26));
    return sum;
  };
  EXPECT_NEAR(sign.final("y"), 1.47 * (2.0 * above(0.78) - 20.0) + 2.0 * above(0.53) - 20.0, 1e-6);

  options.stop = 10.0;
  const Solution max = simulate(read_model_text("m.mo", R"(model M
  Real x0 = 0.95*sin(1.06*time + 2.49) - 0.28, x1 = 0.78*sin(1.87*time + 0.43) - 0.16, y(start = 0, fixed = true);
equation
  der(y) = 0.91*max(x0, 0.56) + 1.09*sign(x0 - 0.55) + 1.13*min(x1, -0.82) + (if x0 > -0.65 then 1 else -1);
end M;)"),
                                options);
  ASSERT_EQ(max.outcome, Outcome::Success) << max.message;
  EXPECT_NEAR(max.final("y"), -11.917153066980186, 1e-6);
}

// The step that is to lead across a jump is so short that its first guess of a step size is nothing.
TEST_P(BeforeEvents, AJumpOfALoneStateIsCrossed) {
  SimulateOptions options{.stop = 20.0, .tolerance = 1e-9};
  options.method = *parse_method(GetParam());
  const Solution solution = simulate(read_model_text("m.mo", R"(model M
  Real x = 1.01*sin(1.35*time + 5.98) - 0.13, y(start = 0, fixed = true);
equation
  der(y) = noEvent(if x > -0.71 then 1 else 0);
end M;)"),
                                     options);
  ASSERT_EQ(solution.outcome, Outcome::Success) << solution.message;
  double exact = 0.0;
  const double bound = std::asin(-0.58 / 1.01);
  for (int k = 0; k < 6; ++k)  // from the bound to the bound, upwards and downwards
    exact += std::max(0.0, std::min(20.0, (pi - bound + 2.0 * pi * k - 5.98) / 1.35) -
                               std::max(0.0, (bound + 2.0 * pi * k - 5.98) / 1.35));
  EXPECT_NEAR(solution.final("y"), exact, 1e-6);
}

}  // namespace
}  // namespace driftless
