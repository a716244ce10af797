#include "driftless/integrate/steppers/runge_kutta/tableau.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace driftless {
namespace {

constexpr double rounding = 2e-14;

double power(double x, int k) { return k == 0 ? 1.0 : std::pow(x, k); }

// How many of the conditions of B, C, D hold, from k = 1 on.
int holds_up_to(int most, const std::function<double(int k)>& defect) {
  for (int k = 1; k <= most; ++k)
    if (!(defect(k) < rounding)) return k - 1;
  return most;
}

int quadrature_order(const Tableau& m) {
  return holds_up_to(2 * m.stages + 1, [&](int k) {
    double sum = -1.0 / k;
    for (int i = 0; i < m.stages; ++i) sum += m.b[i] * power(m.c[i], k - 1);
    return std::abs(sum);
  });
}

int stage_order(const Tableau& m) {
  return holds_up_to(m.stages + 1, [&](int k) {
    double worst = 0.0;
    for (int i = 0; i < m.stages; ++i) {
      double sum = -power(m.c[i], k) / k;
      for (int j = 0; j < m.stages; ++j) sum += m.at(i, j) * power(m.c[j], k - 1);
      worst = std::max(worst, std::abs(sum));
    }
    return worst;
  });
}

int adjoint_stage_order(const Tableau& m) {
  return holds_up_to(m.stages + 1, [&](int k) {
    double worst = 0.0;
    for (int j = 0; j < m.stages; ++j) {
      double sum = -m.b[j] * (1.0 - power(m.c[j], k)) / k;
      for (int i = 0; i < m.stages; ++i) sum += m.b[i] * power(m.c[i], k - 1) * m.at(i, j);
      worst = std::max(worst, std::abs(sum));
    }
    return worst;
  });
}

void expect_simplifying(const Tableau& m, int b, int c, int d) {
  SCOPED_TRACE(m.stages);
  EXPECT_EQ(quadrature_order(m), b);
  EXPECT_EQ(stage_order(m), c);
  EXPECT_EQ(adjoint_stage_order(m), d);
}

TEST(Tableau, CollocationMethodsSatisfyTheirSimplifyingAssumptionsAndNoMore) {
  for (int s = 1; s <= most_stages; ++s) {
    expect_simplifying(radau_iia(s), 2 * s - 1, s, s - 1);
    expect_simplifying(gauss(s), 2 * s, s, s);
    EXPECT_EQ(radau_iia(s).order, 2 * s - 1);
    EXPECT_EQ(gauss(s).order, 2 * s);
  }
  for (int s = 2; s <= most_stages; ++s) {
    expect_simplifying(lobatto_iiia(s), 2 * s - 2, s, s - 2);
    expect_simplifying(lobatto_iiib(s), 2 * s - 2, s - 2, s);
    expect_simplifying(lobatto_iiic(s), 2 * s - 2, s - 1, s - 1);
  }
}

void expect_matrix(const Tableau& m, const std::vector<double>& a, const std::vector<double>& b) {
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(m.a[k], a[k], 1e-16) << k;
  for (std::size_t k = 0; k < b.size(); ++k) EXPECT_NEAR(m.b[k], b[k], 1e-16) << k;
}

TEST(Tableau, AgreesWithThePrintedCoefficients) {
  const double r = std::sqrt(6.0), q = std::sqrt(15.0);
  expect_matrix(radau_iia(1), {1.0}, {1.0});
  expect_matrix(radau_iia(2), {5.0 / 12, -1.0 / 12, 3.0 / 4, 1.0 / 4}, {3.0 / 4, 1.0 / 4});
  expect_matrix(radau_iia(3),
                {(88 - 7 * r) / 360, (296 - 169 * r) / 1800, (-2 + 3 * r) / 225,  //
                 (296 + 169 * r) / 1800, (88 + 7 * r) / 360, (-2 - 3 * r) / 225,  //
                 (16 - r) / 36, (16 + r) / 36, 1.0 / 9},
                {(16 - r) / 36, (16 + r) / 36, 1.0 / 9});
  expect_matrix(gauss(3),
                {5.0 / 36, 2.0 / 9 - q / 15, 5.0 / 36 - q / 30, 5.0 / 36 + q / 24, 2.0 / 9, 5.0 / 36 - q / 24,
                 5.0 / 36 + q / 30, 2.0 / 9 + q / 15, 5.0 / 36},
                {5.0 / 18, 4.0 / 9, 5.0 / 18});
  expect_matrix(lobatto_iiia(3), {0, 0, 0, 5.0 / 24, 1.0 / 3, -1.0 / 24, 1.0 / 6, 2.0 / 3, 1.0 / 6},
                {1.0 / 6, 2.0 / 3, 1.0 / 6});
  expect_matrix(lobatto_iiib(3), {1.0 / 6, -1.0 / 6, 0, 1.0 / 6, 1.0 / 3, 0, 1.0 / 6, 5.0 / 6, 0},
                {1.0 / 6, 2.0 / 3, 1.0 / 6});
  expect_matrix(lobatto_iiib(2), {0.5, 0, 0.5, 0}, {0.5, 0.5});
  expect_matrix(lobatto_iiic(3), {1.0 / 6, -1.0 / 3, 1.0 / 6, 1.0 / 6, 5.0 / 12, -1.0 / 12, 1.0 / 6, 2.0 / 3, 1.0 / 6},
                {1.0 / 6, 2.0 / 3, 1.0 / 6});
}

TEST(Tableau, TheLastStageIsTheNewPointWhereItShouldBe) {
  for (int s = 2; s <= most_stages; ++s) {
    EXPECT_TRUE(radau_iia(s).stiffly_accurate());
    EXPECT_TRUE(lobatto_iiia(s).stiffly_accurate());
    EXPECT_TRUE(lobatto_iiic(s).stiffly_accurate());
    EXPECT_FALSE(gauss(s).stiffly_accurate());
    EXPECT_FALSE(lobatto_iiib(s).stiffly_accurate());
    EXPECT_TRUE(lobatto_iiia(s).explicit_first_stage());
    EXPECT_FALSE(lobatto_iiic(s).explicit_first_stage());
  }
  EXPECT_TRUE(explicit_tableau(method::Explicit::Dopri5).stiffly_accurate());  // its last slope is used again
  EXPECT_FALSE(explicit_tableau(method::Explicit::Rk4).stiffly_accurate());
}

// b_i a_ij + b_j a^_ji = b_i b_j: quadratic invariants, and with them the symplectic structure, are kept
// (Sanz-Serna 1988).
double symplectic_defect(const Tableau& m, const Tableau& other) {
  double worst = 0.0;
  for (int i = 0; i < m.stages; ++i)
    for (int j = 0; j < m.stages; ++j)
      worst = std::max(worst, std::abs(m.b[i] * m.at(i, j) + m.b[j] * other.at(j, i) - m.b[i] * m.b[j]));
  return worst;
}

TEST(Tableau, GaussAndTheLobattoPairsAreSymplectic) {
  for (int s = 2; s <= 6; ++s) {
    EXPECT_LT(symplectic_defect(gauss(s), gauss(s)), rounding);
    EXPECT_LT(symplectic_defect(lobatto_iiia(s), lobatto_iiib(s)), rounding);
    EXPECT_GT(symplectic_defect(radau_iia(s), radau_iia(s)), 1e-5);
    EXPECT_GT(symplectic_defect(lobatto_iiia(s), lobatto_iiia(s)), 1e-5);
  }
}

TEST(Tableau, InverseOfRadauHasThePublishedEigenvalues) {
  const std::vector<double> inverse = inverse_matrix(radau_iia(3));
  const auto m = [&](int i, int j) { return inverse[3 * i + j]; };
  const double real = 3.6378342527444957, re = 2.6810828736277521, im = 3.0504301992474106;
  EXPECT_NEAR(m(0, 0) + m(1, 1) + m(2, 2), real + 2 * re, 1e-13);
  const double minors = m(0, 0) * m(1, 1) - m(0, 1) * m(1, 0) + m(0, 0) * m(2, 2) - m(0, 2) * m(2, 0) +
                        m(1, 1) * m(2, 2) - m(1, 2) * m(2, 1);
  EXPECT_NEAR(minors, 2 * real * re + re * re + im * im, 1e-12);
}

// ---- order conditions: one for every rooted tree (Butcher 1963)

struct Tree {
  std::vector<Tree> branches;
  int order() const {
    int sum = 1;
    for (const Tree& branch : branches) sum += branch.order();
    return sum;
  }
  double density() const {
    double product = order();
    for (const Tree& branch : branches) product *= branch.density();
    return product;
  }
};

// All trees of an order; branches are taken from `trees` (all smaller trees) with indices that do not ascend.
std::vector<Tree> trees_of(int order, const std::vector<Tree>& smaller) {
  std::vector<Tree> found;
  Tree tree;
  const std::function<void(int, std::size_t)> grow = [&](int left, std::size_t last) {
    if (left == 0) found.push_back(tree);
    for (std::size_t k = 0; k <= last && k < smaller.size(); ++k) {
      if (smaller[k].order() > left) continue;
      tree.branches.push_back(smaller[k]);
      grow(left - smaller[k].order(), k);
      tree.branches.pop_back();
    }
  };
  grow(order - 1, smaller.size());
  return found;
}

// At each stage: the product over the branches of sum_j a_ij (weight of the branch at j).
std::vector<double> weights_at_stages(const Tableau& m, const Tree& tree) {
  std::vector<double> at_stage(m.stages, 1.0);
  for (const Tree& branch : tree.branches) {
    const std::vector<double> inner = weights_at_stages(m, branch);
    for (int i = 0; i < m.stages; ++i) {
      double sum = 0.0;
      for (int j = 0; j < m.stages; ++j) sum += m.at(i, j) * inner[j];
      at_stage[i] *= sum;
    }
  }
  return at_stage;
}

int order_by_trees(const Tableau& m, int most) {
  std::vector<Tree> all;
  for (int order = 1; order <= most; ++order) {
    const std::vector<Tree> trees = trees_of(order, all);
    for (const Tree& tree : trees) {
      const std::vector<double> inner = weights_at_stages(m, tree);
      double sum = 0.0;
      for (int i = 0; i < m.stages; ++i) sum += m.b[i] * inner[i];
      if (std::abs(sum - 1.0 / tree.density()) > rounding) return order - 1;
    }
    all.insert(all.end(), trees.begin(), trees.end());
  }
  return most;
}

TEST(OrderConditions, AreAsManyAsRootedTrees) {
  std::vector<Tree> all;
  for (const auto& [order, count] :
       std::vector<std::pair<int, std::size_t>>{{1, 1}, {2, 1}, {3, 2}, {4, 4}, {5, 9}, {6, 20}}) {
    const std::vector<Tree> trees = trees_of(order, all);
    EXPECT_EQ(trees.size(), count);
    all.insert(all.end(), trees.begin(), trees.end());
  }
}

TEST(OrderConditions, GiveTheOrderOfEveryTableau) {
  for (const auto name :
       {method::Explicit::Euler, method::Explicit::Heun3, method::Explicit::Rk4, method::Explicit::Dopri5}) {
    const Tableau m = explicit_tableau(name);
    EXPECT_EQ(order_by_trees(m, 7), m.order) << static_cast<int>(name);
  }
  EXPECT_EQ(order_by_trees(dop853(), 9), 8);
  for (const auto name :
       {method::HalfExplicitTableau::Euler, method::HalfExplicitTableau::Midpoint, method::HalfExplicitTableau::Hem3,
        method::HalfExplicitTableau::Hem4, method::HalfExplicitTableau::Hem5, method::HalfExplicitTableau::Heun3}) {
    const Tableau m = half_explicit_tableau(name);
    EXPECT_EQ(order_by_trees(m, 6), m.order) << static_cast<int>(name);
  }
  for (const Tableau& m : {radau_iia(1), radau_iia(2), radau_iia(3), gauss(1), gauss(2), gauss(3), lobatto_iiia(2),
                           lobatto_iiia(3), lobatto_iiia(4), lobatto_iiib(2), lobatto_iiib(3), lobatto_iiib(4),
                           lobatto_iiic(2), lobatto_iiic(3), lobatto_iiic(4)})
    EXPECT_EQ(order_by_trees(m, 7), m.order) << m.stages;
}

TEST(OrderConditions, TheEmbeddedMethodOfDopri5HasOrderFour) {
  Tableau m = explicit_tableau(method::Explicit::Dopri5);
  for (int i = 0; i < m.stages; ++i) m.b[i] -= m.error[i];
  EXPECT_EQ(order_by_trees(m, 6), 4);
}

Tableau embedded(Tableau m, const std::vector<double>& error) {
  for (int i = 0; i < m.stages; ++i) m.b[i] -= error[i];
  return m;
}

TEST(OrderConditions, TheEmbeddedMethodsOfDop853HaveOrdersFiveAndThree) {
  const Tableau m = dop853();
  EXPECT_EQ(order_by_trees(embedded(m, m.error), 8), 5);
  EXPECT_EQ(order_by_trees(embedded(m, m.low_error), 8), 3);
}

// The stages that only dense output has are methods of their own: Y(c_i h) up to the order the polynomial needs.
TEST(OrderConditions, TheMoreStagesOfDop853IntegratePolynomialsOfDegreeSix) {
  const Tableau m = dop853();
  const int all = m.stages + static_cast<int>(m.more_c.size());
  std::vector<double> c = m.c;
  c.insert(c.end(), m.more_c.begin(), m.more_c.end());
  for (int i = m.stages; i < all; ++i)
    for (int k = 1; k <= 6; ++k) {
      double sum = 0.0;
      for (int j = 0; j < i; ++j) sum += m.more_a[(i - m.stages) * all + j] * power(c[j], k - 1);
      EXPECT_NEAR(sum, power(c[i], k) / k, rounding) << i << ", " << k;
    }
}

// y' = k t^(k-1) makes Y_i - y = c_i^k: the continuous extension must give theta^k for k <= 4.
TEST(OrderConditions, TheDenseOutputOfDopri5IsExactForPolynomialsOfDegreeFour) {
  const Tableau m = explicit_tableau(method::Explicit::Dopri5);
  for (int degree = 1; degree <= 5; ++degree) {
    const auto slope = [&](double t) { return degree * power(t, degree - 1); };
    double rest = 0.0;
    for (int i = 0; i < m.stages; ++i) rest += m.dense[i] * slope(m.c[i]);
    double worst = 0.0;
    for (double theta = 0.0; theta <= 1.0; theta += 0.125) {
      const double other = 1.0 - theta, first = slope(0.0) - 1.0, second = 1.0 - slope(1.0) - first;
      const double value = theta * (1.0 + other * (first + theta * (second + other * rest)));
      worst = std::max(worst, std::abs(value - power(theta, degree)));
    }
    if (degree <= 4)
      EXPECT_LT(worst, rounding) << degree;
    else
      EXPECT_GT(worst, 1e-3);
  }
}

}  // namespace
}  // namespace driftless
