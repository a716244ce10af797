#include "driftless/structure/matching.hpp"

#include <gtest/gtest.h>

#include "driftless/structure/signature_samples.hpp"

namespace driftless::structure {
namespace {

using namespace samples;

void expect_consistent(const Signature& signature, const Matching& matching) {
  int matched = 0;
  for (int i = 0; i < signature.rows(); ++i) {
    const Col col = matching.col_of(Row{i});
    if (col == no_col) continue;
    ++matched;
    EXPECT_EQ(matching.row_of(col), Row{i});
    const auto entries = signature.row(Row{i});
    EXPECT_TRUE(std::ranges::any_of(entries, [&](const Entry& entry) { return entry.col == col; }));
  }
  EXPECT_EQ(matched, matching.size);
  EXPECT_EQ(std::ranges::count(matching.row_of_col, no_row), signature.cols() - matched);
}

struct Cover {
  std::vector<char> rows;
  std::vector<char> cols;
  int size() const { return static_cast<int>(std::ranges::count(rows, true) + std::ranges::count(cols, true)); }
};

// Rows that no alternating path from a free row reaches, and the columns such paths reach. Plain sweeps until
// nothing changes, so that the certificate shares no code with the algorithm.
Cover koenig_cover(const Signature& signature, const Matching& matching) {
  Cover cover{std::vector<char>(signature.rows()), std::vector<char>(signature.cols())};
  for (int i = 0; i < signature.rows(); ++i) cover.rows[i] = matching.col_of(Row{i}) != no_col;
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < signature.rows(); ++i) {
      if (cover.rows[i]) continue;
      for (const Entry& entry : signature.row(Row{i})) {
        if (cover.cols[index(entry.col)]) continue;
        cover.cols[index(entry.col)] = true;
        changed = true;
        if (const Row owner = matching.row_of(entry.col); owner != no_row) cover.rows[index(owner)] = false;
      }
    }
  }
  return cover;
}

bool covers(const Cover& cover, const Signature& signature) {
  for (int i = 0; i < signature.rows(); ++i) {
    for (const Entry& entry : signature.row(Row{i})) {
      if (!cover.rows[i] && !cover.cols[index(entry.col)]) return false;
    }
  }
  return true;
}

TEST(MaximumMatching, IsProvedOptimalByACoverOfEqualSize) {
  Random random(1931);
  for (int sample = 0; sample < 3000; ++sample) {
    const Shape shape{below(random, 12), below(random, 12), 5 + below(random, 45), 2};
    const Signature signature = random_signature(random, shape);
    const Matching matching = maximum_matching(signature);
    expect_consistent(signature, matching);
    const Cover cover = koenig_cover(signature, matching);
    ASSERT_TRUE(covers(cover, signature));
    ASSERT_EQ(cover.size(), matching.size);  // König 1931
  }
}

TEST(MaximumMatching, IsProvedOptimalOnLargerSparseMatrices) {
  Random random(7);
  for (int sample = 0; sample < 20; ++sample) {
    const Signature signature = random_signature(random, {300, 300, 1, 1});
    const Matching matching = maximum_matching(signature);
    expect_consistent(signature, matching);
    const Cover cover = koenig_cover(signature, matching);
    ASSERT_TRUE(covers(cover, signature));
    ASSERT_EQ(cover.size(), matching.size);
  }
}

TEST(MaximumMatching, OfNothingIsEmptyAndPerfect) {
  const Matching matching = maximum_matching(Signature(0));
  EXPECT_EQ(matching.size, 0);
  EXPECT_TRUE(matching.is_perfect());
  EXPECT_FALSE(maximum_matching(Signature(1)).is_perfect());
}

TEST(MaximumMatching, KeepsTheDiagonalWhereItIsFirst) {
  const Matching matching = maximum_matching(dense({{0, 0, none}, {none, 0, 0}, {none, none, 0}}));
  EXPECT_EQ(matching.col_of_row, (std::vector<Col>{Col{0}, Col{1}, Col{2}}));
}

// Rows 0..n-2 take the column the next one needs; the last row must push all of them: one path through everything.
TEST(MaximumMatching, FindsAnAugmentingPathOfAMillionRows) {
  const int n = 1'000'000;
  Signature signature(n);
  for (int i = 0; i + 1 < n; ++i) signature.add_row(std::vector<Entry>{{Col{i}, 0}, {Col{i + 1}, 0}});
  signature.add_row(std::vector<Entry>{{Col{0}, 0}});
  const Matching matching = maximum_matching(signature);
  EXPECT_TRUE(matching.is_perfect());
  EXPECT_EQ(matching.col_of(Row{0}), Col{1});
}

}  // namespace
}  // namespace driftless::structure
