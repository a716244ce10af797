// Impacts and instants with closed forms: a pendulum and a wall, balls, a circle that is touched, a converter.
#include <algorithm>
#include <array>
#include <cmath>

#include "tests/events/shipped_run.hpp"

namespace driftless {
namespace {

using namespace testing;

class Impacts : public ByMethod {};
INSTANTIATE_TEST_SUITE_P(Methods, Impacts,
                         Values("bdf", "radau", "explicit", "taylor", "ida", "half-explicit", "auto"));

// Hits of a pendulum, released at rest at x = 0.8, at the wall x = -0.3. From the turning point phi0 to phi it takes
// sqrt(L/g) (K(k) - F(asin(sin(phi/2)/k), k)), k = sin(phi0/2).
std::vector<double> hits_of_pendulum(double e, double until) {
  const double g = 9.81, wall = std::asin(-0.3);
  double amplitude = std::asin(0.8), t = 0.0;
  std::vector<double> hits;
  for (bool first = true;; first = false) {
    const double k = std::sin(amplitude / 2.0);
    const double swing =
        std::sqrt(1.0 / g) * (std::comp_ellint_1(k) - std::ellint_1(k, std::asin(std::sin(wall / 2.0) / k)));
    t += first ? swing : 2.0 * swing;
    if (t > until) return hits;
    hits.push_back(t);
    const double square = e * e * 2.0 * g * (std::cos(wall) - std::cos(amplitude));  // of the speed behind the impact
    amplitude = std::acos(std::cos(wall) - square / (2.0 * g));
  }
}

TEST_P(Impacts, OfAPendulumAtAWall) {
  const Solution s = run_shipped("pendulum_and_wall", GetParam());
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  std::vector<double> times;
  for (const Event& event : s.events) times.push_back(event.time);
  EXPECT_THAT(times, Pointwise(DoubleNear(1e-10), hits_of_pendulum(0.8, 4.0)));
  // Right behind each impact the constraint holds at all levels.
  std::size_t behind = 0;
  for (std::size_t row = 1; row < s.times.size(); ++row) {
    if (s.times[row] != s.times[row - 1]) continue;
    ++behind;
    const double x = value(s, row, "x"), y = value(s, row, "y"), vx = value(s, row, "vx"), vy = value(s, row, "vy");
    EXPECT_NEAR(x * x + y * y, 1.0, 1e-12);
    EXPECT_NEAR(x * vx + y * vy, 0.0, 1e-12);
    EXPECT_NEAR(vx * vx + vy * vy - value(s, row, "F") - 9.81 * y, 0.0, 1e-11);
    EXPECT_NEAR(vx, -0.8 * value(s, row - 1, "vx"), 1e-12);
  }
  EXPECT_EQ(behind, times.size());
  EXPECT_EQ(s.drift_levels, 3u);
}

// A ball between two others that hit it at the same instant: the impacts follow each other, first that of the first
// clause.
TEST_P(Impacts, OfOneBodyAtOnceAreTakenOneAfterTheOther) {
  SimulateOptions options;
  options.method = *parse_method(GetParam());
  options.tolerance = 1e-10;
  const auto run = [&](const std::string& first, const std::string& second) {
    return simulate(read_model_text("m.mo", fmt::format(R"(model M
  Real x[3](start = {{-1, 0, 1}}, each fixed = true), v[3](start = {{2, 0, -2}}, each fixed = true);
equation
  der(x) = v;
  der(v) = zeros(3);
  when x[1] > x[2] then
    {}
  end when;
  when x[2] > x[3] then
    {}
  end when;
  annotation(experiment(StopTime = 2));
end M;)",
                                                        first, second)),
                    options);
  };
  const auto law = [](int a, double e) {  // of equal masses
    return fmt::format(
        "reinit(v[{0}], (v[{0}] + v[{1}] - {2}*(v[{0}] - v[{1}]))/2); "
        "reinit(v[{1}], (v[{0}] + v[{1}] + {2}*(v[{0}] - v[{1}]))/2);",
        a, a + 1, e);
  };
  const auto exact = [](double e) {
    std::array<double, 3> v = {2.0, 0.0, -2.0};
    for (int k = 0; k < 1000; ++k)
      for (const std::size_t a : {0u, 1u})
        if (const double sum = v[a] + v[a + 1], difference = v[a] - v[a + 1]; difference > 1e-14)
          v[a] = (sum - e * difference) / 2.0, v[a + 1] = (sum + e * difference) / 2.0;
    return v;
  };
  for (const double e : {1.0, 0.5}) {
    const Solution s = run(law(1, e), law(2, e));
    ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
    for (int k = 1; k <= 3; ++k) {
      EXPECT_NEAR(s.final(fmt::format("v[{}]", k)), exact(e)[static_cast<std::size_t>(k - 1)], 1e-8) << e;
      EXPECT_NEAR(s.final(fmt::format("x[{}]", k)), 1.5 * exact(e)[static_cast<std::size_t>(k - 1)], 1e-8) << e;
    }
  }
  // A clause that contradicts itself has no order.
  const Solution s = run("reinit(v[2], 1);", "reinit(v[2], 2);");
  EXPECT_EQ(s.outcome, Outcome::Success) << s.message;
}

TEST_P(Impacts, OfBallsInABox) {
  const Solution s = run_shipped("balls_in_a_box", GetParam());
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  int bounces = 0;
  for (int k = 1; k <= 100; ++k) {
    const auto check = [&](const char* name, double from, double v) {
      const double free = from + 2.0 * v, cells = std::floor(free), inside = free - cells;
      bounces += static_cast<int>(std::abs(cells));
      EXPECT_NEAR(s.final(fmt::format("{}[{}]", name, k)),
                  std::fmod(std::abs(cells), 2.0) == 0.0 ? inside : 1.0 - inside, 1e-11);
      EXPECT_NEAR(std::abs(s.final(fmt::format("v{}[{}]", name, k))), std::abs(v), 1e-13);
      return static_cast<int>(std::abs(cells));
    };
    const int of_ball = check("x", 0.5 + 0.49 * std::sin(7.0 * k), 1.3 * std::sin(3.0 * k)) +
                        check("y", 0.5 + 0.49 * std::sin(11.0 * k), 1.3 * std::cos(5.0 * k));
    EXPECT_EQ(s.final(fmt::format("bounces[{}]", k)), of_ball);
  }
  EXPECT_GT(bounces, 300);
}

TEST_P(Impacts, OfAChainOfBallsExchangeTheirSpeeds) {
  const Solution s = run_shipped("chain_of_balls", GetParam());
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  const std::array<double, 6> x = {0.0, 1.1, 1.9, 3.2, 4.1, 5.3}, v = {1.7, 0.4, 0.9, -0.3, -1.1, -0.6};
  // Equal balls that exchange their speeds are balls that pass through each other, and exchange their names.
  int meetings = 0;
  for (std::size_t a = 0; a < 6; ++a)
    for (std::size_t b = a + 1; b < 6; ++b) {
      const double t = (x[b] - x[a]) / (v[a] - v[b]);
      meetings += t > 0.0 && t < 6.0;
    }
  EXPECT_EQ(s.final("impacts"), meetings);
  for (std::size_t row = 0; row < s.times.size(); ++row) {
    std::array<double, 6> free;
    for (std::size_t k = 0; k < 6; ++k) free[k] = x[k] + v[k] * s.times[row];
    std::ranges::sort(free);
    for (std::size_t k = 0; k < 6; ++k)
      EXPECT_NEAR(value(s, row, fmt::format("x[{}]", k + 1).c_str()), free[k], 1e-11) << s.times[row];
  }
}

TEST_P(Impacts, ACircleThatIsTouchedAndCrossed) {
  for (const double depth : {1e-9, 1e-12, 0.0, -1e-12, -1e-9}) {
    ModelBuilder m("Grazing");
    const Expr x = m.variable("x", {.start = -2.0, .fixed = true}),
               y = m.variable("y", {.start = 1.0 - depth, .fixed = true});
    const Expr inside = m.discrete("inside", {.type = DiscreteType::Boolean});
    m.equation(der(x) == 1.0);
    m.equation(der(y) == 0.0);
    m.discrete_equation(inside == (x * x + y * y < 1.0));
    m.experiment({.stop = 4.0});
    SimulateOptions options;
    options.method = *parse_method(GetParam());
    options.tolerance = 1e-12;
    const Solution s = simulate(m.build(), options);
    ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
    const std::vector<double> times = changes(s, "inside");
    if (depth <= 0.0) {
      EXPECT_THAT(times, IsEmpty()) << depth;
      continue;
    }
    const double half = std::sqrt(depth * (2.0 - depth));
    ASSERT_EQ(times.size(), 2u) << depth;
    // The function is flat there: its rounding, and that of x, move the instant by epsilon/half.
    EXPECT_NEAR(times[0], 2.0 - half, 1e-14 / half);
    EXPECT_NEAR(times[1], 2.0 + half, 1e-14 / half);
  }
}

TEST_P(Impacts, BuckConverterIsMadeOfExponentials) {
  const Solution s = run_shipped("buck_converter_with_diode", GetParam());
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  // (i, v)' = M (i, v) + (u/L, 0), advanced by the series of the exponential in extended precision.
  const long double L = 1e-3L, C = 1e-4L, R = 5.0L, half = 0.5e-4L;
  long double i = 0.0L, v = 0.0L;
  for (int k = 0; k < 200; ++k) {
    const long double u = k % 2 == 0 ? 24.0L : 0.0L, steady = u / R;
    long double di = i - steady, dv = v - u, ti = di, tv = dv;
    for (int n = 1; n < 40; ++n) {
      const long double ni = -tv / L * half / n, nv = (ti - tv / R) / C * half / n;
      ti = ni, tv = nv, di += ti, dv += tv;
    }
    i = steady + di, v = u + dv;
  }
  EXPECT_NEAR(s.final("i"), static_cast<double>(i), 1e-10);
  EXPECT_NEAR(s.final("v"), static_cast<double>(v), 1e-10);
  EXPECT_EQ(s.events.size(), 200u);
}

TEST_P(Impacts, SmallerThanRoundingEndInRest) {
  SimulateOptions options;
  options.method = *parse_method(GetParam());
  options.tolerance = 1e-9;
  const Solution s = simulate(read_model_text("ball.mo", R"(model Ball "two relations cause the same event"
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when {h < 0, 2*h < 0} then
    reinit(v, -0.5*v);
  end when;
  annotation(experiment(StopTime = 4));
end Ball;)"),
                              options);
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_NEAR(s.final("h"), 0.0, 1e-9);
  EXPECT_NEAR(s.final("v"), 0.0, 1e-9);
}

// The last impact takes all of the speed: the ball lies on the floor from then on.
TEST_P(Impacts, ThatStopEndInRest) {
  SimulateOptions options;
  options.method = *parse_method(GetParam());
  options.tolerance = 1e-9;
  for (const char* const speed : {"if abs(v) > 0.1 then -0.5*v else 0", "max(0, -v - 0.5)"}) {
    const Solution s = simulate(read_model_text("ball.mo", fmt::format(R"(model Ball
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    reinit(v, {});
  end when;
  annotation(experiment(StopTime = 6));
end Ball;)",
                                                                       speed)),
                                options);
    ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
    for (std::size_t row = 0; row < s.times.size(); ++row) ASSERT_GT(value(s, row, "h"), -1e-7) << s.times[row];
    EXPECT_NEAR(s.final("h"), 0.0, 1e-9);
    EXPECT_NEAR(s.final("v"), 0.0, 1e-9);
  }
}

// A train stops where it passes x = 1, and drives on: what was never led back is no impact.
TEST_P(Impacts, OfATrainAreNone) {
  SimulateOptions options;
  options.method = *parse_method(GetParam());
  options.tolerance = 1e-10;
  const Solution s = simulate(read_model_text("train.mo", R"(model Train
  Real x(start = 0, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = 1;
  when {x > 1, x > 2, x > 3} then
    reinit(v, 0);
  end when;
  annotation(experiment(StopTime = 6));
end Train;)"),
                              options);
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  const double t = 6.0 - 3.0 * std::sqrt(2.0);
  EXPECT_NEAR(s.final("x"), 3.0 + t * t / 2.0, 1e-8);
}

// Intervals that shrink faster and faster, or by turns: no ball falls through the floor, and no run goes on for ever.
TEST_P(Impacts, WithOtherLawsEndInRest) {
  SimulateOptions options;
  options.method = *parse_method(GetParam());
  options.tolerance = 1e-9;
  for (const char* const speed : {"0.1*v^2", "-(if mod(pre(n), 2) == 0 then 0.9 else 0.3)*v"}) {
    const Solution s = simulate(read_model_text("ball.mo", fmt::format(R"(model Ball
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -9.81;
  when h < 0 then
    n = pre(n) + 1;
    reinit(v, {});
  end when;
  annotation(experiment(StopTime = 6));
end Ball;)",
                                                                       speed)),
                                options);
    for (std::size_t row = 0; row < s.times.size(); ++row) ASSERT_GT(value(s, row, "h"), -1e-7) << s.times[row];
    ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
    EXPECT_NEAR(s.final("h"), 0.0, 1e-7) << speed;
  }
}

}  // namespace
}  // namespace driftless
