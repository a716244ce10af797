#include "driftless/expr/node_map.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace driftless {
namespace {

TEST(NodeMap, EmptyContainsNothing) {
  const NodeMap<int> map;
  EXPECT_FALSE(map.contains(NodeId{0}));
  EXPECT_EQ(map.find(NodeId{5}), nullptr);
}

TEST(NodeMap, InsertKeepsTheFirstValue) {
  NodeMap<int> map;
  EXPECT_TRUE(map.insert(NodeId{3}, 7));
  EXPECT_FALSE(map.insert(NodeId{3}, 8));
  EXPECT_EQ(map.at(NodeId{3}), 7);
  map[NodeId{3}] = 9;
  EXPECT_EQ(*map.find(NodeId{3}), 9);
  EXPECT_EQ(map.size(), 1u);
}

TEST(NodeMap, AgreesWithAnOrderedMap) {
  NodeMap<std::uint32_t> map;
  std::map<std::uint32_t, std::uint32_t> expected;
  std::mt19937 generator(11);
  for (int i = 0; i < 20'000; ++i) {
    const auto key = static_cast<std::uint32_t>(generator() % 30'000);
    map[NodeId{key}] = expected[key] = static_cast<std::uint32_t>(i);
  }
  EXPECT_EQ(map.size(), expected.size());
  for (std::uint32_t key = 0; key < 30'000; ++key) {
    const auto entry = expected.find(key);
    ASSERT_EQ(map.contains(NodeId{key}), entry != expected.end());
    if (entry == expected.end()) continue;
    EXPECT_EQ(map.at(NodeId{key}), entry->second);
  }
}

}  // namespace
}  // namespace driftless
