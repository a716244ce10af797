#include "driftless/integrate/steppers/taylor/series_measure.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace driftless {
namespace {

constexpr int order = 20;

std::vector<taylor::Unknown> one_unknown(int d) {
  std::vector<taylor::Unknown> unknowns(1);
  unknowns[0].d = d;
  unknowns[0].nominal = 1e-6;
  return unknowns;
}

// 1 / (1 - t / radius) about 0, in this unit of time.
taylor::Series<double> geometric(double radius, double unit, int rows) {
  taylor::Series<double> series(1, rows);
  series.unit = unit;
  for (int k = 0; k < rows; ++k) series.at(k)[0] = std::pow(unit / radius, k);
  return series;
}

double step_of(double radius, double unit, double tolerance, int d = 0) {
  const std::vector<taylor::Unknown> unknowns = one_unknown(d);
  const taylor::Series<double> series = geometric(radius, unit, order + d);
  SeriesMeasure<double> measure(unknowns, order, series.width, tolerance);
  measure.take_sizes(series);
  return measure.step_by_decay(series);
}

TEST(SeriesMeasure, TheLogarithmIsRoughByLessThanATenth) {
  for (double a = 1e-300; a < 1e300; a *= 1.37) {
    EXPECT_LE(rough_log2(a), std::log2(a) + 1e-12);
    EXPECT_GE(rough_log2(a), std::log2(a) - 0.0861);
  }
}

// At h the term of order 20 of the geometric series is (h / radius)^20.
TEST(SeriesMeasure, TheStepMakesTheFirstTermLeftOutAsLargeAsTheTolerance) {
  for (const double tolerance : {1e-6, 1e-12}) {
    const double exact = 2.0 * std::pow(tolerance, 1.0 / order);
    EXPECT_NEAR(step_of(2.0, 0.5, tolerance) / exact, 0.95, 0.01) << tolerance;
  }
}

TEST(SeriesMeasure, TheUnitOfTimeDoesNotMatter) {
  EXPECT_NEAR(step_of(2.0, 0.25, 1e-8), step_of(2.0, 1.0, 1e-8), 1e-12);
  EXPECT_NEAR(step_of(2.0, 0.25, 1e-8, 2), step_of(2.0, 1.0, 1e-8, 2), 1e-12);
}

TEST(SeriesMeasure, TheStepGrowsWithTheRadius) {
  EXPECT_NEAR(step_of(6.0, 1.0, 1e-8) / step_of(2.0, 1.0, 1e-8), 3.0, 0.1);
}

TEST(SeriesMeasure, APolynomialHasNoEnd) {
  const std::vector<taylor::Unknown> unknowns = one_unknown(0);
  taylor::Series<double> line(1, order);
  line.unit = 1.0;
  line.at(0)[0] = 1.0, line.at(1)[0] = 1.0;
  SeriesMeasure<double> measure(unknowns, order, line.width, 1e-8);
  measure.take_sizes(line);
  EXPECT_EQ(measure.step_by_decay(line), HUGE_VAL);
  EXPECT_EQ(measure.largest(), 0.0);
}

TEST(SeriesMeasure, TheDefectIsRelativeToTheUnknownAndItsNominalValue) {
  const std::vector<taylor::Unknown> unknowns = one_unknown(0);
  taylor::Series<double> end(1, order);
  end.unit = 1.0;
  end.at(0)[0] = 3.0;
  const SeriesMeasure<double> measure(unknowns, order, end.width, 1e-8);
  std::vector<double> corrections(end.width, 0.0);
  corrections[0] = -6e-8;
  EXPECT_NEAR(measure.defect(end, corrections, 1, 0.1), 2.0, 1e-5);
}

}  // namespace
}  // namespace driftless
