#include "driftless/events/value_loop.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

namespace driftless {
namespace {

using Values = std::vector<double>;

DiscretePart reals(std::size_t n) {
  DiscretePart part;
  part.variables.resize(n);
  for (std::size_t k = 0; k < n; ++k) part.variables[k].value = ParamId{static_cast<int>(k)};
  return part;
}

// How often f is evaluated until the values agree; `v` has them.
int rounds_of(ValueLoop& loop, Values& v, const std::function<Values(const Values&)>& f) {
  loop.begin();
  int rounds = 0;
  while (!loop.has_no_end() && ++rounds < 1000)
    if (!loop.advance(v, f(v))) return rounds;
  return -1;
}

TEST(ValueLoop, AChainSettlesToTheLastBit) {
  const DiscretePart part = reals(4);
  ValueLoop loop(part);
  Values v(4, 0.0);
  const auto chain = [](const Values& at) { return Values{0.1, 3.0 * at[0], 7.0 * at[1] + at[0], at[2] / 3.0}; };
  EXPECT_EQ(rounds_of(loop, v, chain), 5);
  EXPECT_EQ(v, chain(v));
  EXPECT_FALSE(loop.is_loop());
}

TEST(ValueLoop, LinearLoopsTakeAsManyRoundsAsVariables) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (int n = 1; n <= 8; ++n)
    for (int sample = 0; sample < 50; ++sample) {
      const DiscretePart part = reals(static_cast<std::size_t>(n));
      ValueLoop loop(part);
      Eigen::MatrixXd a = 3.0 * Eigen::MatrixXd::NullaryExpr(n, n, [&] { return normal(random); });
      const Eigen::VectorXd b = Eigen::VectorXd::NullaryExpr(n, [&] { return normal(random); });
      const auto f = [&](const Values& at) {
        Values out(at.size());
        Eigen::Map<Eigen::VectorXd>(out.data(), n) = a * Eigen::Map<const Eigen::VectorXd>(at.data(), n) + b;
        return out;
      };
      const Eigen::MatrixXd matrix = Eigen::MatrixXd::Identity(n, n) - a;
      if (std::abs(matrix.determinant()) < 1e-2) continue;
      Values v(static_cast<std::size_t>(n), 0.0);
      // links of a chain that it could be, then the loop from its beginning
      const int rounds = rounds_of(loop, v, f);
      EXPECT_TRUE(rounds > 0 && rounds <= n + 2 + n + 5) << n << ": " << rounds;
      const Values next = f(v);
      for (std::size_t k = 0; k < v.size(); ++k) EXPECT_NEAR(v[k], next[k], 1e-8 * (1.0 + std::abs(v[k]))) << n;
    }
}

TEST(ValueLoop, NonlinearOnesConvergeAndOthersHaveNoEnd) {
  const DiscretePart part = reals(1);
  ValueLoop loop(part);
  Values v{0.0};
  EXPECT_GT(rounds_of(loop, v, [](const Values& at) { return Values{1.0 - 4.0 * std::sinh(at[0])}; }), 0);
  EXPECT_NEAR(v[0] + 4.0 * std::sinh(v[0]), 1.0, 1e-12);
  v = {0.0};
  EXPECT_EQ(rounds_of(loop, v, [](const Values& at) { return Values{at[0] + 1.0}; }), -1);
}

TEST(ValueLoop, WhatIsNotRealBeginsAnew) {
  DiscretePart part = reals(2);
  part.variables[1].type = DiscreteType::Boolean;
  ValueLoop loop(part);
  Values v{0.0, 0.0};
  const auto f = [](const Values& at) { return Values{at[1] != 0.0 ? 5.0 : 2.0, at[0] > 1.0 ? 1.0 : 0.0}; };
  EXPECT_GT(rounds_of(loop, v, f), 0);
  EXPECT_EQ(v, (Values{5.0, 1.0}));
}

}  // namespace
}  // namespace driftless
