#include "driftless/solution/certificate.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless {
namespace {

Certificate rod() {
  return {{.constraint = "rod", .level = 0}, {.constraint = "rod", .level = 1}, {.constraint = "bar", .level = 1}};
}

void add(Certificate& certificate, double t, std::vector<double> residuals, std::vector<double>* drift = nullptr) {
  std::vector<double> of_levels(levels(certificate), 7.0), relative = residuals;
  for (double& r : relative) r = std::abs(r) / 2.0;
  record(certificate, t, residuals, relative, of_levels);
  if (drift) *drift = of_levels;
}

TEST(Certificate, KeepsTheLargestResidualNotTheLast) {
  Certificate certificate = rod();
  add(certificate, 1.0, {1e-9, 0.0, -4e-7});
  add(certificate, 2.0, {-3e-8, 1e-12, 2e-7});
  add(certificate, 3.0, {2e-8, 1e-13, 0.0});
  EXPECT_EQ(certificate[0].max_residual, 3e-8);
  EXPECT_EQ(certificate[0].at_time, 2.0);
  EXPECT_EQ(certificate[0].max_relative, 1.5e-8);
  EXPECT_EQ(certificate[1].at_time, 2.0);
  EXPECT_EQ(certificate[2].max_residual, 4e-7);
  EXPECT_EQ(certificate[2].at_time, 1.0);
  EXPECT_EQ(largest_residual(certificate), 4e-7);
}

TEST(Certificate, DriftOfAPointIsThatOfItsLevels) {
  Certificate certificate = rod();
  std::vector<double> drift;
  add(certificate, 1.0, {1e-3, 5e-4, -2e-4}, &drift);
  EXPECT_THAT(drift, testing::ElementsAre(1e-3, 5e-4));
  add(certificate, 2.0, {-1e-6, 2e-7, -3e-7}, &drift);
  EXPECT_THAT(drift, testing::ElementsAre(1e-6, 3e-7));
}

TEST(Certificate, AResidualWithoutAValueIsLargerThanAnyAndStays) {
  Certificate certificate = rod();
  add(certificate, 1.0, {1.0, 0.0, 0.0});
  add(certificate, 2.0, {std::nan(""), 0.0, 0.0});
  EXPECT_TRUE(std::isnan(certificate[0].max_residual));
  EXPECT_EQ(certificate[0].at_time, 2.0);
  EXPECT_TRUE(std::isnan(largest_residual(certificate)));
  EXPECT_EQ(verdict(certificate, 1e300), Verdict::NotKept);
}

TEST(Certificate, OneConstraintBeyondTheBoundIsNotKept) {
  Certificate certificate = rod();
  EXPECT_EQ(verdict(certificate, 0.0), Verdict::Kept);
  EXPECT_EQ(verdict({}, 0.0), Verdict::Kept);
  add(certificate, 1.0, {1e-9, 1e-9, 4e-4});
  EXPECT_EQ(verdict(certificate, 2e-4), Verdict::Kept);
  EXPECT_EQ(verdict(certificate, 1e-4), Verdict::NotKept);
  EXPECT_EQ(
      why_not_kept(certificate, 1e-4),
      "the end was reached, but the constraints are not kept within 0.0001: bar (differentiated 1 times) is off by "
      "0.0002 of its terms");
}

TEST(Certificate, LevelsCountTheHighest) {
  EXPECT_EQ(levels({}), 0u);
  EXPECT_EQ(levels(rod()), 2u);
}

}  // namespace
}  // namespace driftless
