#include "driftless/linear/sparse_lu.hpp"

#include <cmath>
#include <ctime>

namespace driftless::linear {
namespace {

using Complex = std::complex<double>;

// Masses in blocks of two and constraints between neighbours, [M Gᵀ; G 0], and a full last row and column.
struct Saddle {
  explicit Saddle(int bodies) : size(3 * bodies + 1) {
    std::vector<Coordinate> coordinates;
    const auto add = [&](int row, int col) { coordinates.push_back({row, col}); };
    for (int i = 0; i < bodies; ++i) {
      for (int k = 0; k < 4; ++k) add(2 * i + k / 2, 2 * i + k % 2);
      for (int j = std::max(0, 2 * i - 2); j < 2 * i + 2; ++j) add(2 * bodies + i, j), add(j, 2 * bodies + i);
    }
    for (int k = 0; k < size; ++k) add(size - 1, k), add(k, size - 1);
    pattern = assemble(size, coordinates).pattern;
  }

  // Entries that change with time, over this many decades.
  template <class Number>
  std::vector<Number> values(double time, double decades = 0.0) const {
    std::vector<Number> result;
    for (int j = 0; j < size; ++j)
      for (int e = pattern.starts[j]; e < pattern.starts[j + 1]; ++e) {
        const double re = std::sin(1.3 * e + 0.7 * j + time) + (pattern.rows[e] == j ? 3.0 : 0.0);
        const double scale = std::pow(10.0, decades * std::sin(5.0 * e + 3.0 * time));
        if constexpr (std::is_same_v<Number, double>)
          result.push_back(scale * re);
        else
          result.push_back({scale * re, scale * 0.5 * std::cos(2.1 * e + time)});
      }
    return result;
  }

  int size;
  Pattern pattern;
};

template <class Number>
class SparseLuOf : public testing::Test {
 protected:
  // The residual of a solution, row by row relative to the terms of each row.
  template <class Matrix>
  static double error(const SparseLu<Number>& lu, const Matrix& saddle, const std::vector<Number>& values) {
    std::vector<Number> residual(saddle.size);
    std::vector<double> size(saddle.size);
    for (int i = 0; i < saddle.size; ++i) residual[i] = std::sin(1.0 + i), size[i] = std::abs(residual[i]);
    for (int k = 0; k < saddle.size; ++k) lu.right_side()[k] = residual[lu.row(k)] * lu.scale(k);
    lu.solve();
    for (int k = 0; k < saddle.size; ++k)
      for (int e = saddle.pattern.starts[lu.column(k)]; e < saddle.pattern.starts[lu.column(k) + 1]; ++e) {
        const Number term = values[e] * lu.right_side()[k];
        residual[saddle.pattern.rows[e]] -= term;
        size[saddle.pattern.rows[e]] += std::abs(term);
      }
    double worst = 0.0;
    for (int i = 0; i < saddle.size; ++i) worst = std::max(worst, std::abs(residual[i]) / size[i]);
    return worst;
  }
};

using Numbers = testing::Types<double, Complex>;
TYPED_TEST_SUITE(SparseLuOf, Numbers);

TYPED_TEST(SparseLuOf, KeepsItsPivotsWhileTheyServe) {
  for (const int bodies : {4, 20, 60}) {
    const Saddle saddle(bodies);
    SparseLu<TypeParam> lu(saddle.pattern);
    for (int k = 0; k < 50; ++k) {
      const auto values = saddle.values<TypeParam>(1e-3 * k);
      ASSERT_TRUE(lu.factorize(values));
      EXPECT_LT(this->error(lu, saddle, values), 1e-9) << bodies << " bodies, " << k;
    }
    EXPECT_EQ(lu.choices(), 1) << bodies;
    EXPECT_GT(lu.pivots()->sparse, bodies) << "most unknowns are eliminated before the block";
  }
}

TYPED_TEST(SparseLuOf, FollowsMatricesThatWanderFar) {
  const Saddle saddle(10);
  SparseLu<TypeParam> lu(saddle.pattern);
  for (int k = 0; k < 60; ++k) {
    const auto values = saddle.values<TypeParam>(0.1 * k, 3.0);
    ASSERT_TRUE(lu.factorize(values));
    EXPECT_LT(this->error(lu, saddle, values), 1e-8) << k;
  }
  EXPECT_GT(lu.choices(), 1);
}

// Six unknowns, and twelve that depend on them and are far larger: the six keep their bits. The large entries of their
// columns are in the rows of the others, and would be the pivots if size and fill alone counted.
TEST(SparseLu, KeepsLargeNumbersOutOfWhatDoesNotDependOnThem) {
  constexpr int few = 6, n = 18;
  std::vector<Coordinate> coordinates;
  for (int i = 0; i < n; ++i) {
    const int first = i < few ? 0 : few, end = i < few ? few : n;
    for (int j = first; j < end; ++j) coordinates.push_back({i, j});
    if (i > few && i < 2 * few) coordinates.push_back({i, i - few});
  }
  const Pattern pattern = assemble(n, coordinates).pattern;
  std::vector<double> values;
  for (int j = 0; j < n; ++j)
    for (int e = pattern.starts[j]; e < pattern.starts[j + 1]; ++e) {
      const bool large = j == 0 || (j < few && pattern.rows[e] >= few);
      values.push_back(std::sin(1.0 + e * e) + (large ? 1000.0 : 0.0));
    }
  SparseLu<double> lu(pattern);
  ASSERT_TRUE(lu.factorize(values));
  const auto solve = [&](double large) {
    for (int k = 0; k < n; ++k) lu.right_side()[k] = (lu.row(k) < few ? std::cos(lu.row(k)) : large) * lu.scale(k);
    lu.solve();
    std::vector<double> x(n);
    for (int k = 0; k < n; ++k) x[lu.column(k)] = lu.right_side()[k];
    return x;
  };
  const auto small = solve(0.0), large = solve(1e74);
  for (int i = 0; i < few; ++i) EXPECT_EQ(small[i], large[i]);
  EXPECT_GT(std::abs(large[few]), 1e70);
}

// A complex matrix takes the pivots of a real one that differs from it as much as those of one step do.
TEST(SparseLu, TakesThePivotsOfASimilarMatrix) {
  const Saddle saddle(20);
  SparseLu<double> real(saddle.pattern);
  ASSERT_TRUE(real.factorize(saddle.values<double>(0.0)));
  SparseLu<Complex> complex(saddle.pattern);
  complex.try_pivots(real.pivots());
  ASSERT_TRUE(complex.factorize(saddle.values<Complex>(0.0)));
  EXPECT_EQ(complex.choices(), 0);
  EXPECT_EQ(complex.pivots(), real.pivots());
}

// Pivots that are useless to a matrix do no harm.
TEST(SparseLu, ChoosesItsOwnWherePivotsOfAnotherMatrixFail) {
  const Saddle saddle(20);
  SparseLu<double> one(saddle.pattern), other(saddle.pattern);
  auto values = saddle.values<double>(0.0);
  ASSERT_TRUE(one.factorize(values));
  const PivotOrder& order = *one.pivots();
  for (int e = saddle.pattern.starts[order.columns[0]]; e < saddle.pattern.starts[order.columns[0] + 1]; ++e)
    if (saddle.pattern.rows[e] == order.rows[0]) values[e] = 0.0;  // the first pivot
  other.try_pivots(one.pivots());
  ASSERT_TRUE(other.factorize(values));
  EXPECT_EQ(other.choices(), 1);
}

// ---- unknowns coupled in two dimensions

// A lattice of masses with two coordinates, a constraint along each row of it, springs between the rows: [K Gᵀ; G 0]
// with rows and columns in different orders, and rows that differ by many decades.
struct Lattice {
  explicit Lattice(int width) : size(3 * width * width) {
    std::vector<Coordinate> coordinates;
    const int masses = width * width;
    const auto row = [&](int k) { return static_cast<int>(k * 7L % size); };
    const auto column = [&](int k) { return static_cast<int>(k * 11L % size); };
    const auto add = [&](int i, int j) { coordinates.push_back({row(i), column(j)}); };
    for (int mass = 0; mass < masses; ++mass)
      for (const int other : {mass, mass - width, mass + width, mass - 1})
        if (other >= 0 && other < masses)
          for (int k = 0; k < 4; ++k) {
            if (other != mass - 1) add(2 * mass + k / 2, 2 * other + k % 2);
            if (other == mass || (other == mass - 1 && mass % width > 0))
              add(2 * masses + mass, 2 * other + k % 2), add(2 * other + k % 2, 2 * masses + mass);
          }
    pattern = assemble(size, coordinates).pattern;
  }

  template <class Number>
  std::vector<Number> values(double time, double decades = 0.0) const {
    std::vector<Number> result;
    for (int j = 0; j < size; ++j)
      for (int e = pattern.starts[j]; e < pattern.starts[j + 1]; ++e) {
        const double scale = std::pow(10.0, pattern.rows[e] % 9 + decades * std::sin(5.0 * e + 3.0 * time));
        const double re = scale * std::sin(1.3 * e + 0.7 * j + time), im = scale * 0.5 * std::cos(2.1 * e + time);
        if constexpr (std::is_same_v<Number, double>)
          result.push_back(re);
        else
          result.push_back({re, im});
      }
    return result;
  }

  int size;
  Pattern pattern;
};

template <class Number>
class SparseLuOfALattice : public SparseLuOf<Number> {};
TYPED_TEST_SUITE(SparseLuOfALattice, Numbers);

TYPED_TEST(SparseLuOfALattice, IsEliminatedInFronts) {
  const Lattice lattice(40);
  SparseLu<TypeParam> lu(lattice.pattern);
  for (int k = 0; k < 10; ++k) {
    const auto values = lattice.values<TypeParam>(1e-4 * k);
    ASSERT_TRUE(lu.factorize(values));
    EXPECT_LT(this->error(lu, lattice, values), 1e-9) << k;
  }
  ASSERT_TRUE(lu.pivots()->fronts);
  EXPECT_GT(lu.pivots()->sparse, 0);
  EXPECT_LE(lu.choices(), 2) << "one for small pivots, one for larger ones";
}

// The processor's time in one run: a comparison is far below an elimination.
TYPED_TEST(SparseLuOfALattice, IsNotEliminatedAgainWhileItStaysTheSame) {
  const Lattice lattice(40);
  const auto values = lattice.values<TypeParam>(0.0), others = lattice.values<TypeParam>(1e-4);
  SparseLu<TypeParam> lu(lattice.pattern);
  const auto time_of = [&](const auto& first, const auto& second) {
    const std::clock_t begin = std::clock();
    for (int k = 0; k < 20; ++k) EXPECT_TRUE(lu.factorize(first) && lu.factorize(second));
    return std::clock() - begin;
  };
  ASSERT_TRUE(lu.factorize(values) && lu.factorize(others));
  EXPECT_LT(5 * time_of(values, values), time_of(values, others));
  ASSERT_TRUE(lu.factorize(values));
  EXPECT_LT(this->error(lu, lattice, values), 1e-9);

  lu.try_pivots(lu.pivots());  // no factors any more
  ASSERT_TRUE(lu.factorize(values));
  EXPECT_LT(this->error(lu, lattice, values), 1e-9);
}

TYPED_TEST(SparseLuOfALattice, GetsNewPivotsWhereOldOnesDoNotServe) {
  const Lattice lattice(40);
  SparseLu<TypeParam> lu(lattice.pattern);
  for (int k = 0; k < 4; ++k) {
    const auto values = lattice.values<TypeParam>(0.3 * k, 3.0);
    ASSERT_TRUE(lu.factorize(values));
    EXPECT_LT(this->error(lu, lattice, values), 1e-8) << k;
  }
  EXPECT_TRUE(lu.pivots()->fronts);
  EXPECT_GT(lu.choices(), 2);
}

TYPED_TEST(SparseLuOfALattice, IsRefusedIfSingular) {
  const Lattice lattice(40);
  SparseLu<TypeParam> lu(lattice.pattern);
  auto values = lattice.values<TypeParam>(0.0);
  ASSERT_TRUE(lu.factorize(values));
  const auto regular = values;
  const int column = lu.column(lattice.size - 1);  // one of the rest
  for (int e = lattice.pattern.starts[column]; e < lattice.pattern.starts[column + 1]; ++e) values[e] = 0.0;
  EXPECT_FALSE(lu.factorize(values));
  values = regular;
  values[7] = NAN;
  EXPECT_FALSE(lu.factorize(values));
  ASSERT_TRUE(lu.factorize(regular));
  EXPECT_LT(this->error(lu, lattice, regular), 1e-9);
}

TEST(SparseLu, SharesFrontsBetweenRealAndComplexMatrices) {
  const Lattice lattice(40);
  SparseLu<double> real(lattice.pattern);
  ASSERT_TRUE(real.factorize(lattice.values<double>(0.0)));
  SparseLu<Complex> complex(lattice.pattern);
  complex.try_pivots(real.pivots());
  std::vector<Complex> values;
  for (const double value : lattice.values<double>(0.0)) values.push_back({value, 0.3 * value});
  ASSERT_TRUE(complex.factorize(values));
  EXPECT_EQ(complex.choices(), 0);
  EXPECT_EQ(complex.pivots(), real.pivots());
  ASSERT_TRUE(complex.pivots()->fronts);
}

}  // namespace
}  // namespace driftless::linear
