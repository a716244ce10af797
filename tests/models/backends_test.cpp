// The interpreter is the oracle for compiled code: the same operations in the same order, so the same bits.
#include <gtest/gtest.h>

#include "tests/models/measure.hpp"

#include "driftless/compiled.hpp"

namespace driftless {
namespace {

class Backends : public ::testing::TestWithParam<std::string> {};

void expect_identical(const Solution& one, const Solution& other) {
  EXPECT_EQ(one.outcome, other.outcome);
  const Statistics &a = one.statistics, &b = other.statistics;
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.rejected_steps, b.rejected_steps);
  EXPECT_EQ(a.convergence_failures, b.convergence_failures);
  EXPECT_EQ(a.residual_evaluations, b.residual_evaluations);
  EXPECT_EQ(a.newton_iterations, b.newton_iterations);
  EXPECT_EQ(a.jacobian_evaluations, b.jacobian_evaluations);
  EXPECT_EQ(a.factorizations, b.factorizations);
  EXPECT_EQ(a.pivots, b.pivots);
  EXPECT_EQ(one.times, other.times);
  EXPECT_EQ(one.values, other.values);
  ASSERT_EQ(one.certificate.size(), other.certificate.size());
  for (std::size_t k = 0; k < one.certificate.size(); ++k)
    EXPECT_EQ(one.certificate[k].max_residual, other.certificate[k].max_residual);
}

TEST_P(Backends, GiveTheSameBits) {
  if (!backend_available(Backend::Llvm)) GTEST_SKIP() << "built without LLVM";
  const Analysis analysis = analyze(std::make_shared<const Model>(read_shipped(GetParam())));
  const Solution interpreted =
      simulate(analysis, {.tolerance = 1e-6, .method = method::Bdf{}, .backend = Backend::Interpreter, .dense = false});
  const Solution compiled =
      simulate(analysis, {.tolerance = 1e-6, .method = method::Bdf{}, .backend = Backend::Llvm, .dense = false});
  EXPECT_EQ(interpreted.outcome, Outcome::Success) << interpreted.message;
  EXPECT_EQ(interpreted.statistics.evaluation, Evaluation::Interpreted);
  EXPECT_EQ(compiled.statistics.evaluation, Evaluation::Compiled);
  expect_identical(interpreted, compiled);
}

TEST_P(Backends, RepeatThemselves) {
  const Solution first =
      simulate(read_shipped(GetParam()), {.tolerance = 1e-6, .method = method::Bdf{}, .dense = false});
  const Solution second =
      simulate(read_shipped(GetParam()), {.tolerance = 1e-6, .method = method::Bdf{}, .dense = false});
  expect_identical(first, second);
}

// By default a run is interpreted until machine code pays: a short one ends before, a long one does not. The second run
// of a compiled model finds the machine code of the first.
TEST(AdaptiveRuns, SayHowTheyWereEvaluated) {
  if (!backend_available(Backend::Adaptive)) GTEST_SKIP() << "built without LLVM";
  const SimulateOptions options{.tolerance = 1e-8, .method = method::Bdf{}, .dense = false};
  const Compiled pendulum = compile(read_shipped("pendulum"), options);
  EXPECT_EQ(simulate(pendulum, {.stop = 0.01, .intervals = 1}).statistics.evaluation, Evaluation::Interpreted);
  EXPECT_EQ(simulate(pendulum, {.stop = 1000.0, .intervals = 1}).statistics.evaluation, Evaluation::Compiled);
  EXPECT_EQ(simulate(pendulum, {.stop = 0.01, .intervals = 1}).statistics.evaluation, Evaluation::Compiled);
}

INSTANTIATE_TEST_SUITE_P(Models, Backends, ::testing::ValuesIn(shipped_models()),
                         [](const auto& i) { return i.param; });

}  // namespace
}  // namespace driftless
