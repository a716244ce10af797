// Properties of the offsets of every system, tested on random ones.
#include <gtest/gtest.h>

#include <optional>

#include "driftless/structure/analysis.hpp"
#include "driftless/structure/signature_samples.hpp"

namespace driftless::structure {
namespace {

using namespace samples;

Structure structure_of(const Signature& signature) { return std::get<Structure>(analyze(signature)); }

Signature sample_system(Random& random) {
  return random_solvable(random, 1 + below(random, 20), 1 + below(random, 3), 1 + below(random, 3));
}

// Feasible offsets and a transversal of equal value prove each other optimal (linear programming duality).
TEST(Offsets, AndTransversalProveEachOtherOptimal) {
  Random random(2001);
  for (int sample = 0; sample < 4000; ++sample) {
    const Signature signature = sample_system(random);
    const auto sigma = to_dense(signature);
    const Structure found = structure_of(signature);
    const auto& [c, d] = found.offsets;
    int value = 0;
    std::vector<int> used(signature.cols());
    for (int i = 0; i < signature.rows(); ++i) {
      ASSERT_GE(c[i], 0);
      for (const Entry& entry : signature.row(Row{i})) ASSERT_GE(d[index(entry.col)] - c[i], entry.sigma);
      const int j = index(found.transversal.col_of(Row{i}));
      ASSERT_EQ(used[j]++, 0);
      ASSERT_NE(sigma[i][j], none);
      ASSERT_EQ(d[j] - c[i], sigma[i][j]);
      value += sigma[i][j];
    }
    ASSERT_EQ(value, found.degrees_of_freedom);
    ASSERT_EQ(value, std::accumulate(d.begin(), d.end(), 0) - std::accumulate(c.begin(), c.end(), 0));
  }
}

// Pryce's own iteration: from a maximal transversal T, c <- d_T - sigma_T and d <- max (c + sigma) until both rest.
Offsets pryce_iteration(const Signature& signature, const Matching& transversal) {
  const auto sigma = to_dense(signature);
  Offsets offsets{std::vector<int>(signature.rows()), {}};
  for (std::vector<int> previous{-1}; previous != offsets.c;) {
    previous = offsets.c;
    offsets.d.assign(signature.cols(), 0);
    for (int i = 0; i < signature.rows(); ++i) {
      for (const Entry& entry : signature.row(Row{i})) {
        offsets.d[index(entry.col)] = std::max(offsets.d[index(entry.col)], offsets.c[i] + entry.sigma);
      }
    }
    for (int i = 0; i < signature.rows(); ++i) {
      const int j = index(transversal.col_of(Row{i}));
      offsets.c[i] = offsets.d[j] - sigma[i][j];
    }
  }
  return offsets;
}

TEST(Offsets, AgreeWithPantelidesAndWithPrycesIteration) {
  Random random(1988);
  int differentiated = 0;
  for (int sample = 0; sample < 4000; ++sample) {
    const Signature signature = sample_system(random);
    const Structure found = structure_of(signature);
    ASSERT_EQ(found.offsets, pantelides(signature));
    ASSERT_EQ(found.offsets, pryce_iteration(signature, found.transversal));
    differentiated += std::ranges::any_of(found.offsets.c, [](int c) { return c > 1; });
  }
  EXPECT_GT(differentiated, 1000) << "the samples are too easy to tell anything";
}

TEST(Offsets, AgreeWithPantelidesOnLargerSystems) {
  Random random(17);
  for (int sample = 0; sample < 30; ++sample) {
    const Signature signature = random_solvable(random, 400, 2, 2);
    ASSERT_EQ(structure_of(signature).offsets, pantelides(signature));
  }
}

int best_transversal(const std::vector<std::vector<int>>& sigma) {
  const int n = static_cast<int>(sigma.size());
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  int best = none;
  do {
    int value = 0;
    bool complete = true;
    for (int i = 0; i < n && complete; ++i) {
      complete = sigma[i][order[i]] != none;
      value += sigma[i][order[i]];
    }
    if (complete) best = std::max(best, value);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

// The smallest d for a given c, if the pair is feasible and optimal.
std::optional<Offsets> optimal_with(const std::vector<std::vector<int>>& sigma, const std::vector<int>& c, int best) {
  Offsets offsets{c, std::vector<int>(c.size())};
  int value = 0;
  for (std::size_t j = 0; j < c.size(); ++j) {
    for (std::size_t i = 0; i < c.size(); ++i) {
      if (sigma[i][j] != none) offsets.d[j] = std::max(offsets.d[j], c[i] + sigma[i][j]);
    }
    value += offsets.d[j] - c[j];
  }
  if (value != best) return std::nullopt;
  return offsets;
}

TEST(Offsets, AreTheSmallestOfAll) {
  Random random(4);
  for (int sample = 0; sample < 600; ++sample) {
    const int n = 1 + below(random, 4);
    const Signature signature = random_solvable(random, n, 1 + below(random, 2), 2);
    const auto sigma = to_dense(signature);
    const Structure found = structure_of(signature);
    const int best = best_transversal(sigma);
    ASSERT_EQ(found.degrees_of_freedom, best);
    ASSERT_EQ(optimal_with(sigma, found.offsets.c, best), found.offsets);

    // No c_i is more than 2(n - 1): a path through all other rows gains at most 2 with each.
    const int bound = 2 * (n - 1) + 1;
    std::vector<int> c(n);
    for (bool more = true; more;) {
      if (optimal_with(sigma, c, best)) {
        for (int i = 0; i < n; ++i) ASSERT_LE(found.offsets.c[i], c[i]);
      }
      int digit = 0;
      while (digit < n && ++c[digit] == bound) c[digit++] = 0;
      more = digit < n;
    }
  }
}

TEST(Offsets, DoNotDependOnTheOrderOfEquationsAndVariables) {
  Random random(6);
  for (int sample = 0; sample < 2000; ++sample) {
    const Signature signature = sample_system(random);
    const Shuffled other = shuffled(signature, random);
    const Structure here = structure_of(signature);
    const Structure there = structure_of(other.signature);
    for (int i = 0; i < signature.rows(); ++i) ASSERT_EQ(here.offsets.c[i], there.offsets.c[other.row_to[i]]);
    for (int j = 0; j < signature.cols(); ++j) ASSERT_EQ(here.offsets.d[j], there.offsets.d[other.col_to[j]]);
    ASSERT_EQ(here.structural_index, there.structural_index);
    ASSERT_EQ(here.degrees_of_freedom, there.degrees_of_freedom);
    ASSERT_EQ(here.blocks.size(), there.blocks.size());
  }
}

// Differentiating every equation c_i times by hand leaves nothing to differentiate, and the same highest derivatives.
TEST(Offsets, VanishOnceTheEquationsAreDifferentiated) {
  Random random(9);
  for (int sample = 0; sample < 2000; ++sample) {
    const Signature signature = sample_system(random);
    const Offsets offsets = structure_of(signature).offsets;
    Signature differentiated(signature.cols());
    for (int i = 0; i < signature.rows(); ++i) {
      std::vector<Entry> entries(signature.row(Row{i}).begin(), signature.row(Row{i}).end());
      for (Entry& entry : entries) entry.sigma += offsets.c[i];
      differentiated.add_row(entries);
    }
    const Offsets after = structure_of(differentiated).offsets;
    ASSERT_EQ(after.c, std::vector<int>(signature.rows()));
    ASSERT_EQ(after.d, offsets.d);
  }
}

TEST(Offsets, ExistExactlyWhenAPerfectMatchingDoes) {
  Random random(10);
  int solvable = 0;
  for (int sample = 0; sample < 2000; ++sample) {
    const int size = 1 + below(random, 7);
    const Signature signature = random_signature(random, {size, size, 15 + below(random, 40), 2});
    const bool perfect = best_transversal(to_dense(signature)) != none;
    ASSERT_EQ(std::holds_alternative<Structure>(analyze(signature)), perfect);
    solvable += perfect;
  }
  EXPECT_GT(solvable, 100);
  EXPECT_LT(solvable, 1900);
}

// Chains of all lengths up to m: the dual step is different for each, so there are as many raises as chains.
TEST(OffsetsAtScale, OfDerivativeChainsOfAllLengths) {
  const int longest = 300;
  Signature signature(longest * (longest + 1) / 2);
  int first = 0;
  for (int length = 1; length <= longest; ++length) {
    for (int i = 0; i + 1 < length; ++i) {
      signature.add_row(std::vector<Entry>{{Col{first + i}, 1}, {Col{first + i + 1}, 0}});
    }
    signature.add_row(std::vector<Entry>{{Col{first}, 0}});
    first += length;
  }
  const Structure found = structure_of(signature);
  EXPECT_EQ(found.structural_index, longest);
  first = 0;
  for (int length = 1; length <= longest; ++length) {
    for (int i = 0; i < length; ++i) ASSERT_EQ(found.offsets.d[first + i], length - 1 - i);
    first += length;
  }
}

TEST(OffsetsAtScale, OfARandomSparseSystem) {
  Random random(12);
  const Signature signature = random_solvable(random, 200'000, 1, 1);
  const Structure found = structure_of(signature);
  for (int i = 0; i < signature.rows(); ++i) {
    for (const Entry& entry : signature.row(Row{i})) {
      ASSERT_GE(found.offsets.d[index(entry.col)] - found.offsets.c[i], entry.sigma);
    }
  }
  EXPECT_GT(found.structural_index, 1);
}

}  // namespace
}  // namespace driftless::structure
