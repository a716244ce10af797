#include "driftless/connections/expandable.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <tuple>

namespace driftless::connections {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Triple = std::tuple<int, int, int>;

std::vector<Triple> triples(const std::vector<Member>& members) {
  std::vector<Triple> list;
  for (const Member& one : members) list.emplace_back(one.connector, one.name, one.origin);
  return list;
}
std::vector<Triple> triples(const std::vector<Nested>& nested) {
  std::vector<Triple> list;
  for (const Nested& one : nested) list.emplace_back(one.outer, one.name, one.inner);
  return list;
}

constexpr auto from_sensor = [](int bus, int name) { return Use{bus, name, Causality::Output, Side::Inside}; };
constexpr auto to_actuator = [](int bus, int name) { return Use{bus, name, Causality::Input, Side::Inside}; };

// A bus around the buses of a sensor and an actuator: the speed of the one reaches the other.
TEST(Expandable, ASignalPassesThroughThreeBuses) {
  enum { actuator, sensor, engine, speed = 0 };
  const Expansion result = expand({.connectors = 3,
                                   .wholes = {{engine, actuator}, {engine, sensor}},
                                   .uses = {to_actuator(actuator, speed), from_sensor(sensor, speed)}});
  EXPECT_THAT(triples(result.members), ElementsAre(Triple(0, speed, 0), Triple(1, speed, 0), Triple(2, speed, 0)));
  EXPECT_THAT(result.undriven, IsEmpty());
  EXPECT_THAT(result.driven_twice, IsEmpty());
  EXPECT_THAT(result.created, IsEmpty());
}

TEST(Expandable, WithoutASourceOrWithTwoItIsTold) {
  const Expansion result = expand({.connectors = 2,
                                   .wholes = {{0, 1}},
                                   .uses = {to_actuator(0, 0),
                                            to_actuator(1, 0),
                                            from_sensor(0, 1),
                                            from_sensor(1, 1),
                                            {0, 2, Causality::Input, Side::Outside},
                                            {1, 3, Causality::Acausal, Side::Inside}}});
  EXPECT_THAT(result.undriven, ElementsAre(0));
  EXPECT_THAT(result.driven_twice, ElementsAre(ElementsAre(2, 3)));
}

TEST(Expandable, UnconnectedBusesKeepTheirOwnMembers) {
  const Expansion result = expand({.connectors = 2, .uses = {from_sensor(1, 4), from_sensor(0, 3)}});
  EXPECT_THAT(triples(result.members), ElementsAre(Triple(0, 3, 1), Triple(1, 4, 0)));
}

// An engine bus with a cylinder bus inside, connected to an empty bus: that gets a cylinder bus as well.
TEST(Expandable, NestedBusesAreCreatedAndJoined) {
  enum { engine, cylinder, controller, plug, in_bus = 7, spark = 1 };
  const Expansion result = expand({.connectors = 4,
                                   .nested = {{engine, in_bus, cylinder}},
                                   .wholes = {{controller, engine}, {plug, cylinder}},
                                   .uses = {to_actuator(plug, spark)}});
  EXPECT_THAT(triples(result.created), ElementsAre(Triple(controller, in_bus, 4)));
  EXPECT_THAT(triples(result.members),
              ElementsAre(Triple(cylinder, spark, 0), Triple(plug, spark, 0), Triple(4, spark, 0)));
  EXPECT_THAT(result.set_of, ElementsAre(0, 1, 0, 1, 1));
}

TEST(Expandable, NestedBusesOfOneNameAreOneSetAtAnyDepth) {
  // a.x.y and b.x.y with a joined to b
  const Expansion result = expand({.connectors = 6,
                                   .nested = {{1, 1, 2}, {4, 1, 5}, {0, 0, 1}, {3, 0, 4}},
                                   .wholes = {{0, 3}},
                                   .uses = {from_sensor(2, 9)}});
  EXPECT_THAT(result.set_of, ElementsAre(0, 1, 2, 0, 1, 2));
  EXPECT_THAT(triples(result.members), ElementsAre(Triple(2, 9, 0), Triple(5, 9, 0)));
}

TEST(Expandable, ABusInsideItselfIsTold) {
  const Expansion directly = expand({.connectors = 2, .nested = {{0, 0, 1}}, .wholes = {{0, 1}}});
  EXPECT_THAT(directly.created, IsEmpty());
  EXPECT_THAT(directly.endless, ElementsAre(0));
  // 0.x is 1, 1.y is 2, and 2 is connected to 0; 3.z is 0 from outside.
  const Expansion in_a_ring =
      expand({.connectors = 4, .nested = {{0, 0, 1}, {1, 1, 2}, {3, 2, 0}}, .wholes = {{2, 0}}});
  EXPECT_THAT(in_a_ring.endless, ElementsAre(0, 1));
}

TEST(Expandable, CreatedBusesHaveTheirOwnNestedOnes) {
  // 0.x.y = 2; 3 is connected to 0 and gets x, which gets y.
  const Expansion result = expand({.connectors = 4, .nested = {{0, 0, 1}, {1, 1, 2}}, .wholes = {{3, 0}}});
  EXPECT_THAT(triples(result.created), ElementsAre(Triple(3, 0, 4), Triple(4, 1, 5)));
  EXPECT_THAT(result.set_of, ElementsAre(0, 1, 2, 0, 1, 2));
}

// Random buses: members spread along connections until nothing changes, name by name.
TEST(Expandable, MembersOfRandomBusesAreTheFixedPoint) {
  std::mt19937 random(5);
  for (int trial = 0; trial < 500; ++trial) {
    ExpandableConnectors input{.connectors = 2 + static_cast<int>(random() % 8)};
    const auto any = [&] { return static_cast<int>(random() % static_cast<unsigned>(input.connectors)); };
    for (auto k = random() % 8; k > 0; --k) input.wholes.push_back({any(), any()});
    for (auto k = random() % 8; k > 0; --k) input.uses.push_back(from_sensor(any(), static_cast<int>(random() % 4)));
    std::set<std::pair<int, int>> expected;
    for (const Use& use : input.uses) expected.insert({use.connector, use.name});
    for (std::size_t before = 0; before != expected.size();) {
      before = expected.size();
      for (const Whole& whole : input.wholes)
        for (int name = 0; name < 4; ++name)
          if (expected.contains({whole.a, name}) || expected.contains({whole.b, name})) {
            expected.insert({whole.a, name});
            expected.insert({whole.b, name});
          }
    }
    std::set<std::pair<int, int>> found;
    for (const Member& member : expand(input).members)
      EXPECT_TRUE(found.insert({member.connector, member.name}).second);
    EXPECT_EQ(found, expected);
  }
}

}  // namespace
}  // namespace driftless::connections
