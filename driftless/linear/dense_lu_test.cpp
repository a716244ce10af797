#include "driftless/linear/dense_lu.hpp"

#include <random>

#include <Eigen/Dense>

namespace driftless::linear {
namespace {

using Complex = std::complex<double>;

template <class Number>
class DenseLuOf : public testing::Test {
 protected:
  using Matrix = Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic>;
  using Vector = Eigen::Matrix<Number, Eigen::Dynamic, 1>;

  Number number() {
    const auto part = [&] { return std::uniform_real_distribution<double>(-1.0, 1.0)(random_); };
    if constexpr (std::is_same_v<Number, double>)
      return part();
    else
      return {part(), part()};
  }
  Matrix matrix(int n) {
    return Matrix::NullaryExpr(n, n, [&](Eigen::Index, Eigen::Index) { return number(); });
  }
  Vector vector(int n) {
    return Vector::NullaryExpr(n, [&](Eigen::Index) { return number(); });
  }

  static void set(DenseLu<Number>& lu, const Matrix& a) {
    for (int j = 0; j < a.cols(); ++j) lu.set_column(j, a.col(j).data());
  }
  static std::vector<double> sizes(const Matrix& a) {
    std::vector<double> result;
    for (int j = 0; j < a.cols(); ++j) result.push_back(a.col(j).cwiseAbs().maxCoeff());
    return result;
  }

  std::mt19937_64 random_{3};
};

using Numbers = testing::Types<double, Complex>;
TYPED_TEST_SUITE(DenseLuOf, Numbers);

// All sizes around whole lanes and whole groups of columns.
TYPED_TEST(DenseLuOf, SolvesSystemsOfEverySize) {
  for (int n = 1; n <= 40; ++n) {
    DenseLu<TypeParam> lu(n);
    for (int again = 0; again < 3; ++again) {  // rows stay in the order of the last elimination
      const auto a = this->matrix(n);
      const auto b = this->vector(n);
      this->set(lu, a);
      ASSERT_GT(lu.eliminate(this->sizes(a)), 0.0);
      auto x = b;
      lu.solve(x.data());
      EXPECT_LT((a * x - b).norm(), 1e-13 * n * a.norm() * x.norm()) << n;
      if constexpr (std::is_same_v<TypeParam, double>) {
        auto y = b;
        lu.solve_transposed(y.data());
        EXPECT_LT((a.transpose() * y - b).norm(), 1e-13 * n * a.norm() * y.norm()) << n;
      }
    }
  }
}

// Entries one by one instead of by columns.
TYPED_TEST(DenseLuOf, TakesEntriesInAnyOrder) {
  const int n = 9;
  DenseLu<TypeParam> lu(n);
  for (int again = 0; again < 3; ++again) {
    const auto a = this->matrix(n);
    const auto b = this->vector(n);
    lu.clear();
    for (int i = n - 1; i >= 0; --i)
      for (int j = 0; j < n; ++j) lu.set(i, j, a(i, j));
    ASSERT_GT(lu.eliminate(this->sizes(a)), 0.0);
    auto x = b;
    lu.solve(x.data());
    EXPECT_LT((a * x - b).norm(), 1e-13 * n * a.norm() * x.norm());
  }
}

TYPED_TEST(DenseLuOf, NoticesSingularMatrices) {
  const int n = 13;
  auto a = this->matrix(n);
  a.row(7).setZero();
  DenseLu<TypeParam> lu(n);
  this->set(lu, a);
  EXPECT_EQ(lu.eliminate(this->sizes(a)), 0.0);
  a.row(7) = 2.0 * a.row(3);
  this->set(lu, a);
  EXPECT_LT(lu.eliminate(this->sizes(a)), 1e-15);
  a(7, 7) += 1.0;
  this->set(lu, a);
  EXPECT_GT(lu.eliminate(this->sizes(a)), 1e-4);
}

}  // namespace
}  // namespace driftless::linear
