#include "driftless/connections/connection_sets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace driftless::connections {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

using Link = connections::Pair;

Face in(int leaf) { return {leaf, Side::Inside}; }
Face out(int leaf) { return {leaf, Side::Outside}; }

std::vector<std::pair<int, int>> signed_terms(const ConnectionSet& set) {
  std::vector<std::pair<int, int>> list;
  for (const SignedLeaf& term : flow_sum(set)) list.emplace_back(term.leaf, term.sign);
  return list;
}

// A load with pins p and n around a resistor, its p on the ground; nothing is connected to its n.
TEST(ConnectionSets, ALoadAroundAResistor) {
  enum { load_p, load_n, inner_p, inner_n, ground };
  std::vector<Kind> kinds(5, Kind::Flow);
  const std::vector<Link> pairs = {{in(load_p), in(ground)}, {out(load_p), in(inner_p)}, {in(inner_n), out(load_n)}};
  const auto flows = connection_sets(kinds, pairs);
  ASSERT_EQ(flows.size(), 4u);
  EXPECT_THAT(signed_terms(flows[0]), ElementsAre(Pair(load_p, 1), Pair(ground, 1)));
  EXPECT_THAT(signed_terms(flows[1]), ElementsAre(Pair(load_p, -1), Pair(inner_p, 1)));
  EXPECT_THAT(signed_terms(flows[2]), ElementsAre(Pair(load_n, 1)));
  EXPECT_THAT(signed_terms(flows[3]), ElementsAre(Pair(load_n, -1), Pair(inner_n, 1)));

  kinds.assign(5, Kind::Potential);
  const auto potentials = connection_sets(kinds, pairs);
  ASSERT_EQ(potentials.size(), 3u);
  EXPECT_THAT(equalities(potentials[0]), ElementsAre(Pair(load_p, ground)));
  EXPECT_THAT(equalities(potentials[1]), ElementsAre(Pair(load_p, inner_p)));
  EXPECT_THAT(equalities(potentials[2]), ElementsAre(Pair(load_n, inner_n)));
}

TEST(ConnectionSets, EqualitiesStartFromTheFirstDeclared) {
  const std::vector<Kind> kinds(4, Kind::Potential);
  const auto sets = connection_sets(kinds, std::vector<Link>{{in(3), in(2)}, {in(2), in(0)}, {in(3), in(0)}});
  ASSERT_EQ(sets.size(), 1u);
  EXPECT_THAT(equalities(sets[0]), ElementsAre(Pair(0, 2), Pair(0, 3)));
}

TEST(ConnectionSets, OnlyFlowsAreZeroWhenUnconnected) {
  const std::vector<Kind> kinds = {Kind::Potential, Kind::Flow, Kind::Stream};
  const auto sets = connection_sets(kinds, {});
  ASSERT_EQ(sets.size(), 1u);
  EXPECT_THAT(signed_terms(sets[0]), ElementsAre(Pair(1, 1)));
}

TEST(ConnectionSets, AVariableWithBothFacesInASetCancels) {
  const auto sets =
      connection_sets(std::vector<Kind>(2, Kind::Flow), std::vector<Link>{{in(0), out(0)}, {in(0), in(1)}});
  ASSERT_EQ(sets.size(), 1u);
  EXPECT_THAT(signed_terms(sets[0]), ElementsAre(Pair(1, 1)));
  const auto potentials =
      connection_sets(std::vector<Kind>(2, Kind::Potential), std::vector<Link>{{in(0), out(0)}, {in(0), in(1)}});
  EXPECT_THAT(equalities(potentials[0]), ElementsAre(Pair(0, 1)));
}

TEST(ConnectionSets, SourcesAreOutputsOfComponentsAndInputsOfTheClass) {
  const std::vector<Causality> causality = {Causality::Output, Causality::Input, Causality::Input, Causality::Output};
  const ConnectionSet set{Kind::Potential, {in(0), in(1), out(2), out(3)}};
  EXPECT_THAT(sources(set, causality), ElementsAre(in(0), out(2)));
  EXPECT_THAT(sources({Kind::Potential, {in(1), out(3)}}, causality), IsEmpty());
}

// The classes of the smallest equivalence relation that holds the pairs, by repeated relabelling.
std::vector<int> labels_by_relabelling(std::size_t faces, const std::vector<Link>& pairs) {
  const auto number = [](Face face) { return static_cast<std::size_t>(2 * face.leaf + (face.side == Side::Outside)); };
  std::vector<int> label(faces);
  for (std::size_t k = 0; k < faces; ++k) label[k] = static_cast<int>(k);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Link& pair : pairs) {
      int &a = label[number(pair.a)], &b = label[number(pair.b)];
      changed = changed || a != b;
      a = b = std::min(a, b);
    }
  }
  return label;
}

TEST(ConnectionSets, OfRandomConnectionsAreTheClassesOfTheirClosure) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 500; ++trial) {
    const int leaves = 1 + static_cast<int>(random() % 12);
    std::vector<Kind> kinds;
    for (int k = 0; k < leaves; ++k) kinds.push_back(k % 2 == 0 ? Kind::Flow : Kind::Potential);
    std::vector<Link> pairs;
    for (std::size_t k = random() % 15; k > 0; --k) {
      const auto any_face = [&] {
        return Face{static_cast<int>(random() % static_cast<unsigned>(leaves)),
                    random() % 3 ? Side::Inside : Side::Outside};
      };
      Link link{any_face(), any_face()};
      while (link.a.leaf % 2 != link.b.leaf % 2) link.b = any_face();
      pairs.push_back(link);
    }
    const auto label = labels_by_relabelling(2 * static_cast<std::size_t>(leaves), pairs);
    const auto sets = connection_sets(kinds, pairs);
    std::vector<bool> seen(label.size(), false);
    for (const ConnectionSet& set : sets) {
      std::set<int> labels;
      for (const Face& face : set.faces) {
        const auto number = static_cast<std::size_t>(2 * face.leaf + (face.side == Side::Outside));
        labels.insert(label[number]);
        EXPECT_FALSE(seen[number]);
        seen[number] = true;
        EXPECT_EQ(kinds[static_cast<std::size_t>(face.leaf)], set.kind);
      }
      ASSERT_EQ(labels.size(), 1u);
      EXPECT_EQ(static_cast<std::ptrdiff_t>(set.faces.size()), std::ranges::count(label, *labels.begin()));
    }
    // A face in no set is unconnected, and neither a potential nor the outside of a flow.
    for (std::size_t k = 0; k < seen.size(); ++k)
      if (!seen[k]) {
        EXPECT_EQ(std::ranges::count(label, label[k]), 1);
        EXPECT_TRUE(kinds[k / 2] != Kind::Flow || k % 2 == 1);
      }
    auto shuffled = pairs;
    std::ranges::shuffle(shuffled, random);
    const auto again = connection_sets(kinds, shuffled);
    ASSERT_EQ(again.size(), sets.size());
    for (std::size_t k = 0; k < sets.size(); ++k) EXPECT_EQ(again[k].faces, sets[k].faces);
  }
}

}  // namespace
}  // namespace driftless::connections
