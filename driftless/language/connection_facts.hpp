// Facts about all connect equations and operators of overconstrained connections of a model. Some operators need them
// while the equations are elaborated: cardinality, Connections.isRoot, inStream. They are collected when the first such
// operator is met.
#pragma once

#include <functional>
#include <map>
#include <unordered_map>
#include <vector>

#include "driftless/connections/connection_graph.hpp"
#include "driftless/language/connections.hpp"

namespace driftless::language {

// The graph of the overdetermined records and variables of all connectors (Modelica 3.6, Section 9.4).
struct OverconstrainedGraph {
  struct Place {
    Instance* from;  // whose text contains it
    SourceRange range;
  };
  std::map<End, int> number;  // of the nodes
  std::vector<End> nodes;
  connections::ConnectionGraph edges;
  std::vector<Place> branches, roots;  // where edges.branches and edges.roots are written
  connections::SpanningForest forest;
};

// A stream variable of a connector, and the flow that carries it.
struct StreamVariable {
  const Component* variable;
  Component* flow;
  NodeId flow_leaf;
};

struct ConnectionFacts {
  enum class Progress { Open, Collecting, Known };

  const Flat* flat = nullptr;  // of the model whose equations are elaborated; null before
  Progress progress = Progress::Open;
  std::map<End, int> counts;  // how often each connector is named in connect equations
  ConnectionSets sets;        // with the edges of the graph that may be cut
  OverconstrainedGraph graph;
  std::unordered_map<NodeId, StreamVariable> streams;  // by the leaf of the variable
};

// Visits all connect equations and all calls that are equations of their own, in the order of the text and in their
// environments. Nothing is reported meanwhile. Equations below an undecided condition are skipped.
struct ConnectionVisitor {
  std::function<void(const Environment&, const ast::Connect&, SourceRange)> connect;
  std::function<void(const Environment&, const ast::Call&, SourceRange)> call;
};
void walk_connections(Elaboration& all, const Flat& flat, const ConnectionVisitor& visitor);

// Collects the facts, once. False while they are being collected, or before the equations of the model.
bool know_connections(Elaboration& all);

// cardinality(c), for a connector of the instance in which it is written (Modelica 3.6, Section 3.7.4.3).
Value cardinality(const Environment& at, const ast::Call& call, SourceRange range);

}  // namespace driftless::language
