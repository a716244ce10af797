#include "driftless/integrate/solve/algebraic.hpp"

#include <cmath>

#include "driftless/integrate/sample_problem.hpp"

namespace driftless {
namespace {

// Near the kink the plain iteration oscillates between a negative and a positive y.
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

// There is no solution, and damping finds none.
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

// Queries about its last point, and continuation from it: with a diode, so that the last point matters.
TEST(AlgebraicSolve, GoesOnWithTheSameBitsWhereItIsRead) {
  const auto model = [] {
    return samples::from_text(
        "model M Real x(start = 0.3, fixed = true), u(start = 0.3); equation der(x) = -u + sin(9*time);"
        " u + 1e-9*(exp(40*u) - 1) = x + 0.1*time; end M;");
  };
  samples::SampleProblem p(model(), formulation::Index1{}), q(model(), formulation::Index1{});
  AlgebraicSolve writes(p.problem), reads(q.problem);
  std::vector<double> y = p.start.y, yp = p.start.yp;
  for (const double t : {0.0, 0.4}) ASSERT_TRUE(writes(t, y, yp));
  Archive writer;
  writer(p.problem, writes);
  Archive reader(writer.bytes());
  reader(q.problem, reads);
  EXPECT_EQ(reader.bytes_left(), 0u);
  EXPECT_GT(writes.first_correction(), 0.0);
  EXPECT_GT(writes.contraction(), 0.0);
  EXPECT_EQ(reads.first_correction(), writes.first_correction());
  EXPECT_EQ(reads.contraction(), writes.contraction());
  EXPECT_EQ(reads.counts().residual_evaluations, writes.counts().residual_evaluations);
  EXPECT_EQ(reads.counts().factorizations, writes.counts().factorizations);
  const auto rates = [](AlgebraicSolve& solve) { return std::vector(solve.rates().begin(), solve.rates().end()); };
  EXPECT_EQ(rates(reads), rates(writes));
  EXPECT_EQ(reads.counts().residual_evaluations, writes.counts().residual_evaluations);
  std::vector<double> a(y.size(), 1.0), b = a;
  writes.spread(a);
  reads.spread(b);
  EXPECT_NE(a, std::vector<double>(y.size(), 1.0));
  EXPECT_EQ(a, b);
}

}  // namespace
}  // namespace driftless
