// Order conditions of half-explicit methods (Hairer, Lubich, Roche 1989): trees with vertices f and g.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "driftless/integrate/steppers/runge_kutta/tableau.hpp"

namespace driftless {
namespace {

// A vertex f has branches of both kinds, a vertex g at least one of kind f: derivatives of f(y, z) and of g(y).
struct MixedTree {
  bool is_f = true;
  std::vector<MixedTree> branches;

  int order() const {
    int sum = is_f ? 1 : -1;
    for (const MixedTree& branch : branches) sum += branch.order();
    return sum;
  }
  // f_z (g_y f_z)^-1 (...): its value is across the constraints, and a projection takes it away.
  bool is_across() const { return is_f && branches.size() == 1 && !branches[0].is_f; }
};

class MixedTrees {
 public:
  explicit MixedTrees(int most) {
    for (int order = 1; order <= most; ++order) {
      grow({true, {}}, order, 0);
      const std::size_t known = all_.size();
      grow({false, {}}, order - 1, 0);
      for (std::size_t k = known, end = all_.size(); k < end; ++k) all_.push_back({true, {all_[k]}});
    }
  }
  std::vector<MixedTree> with_root_f(int order) const {
    std::vector<MixedTree> found;
    for (const MixedTree& tree : all_)
      if (tree.is_f && tree.order() == order) found.push_back(tree);
    return found;
  }

 private:
  // (g_y f_z)^-1 g_y f_z (...) is no tree of its own, and g_y f = 0.
  static bool is_redundant(const MixedTree& tree) {
    return !tree.is_f && tree.branches.size() == 1 &&
           (tree.branches[0].is_across() || tree.branches[0].branches.empty());
  }

  // Adds branches, in the order of all_, until the tree has its order.
  void grow(MixedTree tree, int order, std::size_t from) {
    if (tree.order() == order && (tree.is_f || !tree.branches.empty())) {
      if (!is_redundant(tree)) all_.push_back(std::move(tree));
      return;
    }
    const std::size_t known = all_.size();
    for (std::size_t k = from; k < known; ++k) {
      if (!tree.is_f && !all_[k].is_f) continue;
      if (tree.order() + all_[k].order() > order) continue;
      MixedTree larger = tree;
      larger.branches.push_back(all_[k]);
      grow(std::move(larger), order, k);
    }
  }

  std::vector<MixedTree> all_;
};

using Stages = std::vector<long double>;

// On the exact solution the weight of a tree at the stage c is factor * c^power: sums over stages become integrals from
// 0 to c, and the constraint is differentiated.
struct Monomial {
  long double factor = 1;
  int power = 0;
};

Monomial exact_weight(const MixedTree& tree) {
  Monomial product;
  for (const MixedTree& branch : tree.branches) {
    const Monomial m = exact_weight(branch);
    const bool integrated = branch.is_f;
    product.factor *= integrated ? m.factor / (m.power + 1) : m.factor;
    product.power += m.power + (integrated ? 1 : 0);
  }
  return tree.is_f ? product : Monomial{product.factor * product.power, product.power - 1};
}

// The weight of a tree at every stage but the last, which is the new point, or at all of them.
class HalfExplicitWeights {
 public:
  explicit HalfExplicitWeights(const Tableau& m) : m_(m), stages_(m.stiffly_accurate() ? m.stages - 1 : m.stages) {}

  int stages() const { return stages_; }
  // a_{i+1,j}, the stage where the constraint of stage i holds.
  long double ahead(int i, int j) const { return i + 1 < m_.stages ? m_.at(i + 1, j) : m_.b[j]; }

  Stages at_stages(const MixedTree& tree) const {
    Stages weight(stages_, 1.0L);
    for (const MixedTree& branch : tree.branches) {
      const Stages inner = at_stages(branch);
      for (int i = 0; i < stages_; ++i) {
        if (!branch.is_f) weight[i] *= inner[i];
        if (branch.is_f) {
          long double sum = 0;
          for (int j = 0; j < stages_; ++j) sum += (tree.is_f ? m_.at(i, j) : ahead(i, j)) * inner[j];
          weight[i] *= sum;
        }
      }
    }
    if (tree.is_f) return weight;
    for (int i = 0; i < stages_; ++i) {  // sum_j a_{i+1,j} (weight of this tree at j) = the product of the branches
      if (i < m_.explicit_stages) {
        const Monomial exact = exact_weight(tree);
        weight[i] = exact.power == 0 ? exact.factor : 0;
        continue;
      }
      for (int j = 0; j < i; ++j) weight[i] -= ahead(i, j) * weight[j];
      weight[i] /= ahead(i, i);
    }
    return weight;
  }

 private:
  const Tableau& m_;
  int stages_;
};

// The largest defect of the conditions of an order, relative to the terms that they are sums of, for weights of all
// stages; the last stage, if it is the new point, is on the solution up to the order of the method. `up_to`: in units
// of the step; `across`: trees across the constraints too.
long double defect(const Tableau& m, const std::vector<MixedTree>& trees, const Stages& weights, long double up_to,
                   bool across) {
  const HalfExplicitWeights half_explicit(m);
  long double worst = 0;
  for (const MixedTree& tree : trees) {
    if (!across && tree.is_across()) continue;
    const Stages at_stage = half_explicit.at_stages(tree);
    const Monomial exact = exact_weight(tree);
    long double sum = -exact.factor / (exact.power + 1) * std::pow(up_to, exact.power + 1), size = 1;
    for (int i = 0; i < m.stages; ++i) {
      const long double term = weights[i] * (i < half_explicit.stages() ? at_stage[i] : exact.factor);
      sum += term, size += std::abs(term);
    }
    worst = std::max(worst, std::abs(sum) / size);
  }
  return worst;
}

constexpr long double small = 1e-14L;  // the coefficients are rounded

int half_explicit_order(const Tableau& m, int most) {
  const MixedTrees trees(most);
  for (int order = 1; order <= most; ++order)
    if (defect(m, trees.with_root_f(order), {m.b.begin(), m.b.end()}, 1.0L, true) > small) return order - 1;
  return most;
}

TEST(HalfExplicitConditions, GiveTheOrderOnIndexTwo) {
  using method::HalfExplicitTableau;
  const MixedTrees trees(5);
  const std::vector<std::size_t> counts{1, 3, 22, 192, 1972};
  for (int order = 1; order <= 5; ++order) EXPECT_EQ(trees.with_root_f(order).size(), counts[order - 1]);
  for (const auto name : {HalfExplicitTableau::Euler, HalfExplicitTableau::Midpoint, HalfExplicitTableau::Hem3,
                          HalfExplicitTableau::Hem4, HalfExplicitTableau::Hem5}) {
    const Tableau m = half_explicit_tableau(name);
    EXPECT_EQ(half_explicit_order(m, 5), m.order) << static_cast<int>(name);
  }
  EXPECT_EQ(half_explicit_order(half_explicit_tableau(HalfExplicitTableau::Heun3), 5), 2);
}

TEST(HalfExplicitConditions, OfOrderFiveNeedAFirstStageThatKnowsItsMultipliers) {
  Tableau m = half_explicit_tableau(method::HalfExplicitTableau::Hem5);
  m.explicit_stages = 0;
  EXPECT_EQ(half_explicit_order(m, 5), 2);
}

TEST(HalfExplicitConditions, TheEmbeddedMethodHasOrderFourWithinTheConstraintsAndThreeAcross) {
  const Tableau m = half_explicit_tableau(method::HalfExplicitTableau::Hem5);
  Stages embedded;
  for (int i = 0; i < m.stages; ++i) embedded.push_back(static_cast<long double>(m.b[i]) - m.error[i]);
  const MixedTrees trees(5);
  for (int order = 1; order <= 4; ++order)
    EXPECT_LT(defect(m, trees.with_root_f(order), embedded, 1.0L, false), small) << order;
  EXPECT_GT(defect(m, trees.with_root_f(5), embedded, 1.0L, false), 1e-4L);
  EXPECT_LT(defect(m, trees.with_root_f(3), embedded, 1.0L, true), small);
  EXPECT_GT(defect(m, trees.with_root_f(4), embedded, 1.0L, true), 1e-3L);
}

TEST(HalfExplicitConditions, TheDenseOutputHasOrderFourWithinTheConstraints) {
  const Tableau m = half_explicit_tableau(method::HalfExplicitTableau::Hem5);
  const MixedTrees trees(5);
  for (const long double theta : {0.125L, 0.5L, 0.8L}) {
    Stages weights;  // of the slopes in the polynomial of step_polynomial.hpp
    for (int i = 0; i < m.stages; ++i) {
      const long double b = m.b[i], first = (i == 0) - b, second = b - (i == m.stages - 1) - first;
      weights.push_back(theta * (b + (1 - theta) * (first + theta * (second + (1 - theta) * m.dense[i]))));
    }
    for (int order = 1; order <= 4; ++order)
      EXPECT_LT(defect(m, trees.with_root_f(order), weights, theta, false), small) << order;
    EXPECT_GT(defect(m, trees.with_root_f(5), weights, theta, false), 1e-5L);
  }
}

}  // namespace
}  // namespace driftless
