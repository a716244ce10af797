// connect(a, b): which variables of connectors are connected, and the equations that follow (Modelica 3.6, Section
// 9.2). The potential variables of a set are equal, its flows sum up to zero. A flow is positive into its connector:
// for connectors of parts (inside) it has the sign +, for the model's own connectors (outside) the sign -. A flow
// without inside connections is zero.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "driftless/expr/pool.hpp"
#include "driftless/language/ast.hpp"
#include "driftless/language/value.hpp"

namespace driftless::language {

class Elaboration;
struct Environment;
struct Component;
struct EquationSite;
struct Flat;
struct Instance;
struct Scope;

// One element of what an argument of connect names: an instance of a connector with components, or an element of a
// variable that is a connector.
struct End {
  Instance* connector = nullptr;
  Component* variable = nullptr;
  std::size_t element = 0;

  auto operator<=>(const End&) const = default;
};

class ConnectionSets {
 public:
  struct Member {
    NodeId leaf;
    Type type;
    ast::Connection kind;
    bool outside;
    const EquationSite* site;  // the first connect equation that names it
    Instance* from;            // whose text has that equation
    bool is_source = false;    // its value is given elsewhere: an output of a part, an input of the model
  };

  // A connection of two overdetermined records or variables: an edge of the graph that is cut into trees.
  struct Overconstrained {
    End a, b;
    bool outside[2];
    SourceRange range;
    Scope* from;
  };
  std::vector<Overconstrained> overconstrained = {};

  int add(const Member& member);  // its number; the same for the same leaf and side
  void join(int a, int b);
  bool is_connected_inside(NodeId leaf) const { return places_.contains(key(leaf, false)); }

  bool has_streams() const;
  bool are_joined(NodeId a, bool a_outside, NodeId b, bool b_outside);

  // The sets in the order in which their first members were added.
  std::vector<std::vector<Member>> sets();

 private:
  static std::uint64_t key(NodeId leaf, bool outside) { return std::uint64_t{index(leaf)} * 2 + (outside ? 1 : 0); }
  static std::uint32_t index(NodeId leaf) { return static_cast<std::uint32_t>(leaf); }
  int root(int member);

  std::vector<Member> members_;
  std::vector<int> parent_;
  std::unordered_map<std::uint64_t, int> places_;
};

// Records the connections of a connect equation.
void elaborate_connect(const Environment& at, const ast::Connect& connect, SourceRange range);

// The equations of all sets, and of flows that are not connected.
void add_connection_equations(Elaboration& all, const Flat& flat);

}  // namespace driftless::language
