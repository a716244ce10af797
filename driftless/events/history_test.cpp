#include "driftless/events/history.hpp"

#include <cmath>

#include <gmock/gmock.h>

namespace driftless {
namespace {

double value_of(const History::Polynomial& polynomial, double t) {
  double sum = 0.0;
  for (std::size_t k = polynomial.c.size(); k-- > 0;) sum = polynomial.c[k] + (t - polynomial.origin) * sum;
  return sum;
}

// The largest distance of the repeated signal from the function in [from, to], and the number of polynomials.
struct Repeated {
  double error = 0.0, jump = 0.0;
  int polynomials = 0;
};
Repeated repeated(const History& history, double from, double to, const std::function<double(double)>& f) {
  Repeated result;
  while (from < to) {
    const History::Polynomial p = history.repeated_from(from);
    EXPECT_EQ(p.from, from);
    EXPECT_GT(p.to, p.from);
    for (int j = 0; j <= 50; ++j) {
      const double t = p.from + (p.to - p.from) * j / 50;
      result.error = std::max(result.error, std::abs(value_of(p, t) - f(t)));
    }
    if (p.to < to)
      result.jump = std::max(result.jump, std::abs(value_of(p, p.to) - value_of(history.repeated_from(p.to), p.to)));
    ++result.polynomials;
    from = p.to;
  }
  return result;
}

TEST(History, IsRepeatedWithinTheToleranceByFewPolynomials) {
  const auto f = [](double t) { return std::sin(3 * t); };
  History history(1e-9);
  for (int k = 0; k < 400; ++k) history.add(k * 0.01, (k + 1) * 0.01, f);
  const Repeated result = repeated(history, 0.0, 4.0, f);
  EXPECT_LT(result.error, 1e-9);
  EXPECT_LT(result.jump, 1e-13);
  EXPECT_LT(result.polynomials, 40);  // not one for each step
}

TEST(History, ALongStepIsCut) {
  const auto f = [](double t) { return std::sin(20 * t); };
  History history(1e-9);
  history.add(0.0, 4.0, f);
  EXPECT_LT(repeated(history, 0.0, 4.0, f).error, 1e-9);
}

TEST(History, NoPolynomialCrossesABreak) {
  const auto f = [](double t) { return t < 0.5 ? t : 1.0; };
  History history(1e-9);
  history.add(0.0, 0.5, [](double t) { return t; });
  history.add_break(0);
  history.add(0.5, 1.0, f);
  const History::Polynomial first = history.repeated_from(0.0), second = history.repeated_from(0.5);
  EXPECT_EQ(first.to, 0.5);
  EXPECT_EQ(first.ends_at_break, 0);
  EXPECT_NEAR(value_of(first, 0.5), 0.5, 1e-14);
  EXPECT_NEAR(value_of(second, 0.5), 1.0, 1e-14);
  EXPECT_EQ(second.to, 1.0);
  EXPECT_FALSE(second.ends_at_break);
}

TEST(History, WhatIsForgottenIsNotNeeded) {
  const auto f = [](double t) { return t * t; };
  History history(1e-9);
  for (int k = 0; k < 10; ++k) history.add(k, k + 1.0, f);
  history.forget_before(7.5);
  EXPECT_EQ(history.begin(), 7.0);
  EXPECT_NEAR(history.value(7.5), 56.25, 1e-12);
}

TEST(History, IsRepeatedBackwardsUpToABreak) {
  const auto before = [](double t) { return std::sin(3 * t); };
  const auto f = [](double t) { return 5.0 - t; };
  History history(1e-9);
  for (int k = 0; k < 10; ++k) history.add(k / 10.0, (k + 1) / 10.0, before);
  history.add_break(2);
  history.add(1.0, 2.0, f);
  History::Polynomial p = history.repeated_to(1.7);
  EXPECT_EQ(p.from, 1.0);
  EXPECT_EQ(p.to, 1.7);
  EXPECT_THAT(p.begins_at_break, testing::Optional(2));
  EXPECT_EQ(p.ends_at_break, std::nullopt);
  EXPECT_NEAR(value_of(p, 1.2), f(1.2), 1e-12);
  double to = 1.0;
  for (int polynomials = 0; to > 0.0; ++polynomials) {
    p = history.repeated_to(to);
    ASSERT_LT(p.from, p.to);
    ASSERT_LT(polynomials, 20);
    for (double t = p.from; t < p.to; t += 0.01) EXPECT_NEAR(value_of(p, t), std::sin(3 * t), 1e-9);
    to = p.from;
  }
}

// So integer(delay(n, T)) of an Integer n is n.
TEST(History, WhatDoesNotChangeIsRepeatedToTheLastBit) {
  for (const double constant : {0.1, 1.0, 3.0, 7.0, 1.0 / 3.0}) {
    History history(1e-6);
    for (int k = 0; k < 20; ++k) history.add(k * 0.0137, (k + 1) * 0.0137, [&](double) { return constant; });
    const History::Polynomial p = history.repeated_from(0.0);
    EXPECT_EQ(p.c[0], constant);
    for (std::size_t k = 1; k < p.c.size(); ++k) EXPECT_EQ(p.c[k], 0.0);
  }
}

}  // namespace
}  // namespace driftless
