#include "driftless/integrate/solve/multiplier_solve.hpp"

#include <cmath>

#include "driftless/integrate/sample_problem.hpp"

namespace driftless {
namespace {

using samples::SampleProblem;

struct Point {
  std::vector<double> y, yp;
};

double largest(const std::vector<double>& values) {
  double size = 0.0;
  for (const double value : values) size = std::max(size, std::abs(value));
  return size;
}

// The residuals of the rows and of the levels that the formulation leaves out.
struct Residuals {
  std::vector<double> rows, levels;
};
Residuals residuals(SampleProblem& sample, double t, const Point& at) {
  Residuals result{std::vector<double>(sample.system.rows() + sample.system.candidates()),
                   std::vector<double>(sample.system.invariants())};
  sample.system.rows_and_rates({t, at.y, at.yp}, result.rows);
  sample.system.invariants({t, at.y, at.yp}, result.levels);
  result.rows.resize(sample.system.rows());
  return result;
}

class OfModel : public testing::TestWithParam<const char*> {
 protected:
  SampleProblem sample{samples::read(samples::path_of(GetParam())), formulation::Index2{}};
  MultiplierSolve solve{sample.problem};
  Point start{sample.start.y, sample.start.yp};
};
INSTANTIATE_TEST_SUITE_P(MultiplierSolve, OfModel,
                         testing::Values("pendulum", "squeezer", "four_bar", "slider_crank", "chain", "fekete"));

TEST_P(OfModel, FindsTheMultipliersOfTheStartFromAnyGuess) {
  Point found = start;
  for (int s = 0; s < sample.problem.size(); ++s)
    if (!sample.problem.is_state(s)) found.y[s] += 0.1;
  ASSERT_TRUE(solve.here(0.0, found.y, found.yp).converged());
  for (int s = 0; s < sample.problem.size(); ++s)
    EXPECT_NEAR(found.y[s], start.y[s], 1e-10 * (1.0 + std::abs(start.y[s]))) << s;
}

TEST_P(OfModel, MeetsTheConstraintOneStageLater) {
  const double h = 1e-5;
  Point now = start, next = start;
  ASSERT_TRUE(solve.ahead({0.0, h, start.y, h}, now.y, now.yp, next.y).converged());
  for (const int s : solve.states())
    EXPECT_NEAR(next.y[s], start.y[s] + h * now.yp[s], 1e-15 * (1 + std::abs(next.y[s])));
  // Constraints are rows without anything but states: they hold at the next stage, the others now.
  const std::vector<double> present = residuals(sample, 0.0, now).rows, later = residuals(sample, h, next).rows;
  for (std::size_t i = 0; i < present.size(); ++i)
    EXPECT_LT(std::min(std::abs(present[i]), std::abs(later[i])), 1e-10) << i;
}

TEST_P(OfModel, RestoresEveryLevel) {
  if (!solve.can_restore()) GTEST_SKIP() << "no level below";
  Point moved = start;
  for (const int s : solve.states()) moved.y[s] += 1e-5 * std::sin(1.0 + s);
  EXPECT_GT(largest(residuals(sample, 0.0, moved).levels), 1e-8);
  ASSERT_TRUE(solve.restore(0.0, moved.y, moved.yp).converged());
  const Residuals after = residuals(sample, 0.0, moved);
  EXPECT_LT(largest(after.rows), 1e-11);
  for (std::size_t i = 0; i < after.levels.size(); ++i)
    if (!sample.system.reduced().invariants[i].of_model()) {
      EXPECT_LT(std::abs(after.levels[i]), 1e-10) << i;
    }
}

// A change within the constraints is unchanged: removing the rest twice is the same as once.
TEST_P(OfModel, SplitsAChange) {
  Point at = start;
  ASSERT_TRUE(solve.here(0.0, at.y, at.yp).converged());
  std::vector<double> once(start.y.size());
  for (const int s : solve.states()) once[s] = std::cos(1.0 + s);
  solve.tangential(once);
  std::vector<double> twice = once;
  solve.tangential(twice);
  for (const int s : solve.states()) EXPECT_NEAR(twice[s], once[s], 1e-12) << s;
}

}  // namespace
}  // namespace driftless
