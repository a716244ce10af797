#include "driftless/structure/blocks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "driftless/structure/signature_samples.hpp"

namespace driftless::structure {
namespace {

using namespace samples;
using testing::ElementsAre;

std::vector<Block> blocks_of(const Signature& signature) {
  return block_triangular_form(signature, maximum_matching(signature));
}

TEST(BlockTriangularForm, OrdersAChainOfSubstitutions) {
  // x0 from x1, x1 from x2, x2 alone: solved backwards.
  const auto blocks = blocks_of(dense({{0, 0, none}, {none, 0, 0}, {none, none, 0}}));
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_THAT(blocks[0].rows, ElementsAre(Row{2}));
  EXPECT_THAT(blocks[0].cols, ElementsAre(Col{2}));
  EXPECT_THAT(blocks[2].rows, ElementsAre(Row{0}));
}

TEST(BlockTriangularForm, KeepsALoopTogether) {
  const auto blocks = blocks_of(dense({{0, none, 0}, {none, 0, none}, {0, 0, 0}}));
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_THAT(blocks[0].rows, ElementsAre(Row{1}));
  EXPECT_THAT(blocks[1].rows, ElementsAre(Row{0}, Row{2}));
}

// reach[i][k]: a chain of dependencies leads from row i to row k (Warshall 1962).
std::vector<std::vector<char>> dependencies(const Signature& signature, const Matching& matching) {
  const int n = signature.rows();
  std::vector<std::vector<char>> reach(n, std::vector<char>(n));
  for (int i = 0; i < n; ++i) {
    for (const Entry& entry : signature.row(Row{i})) reach[i][index(matching.row_of(entry.col))] = true;
  }
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) reach[i][j] = reach[i][j] || (reach[i][k] && reach[k][j]);
    }
  }
  return reach;
}

TEST(BlockTriangularForm, IsTriangularWithStronglyConnectedBlocks) {
  Random random(1972);
  for (int sample = 0; sample < 1500; ++sample) {
    const Signature signature = random_solvable(random, 1 + below(random, 14), 1 + below(random, 2), 1);
    const Matching matching = maximum_matching(signature);
    const auto reach = dependencies(signature, matching);
    std::set<Col> solved;
    std::size_t rows = 0;
    for (const Block& block : block_triangular_form(signature, matching)) {
      ASSERT_TRUE(std::ranges::is_sorted(block.rows));
      ASSERT_EQ(block.rows.size(), block.cols.size());
      rows += block.rows.size();
      for (std::size_t k = 0; k < block.rows.size(); ++k) {
        ASSERT_EQ(matching.col_of(block.rows[k]), block.cols[k]);
        ASSERT_TRUE(solved.insert(block.cols[k]).second);
      }
      for (const Row row : block.rows) {
        for (const Entry& entry : signature.row(row)) ASSERT_TRUE(solved.contains(entry.col));
        for (const Row other : block.rows) ASSERT_TRUE(row == other || reach[index(row)][index(other)]);
      }
    }
    ASSERT_EQ(rows, signature.rows());
  }
}

TEST(BlockTriangularForm, HasTheSameBlocksInAnyOrder) {
  Random random(5);
  using Blocks = std::set<std::pair<std::set<Row>, std::set<Col>>>;
  for (int sample = 0; sample < 1000; ++sample) {
    const Signature signature = random_solvable(random, 1 + below(random, 14), 2, 1);
    const Shuffled other = shuffled(signature, random);
    Blocks here, there;
    for (const Block& block : blocks_of(signature)) {
      std::set<Row> rows;
      std::set<Col> cols;
      for (const Row row : block.rows) rows.insert(other.moved(row));
      for (const Col col : block.cols) cols.insert(other.moved(col));
      here.emplace(rows, cols);
    }
    for (const Block& block : blocks_of(other.signature)) {
      there.emplace(std::set(block.rows.begin(), block.rows.end()), std::set(block.cols.begin(), block.cols.end()));
    }
    ASSERT_EQ(here, there);
  }
}

TEST(BlockTriangularForm, WalksALoopOfAMillionRows) {
  const int n = 1'000'000;
  Signature signature(n);
  signature.add_row(std::vector<Entry>{{Col{0}, 0}, {Col{n - 1}, 0}});
  for (int i = 1; i < n; ++i) signature.add_row(std::vector<Entry>{{Col{i - 1}, 0}, {Col{i}, 0}});
  const auto blocks = blocks_of(signature);
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(blocks[0].rows.size(), n);
}

TEST(BlockTriangularForm, WalksAChainOfAMillionBlocks) {
  const int n = 1'000'000;
  Signature signature(n);
  for (int i = 0; i + 1 < n; ++i) signature.add_row(std::vector<Entry>{{Col{i}, 0}, {Col{i + 1}, 0}});
  signature.add_row(std::vector<Entry>{{Col{n - 1}, 0}});
  const auto blocks = blocks_of(signature);
  ASSERT_EQ(blocks.size(), n);
  EXPECT_THAT(blocks.front().rows, ElementsAre(Row{n - 1}));
}

}  // namespace
}  // namespace driftless::structure
