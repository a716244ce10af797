#include "driftless/integrate/steppers/taylor/series_point.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "driftless/integrate/sample_run.hpp"
#include "driftless/integrate/steppers/taylor/taylor.hpp"

namespace driftless {
namespace {

IntegrateOptions taylor(double tolerance, int intervals) {
  IntegrateOptions options;
  options.method = method::Taylor{};
  options.tolerance = tolerance;
  options.stop = 4.0;
  options.intervals = intervals;
  options.dense = true;
  return options;
}

TEST(SeriesPoints, LieOnEveryLevelToRounding) {
  const Solution solution = samples::run(samples::driven_pendulum(), {}, taylor(1e-4, 57));
  ASSERT_GE(solution.certificate.size(), 3u);
  for (const CertificateEntry& entry : solution.certificate) EXPECT_LT(entry.max_residual, 1e-14) << entry.level;
}

TEST(SeriesPoints, OfDenseOutputAreTheSame) {
  Solution solution = samples::run(samples::driven_pendulum(), {}, taylor(1e-4, 57));
  const std::size_t series = solution.series();
  for (std::size_t k = 1; k < solution.times.size(); ++k) {
    const std::vector<double> at = solution.at(solution.times[k]);
    // Evaluated from the polynomial about the other end of the step.
    for (std::size_t s = 0; s < series; ++s)
      EXPECT_NEAR(at[s], solution.values[k * series + s], 1e-11) << k << ' ' << s;
  }
}

TEST(SeriesPoints, DoNotChangeTheSteps) {
  const Solution few = samples::run(samples::driven_pendulum(), {}, taylor(1e-6, 1));
  const Solution many = samples::run(samples::driven_pendulum(), {}, taylor(1e-6, 400));
  ASSERT_EQ(few.segments.size(), many.segments.size());
  for (std::size_t k = 0; k < few.segments.size(); ++k) {
    EXPECT_EQ(few.segments[k].end, many.segments[k].end);
    EXPECT_EQ(few.segments[k].coefficients, many.segments[k].coefficients);
  }
}

struct Prepared {
  explicit Prepared(Model model)
      : reduced(samples::reduced(std::move(model))),
        start(samples::consistent_start(*reduced)),
        system(std::make_shared<System>(reduced, Backend::Interpreter)),
        problem(*system) {}
  std::shared_ptr<const Reduced> reduced;
  State start;
  std::shared_ptr<System> system;
  Problem problem;
};

TEST(SeriesPoints, AreTheNearestOnes) {
  Prepared p(samples::driven_pendulum());
  auto stepper = make_taylor({}, p.problem, p.start, {.tolerance = 1e-6, .stop = 1.0});
  const auto solve = stepper->point_solver();
  ASSERT_TRUE(solve);
  std::vector<double> y = p.start.y, yp = p.start.yp, quantities(p.reduced->quantities.size());
  // The mass at (0, -1) is lifted off the circle by 0.01: the nearest point is straight below.
  for (std::size_t k = 0; k < y.size(); ++k)
    if (p.reduced->name(p.reduced->slots[k].quantity) == "y") y[k] += 0.01;
  ASSERT_TRUE((*solve)(0.0, y, yp));
  p.system->observe({0.0, y, yp}, quantities);
  for (std::size_t k = 0; k < quantities.size(); ++k) {
    const std::string name = p.reduced->name(p.reduced->quantities[k]);
    if (name == "x") {
      EXPECT_NEAR(quantities[k], 0.0, 1e-15);
    }
    if (name == "y") {
      EXPECT_NEAR(quantities[k], -1.0, 1e-15);
    }
    if (name == "lambda") {
      EXPECT_NEAR(quantities[k], 3.0, 1e-13);
    }
  }
}

// Where is the polynomial of the first step as good as the equations can tell?
TEST(SeriesPoints, AreReadOffTheSeriesNearABeginningThatIsExact) {
  const auto is_exact_at = [](Model model, double part) {
    Prepared p(std::move(model));
    auto stepper = make_taylor({}, p.problem, p.start, {.tolerance = 1e-6, .stop = 100.0});
    EXPECT_EQ(stepper->step().outcome, Outcome::Success);
    const double t = part * stepper->time();
    const bool is_exact = stepper->is_exact_at(t);
    std::vector<double> y(p.start.y.size()), yp(y), residual(y);
    stepper->interpolate(t, y, yp);
    p.problem.residual(t, y, yp, residual);
    const double largest = std::ranges::max(residual, {}, [](double r) { return std::abs(r); });
    EXPECT_TRUE(!is_exact || std::abs(largest) < 1e-14) << largest;
    return is_exact;
  };
  EXPECT_TRUE(is_exact_at(samples::driven_pendulum(), 0.1));
  EXPECT_FALSE(is_exact_at(samples::driven_pendulum(), 0.9));
}

// A later step of it begins on the levels within the tolerance only.
TEST(SeriesPoints, AreSolvedForBehindABeginningThatIsNotExact) {
  Prepared p(samples::driven_pendulum());
  auto stepper = make_taylor({}, p.problem, p.start, {.tolerance = 1e-3, .stop = 100.0});
  int steps = 0, inexact = 0;
  for (double begin = 0.0; steps < 10; ++steps) {
    ASSERT_EQ(stepper->step().outcome, Outcome::Success);
    inexact += !stepper->is_exact_at(begin + 0.05 * (stepper->time() - begin));
    begin = stepper->time();
  }
  EXPECT_GT(inexact, 5);
}

TEST(SeriesPoints, StayWhereTheyAreIfThereIsNoSolutionNear) {
  Prepared p(samples::driven_pendulum());
  auto stepper = make_taylor({}, p.problem, p.start, {.tolerance = 1e-6, .stop = 1.0});
  std::vector<double> y(p.start.y.size(), 0.0), yp(p.start.y.size(), 0.0);  // the centre: no direction is nearest
  EXPECT_FALSE((*stepper->point_solver())(0.0, y, yp));
  EXPECT_EQ(y, std::vector<double>(y.size(), 0.0));
}

}  // namespace
}  // namespace driftless
