// What a run costs, recorded: a change of more than a tenth is either a mistake or worth a new record.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/models/measure.hpp"

namespace driftless {
namespace {

struct Record {
  std::string model;
  long steps, newton_iterations, jacobian_evaluations;
};

class Cost : public ::testing::TestWithParam<Record> {};

TEST_P(Cost, IsAsRecorded) {
  const Record& record = GetParam();
  const Solution solution =
      simulate(read_shipped(record.model), {.tolerance = 1e-6, .method = method::Bdf{}, .dense = false});
  ASSERT_EQ(solution.outcome, Outcome::Success) << solution.message;
  const Statistics& s = solution.statistics;
  fmt::print("{{\"{}\", {}, {}, {}}}\n", record.model, s.steps, s.newton_iterations, s.jacobian_evaluations);
  const auto within_a_tenth = [](long measured, long recorded) {
    return 10 * std::labs(measured - recorded) <= recorded;
  };
  EXPECT_PRED2(within_a_tenth, s.steps, record.steps);
  EXPECT_PRED2(within_a_tenth, s.newton_iterations, record.newton_iterations);
  EXPECT_PRED2(within_a_tenth, s.jacobian_evaluations, record.jacobian_evaluations);
}

INSTANTIATE_TEST_SUITE_P(Models, Cost,
                         ::testing::Values(Record{"akzo", 121, 246, 19}, Record{"chain", 1194, 3529, 117},
                                           Record{"fekete", 707, 1475, 28}, Record{"pendulum", 335, 824, 48},
                                           Record{"squeezer", 605, 1904, 95}, Record{"two_pendula", 915, 2328, 63}),
                         [](const auto& i) { return i.param.model; });

}  // namespace
}  // namespace driftless
