#include "driftless/structure/signature.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driftless/structure/signature_samples.hpp"

namespace driftless::structure {
namespace {

using namespace samples;
using testing::ElementsAre;

TEST(Signature, GivesBackItsRows) {
  Signature signature(3);
  signature.add_row(std::vector<Entry>{{Col{0}, 2}, {Col{2}, 0}});
  signature.add_row({});
  signature.add_row(std::vector<Entry>{{Col{1}, 1}});
  EXPECT_EQ(signature.rows(), 3);
  EXPECT_EQ(signature.cols(), 3);
  EXPECT_EQ(signature.entries(), 3u);
  EXPECT_THAT(signature.row(Row{0}), ElementsAre(Entry{Col{0}, 2}, Entry{Col{2}, 0}));
  EXPECT_TRUE(signature.row(Row{1}).empty());
  EXPECT_THAT(signature.row(Row{2}), ElementsAre(Entry{Col{1}, 1}));
}

TEST(Signature, KnowsTheHighestOrderOfEachVariable) {
  EXPECT_THAT(highest_orders(dense({{2, none, 0}, {0, none, 1}})), ElementsAre(2, 0, 1));
}

TEST(Signature, SurvivesShufflingUpToTheOrderOfRowsAndColumns) {
  Random random(2);
  const Signature signature = random_signature(random, {6, 7, 40, 3});
  const Shuffled other = shuffled(signature, random);
  const auto before = to_dense(signature);
  const auto after = to_dense(other.signature);
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 7; ++j) EXPECT_EQ(before[i][j], after[other.row_to[i]][other.col_to[j]]);
  }
}

}  // namespace
}  // namespace driftless::structure
