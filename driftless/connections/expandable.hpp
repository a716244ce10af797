// Expandable connectors (Modelica 3.6, Section 9.1.3): which members each of them gets from the connections, and what
// drives them.
//
// Expandable connector instances are numbered, and so are the names of members. All connected ones, at any level of the
// instance tree, form an augmentation set and get the same members: those named by a connect with an ordinary
// connector, connect(bus.speed, sensor.w), including declared ones named in this way. A member that is an expandable
// connector itself (bus.cylinder) is joined with the members of the same name in the set.
//
// The instance tree calls `expand` once for the whole model, before connection_sets, with outer connectors replaced by
// their inner ones:
//  - a Nested for every expandable connector declared in another, and for every bus.sub that occurs in a connect but is
//    not declared, with a new number;
//  - a Whole for connect(bus1, bus2), a Use for connect(bus.name, x) with an ordinary connector or variable x.
// It then declares the members of the result, each of the type of `x` in the use that is its origin (unless the
// connector declares the name itself), and replaces connect(bus1, bus2) by connect(bus1.name, bus2.name) for all
// members of both. Declared variables that are not members are absent. An element of an array, bus.v[2], is a separate
// member.
#pragma once

#include <span>
#include <vector>

#include "driftless/connections/connection_sets.hpp"

namespace driftless::connections {

struct Nested {
  int outer, name, inner;  // outer.name is the expandable connector `inner`
};
struct Whole {
  int a, b;
};
struct Use {
  int connector, name;
  // The other end of the connect, and its side for the class with the connect: the output of a component and an input
  // of the class itself drive the member.
  Causality causality;
  Side side;
};

struct ExpandableConnectors {
  int connectors = 0;
  std::vector<Nested> nested = {};
  std::vector<Whole> wholes = {};
  std::vector<Use> uses = {};
};

struct Member {
  int connector, name;
  int origin;  // place in `uses`: the first that names it anywhere in the set
};

struct Expansion {
  std::vector<Nested> created;  // nested expandable connectors that others of the set have; numbered after the given
  std::vector<Member> members;  // by connector, then in the order of their origins
  std::vector<int> set_of;      // the smallest connector of the augmentation set, for created ones as well
  // Members of inputs and outputs that are driven by nothing (one of the uses), or several times (all driving ones).
  std::vector<int> undriven;
  std::vector<std::vector<int>> driven_twice;
  // Places in `nested`: the connections put each of these connectors inside itself, so that it would never be complete.
  // Nothing is created then.
  std::vector<int> endless;
};

// The cost is linear in the input and in the result, up to a logarithm.
Expansion expand(const ExpandableConnectors& input);

}  // namespace driftless::connections
