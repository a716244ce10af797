#include "driftless/model/listing.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

struct Sample {
  Model model;
  Pool& pool = *model.pool;
  NodeId x = pool.variable(VarId{0}, 0);
  NodeId below = pool.binary(Op::Less, x, pool.one());
  NodeId whole = pool.if_else(below, pool.mul(pool.constant(3.0), x), pool.sub(pool.constant(4.0), x));

  NodeMap<double> at(double value) const {
    NodeMap<double> point;
    point[x] = value;
    return point;
  }
};

TEST(Listing, HoldsASwitchWhereItIsAskedTo) {
  const Sample sample;
  Listing listing(sample.model, sample.whole);
  listing.evaluate(sample.at(0.5), {}, 0.0);
  EXPECT_EQ(listing.result(), 1.5);
  listing.evaluate(sample.at(0.5), sample.below, 0.0);  // as if it were beyond
  EXPECT_EQ(listing.result(), 3.5);
  EXPECT_EQ(listing.scale(), 4.0);  // the terms are 4 and 0.5
}

TEST(Listing, FollowsTheBranchThatIsTaken) {
  const Sample sample;
  Listing listing(sample.model, sample.whole);
  listing.evaluate(sample.at(2.0), {}, 0.0);
  std::vector<NodeId> open;
  listing.push_deciding(sample.whole, false, open);
  EXPECT_EQ(open, (std::vector{sample.below, sample.pool.sub(sample.pool.constant(4.0), sample.x)}));
  open.clear();
  listing.push_deciding(sample.whole, true, open);  // a condition that moves may change: both branches
  EXPECT_EQ(open.size(), 3u);
  EXPECT_TRUE(listing.is_moving(sample.below));
}

}  // namespace
}  // namespace driftless
