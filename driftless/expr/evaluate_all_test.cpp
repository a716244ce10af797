#include "driftless/expr/evaluate_all.hpp"

#include <gtest/gtest.h>

#include <map>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/random_expression.hpp"

namespace driftless {
namespace {

// Of every expression what it has alone; and each leaf is asked for once.
TEST(EvaluateAll, GivesWhatEachExpressionHasAlone) {
  Pool pool;
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    RandomExpressions random(pool, seed);
    std::vector<NodeId> expressions;
    for (int k = 0; k < 4; ++k) {
      expressions.push_back(random(30, false).node);
      for (const Partial& partial : gradient(pool, expressions.back())) expressions.push_back(partial.derivative);
    }
    std::map<NodeId, int> asked;
    const auto value_of = [&](NodeId leaf) { return random.point()(pool, leaf); };
    const std::vector<double> values = evaluate_all(pool, expressions, [&](NodeId leaf) {
      ++asked[leaf];
      return value_of(leaf);
    });
    ASSERT_EQ(values.size(), expressions.size());
    for (std::size_t k = 0; k < values.size(); ++k) {
      const double alone = evaluate(pool, expressions[k], value_of);
      EXPECT_TRUE(values[k] == alone || (std::isnan(values[k]) && std::isnan(alone))) << seed << ", " << k;
    }
    for (const auto& [leaf, times] : asked) EXPECT_EQ(times, 1) << seed;
  }
  EXPECT_TRUE(evaluate_all(pool, {}, {}).empty());
}

}  // namespace
}  // namespace driftless
