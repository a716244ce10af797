#include "driftless/solution/event_table.hpp"

#include "driftless/solution/sample_ball.hpp"
#include "driftless/solution/sample_solution.hpp"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace driftless {
namespace {

using testing::HasSubstr;

TEST(EventTable, SaysWhenWhyAndWhatChanged) {
  Solution s = bouncing_ball(1.2);
  s.events = {{.time = 0.5,
               .causes = {"h < 0", "sample(0, 0.5)"},
               .discrete = {{"bounces", 0.0, 1.0}, {"loud", 0.0, 1.0}, {"kind", 1.0, 2.0}},
               .jumps = {{"v", -4.42944692, 3.5}},
               .impulses = {{"F", 2.25, "N.s"}},
               .mode = "contact"},
              {.time = 1.25, .causes = {"v > 0"}}};
  s.statistics.events = 2;
  EXPECT_EQ(event_table(s, 20, 200),
            "at t   cause                   what changed\n"
            " 0.5   h < 0, sample(0, 0.5)   bounces: 0 -> 1, loud: false -> true, kind: drop -> high, "
            "v: -4.42945 -> 3.5, impulse of F: 2.25 N.s, mode: contact\n"
            "1.25   v > 0\n");
  EXPECT_THAT(event_table(s, 20, 80),
              HasSubstr(" 0.5   h < 0, sample(0, 0.5)   bounces: 0 -> 1, loud: false -> true,\n"
                        "                               kind: drop -> high, v: -4.42945 -> 3.5,\n"
                        "                               impulse of F: 2.25 N.s, mode: contact\n"
                        "1.25   v > 0\n"))
      << "not wider than the terminal";
}

TEST(EventTable, SaysHowManyMoreThereWere) {
  Solution s = bouncing_ball();
  ASSERT_GT(s.events.size(), 3u);
  EXPECT_THAT(event_table(s, 2), HasSubstr("\n… and " + std::to_string(s.events.size() - 2) + " more\n"));
  s.statistics.events = 100000;  // of which the solution keeps the first ones
  EXPECT_THAT(event_table(s, 2), HasSubstr("\n… and 99998 more\n"));
  s.events.clear();
  s.statistics.events = 0;
  EXPECT_EQ(event_table(s), "no events\n");
  EXPECT_EQ(event_table(sample_solution()), "no events: the model has none\n");
}

}  // namespace
}  // namespace driftless
