#include "driftless/linear/condition.hpp"

#include <Eigen/Dense>
#include <random>

#include <gtest/gtest.h>

namespace driftless::linear {
namespace {

double exact_condition(const Eigen::MatrixXd& a) {
  return a.cwiseAbs().colwise().sum().maxCoeff() * a.inverse().cwiseAbs().colwise().sum().maxCoeff();
}

struct Full {
  Pattern pattern;
  std::vector<double> values;
};
Full full(const Eigen::MatrixXd& a) {
  const int n = static_cast<int>(a.rows());
  Full result{{n, {0}, {}}, {a.data(), a.data() + a.size()}};
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) result.pattern.rows.push_back(i);
    result.pattern.starts.push_back(n * (j + 1));
  }
  return result;
}

TEST(Condition, IsWithinAFactorOfThreeFromBelow) {
  std::mt19937 random(7);
  std::normal_distribution<double> draw;
  for (const int n : {1, 2, 5, 12, 30}) {
    for (const bool sparse : {false, true}) {
      Eigen::MatrixXd a(n, n);
      for (double& v : a.reshaped()) v = draw(random);
      for (int i = 0; i < n; ++i) a.row(i) *= std::pow(10.0, i % 7);
      const auto [pattern, values] = full(a);
      const auto factors = sparse ? make_sparse(pattern) : make_dense(pattern);
      ASSERT_TRUE(factors->factorize(values));
      const double estimate = norm(pattern, values) * InverseNorm(n)(*factors), exact = exact_condition(a);
      EXPECT_LE(estimate, exact * (1.0 + 1e-8)) << n;
      EXPECT_GE(estimate, exact / 3.0) << n;
    }
  }
}

TEST(Condition, UndoesTheScaling) {
  Eigen::Matrix3d a;
  a << 1, 2, 0, 0, 1, 4, 3, 0, 1;
  const Eigen::Vector3d r(1e-3, 1.0, 1e2), c(10.0, 1e-4, 1.0);
  const Eigen::Matrix3d scaled = r.asDiagonal() * a * c.asDiagonal();
  const auto [pattern, values] = full(scaled);
  const auto factors = make_dense(pattern);
  ASSERT_TRUE(factors->factorize(values));
  const std::span<const double> rows(r.data(), 3), columns(c.data(), 3);
  EXPECT_NEAR(norm(pattern, values, rows, columns) * InverseNorm(3)(*factors, rows, columns), exact_condition(a), 1e-9);
  EXPECT_NEAR(norm(pattern, values) * InverseNorm(3)(*factors) / exact_condition(scaled), 1.0, 1e-9);
}

TEST(SolveTransposed, SolvesWithTheTransposedMatrix) {
  std::mt19937 random(3);
  std::normal_distribution<double> draw;
  Eigen::MatrixXd a(8, 8);
  for (double& v : a.reshaped()) v = draw(random);
  a.row(2) *= 1e6;
  const auto [pattern, values] = full(a);
  for (const bool sparse : {false, true}) {
    const auto factors = sparse ? make_sparse(pattern) : make_dense(pattern);
    ASSERT_TRUE(factors->factorize(values));
    Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(8, -1.0, 2.0), x = b;
    factors->solve_transposed({x.data(), 8});
    EXPECT_LT((a.transpose() * x - b).norm(), 1e-12);
  }
}

}  // namespace
}  // namespace driftless::linear
