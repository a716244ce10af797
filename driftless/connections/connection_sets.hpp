// Connection sets (Modelica 3.6, Section 9.2): which variables of connectors are equal, and which sum to zero.
//
// A leaf is a primitive variable of a connector instance: pin.v, or frame.R.T[2,3]. Leaves are numbered in the order of
// their declaration in the instance tree. A leaf has two faces. Seen from the class that declares its connector it is
// outside; seen from the class that has the component with that connector it is inside. The connections of the two
// classes are separate: the same variable may be in two sets, with opposite signs of its flow.
//
// The instance tree calls this once for the whole model. For connect(a, b) in an instance m it matches the leaves of a
// and b by name and adds a Pair for each, with Side::Outside for a connector of m itself, and Side::Inside for one of a
// component of m. All primitive flow variables of connectors are leaves, connected or not, including those of the top
// model. Arrays of connectors and nested connectors are expanded before. Parameters and constants of connectors are not
// leaves: they are compared by assertions.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace driftless::connections {

enum class Kind : std::uint8_t { Potential, Flow, Stream };
enum class Side : std::uint8_t { Inside, Outside };
enum class Causality : std::uint8_t { Acausal, Input, Output };

struct Face {
  int leaf;
  Side side;

  friend bool operator==(const Face&, const Face&) = default;
};

// Two faces that one connect equation joins; both leaves are of the same kind.
struct Pair {
  Face a, b;
};

struct ConnectionSet {
  Kind kind;
  std::vector<Face> faces;  // by leaf, inside before outside; without duplicates
};

// Every set with at least two faces, and {inside face} for each flow variable without inside connection: its flow is
// zero. Sets are ordered by their first faces. The cost is linear in leaves and pairs, up to the inverse Ackermann
// function of union-find.
std::vector<ConnectionSet> connection_sets(std::span<const Kind> kinds, std::span<const Pair> pairs);

// first = other for each other variable of a set of potentials.
std::vector<std::pair<int, int>> equalities(const ConnectionSet& potentials);

struct SignedLeaf {
  int leaf;
  int sign;  // +1 inside, -1 outside
};

// The terms of 0 = sum of sign * flow. A variable with both faces in the set has no term: it cancels.
std::vector<SignedLeaf> flow_sum(const ConnectionSet& flows);

// The faces that drive a set of inputs and outputs: outputs of components, and inputs of the class itself. More than
// one is an error, and so is none unless the set has only one face or the class is partial (Section 9.3).
std::vector<Face> sources(const ConnectionSet& set, std::span<const Causality> causality);

}  // namespace driftless::connections
