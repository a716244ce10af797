#include "driftless/integrate/steppers/radau/stage_solver.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "driftless/integrate/sample_problem.hpp"
#include "driftless/integrate/steppers/runge_kutta/stages.hpp"

namespace driftless {
namespace {

using namespace formulation;

// (I (x) ∂F/∂y + A^-1/h (x) ∂F/∂y') x for all stages, and the size of what was added.
struct Product {
  std::vector<double> value, size;
};

Product times(Problem& problem, const State& at, const std::vector<double>& inverse, double h,
              const std::vector<double>& x) {
  const linear::Pattern& pattern = problem.pattern();
  const std::size_t n = pattern.size, s = x.size() / n;
  std::vector<double> by_value(pattern.rows.size()), by_rate(pattern.rows.size());
  EXPECT_TRUE(problem.derivatives(at.t, at.y, at.yp, by_value, by_rate));
  Product product{std::vector<double>(x.size(), 0.0), std::vector<double>(x.size(), 0.0)};
  for (std::size_t i = 0; i < s; ++i)
    for (std::size_t j = 0; j < s; ++j)
      for (int column = 0; column < pattern.size; ++column)
        for (int k = pattern.starts[column]; k < pattern.starts[column + 1]; ++k) {
          const double entry = (i == j ? by_value[k] : 0.0) + inverse[i * s + j] / h * by_rate[k];
          const double term = entry * x[j * n + column];
          product.value[i * n + pattern.rows[k]] += term;
          product.size[i * n + pattern.rows[k]] += std::abs(term);
        }
  return product;
}

// Stages that are solved one eigenvalue after the other solve the equations of all stages together.
TEST(StageSolver, SolvesTheCoupledSystem) {
  std::mt19937_64 random(5);
  for (const Formulation& formulation : {Formulation(Index1{}), Formulation(Ggl{}), Formulation(Original{})})
    for (const Tableau& tableau : {radau_iia(2), radau_iia(3), radau_iia(5), radau_iia(7), gauss(2), lobatto_iiic(4)}) {
      samples::SampleProblem sample(samples::pendulum({.x = 0.6, .y = -0.8, .vy = 0.3}), formulation);
      const Stages stages(sample.problem, tableau);
      const StageTransformation transformation = diagonalize(stages.inverse());
      StageSolver solver(sample.problem, tableau.stages);
      ASSERT_TRUE(solver.linearize(0.0, sample.start.y, sample.start.yp));
      for (const double h : {0.3, 0.01}) {
        ASSERT_TRUE(solver.factorize(transformation, h));
        std::vector<double> b(stages.size());
        for (double& value : b) value = std::uniform_real_distribution<double>(-1.0, 1.0)(random);
        std::vector<double> x = b;
        solver.solve(x);
        const Product product = times(sample.problem, sample.start, stages.inverse(), h, x);
        // The transformation of seven stages has a condition of some thousands.
        for (std::size_t i = 0; i < b.size(); ++i)
          EXPECT_NEAR(product.value[i], b[i], 1e-10 * (product.size[i] + std::abs(b[i])))
              << tableau.stages << " stages, h = " << h << ", equation " << i;
      }
    }
}

TEST(StageSolver, SaysThatAMatrixIsSingular) {
  // At rest in the origin the constraint x^2 + y^2 = L^2 has no direction.
  samples::SampleProblem sample(samples::pendulum({.x = 0.6, .y = -0.8, .vy = 0.3}), Index2{});
  StageSolver solver(sample.problem, 3);
  const StageTransformation transformation = diagonalize(inverse_matrix(radau_iia(3)));
  std::vector<double> zeros(sample.start.y.size(), 0.0);
  ASSERT_TRUE(solver.linearize(0.0, zeros, zeros));
  EXPECT_FALSE(solver.factorize(transformation, 0.1));
  ASSERT_TRUE(solver.linearize(0.0, sample.start.y, sample.start.yp));
  EXPECT_TRUE(solver.factorize(transformation, 0.1));
}

}  // namespace
}  // namespace driftless
