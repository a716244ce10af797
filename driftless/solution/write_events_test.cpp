#include "driftless/solution/write_events.hpp"

#include "driftless/solution/sample_ball.hpp"
#include "driftless/solution/sample_solution.hpp"
#include "gtest/gtest.h"

namespace driftless {
namespace {

std::string events_of(const Solution& solution) {
  const ScratchFile scratch("events.csv");
  EXPECT_EQ(write_events(solution, scratch.path()), std::nullopt);
  return scratch.text();
}

TEST(WriteEvents, WritesALineForEach) {
  Solution s = bouncing_ball();
  s.events = {{.time = 0.1,
               .causes = {"h < 0", "sample(0, 0.5)"},
               .iterations = 3,
               .discrete = {{"bounces", 0.0, 100000.0}, {"loud", 0.0, 1.0}, {"kind", 1.0, 3.0}},
               .jumps = {{"v", -1.0 / 3.0, 0.1}},
               .impulses = {{"F", 2.25, "N.s"}, {"lambda", -1.0, ""}},
               .mode = "contact"},
              {.time = 0.2, .causes = {"v > 0"}, .iterations = 1}};
  EXPECT_EQ(events_of(s),
            "time,causes,iterations,mode,discrete,jumps,impulses\n"
            "0.1,\"h < 0; sample(0, 0.5)\",3,contact,bounces: 0 -> 100000; loud: false -> true; kind: drop -> low,"
            "v: -0.3333333333333333 -> 0.1,F: 2.25 N.s; lambda: -1\n"
            "0.2,v > 0,1,,,,\n");
}

TEST(WriteEvents, EventByEventIsTheSameFile) {
  const Solution s = bouncing_ball();
  const ScratchFile scratch("events.csv");
  EventWriter writer(scratch.path());
  writer.begin(s);
  writer.event({.time = 17.0});
  writer.begin(s);  // another method starts over
  for (const Event& event : s.events) writer.event(event);
  EXPECT_EQ(writer.commit(), std::nullopt);
  EXPECT_EQ(scratch.text(), events_of(s));
}

TEST(WriteEvents, ReportsErrors) {
  EXPECT_EQ(write_events(bouncing_ball(), "/no/such/x.csv"),
            "cannot write '/no/such/x.csv': No such file or directory");
}

}  // namespace
}  // namespace driftless
