#include "driftless/integrate/steppers/taylor/point_series.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "driftless/integrate/sample_run.hpp"
#include "driftless/integrate/steppers/taylor/taylor.hpp"

namespace driftless {
namespace {

// One step of a driven pendulum, which begins where its start is.
struct FirstStep {
  FirstStep()
      : reduced(samples::reduced(samples::driven_pendulum())),
        start(samples::consistent_start(*reduced)),
        system(std::make_shared<System>(reduced, Backend::Interpreter)),
        problem(*system),
        stepper(make_taylor({}, problem, start, {.tolerance = 1e-6, .stop = 100.0})),
        y(start.y),
        yp(start.yp) {
    EXPECT_EQ(stepper->step().outcome, Outcome::Success);
  }

  void read_off(double part) { stepper->interpolate(part * stepper->time(), y, yp); }
  double largest_residual(double part) {
    std::vector<double> residual(y.size());
    problem.residual(part * stepper->time(), y, yp, residual);
    return std::abs(std::ranges::max(residual, {}, [](double r) { return std::abs(r); }));
  }

  std::shared_ptr<const Reduced> reduced;
  State start;
  std::shared_ptr<System> system;
  Problem problem;
  std::unique_ptr<Stepper> stepper;
  std::vector<double> y, yp;
};

TEST(PointSeries, GivesManyPointsOfAStepToRounding) {
  FirstStep first;
  first.stepper->expect_points(500);
  for (const double part : {0.01, 0.3, 0.6, 0.8, 0.95, 0.999}) {
    EXPECT_TRUE(first.stepper->is_exact_at(part * first.stepper->time())) << part;
    first.read_off(part);
    EXPECT_LT(first.largest_residual(part), 1e-13) << part;
  }
}

// In the first half; the second is that through the end of the step, which has its error.
TEST(PointSeries, IsTheSolutionAndNotOnlyOnTheConstraints) {
  FirstStep first, exact;
  const State& from = exact.start;
  exact.stepper = make_taylor({.precision = method::Precision::Extended}, exact.problem, from,
                              {.tolerance = 1e-18, .stop = 0.4 * first.stepper->time()});
  while (exact.stepper->time() < 0.4 * first.stepper->time())
    ASSERT_EQ(exact.stepper->step().outcome, Outcome::Success);
  first.stepper->expect_points(500);
  first.read_off(0.4);
  for (std::size_t k = 0; k < first.y.size(); ++k) EXPECT_NEAR(first.y[k], exact.stepper->y()[k], 1e-13) << k;
}

// x = cos t, and a second mode decays with the rate 60. Extrapolated back from the end of a step of 0.2 its error would
// be exp(6) times as large in the middle.
TEST(PointSeries, IsNotReadBackwardsWhereAMotionDecays) {
  ModelBuilder m("Decay");
  const Expr x = m.variable("x", {.start = 1.0, .fixed = true});
  m.equation(der(x) == -60.0 * (x - cos(m.time())) - sin(m.time()));
  const auto decay = samples::reduced(m.build());
  const State start = samples::consistent_start(*decay);
  System system(decay, Backend::Interpreter);
  Problem problem(system);
  const auto stepper = make_taylor({}, problem, start, {.tolerance = 1e-6, .stop = 10.0});
  std::vector<double> y = start.y, yp = start.yp;
  double from = 0.0;
  while (stepper->time() < 10.0) {
    ASSERT_EQ(stepper->step().outcome, Outcome::Success);
    stepper->expect_points(500);
    for (const double part : {0.1, 0.5, 0.55, 0.7, 0.9}) {
      const double t = std::lerp(from, stepper->time(), part);
      stepper->interpolate(t, y, yp);
      ASSERT_NEAR(y[0], std::cos(t), 2e-6) << t;
    }
    from = stepper->time();
  }
}

TEST(PointSeries, IsNotMadeForFewPoints) {
  FirstStep first;
  first.stepper->expect_points(3);
  EXPECT_FALSE(first.stepper->is_exact_at(0.9 * first.stepper->time()));
}

TEST(PointSeries, LeavesThePolynomialOfTheStep) {
  FirstStep first;
  first.read_off(0.9);
  const std::vector<double> y = first.y, yp = first.yp;
  first.stepper->expect_points(500);
  first.read_off(0.9);
  EXPECT_NE(first.y, y);
  first.stepper->expect_points(0);
  EXPECT_FALSE(first.stepper->is_exact_at(0.9 * first.stepper->time()));
  first.read_off(0.9);
  EXPECT_EQ(first.y, y);
  EXPECT_EQ(first.yp, yp);
}

IntegrateOptions with_points(int intervals, bool dense) {
  IntegrateOptions options;
  options.method = method::Taylor{};
  options.tolerance = 1e-4;
  options.stop = 4.0;
  options.intervals = intervals;
  options.dense = dense;
  return options;
}

// Where polynomials are kept, points lie on those.
TEST(PointSeries, IsNotUsedBesideDenseOutput) {
  Solution solution = samples::run(samples::driven_pendulum(), {}, with_points(2000, true));
  const std::size_t series = solution.series();
  for (std::size_t k = 1; k < solution.times.size(); ++k) {
    const std::vector<double> at = solution.at(solution.times[k]);
    for (std::size_t s = 0; s < series; ++s)
      ASSERT_NEAR(at[s], solution.values[k * series + s], 1e-11) << k << ' ' << s;
  }
}

TEST(PointSeries, ChangesPointsByLessThanTheToleranceAndNoSteps) {
  const Solution read_off = samples::run(samples::driven_pendulum(), {}, with_points(2000, false));
  const Solution solved = samples::run(samples::driven_pendulum(), {}, with_points(2000, true));
  EXPECT_EQ(read_off.statistics.steps, solved.statistics.steps);
  ASSERT_EQ(read_off.values.size(), solved.values.size());
  double largest = 0.0;
  for (std::size_t k = 0; k < solved.values.size(); ++k)
    largest = std::max(largest, std::abs(read_off.values[k] - solved.values[k]) / (1.0 + std::abs(solved.values[k])));
  EXPECT_LT(largest, 1e-4);
  EXPECT_GT(largest, 1e-12) << "otherwise nothing was read off";
  for (const CertificateEntry& entry : read_off.certificate) EXPECT_LT(entry.max_residual, 1e-13) << entry.level;
}

}  // namespace
}  // namespace driftless
