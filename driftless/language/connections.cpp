#include "driftless/language/connections.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/language/buses.hpp"
#include "driftless/language/connect_ends.hpp"
#include "driftless/language/overconstrained.hpp"
#include "driftless/language/streams.hpp"

namespace driftless::language {

int ConnectionSets::add(const Member& member) {
  const auto [place, fresh] = places_.try_emplace(key(member.leaf, member.outside), static_cast<int>(members_.size()));
  if (fresh) {
    members_.push_back(member);
    parent_.push_back(place->second);
  }
  return place->second;
}

int ConnectionSets::root(int member) {
  while (parent_[static_cast<std::size_t>(member)] != member) {
    int& parent = parent_[static_cast<std::size_t>(member)];
    parent = parent_[static_cast<std::size_t>(parent)];
    member = parent;
  }
  return member;
}

void ConnectionSets::join(int a, int b) {
  a = root(a);
  b = root(b);
  parent_[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
}

bool ConnectionSets::has_streams() const {
  return std::ranges::any_of(members_, [](const Member& one) { return one.kind == ast::Connection::Stream; });
}

bool ConnectionSets::are_joined(NodeId a, bool a_outside, NodeId b, bool b_outside) {
  const auto first = places_.find(key(a, a_outside)), second = places_.find(key(b, b_outside));
  return first != places_.end() && second != places_.end() && root(first->second) == root(second->second);
}

std::vector<std::vector<ConnectionSets::Member>> ConnectionSets::sets() {
  std::vector<std::vector<Member>> sets;
  std::vector<int> number(members_.size(), -1);
  for (std::size_t k = 0; k < members_.size(); ++k) {
    int& set = number[static_cast<std::size_t>(root(static_cast<int>(k)))];
    if (set < 0) {
      set = static_cast<int>(sets.size());
      sets.emplace_back();
    }
    sets[static_cast<std::size_t>(set)].push_back(members_[k]);
  }
  return sets;
}

namespace {

// Connects the variables of two connectors.
class Joiner {
 public:
  Joiner(const Environment& at, SourceRange range, bool first_outside, bool second_outside)
      : at_(at), range_(range), site_(at.all.site(range)), outside_{first_outside, second_outside} {}

  bool join(const End& a, const End& b) {
    if (a.variable && b.variable) return join_elements(*a.variable, a.element, *b.variable, b.element);
    if (!a.connector || !b.connector) return refuse(name_of(a), name_of(b), "one of them has components");
    return join_connectors(*a.connector, *b.connector);
  }

  // Joins an edge of the connection graph that was not cut: its variables become equal.
  void join_kept(const ConnectionSets::Overconstrained& pair) {
    const std::size_t elements = pair.a.connector ? 0 : elements_of_node(*pair.a.variable);
    for (std::size_t k = 0; k < elements; ++k)
      join_elements(*pair.a.variable, pair.a.element + k, *pair.b.variable, pair.b.element + k);
    if (pair.a.connector) join_members(*pair.a.connector, *pair.b.connector);
  }

 private:
  bool refuse(const std::string& a, const std::string& b, const std::string& why) {
    at_.error(Code::WrongConnection, range_, fmt::format("{} and {} cannot be connected: {}", a, b, why));
    return false;
  }

  bool join_connectors(Instance& a, Instance& b) {
    if (!is_overdetermined(a) || !is_overdetermined(b)) return join_members(a, b);
    at_.all.connections.overconstrained.push_back({{&a}, {&b}, {outside_[0], outside_[1]}, range_, &at_.scope});
    return true;
  }

  bool join_members(Instance& a, Instance& b) {
    for (Component& mine : a.components) {
      Component* other = find_in(b, mine.identifier()).component;
      if (!other && mine.removed && is_expandable(b)) continue;
      if (!other)
        return refuse(a.path, b.path, fmt::format("only the first one has an element '{}'", mine.identifier()));
      if (!join_components(mine, *other)) return false;
    }
    for (const Component& theirs : b.components)
      if (!find_in(a, theirs.identifier()).component && !(theirs.removed && is_expandable(a)))
        return refuse(a.path, b.path, fmt::format("only the second one has an element '{}'", theirs.identifier()));
    return true;
  }

  bool join_components(Component& a, Component& b) {
    for (Component* one : {&a, &b}) resolve(at_.all, *one);
    if (a.removed || b.removed) return true;
    if (a.is_part() != b.is_part()) return refuse(a.name(), b.name(), "one of them has components");
    if (a.is_part()) {
      if (a.shape != b.shape) return refuse_shapes(a, a.shape, b, b.shape);
      for (std::size_t k = 0; k < a.parts.size(); ++k)
        if (!join_connectors(*a.parts[k], *b.parts[k])) return false;
      return true;
    }
    const Value& mine = value_of(a);
    const Value& theirs = value_of(b);
    if (!mine.valid() || !theirs.valid()) return false;
    if (mine.shape() != theirs.shape()) return refuse_shapes(a, mine.shape(), b, theirs.shape());
    if (a.type.equality_constraint && b.type.equality_constraint) {
      for (std::size_t k = 0; k < mine.size(); k += elements_of_node(a))
        at_.all.connections.overconstrained.push_back(
            {{nullptr, &a, k}, {nullptr, &b, k}, {outside_[0], outside_[1]}, range_, &at_.scope});
      return true;
    }
    for (std::size_t k = 0; k < mine.size(); ++k)
      if (!join_elements(a, k, b, k)) return false;
    return true;
  }

  bool refuse_shapes(const Component& a, const Shape& mine, const Component& b, const Shape& theirs) {
    return refuse(a.name(), b.name(), fmt::format("their shapes are {} and {}", to_string(mine), to_string(theirs)));
  }

  static const Value& value_of(const Component& component) {
    return component.symbolic.valid() ? component.symbolic : component.numeric;
  }

  bool join_elements(Component& a, std::size_t i, Component& b, std::size_t k) {
    if (a.type.type != b.type.type)
      return refuse(a.name(), b.name(),
                    fmt::format("their types are {} and {}", to_string(a.type.type), to_string(b.type.type)));
    const ast::Connection kind = a.prefixes.connection;
    if (kind != b.prefixes.connection)
      return refuse(a.name(), b.name(),
                    is_stream(a) || is_stream(b) ? "only one of them is a stream" : "only one of them is a flow");
    const bool of_bus = is_expandable(*a.instance) || is_expandable(*b.instance);
    if (is_causal(a) != is_causal(b) && !of_bus)
      return refuse(a.name(), b.name(), "only one of them is an input or output");
    if (a.kind != Component::Kind::Variable || b.kind != Component::Kind::Variable) return join_constants(a, i, b, k);
    ConnectionSets& sets = at_.all.connections;
    const int first = sets.add(
        {value_of(a)[i], a.type.type, kind, outside_[0], &site_, at_.scope.instance, is_source(a, outside_[0])});
    sets.join(first, sets.add({value_of(b)[k], b.type.type, kind, outside_[1], &site_, at_.scope.instance,
                               is_source(b, outside_[1])}));
    return true;
  }

  static bool is_stream(const Component& component) { return component.prefixes.connection == ast::Connection::Stream; }

  static bool is_causal(const Component& component) {
    return component.prefixes.causality != ast::Causality::Unspecified;
  }

  // Does the variable provide the value of the connection, as an output of a part or a public input of the model does?
  static bool is_source(const Component& component, bool outside) {
    if (component.prefixes.causality == ast::Causality::Output) return !outside;
    if (component.prefixes.causality != ast::Causality::Input || !outside) return false;
    const Component* connector = &component;
    while (connector->instance->as && connector->instance->as->type.is_connector) connector = connector->instance->as;
    return !connector->is_protected();
  }

  // Parameters of connectors give no equation, but must agree.
  bool join_constants(const Component& a, std::size_t i, const Component& b, std::size_t k) {
    if (!a.numeric.valid() || !b.numeric.valid())
      return refuse(a.name(), b.name(), "only one of them is known before the run");
    if (a.kind != b.kind) return refuse(a.name(), b.name(), "one of them is a parameter, the other a constant");
    if (a.numeric.type() == Type::String) return true;
    const double mine = number_of(at_.all.pool, a.numeric[i]), theirs = number_of(at_.all.pool, b.numeric[k]);
    return mine == theirs || refuse(a.name(), b.name(), fmt::format("their values are {} and {}", mine, theirs));
  }

  const Environment& at_;
  SourceRange range_;
  const EquationSite& site_;
  bool outside_[2];
};

// "a.i + b.i = 0", and the sum itself.
void add_balance(Elaboration& all, const std::vector<ConnectionSets::Member>& set) {
  EquationSite site = *set.front().site;
  site.text.clear();
  NodeId sum = all.pool.zero();
  for (const ConnectionSets::Member& member : set) {
    const std::string name = name_of(all.model, member.leaf);
    site.text += site.text.empty() ? (member.outside ? "-" : "") : member.outside ? " - " : " + ";
    site.text += name;
    sum = member.outside ? all.pool.sub(sum, member.leaf) : all.pool.add(sum, member.leaf);
  }
  site.text += " = 0";
  all.add_equation(all.model.equations, site, fmt::format("[{}]", name_of(all.model, set.front().leaf)), sum);
}

// Reports signals with more than one source.
void check_sources(Elaboration& all, const std::vector<ConnectionSets::Member>& set) {
  const ConnectionSets::Member* first = nullptr;
  for (const ConnectionSets::Member& member : set) {
    if (!member.is_source) continue;
    if (first)
      all.error(Code::WrongConnection, member.site->range,
                fmt::format("{} and {} are connected, but both give a value", name_of(all.model, first->leaf),
                            name_of(all.model, member.leaf)))
          .note("a signal comes from one output of a part, or from one input of the model");
    else
      first = &member;
  }
}

void add_equalities(Elaboration& all, const std::vector<ConnectionSets::Member>& set) {
  check_sources(all, set);
  const ConnectionSets::Member& first = set.front();
  for (std::size_t k = 1; k < set.size(); ++k) {
    const ConnectionSets::Member& other = set[k];
    EquationSite site = *other.site;
    const std::string name = name_of(all.model, other.leaf);
    site.text = fmt::format("{} = {}", name_of(all.model, first.leaf), name);
    add_equality(all, site, fmt::format("[{}]", name), Value(first.type, first.leaf), Value(other.type, other.leaf));
  }
}

void close_flow(Elaboration& all, const Component& component) {
  Instance& part = balanced_owner(*component.instance);
  const Reading reading(all, part.parent ? part.parent : &part);
  const Shape& shape = component.symbolic.shape();
  for (std::size_t k = 0; k < component.symbolic.size(); ++k) {
    const NodeId leaf = component.symbolic[k];
    if (all.connections.is_connected_inside(leaf)) continue;
    const std::string name = element_name(component.name(), shape, k);
    const EquationSite site{name + " is not connected", name + " = 0", component.syntax->range};
    all.add_equation(all.model.equations, site, {}, leaf);
  }
}

}  // namespace

void elaborate_connect(const Environment& at, const ast::Connect& connect, SourceRange range) {
  const auto from = find_ends(at, connect.from), to = find_ends(at, connect.to);
  if (!from || !to || from->absent || to->absent) return;
  if (from->shape != to->shape) {
    at.error(Code::WrongConnection, range,
             fmt::format("{} and {} cannot be connected: their shapes are {} and {}", to_string(connect.from),
                         to_string(connect.to), to_string(from->shape), to_string(to->shape)));
    return;
  }
  Joiner joiner(at, range, from->outside, to->outside);
  for (std::size_t k = 0; k < from->list.size(); ++k)
    if (!at.all.spend(range) || !joiner.join(from->list[k], to->list[k])) return;
}

void join_kept(Elaboration& all, const ConnectionSets::Overconstrained& pair) {
  Locals nothing;
  const Environment at{all, *pair.from, nothing};
  const Reading reading(all, pair.from->instance);
  Joiner(at, pair.range, pair.outside[0], pair.outside[1]).join_kept(pair);
}

void add_connection_equations(Elaboration& all, const Flat& flat) {
  const std::vector<ConnectionSets::Overconstrained> cut = join_overconstrained(all);
  for (const auto& set : all.connections.sets()) {
    const Reading reading(all, set.front().from);
    if (set.front().kind == ast::Connection::Flow)
      add_balance(all, set);
    else if (set.front().kind == ast::Connection::Potential)
      add_equalities(all, set);
  }
  add_stream_equations(all);
  for (const ConnectionSets::Overconstrained& pair : cut) add_equality_constraint(all, pair);
  for (const Component* component : flat.components)
    if (component->prefixes.connection == ast::Connection::Flow && component->kind == Component::Kind::Variable &&
        component->symbolic.valid() && is_in_connector(*component))
      close_flow(all, *component);
}

}  // namespace driftless::language
