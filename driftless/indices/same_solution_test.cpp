#include "driftless/indices/same_solution.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "driftless/indices/indices.hpp"
#include "driftless/indices/sample_models_of_indices.hpp"

namespace driftless {
namespace {

using samples::model_of;
using samples::shipped;

PureIndex2 pure(const std::shared_ptr<const Model>& model) { return std::get<PureIndex2>(to_pure_index2(model)); }

TEST(MixedIndex2, IsReducedToAPureProblemWithTheSameSolution) {
  const auto model = shipped("indices/mixed_index2");
  const PureIndex2 result = pure(model);
  EXPECT_EQ(result.eliminated.size(), 2u);
  EXPECT_EQ(result.index, 2);
  EXPECT_EQ(result.model->variables.size(), 3u);
  const SolutionDifference difference = difference_of_solutions(model, result);
  EXPECT_EQ(difference.failure, "");
  EXPECT_LT(difference.largest, 1e-7);
}

TEST(MixedIndex2, HasItsClosedFormBeforeAndAfter) {
  const auto model = shipped("indices/mixed_index2");
  for (const auto& one : {model, pure(model).model}) {
    const Solution solution = simulate(analyze(one), {.tolerance = 1e-9});
    ASSERT_EQ(solution.outcome, Outcome::Success) << solution.message;
    EXPECT_NEAR(solution.final("y1"), std::sin(1.0), 1e-7);
    EXPECT_NEAR(solution.final("y2"), std::exp(-1.0), 1e-7);
    EXPECT_NEAR(solution.final("z2"), 1.0, 1e-6);
  }
}

TEST(MixedIndex2, KeepsItsIndexByEveryDefinition) {
  const auto model = shipped("indices/mixed_index2");
  for (const auto& one : {model, pure(model).model}) {
    const Indices found = find_indices(analyze(one));
    EXPECT_EQ(found.structural, 2);
    EXPECT_EQ(found.differentiation.index, 2);
    EXPECT_EQ(found.perturbation.index, 2);
  }
}

TEST(MixedIndex2, AWrongRewritingIsNoticed) {
  const auto model = shipped("indices/mixed_index2");
  PureIndex2 wrong = pure(model);
  auto other = std::make_shared<Model>(*wrong.model);
  other->equations.back().residual = other->pool->add(other->equations.back().residual, other->pool->constant(1e-3));
  wrong.model = other;
  EXPECT_GT(difference_of_solutions(model, wrong).largest, 1e-4);
}

}  // namespace
}  // namespace driftless
