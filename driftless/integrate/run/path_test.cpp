// Models without states: one solve for each output point, and never another branch.
#include "driftless/integrate/run/path.hpp"

#include <cmath>
#include <numbers>

#include "driftless/integrate/sample_run.hpp"

namespace driftless {
namespace {

using samples::run;

Solution followed(const std::string& text, double stop, int intervals) {
  return run(samples::from_text(text), formulation::Dummy{}, {.stop = stop, .tolerance = 1e-6, .intervals = intervals});
}

// Forces of thousands that repeatedly pass zero: they are linear in the rows, and cost one leap each.
TEST(Path, TakesOneLeapForEachOutputPoint) {
  const Solution solution = followed(R"(
    model Inverse
      Real q(start = 0.3), w, f;
    equation
      q + 0.2*sin(q) = 0.3 + 0.5*sin(3*time);
      w = der(q);
      f + 0*q^2 = 5000*(1 + 0.3*cos(q))*der(w) - 700*sin(q)*w^2;
    end Inverse;)",
                                     10.0, 200);
  ASSERT_EQ(solution.outcome, Outcome::Success) << solution.message;
  EXPECT_EQ(solution.statistics.steps, 200);
  for (std::size_t row = 0; row < solution.times.size(); ++row) {
    const double q = solution.value(row, *solution.find("q"));
    EXPECT_NEAR(q + 0.2 * std::sin(q), 0.3 + 0.5 * std::sin(3.0 * solution.times[row]), 1e-12);
  }
}

// The rows hold at y = 10 t + k pi for every k: the run stays on its first branch, however far apart the output points
// are.
TEST(Path, StaysOnItsBranch) {
  for (const int intervals : {1, 3, 10, 100}) {
    const Solution solution = followed(R"(
      model Turning
        Real y(start = 0);
      equation
        sin(y - 10*time - 3*sin(time)) = 0;
      end Turning;)",
                                       7.0, intervals);
    ASSERT_EQ(solution.outcome, Outcome::Success) << solution.message;
    EXPECT_NEAR(solution.final("y"), 70.0 + 3.0 * std::sin(7.0), 1e-9) << intervals;
  }
}

// A fold: no leap passes it.
TEST(Path, EndsAtAFold) {
  EXPECT_THROW(followed(R"(
    model Fold
      Real y(start = 1);
    equation
      y^2 = 1 - time;
    end Fold;)",
                        2.0, 7),
               std::runtime_error);
}

}  // namespace
}  // namespace driftless
