#include "driftless/integrate/run/step_count.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

TEST(StepCount, TellsTheLargestTheSmallestAndTheMeanOrder) {
  StepCount count(0.0, 1.0);
  Statistics statistics;
  count.add(0.2, 0.2, 1, statistics);
  count.add(0.3, 0.1, 2, statistics);
  count.add(0.7, 0.4, 3, statistics);
  EXPECT_EQ(count.steps(), 3);
  EXPECT_EQ(statistics.smallest_step, 0.1);
  EXPECT_EQ(statistics.largest_step, 0.4);
  EXPECT_DOUBLE_EQ(statistics.mean_order, 2.0);
}

// Ten thousand steps of size h from 5 on, in a run over 2.
bool crawls_in_steps_of(double h) {
  StepCount count(5.0, 2.0);
  Statistics statistics;
  for (int k = 1; k <= 10'000; ++k) {
    EXPECT_FALSE(count.crawls());
    count.add(5.0 + k * h, h, 1, statistics);
  }
  return count.crawls();
}

TEST(StepCount, CrawlsWhereTenThousandStepsLeadNowhere) {
  EXPECT_TRUE(crawls_in_steps_of(1.9e-13));
  EXPECT_FALSE(crawls_in_steps_of(2.1e-13));
}

TEST(StepCount, EveryTenThousandStepsCountAnew) {
  StepCount count(0.0, 1.0);
  Statistics statistics;
  double t = 0.0;
  for (int k = 0; k < 10'000; ++k) count.add(t += 1e-5, 1e-5, 1, statistics);
  EXPECT_FALSE(count.crawls());
  for (int k = 0; k < 10'000; ++k) count.add(t, 0.0, 1, statistics);
  EXPECT_TRUE(count.crawls());
}

}  // namespace
}  // namespace driftless
