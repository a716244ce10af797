// Oscillators x'' = -w^2 x with thresholds x > c, at random, some of them so high that a step contains both crossings:
// every event is found, once and in order, by every method.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include <gmock/gmock.h>

#include "driftless/model/builder.hpp"
#include "driftless/simulation.hpp"

namespace driftless {
namespace {

constexpr double stop = 10.0, tolerance = 1e-8;

struct Oscillator {
  double w, phase, c;
  double operator()(double t) const { return std::sin(w * t + phase); }
};

std::vector<Oscillator> random_oscillators(std::mt19937& random) {
  std::uniform_real_distribution<double> u(0.0, 1.0);
  std::vector<Oscillator> all(3);
  for (Oscillator& o : all) o = {0.5 + 6.0 * u(random), 6.0 * u(random), 1.96 * u(random) - 0.98};
  all[0].c = 1.0 - std::pow(10.0, -3.0 * u(random));
  return all;
}

Model model_of(const std::vector<Oscillator>& oscillators) {
  ModelBuilder m("Oscillators");
  for (std::size_t i = 0; i < oscillators.size(); ++i) {
    const auto& [w, phase, c] = oscillators[i];
    const std::string number = std::to_string(i);
    const Expr x = m.variable("x" + number, {.start = std::sin(phase), .fixed = true}),
               v = m.variable("v" + number, {.start = w * std::cos(phase), .fixed = true});
    m.equation(der(x) == v);
    m.equation(der(v) == -w * w * x);
    const Expr n = m.discrete("n" + number, {.type = DiscreteType::Integer});
    m.discrete_equation(n == if_else(m.when(x > c), m.pre(n) + 1.0, m.pre(n)));
  }
  m.experiment({.stop = stop});
  return m.build();
}

std::vector<std::pair<double, std::size_t>> crossings_of(const std::vector<Oscillator>& oscillators) {
  std::vector<std::pair<double, std::size_t>> all;
  for (std::size_t i = 0; i < oscillators.size(); ++i) {
    const auto& [w, phase, c] = oscillators[i];
    for (int k = -2; k < 20; ++k)
      for (const double angle : {std::asin(c), std::numbers::pi - std::asin(c)})
        if (const double t = (angle - phase + 2.0 * std::numbers::pi * k) / w; t > 0.0 && t < stop)
          all.emplace_back(t, i);
  }
  std::ranges::sort(all);
  return all;
}

class RandomOscillators : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, RandomOscillators,
                         testing::Values(method::Bdf{}, method::Radau{0}, method::ExplicitRungeKutta{},
                                         method::Taylor{}));

TEST_P(RandomOscillators, CrossTheirThresholdsInOrder) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 25; ++trial) {
    const std::vector<Oscillator> oscillators = random_oscillators(random);
    SimulateOptions options;
    options.method = GetParam();
    options.tolerance = tolerance;
    const Solution s = simulate(model_of(oscillators), options);
    ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
    const auto expected = crossings_of(oscillators);
    ASSERT_EQ(s.events.size(), expected.size()) << trial;
    for (std::size_t k = 0; k < expected.size(); ++k) {
      const auto& [t, i] = expected[k];
      EXPECT_THAT(s.events[k].causes, testing::ElementsAre(testing::HasSubstr("x" + std::to_string(i)))) << trial;
      // Where a threshold is nearly as high as the oscillation, its instant is not well conditioned, but x there is.
      EXPECT_NEAR(oscillators[i](s.events[k].time), oscillators[i].c, 1e3 * tolerance) << trial;
      EXPECT_NEAR(s.events[k].time, t, 0.01) << trial;
    }
  }
}

}  // namespace
}  // namespace driftless
