// The coupled systems of implicit and partitioned Runge-Kutta methods: their matrices are the derivatives of their
// residuals, and the polynomials through their stages are what they should be.
#include "driftless/integrate/steppers/runge_kutta/stage_equations.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "driftless/integrate/steppers/runge_kutta/position_stages.hpp"
#include "driftless/integrate/sample_problem.hpp"
#include "driftless/integrate/steppers/runge_kutta/stage_polynomial.hpp"

namespace driftless {
namespace {

using namespace formulation;

// Along random directions, by central differences.
void expect_derivative(Equations& equations, std::vector<double> x) {
  const linear::Pattern& pattern = equations.pattern();
  std::vector<double> values(pattern.rows.size()), ahead(x.size()), behind(x.size()), direction(x.size());
  ASSERT_EQ(static_cast<std::size_t>(pattern.size), x.size());
  ASSERT_TRUE(equations.matrix(x, values));
  std::mt19937_64 random(3);
  for (int sample = 0; sample < 3; ++sample) {
    std::vector<double> product(x.size(), 0.0), size(x.size(), 1.0);
    for (double& d : direction) d = std::uniform_real_distribution<double>(-1.0, 1.0)(random);
    for (int j = 0; j < pattern.size; ++j)
      for (int k = pattern.starts[j]; k < pattern.starts[j + 1]; ++k) {
        product[pattern.rows[k]] += values[k] * direction[j];
        size[pattern.rows[k]] += std::abs(values[k] * direction[j]);
      }
    const double s = 1e-6;
    const auto at = [&](double step, std::vector<double>& out) {
      std::vector<double> moved = x;
      for (std::size_t j = 0; j < x.size(); ++j) moved[j] += step * direction[j];
      ASSERT_TRUE(equations.residual(moved, out));
    };
    at(s, ahead);
    at(-s, behind);
    for (std::size_t i = 0; i < x.size(); ++i)
      EXPECT_NEAR((ahead[i] - behind[i]) / (2.0 * s), product[i], 1e-7 * size[i]) << "equation " << i;
  }
}

std::vector<double> random_vector(int size, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<double> values(size);
  for (double& v : values) v = std::uniform_real_distribution<double>(-0.2, 0.2)(random);
  return values;
}

TEST(StageEquations, MatrixIsTheDerivativeOfTheResidual) {
  for (const Formulation& formulation : {Formulation(Index1{}), Formulation(Ggl{}), Formulation(Original{})})
    for (const Tableau& tableau : {radau_iia(3), gauss(2), lobatto_iiia(3), lobatto_iiic(2)}) {
      samples::SampleProblem sample(samples::pendulum({.x = 0.6, .y = -0.8, .vy = 0.3}), formulation);
      StageEquations equations(sample.problem, tableau);
      equations.begin(0.0, 0.1, sample.start.y, sample.start.yp);
      expect_derivative(equations, random_vector(equations.stages().size(), 1));
    }
}

TEST(PositionStages, MatrixIsTheDerivativeOfTheResidual) {
  for (const Formulation& formulation : {Formulation(Index1{}), Formulation(Index2{}), Formulation(Original{})}) {
    samples::SampleProblem sample(samples::pendulum({.x = 0.6, .y = -0.8, .vy = 0.3}), formulation);
    const auto mechanics = std::get<MechanicalSystem>(mechanical_system(sample.system.reduced()));
    PositionStages equations(sample.system, mechanics,
                             {2, {0, 0.5}, {0, 0, 0.125, 0.1}, {0.5, 1}, {0.125, 0, 0.2, 0.3}});
    const std::vector<double> v{0.4, 0.3};
    equations.begin(0.0, 0.5, sample.start.y, v);
    expect_derivative(equations, random_vector(equations.size(), 2));
  }
}

TEST(StagePolynomial, IsExactForPolynomialsOfItsDegree) {
  StagePolynomial polynomial(gauss(3).c, 1);  // both ends and three nodes: degree 4
  const auto f = [](double t) { return ((0.3 * t - 1.0) * t + 2.0) * t * t - 5.0; };
  const auto slope = [](double t) { return ((1.2 * t - 3.0) * t + 4.0) * t; };
  const double begin = 1.5, h = 0.7;
  std::vector<double> inner, value(1);
  for (const double node : polynomial.inner_nodes()) inner.push_back(f(begin + node * h));
  const std::vector<double> start{f(begin)}, end{f(begin + h)};
  polynomial.set(begin, h, start, inner, end);
  Segment segment;
  polynomial.store(segment);
  EXPECT_EQ(segment.order, 4);
  for (const double t : {1.5, 1.7, 2.0, 2.2, 2.5}) {
    polynomial.value(t, value);
    EXPECT_NEAR(value[0], f(t), 1e-13);
    polynomial.slope(t, value);
    EXPECT_NEAR(value[0], slope(t), 1e-12);
    double sum = 0.0;
    for (int k = segment.order; k >= 0; --k) sum = sum * ((t - segment.end) / h) + segment.coefficients[k];
    EXPECT_NEAR(sum, f(t), 1e-13);
  }
}

// A polynomial goes on beyond its step: with the start one more degree is exact; without it, a wrong start does no
// harm.
TEST(StagePolynomial, ExtrapolatesWithAndWithoutTheStart) {
  StagePolynomial polynomial(radau_iia(3).c, 2);
  const auto cubic = [](double t) { return ((0.3 * t - 1.0) * t + 2.0) * t - 5.0; };
  const auto square = [](double t) { return (2.0 * t - 1.0) * t + 0.5; };
  const double begin = 0.4, h = 0.2;
  std::vector<double> inner, value(2);
  for (const double node : polynomial.inner_nodes())
    for (const auto& f : {+cubic, +square}) inner.push_back(f(begin + node * h));
  const std::vector<double> start{cubic(begin), square(begin) + 1.0}, end{cubic(begin + h), square(begin + h)};
  polynomial.set(begin, h, start, inner, end);
  for (const double t : {0.6, 0.7, 1.0}) {
    polynomial.extrapolate(t, std::vector<double>{1.0, 0.0}, value);
    EXPECT_NEAR(value[0], cubic(t), 1e-12);
    EXPECT_NEAR(value[1], square(t), 1e-12);
  }
}

}  // namespace
}  // namespace driftless
