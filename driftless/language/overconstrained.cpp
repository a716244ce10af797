#include "driftless/language/overconstrained.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/language/connect_ends.hpp"
#include "driftless/language/functions.hpp"
#include "driftless/language/instantiate.hpp"
#include "driftless/language/records.hpp"

namespace driftless::language {

bool is_in_connector(const Instance& instance) {
  for (const Instance* around = &instance; around; around = around->parent)
    if (around->as && around->as->type.is_connector) return true;
  return false;
}

bool is_in_connector(const Component& component) {
  return component.type.is_connector || is_in_connector(*component.instance);
}

bool is_overdetermined(Instance& record) {
  if (!is_record_class(*record.of) || !is_in_connector(record)) return false;
  return find_in(record, "equalityConstraint").local != nullptr;
}

std::size_t elements_of_node(const Component& variable) {
  const Shape& shape = variable.symbolic.shape();
  std::size_t elements = 1;
  for (std::size_t d = variable.type.dimensions_around_constraint; d < shape.size(); ++d)
    elements *= static_cast<std::size_t>(shape[d]);
  return std::max<std::size_t>(elements, 1);
}

namespace {

constexpr std::string_view prefix = "Connections.";

OverconstrainedGraph& graph_of(Elaboration& all) { return all.connection_facts.graph; }

void add_node(OverconstrainedGraph& graph, const End& end) {
  graph.number.emplace(end, static_cast<int>(graph.nodes.size()));
  graph.nodes.push_back(end);
  ++graph.edges.nodes;
}

// -1 without an error for a node that is absent because of a condition.
struct Argument {
  int node = -1;
  bool absent = false;
};

std::optional<Argument> node_argument(const Environment& at, const ast::Call& call, std::size_t k) {
  const ast::Expression& syntax = call.arguments[k].value;
  const auto refuse = [&](const std::string& what) {
    at.error(Code::WrongConnectionGraph, syntax.range,
             fmt::format("{} takes overdetermined records of connectors, but {}", to_string(call.function), what))
        .note("such a record, or type, has a function equalityConstraint (Modelica 3.6, Section 9.4)");
    return std::nullopt;
  };
  const auto* reference = syntax.as<ast::Reference>();
  if (!reference) return refuse("this is an expression");
  const auto ends = find_ends(at, *reference, EndKind::Any);
  if (!ends) return std::nullopt;
  if (ends->absent) return Argument{-1, true};
  if (ends->list.empty()) return refuse(fmt::format("'{}' is empty", to_string(*reference)));
  const auto& numbers = graph_of(at.all).number;
  const auto place = numbers.find(ends->list.front());
  if (place == numbers.end()) return refuse(fmt::format("'{}' is none", to_string(*reference)));
  const End& first = ends->list.front();
  const std::size_t one = first.connector ? 1 : elements_of_node(*first.variable);
  if (ends->list.size() != one) return refuse(fmt::format("'{}' is {}", to_string(*reference), to_string(ends->shape)));
  return Argument{place->second, false};
}

bool has_arguments(const Environment& at, const ast::Call& call, std::size_t least, std::size_t most,
                   SourceRange range) {
  const std::size_t given = call.arguments.size();
  if (given >= least && given <= most) return true;
  at.error(Code::WrongNumberOfArguments, range,
           fmt::format("{} takes {} argument{}, but {} {} given", to_string(call.function),
                       least == most ? fmt::format("{}", least) : fmt::format("{} or {}", least, most),
                       most == 1 ? "" : "s", given, given == 1 ? "is" : "are"));
  return false;
}

// The long name is used inside a package that is itself called Connections: .Connections.root(...).
std::string long_name(const ast::Reference& function) {
  const std::string name = function.dotted();
  return function.global ? name.substr(1) : name;
}

std::string operator_name(const ast::Reference& function) {
  const std::string name = long_name(function);
  return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

std::string name_of_node(const OverconstrainedGraph& graph, int node) {
  const End& end = graph.nodes[static_cast<std::size_t>(node)];
  if (end.connector) return end.connector->path;
  const Shape& shape = end.variable->symbolic.shape();
  const std::size_t around = end.variable->type.dimensions_around_constraint;
  const Shape outer(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(std::min(around, shape.size())));
  return element_name(end.variable->name(), outer, end.element / elements_of_node(*end.variable));
}

Value value_of_node(const Environment& at, const End& end, SourceRange range) {
  if (end.connector) return record_value(at, *end.connector, range);
  const Value& whole = end.variable->symbolic;
  const Shape& shape = whole.shape();
  const Shape inner(shape.begin() + static_cast<std::ptrdiff_t>(end.variable->type.dimensions_around_constraint),
                    shape.end());
  const auto elements = whole.elements().subspan(end.element, elements_of_node(*end.variable));
  return whole.like(inner, {elements.begin(), elements.end()});
}

SourceRange end_range(const End& end) {
  return end.connector ? end.connector->as->syntax->range : end.variable->syntax->range;
}

Instance* constraint_of(const End& end) {
  LocalClass* local =
      end.connector ? find_in(*end.connector, "equalityConstraint").local : end.variable->type.equality_constraint;
  return local ? instance_of(*local) : nullptr;
}

// equalityConstraint(a, b).
Value residue(Elaboration& all, const ConnectionSets::Overconstrained& pair) {
  Locals nothing;
  const Environment at{all, *pair.from, nothing};
  Instance* function = constraint_of(pair.a);
  if (!function) return {};
  const std::vector<Value> results = call_function(
      at, *function, {value_of_node(at, pair.a, pair.range), value_of_node(at, pair.b, pair.range)}, pair.range);
  return results.empty() ? Value() : results.front();
}

// Is a nearer to the root of its tree than the other end of its branch?
std::optional<bool> is_rooted(const Environment& at, int node, SourceRange range) {
  const OverconstrainedGraph& graph = graph_of(at.all);
  int other = -1, branches = 0;
  for (const connections::Edge& branch : graph.edges.branches)
    if (branch.a == node) other = branch.b, ++branches;
  if (branches == 1) return graph.forest.rooted(node, other);
  at.error(Code::WrongConnectionGraph, range,
           fmt::format("rooted needs exactly one Connections.branch({0}, ...), but there {1} {2}",
                       name_of_node(graph, node), branches == 1 ? "is" : "are", branches));
  return std::nullopt;
}

Value question(const Environment& at, const std::string& name, const ast::Call& call, SourceRange range) {
  if (!has_arguments(at, call, 1, 1, range)) return {};
  if (!at.all.connection_facts.flat) {
    at.all.not_supported(range, fmt::format("{} outside of equations", to_string(call.function)));
    return {};
  }
  if (!know_connections(at.all)) return {};
  const auto argument = node_argument(at, call, 0);
  if (!argument || argument->absent || !graph_of(at.all).forest.problems.empty()) return {};
  const auto yes = name == "isRoot" ? std::optional(graph_of(at.all).forest.is_root(argument->node))
                                    : is_rooted(at, argument->node, range);
  return yes ? Value(Type::Boolean, at.all.pool.constant(*yes ? 1.0 : 0.0)) : Value();
}

}  // namespace

bool is_connection_operator(const ast::Reference& function) {
  const std::string name = long_name(function);
  if (name == "rooted") return true;
  if (!name.starts_with(prefix)) return false;
  const std::string own = name.substr(prefix.size());
  return own == "branch" || own == "root" || own == "potentialRoot" || own == "uniqueRoot" || own == "isRoot" ||
         own == "rooted";
}

std::vector<Value> call_connection_operator(const Environment& at, const ast::Call& call, SourceRange range) {
  const std::string name = operator_name(call.function);
  if (name == "isRoot" || name == "rooted") return {question(at, name, call, range)};
  // The call was evaluated before; here its errors are reported.
  if (!has_arguments(at, call, name == "branch" ? 2 : 1, name == "root" ? 1 : 2, range)) return {};
  if (!know_connections(at.all)) return {};
  for (std::size_t k = 0; k < (name == "branch" ? 2 : 1); ++k)
    if (!node_argument(at, call, k)) return {};
  if (name == "potentialRoot" && call.arguments.size() == 2)
    evaluate_integer(at.with(Purpose::ParameterValue), call.arguments[1].value);
  return {};
}

void add_nodes(Elaboration& all) {
  OverconstrainedGraph& graph = graph_of(all);
  for (Instance* instance : all.connection_facts.flat->instances)
    if (is_overdetermined(*instance)) add_node(graph, {instance});
  // A parameter's value may use isRoot(c.R) before all variables of connectors are known.
  for (Component* component : all.connection_facts.flat->components) {
    find_type(all, *component);
    if (!component->type.equality_constraint || !is_in_connector(*component)) continue;
    resolve(all, *component);
    if (component->symbolic.valid())
      for (std::size_t k = 0; k < component->symbolic.size(); k += elements_of_node(*component))
        add_node(graph, {nullptr, component, k});
  }
}

void note_connection_operator(const Environment& at, const ast::Call& call, SourceRange range) {
  const std::string name = operator_name(call.function);
  if (name == "isRoot" || name == "rooted" || call.arguments.empty()) return;
  OverconstrainedGraph& graph = graph_of(at.all);
  const auto first = node_argument(at, call, 0);
  if (!first || first->absent) return;
  const OverconstrainedGraph::Place place{at.scope.instance, range};
  if (name == "branch" && call.arguments.size() == 2) {
    const auto second = node_argument(at, call, 1);
    if (!second || second->absent) return;
    graph.edges.branches.push_back({first->node, second->node});
    graph.branches.push_back(place);
  } else if (name == "root" || name == "uniqueRoot") {
    graph.edges.roots.push_back(first->node);
    graph.roots.push_back(place);
  } else if (name == "potentialRoot") {
    std::int64_t priority = 0;
    if (call.arguments.size() == 2)
      priority = evaluate_integer(at.with(Purpose::ParameterValue), call.arguments[1].value).value_or(0);
    graph.edges.potential_roots.push_back({first->node, priority});
  }
}

void span_graph(Elaboration& all) {
  OverconstrainedGraph& graph = graph_of(all);
  for (const ConnectionSets::Overconstrained& pair : all.connection_facts.sets.overconstrained)
    graph.edges.connects.push_back({graph.number.at(pair.a), graph.number.at(pair.b)});
  graph.forest = connections::span(graph.edges);
  // A connector without any of these operators gets all its variables from the equations of its component.
  std::erase_if(graph.forest.problems, [](const connections::GraphProblem& problem) {
    const auto* rootless = std::get_if<connections::NoRoot>(&problem);
    return rootless && rootless->nodes.size() == 1;
  });
  std::vector<std::string> names;
  for (std::size_t k = 0; k < graph.nodes.size() && !graph.forest.problems.empty(); ++k)
    names.push_back(name_of_node(graph, static_cast<int>(k)));
  for (const connections::GraphProblem& problem : graph.forest.problems) {
    SourceRange range;
    std::string advice = "Connections.root or Connections.potentialRoot in one of their components gives a root";
    if (const auto* loop = std::get_if<connections::LoopOfBranches>(&problem)) {
      range = graph.branches[static_cast<std::size_t>(loop->edge)].range;
      advice = "branches must not form a loop: where two of them meet, a connection has to be able to give way";
    } else if (const auto* two = std::get_if<connections::TwoRoots>(&problem)) {
      for (std::size_t k = 0; k < graph.roots.size(); ++k)
        if (graph.edges.roots[k] == two->second) range = graph.roots[k].range;
      advice = "only one record along a chain of branches can be the root";
    } else {
      range = end_range(graph.nodes[static_cast<std::size_t>(std::get<connections::NoRoot>(problem).nodes.front())]);
    }
    all.error(Code::WrongConnectionGraph, range, connections::explain(problem, graph.edges, names)).note(advice);
  }
}

std::vector<ConnectionSets::Overconstrained> join_overconstrained(Elaboration& all) {
  const std::vector<ConnectionSets::Overconstrained> pairs = all.connections.overconstrained;
  if (pairs.empty() || !know_connections(all) || !graph_of(all).forest.problems.empty()) return {};
  const std::vector<ConnectionSets::Overconstrained>& known = all.connection_facts.sets.overconstrained;
  std::vector<ConnectionSets::Overconstrained> cut;
  std::size_t next = 0;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const bool same = k < known.size() && known[k].a == pairs[k].a && known[k].b == pairs[k].b;
    if (!same) {
      all.error(Code::WrongConnectionGraph, pairs[k].range, "this connection depends on Connections.isRoot or rooted")
          .note("the roots follow from the connections: these must not follow from the roots");
      return {};
    }
    const std::vector<int>& broken = graph_of(all).forest.broken;
    if (next < broken.size() && broken[next] == static_cast<int>(k)) {
      ++next;
      cut.push_back(pairs[k]);
    } else {
      join_kept(all, pairs[k]);
    }
  }
  return cut;
}

void add_equality_constraint(Elaboration& all, const ConnectionSets::Overconstrained& pair) {
  const Reading reading(all, pair.from->instance);
  Locals nothing;
  const Environment at{all, *pair.from, nothing};
  const Value a = value_of_node(at, pair.a, pair.range), b = value_of_node(at, pair.b, pair.range);
  if (!a.valid() || !b.valid()) return;
  bool equal = a.size() == b.size();
  for (std::size_t k = 0; k < a.size() && equal; ++k)
    equal = all.connections.are_joined(a[k], pair.outside[0], b[k], pair.outside[1]);
  if (equal) return;
  const Value rest = residue(all, pair);
  if (!rest.valid()) return;
  const OverconstrainedGraph& graph = graph_of(all);
  const std::string ends =
      fmt::format("{}, {}", name_of_node(graph, graph.number.at(pair.a)), name_of_node(graph, graph.number.at(pair.b)));
  EquationSite site = all.site(pair.range);
  site.text = fmt::format("equalityConstraint({}) = 0", ends);
  const std::vector<NodeId> zeros(rest.size(), all.pool.zero());
  add_equality(all, site, fmt::format("[{}]", ends), rest, rest.like(rest.shape(), zeros));
}

std::unordered_map<const Instance*, int> surplus_of_instances(Elaboration& all) {
  std::unordered_map<const Instance*, int> surplus;
  if (all.connections.overconstrained.empty() || !know_connections(all)) return surplus;
  OverconstrainedGraph& graph = graph_of(all);
  std::vector<int> excess;  // of each node
  for (const End& end : graph.nodes) {
    const ConnectionSets::Overconstrained itself{end, end, {false, false}, {}, &all.root->own()};
    Locals nothing;
    const Value value = value_of_node({all, all.root->own(), nothing}, end, {});
    excess.push_back(static_cast<int>(value.size()) - static_cast<int>(residue(all, itself).size()));
  }
  const auto owner = [&](int node) {
    const End& end = graph.nodes[static_cast<std::size_t>(node)];
    return &balanced_owner(end.connector ? *end.connector : *end.variable->instance);
  };
  for (int node = 0; node < graph.edges.nodes; ++node)
    if (!graph.forest.is_root(node)) surplus[owner(node)] += excess[static_cast<std::size_t>(node)];
  for (std::size_t k = 0; k < graph.branches.size(); ++k)
    surplus[&balanced_owner(*graph.branches[k].from)] -= excess[static_cast<std::size_t>(graph.edges.branches[k].a)];
  std::size_t next = 0;
  for (std::size_t k = 0; k < graph.edges.connects.size(); ++k) {
    const bool is_cut = next < graph.forest.broken.size() && graph.forest.broken[next] == static_cast<int>(k);
    if (is_cut)
      ++next;
    else
      surplus[&balanced_owner(*all.connection_facts.sets.overconstrained[k].from->instance)] -=
          excess[static_cast<std::size_t>(graph.edges.connects[k].a)];
  }
  return surplus;
}

}  // namespace driftless::language
