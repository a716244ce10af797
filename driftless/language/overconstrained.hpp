// Overconstrained connections (Modelica 3.6, Section 9.4): connectors may contain a record or a variable with more
// elements than degrees of freedom, like the nine elements of a rotation matrix. Its class has a function
// equalityConstraint. The connections of a model are cut into trees (connections/connection_graph.hpp); where one is
// cut, equalityConstraint replaces the equalities.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "driftless/language/elaboration.hpp"

namespace driftless::language {

bool is_in_connector(const Instance& instance);
bool is_in_connector(const Component& component);

// A record with a function equalityConstraint in a connector.
bool is_overdetermined(Instance& record);
// How many elements of a variable of a type with equalityConstraint are one node of the graph.
std::size_t elements_of_node(const Component& variable);

// Connections.branch, root, potentialRoot, uniqueRoot, isRoot, rooted.
bool is_connection_operator(const ast::Reference& function);
std::vector<Value> call_connection_operator(const Environment& at, const ast::Call& call, SourceRange range);

// For the collection of facts: add the nodes of all connectors, evaluate a call, and compute the trees.
void add_nodes(Elaboration& all);
void note_connection_operator(const Environment& at, const ast::Call& call, SourceRange range);
void span_graph(Elaboration& all);

// Joins the ends of edges that are kept; returns those that are cut.
std::vector<ConnectionSets::Overconstrained> join_overconstrained(Elaboration& all);
void join_kept(Elaboration& all, const ConnectionSets::Overconstrained& pair);  // connections.cpp
// 0 = equalityConstraint(a, b), unless other connections of the set make a and b equal.
void add_equality_constraint(Elaboration& all, const ConnectionSets::Overconstrained& pair);

// For the count of equations: how many variables beyond its degrees of freedom each instance leaves to others: nodes
// minus branches and roots, and for the model that connects them the connections that are kept.
std::unordered_map<const Instance*, int> surplus_of_instances(Elaboration& all);

}  // namespace driftless::language
