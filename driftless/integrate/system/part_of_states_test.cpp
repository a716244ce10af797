#include "driftless/integrate/system/part_of_states.hpp"

#include <gtest/gtest.h>

#include "driftless/integrate/sample_problem.hpp"
#include "driftless/reduce/sample_models.hpp"

namespace driftless {
namespace {

struct Number {
  int value;
};

TEST(PartOfStates, IsMadeOnceForTheStatesThatCameFirst) {
  samples::SampleProblem sample(samples::pendulum({.x = 1.0, .vy = -1.0}), formulation::Dummy{});
  int made = 0;
  const auto ask = [&] { return part_of_states<Number>(sample.problem, [&] { return Number{++made}; }); };
  const std::vector<Combination> first = sample.problem.states();
  const auto known = ask();
  EXPECT_EQ(known->value, 1);
  EXPECT_EQ(ask(), known);

  sample.problem.set_states(std::vector<Combination>{{{0, 0.6}, {1, 0.8}}, {{2, 0.6}, {3, 0.8}}});
  EXPECT_EQ(ask()->value, 2);
  EXPECT_EQ(ask()->value, 3);  // nothing is kept of them

  sample.problem.set_states(first);
  EXPECT_EQ(ask(), known);
}

}  // namespace
}  // namespace driftless
