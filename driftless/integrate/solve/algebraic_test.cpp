#include "driftless/integrate/solve/algebraic.hpp"

#include <cmath>

#include "driftless/integrate/sample_problem.hpp"

namespace driftless {
namespace {

// Beside the kink the plain iteration goes to and fro between a negative y and a positive one.
TEST(AlgebraicSolve, FindsASolutionBesideTheKinkOfARoot) {
  samples::SampleProblem p(samples::from_text("model M Real x(start = 0, fixed = true), y; equation der(x) = 1;"
                                              " y + 0.65*sqrt(max(y, 0)) = x; end M;"),
                           formulation::Index1{});
  const Reduced& r = p.system.reduced();
  AlgebraicSolve solve(p.problem);
  for (const double x : {1e-12, 1e-9, 1e-6, 1e-3, 0.1, -1e-9, -0.1})
    for (const double guess : {-1.0, -1e-3, 0.0, 1e-3, 1.0}) {
      std::vector<double> y = p.start.y, yp = p.start.yp;
      std::size_t place = 0;
      for (std::size_t s = 0; s < y.size(); ++s) {
        const bool is_x = r.name(r.slots[s].quantity) == "x";
        y[s] = is_x ? x : guess;
        if (!is_x) place = s;
      }
      ASSERT_TRUE(solve(0.0, y, yp)) << x << " from " << guess;
      EXPECT_NEAR(y[place] + 0.65 * std::sqrt(std::max(y[place], 0.0)), x, 4e-9) << x << " from " << guess;
    }
}

// There is none: no damping finds one.
TEST(AlgebraicSolve, SaysThatThereIsNoSolution) {
  samples::SampleProblem p(
      samples::from_text("model M Real x(start = 1, fixed = true), y(start = 1); equation der(x) = 1;"
                         " y^2 = x; end M;"),
      formulation::Index1{});
  AlgebraicSolve solve(p.problem);
  std::vector<double> y = p.start.y, yp = p.start.yp;
  for (std::size_t s = 0; s < y.size(); ++s)
    if (p.system.reduced().name(p.system.reduced().slots[s].quantity) == "x") y[s] = -1.0;
  EXPECT_FALSE(solve(0.0, y, yp));
}

}  // namespace
}  // namespace driftless
