#include "driftless/indices/indices.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driftless/indices/report.hpp"
#include "driftless/indices/sample_models_of_indices.hpp"

namespace driftless {
namespace {

using samples::model_of;
using samples::shipped;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Indices, OfTheNilpotentChainAreAllThree) {
  const Indices found = find_indices(analyze(shipped("indices/nilpotent_chain")));
  EXPECT_EQ(found.structural, 3);
  const auto& nilpotency = std::get<NilpotencyIndex>(found.nilpotency);
  EXPECT_EQ(nilpotency.index, 3);
  EXPECT_THAT(nilpotency.block_sizes, ElementsAre(3));
  EXPECT_EQ(nilpotency.free_values, 0);
  EXPECT_THAT(nilpotency.algebraic, ElementsAre("z1", "z2", "z3"));
  EXPECT_EQ(found.differentiation.index, 3);
  EXPECT_EQ(found.perturbation.index, 3);
  const Solution solution = simulate(analyze(shipped("indices/nilpotent_chain")));
  for (std::size_t row = 0; row < solution.times.size(); row += 20)
    EXPECT_NEAR(solution.column("z1")[row], std::exp(-solution.times[row]) - std::sin(solution.times[row]), 1e-12);
}

TEST(Indices, OfTheSteeringWheelAreAllTwo) {
  const Indices found = find_indices(analyze(shipped("steering_wheel")));
  EXPECT_EQ(found.structural, 2);
  EXPECT_EQ(std::get<NotApplicable>(found.nilpotency).reason, "line 12 is not linear in z");
  EXPECT_EQ(found.differentiation.index, 2);
  EXPECT_EQ(found.perturbation.index, 2);
}

// From (1, 0) the point moves towards sin 2θ = 1/1.05, where no angle of the wheel keeps it on the circle: the length
// of the drift along the normal, 1.05 sin 2θ, is then that of the push.
TEST(SteeringWheel, ReportsTheSingularityInsteadOfPassingIt) {
  ReadOptions options;
  options.overrides = {{"y1", "1"}, {"y2", "0"}, {"z", "0"}};
  const Solution solution = simulate(analyze(shipped("steering_wheel", options)), {.intervals = 2000});
  EXPECT_EQ(solution.outcome, Outcome::SingularIteration);
  EXPECT_THAT(solution.message, HasSubstr("the model is singular"));
  EXPECT_NEAR(std::atan2(solution.final("y2"), solution.final("y1")), 0.5 * std::asin(1 / 1.05), 2e-3);
}

TEST(Indices, DifferForCampbellAndGearsExample) {
  const Indices found = find_indices(analyze(shipped("indices/campbell_gear")));
  EXPECT_EQ(found.structural, 3);
  EXPECT_EQ(found.differentiation.index, 1);
  EXPECT_EQ(found.perturbation.index, 3);
}

TEST(NilpotencyIndex, NamesModesAndAlgebraicCombinations) {
  // y follows x; x has the mode -2.
  const auto found = nilpotency_index(*model_of("Real x, y;", "der(x) = -2*x; y + 3*x = sin(time);"));
  const auto& nilpotency = std::get<NilpotencyIndex>(found);
  EXPECT_EQ(nilpotency.index, 1);
  EXPECT_EQ(nilpotency.free_values, 1);
  ASSERT_EQ(nilpotency.modes.size(), 1u);
  EXPECT_NEAR(nilpotency.modes[0].real(), -2.0, 1e-14);
  EXPECT_THAT(nilpotency.algebraic, ElementsAre("x + 0.333333*y"));
}

TEST(NilpotencyIndex, OfASingularPencilNamesWhatIsSingular) {
  const auto found = nilpotency_index(*model_of("Real x, y, z;", "der(x) + der(y) = 1;\nx + y = time;\nder(z) = -z;"));
  const auto& singular = std::get<SingularModel>(found);
  EXPECT_EQ(singular.rank, 2);
  EXPECT_EQ(singular.size, 3);
  EXPECT_THAT(singular.equations, ElementsAre("line 4", "line 5"));
  EXPECT_THAT(singular.unknowns, ElementsAre("x", "y"));
}

TEST(NilpotencyIndex, AgreesWithTheOthersOnLinearModels) {
  for (const char* name : {"capacitor_loop", "ms_example1", "opamp_differentiator", "derivative_chain",
                           "unseen/loop_and_cutset", "unseen/transmission_line"}) {
    SCOPED_TRACE(name);
    const Analysis analysis = analyze(shipped(name));
    const auto nilpotency = nilpotency_index(*model_as_written(analysis));
    const int index = std::get<NilpotencyIndex>(nilpotency).index;
    EXPECT_EQ(std::get<NilpotencyIndex>(nilpotency).free_values, analysis.shape.degrees_of_freedom);
    EXPECT_EQ(differentiation_index_at_points(analysis).index, index);
    EXPECT_EQ(probe_perturbation_index(model_as_written(analysis), 5).index, index);
  }
}

TEST(IndexReport, SaysWhatEachRestsOn) {
  const std::string text = report(find_indices(analyze(shipped("indices/nilpotent_chain"))));
  EXPECT_THAT(text, HasSubstr("nilpotency       3               blocks of size 3\n"));
  EXPECT_THAT(text, HasSubstr("1-full at the start, t = 0"));
  EXPECT_THAT(text, HasSubstr("deviation ~ w^2.0 "));
}

}  // namespace
}  // namespace driftless
