#include "driftless/language/streams.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/connections/streams.hpp"
#include "driftless/language/connect_ends.hpp"
#include "driftless/language/overconstrained.hpp"

namespace driftless::language {

namespace {

using connections::Mixture;
using connections::Side;

bool is_stream(const Component& component) { return component.prefixes.connection == ast::Connection::Stream; }

bool is_flow(const Component& component) {
  return component.prefixes.connection == ast::Connection::Flow && component.kind == Component::Kind::Variable;
}

// The connector of a stream variable, which may be a member of a record that is a stream of it.
Instance& carrier_of(Instance& instance) {
  Instance* around = &instance;
  while (around->parent && around->prefixes.connection == ast::Connection::Stream) around = around->parent;
  return *around;
}

// The flow that carries the streams of a connector; null if there is not exactly one.
Component* flow_beside(Instance& instance) {
  Component* flow = nullptr;
  for (Component& component : carrier_of(instance).components) {
    if (!is_flow(component)) continue;
    if (flow || component.is_part() || component.symbolic.size() != 1) return nullptr;
    flow = &component;
  }
  return flow;
}

// The stream variables of the model by their leaves.
void note_streams(Elaboration& all) {
  ConnectionFacts& facts = all.connection_facts;
  if (!facts.streams.empty()) return;
  for (Component* component : facts.flat->components) {
    if (!is_stream(*component) || !component->symbolic.valid()) continue;
    Component* flow = flow_beside(*component->instance);
    if (!flow || !flow->symbolic.valid()) continue;
    for (const NodeId leaf : component->symbolic.elements())
      facts.streams.emplace(leaf, StreamVariable{component, flow, flow->symbolic[0]});
  }
}

// Builds the values that enter connectors.
class Mixer {
 public:
  explicit Mixer(Elaboration& all) : all_(all), pool_(all.pool) {
    note_streams(all);
    sets_ = all.connection_facts.sets.sets();
    for (std::size_t s = 0; s < sets_.size(); ++s)
      if (sets_[s].front().kind == ast::Connection::Stream)
        for (std::size_t k = 0; k < sets_[s].size(); ++k) place_[{sets_[s][k].leaf, sets_[s][k].outside}] = {s, k};
  }

  // inStream(leaf): the mixture from the connection set outside its component.
  NodeId entering(NodeId leaf, SourceRange range) {
    const auto place = place_.find({leaf, false});
    if (place == place_.end()) return leaf;
    return mixture(sets_[place->second.first], place->second.second, range);
  }

  // The equation h = mixture of each connector of a model in a set with its parts.
  void add_equations() {
    for (const auto& set : sets_) {
      if (set.front().kind != ast::Connection::Stream) continue;
      for (std::size_t k = 0; k < set.size(); ++k) {
        if (!set[k].outside) continue;
        const Reading reading(all_, set[k].from);
        EquationSite site = *set[k].site;
        const std::string name = name_of(all_.model, set[k].leaf);
        site.text = fmt::format("{} = the mixture that leaves through it", name);
        add_equality(all_, site, fmt::format("[{}]", name), {Type::Real, set[k].leaf},
                     {Type::Real, mixture(set, k, site.range)});
      }
    }
  }

 private:
  using Set = std::vector<ConnectionSets::Member>;

  const StreamVariable& stream(const ConnectionSets::Member& member) const {
    return all_.connection_facts.streams.at(member.leaf);
  }

  // min >= 0 of an inside flow, or max <= 0 of an outside one: it never feeds.
  bool may_feed(const ConnectionSets::Member& member) {
    const StreamVariable& variable = stream(member);
    const auto bound = attribute_number(all_, *variable.flow, member.outside ? "max" : "min");
    return !bound || (member.outside ? *bound > 0.0 : *bound < 0.0);
  }

  NodeId fed_value(const ConnectionSets::Member& member, SourceRange range) {
    return member.outside ? entering(member.leaf, range) : member.leaf;
  }

  NodeId mixture(const Set& set, std::size_t k, SourceRange range) {
    if (!all_.may_nest(range)) return set[k].leaf;
    const Nesting nesting(all_);
    std::vector<connections::StreamConnector> connectors;
    for (const ConnectionSets::Member& member : set)
      connectors.push_back({member.outside ? Side::Outside : Side::Inside, may_feed(member)});
    const Mixture mixed = connections::mixtures(connectors)[k];
    switch (mixed.form) {
      case Mixture::Form::Own: return set[k].leaf;
      case Mixture::Form::Zero: return pool_.zero();
      case Mixture::Form::Single: return fed_value(set[static_cast<std::size_t>(mixed.feeding.front())], range);
      case Mixture::Form::Weighted: return weighted(set, mixed.feeding, range);
    }
    return set[k].leaf;
  }

  NodeId weighted(const Set& set, const std::vector<int>& feeding, SourceRange range) {
    std::vector<NodeId> fed;
    NodeId sum = pool_.zero();
    double nominal = 1e300;
    for (const int j : feeding) {
      const ConnectionSets::Member& member = set[static_cast<std::size_t>(j)];
      const StreamVariable& variable = stream(member);
      nominal = std::min(nominal, std::abs(attribute_number(all_, *variable.flow, "nominal").value_or(1.0)));
      const NodeId flow = member.outside ? variable.flow_leaf : pool_.neg(variable.flow_leaf);
      fed.push_back(pool_.binary(Op::Max, flow, pool_.zero()));
      sum = pool_.add(sum, fed.back());
    }
    constexpr double relative = 1e-8;  // below this share of the nominal flow the mixture tends to the mean
    const NodeId eps = pool_.constant(relative * nominal);
    const NodeId x = pool_.binary(Op::Min, pool_.div(sum, eps), pool_.one());
    const NodeId cubic = pool_.sub(pool_.constant(3.0), pool_.mul(pool_.constant(2.0), x));
    const NodeId alpha = pool_.mul(pool_.mul(x, x), cubic);
    const NodeId rest = pool_.mul(pool_.sub(pool_.one(), alpha), eps);
    NodeId above = pool_.zero(), below = pool_.zero();
    for (std::size_t j = 0; j < fed.size(); ++j) {
      const NodeId weight = pool_.add(pool_.mul(alpha, fed[j]), rest);
      above = pool_.add(above, pool_.mul(weight, fed_value(set[static_cast<std::size_t>(feeding[j])], range)));
      below = pool_.add(below, weight);
    }
    return pool_.div(above, below);
  }

  Elaboration& all_;
  Pool& pool_;
  std::vector<Set> sets_;
  std::map<std::pair<NodeId, bool>, std::pair<std::size_t, std::size_t>> place_;
};

}  // namespace

void check_streams(Elaboration& all, const Flat& flat) {
  for (Component* component : flat.components) {
    if (!is_stream(*component) || component->removed) continue;
    if (component->type.type != Type::Real && component->type.type != Type::Invalid) {
      all.error(Code::WrongStream, component->syntax->range,
                fmt::format("the stream variable '{}' is {}, but must be Real", component->name(),
                            to_string(component->type.type)));
      continue;
    }
    if (!component->instance->as || !is_in_connector(*component->instance)) {
      all.error(Code::WrongStream, component->syntax->range,
                fmt::format("the stream variable '{}' is in no connector", component->name()))
          .note("stream variables are carried by the flow of a connector (Modelica 3.6, Section 15.1)");
      continue;
    }
    if (flow_beside(*component->instance)) continue;
    const Instance& carrier = carrier_of(*component->instance);
    const auto flows = std::ranges::count_if(carrier.components, is_flow);
    all.error(Code::WrongStream, component->syntax->range,
              fmt::format("{} has the stream variable '{}', but {}", carrier.of->path, component->identifier(),
                          flows == 0  ? "no flow that could carry it"
                          : flows > 1 ? fmt::format("{} flows: which of them carries it?", flows)
                                      : std::string("its flow is no scalar")))
        .note("a connector with stream variables has exactly one flow variable, a scalar");
  }
}

Value call_stream_operator(const Environment& at, std::string_view name, const ast::Call& call, SourceRange range) {
  Elaboration& all = at.all;
  const auto* reference = call.arguments.size() == 1 ? call.arguments.front().value.as<ast::Reference>() : nullptr;
  const auto refuse = [&](const std::string& what) {
    at.error(Code::WrongStream, range, fmt::format("{} takes a stream variable of a connector, but {}", name, what));
    return Value();
  };
  if (!reference)
    return refuse(call.arguments.size() == 1 ? "this is an expression"
                                             : fmt::format("{} arguments are given", call.arguments.size()));
  if (!all.connection_facts.flat) {
    all.not_supported(range, fmt::format("{}() outside of equations", name));
    return {};
  }
  Value value = read(at, *reference);
  if (!value.valid() || !know_connections(all)) return {};
  Mixer mixer(all);
  for (NodeId& element : value.change()) {
    const auto variable = all.connection_facts.streams.find(element);
    if (variable == all.connection_facts.streams.end())
      return refuse(fmt::format("'{}' is none", to_string(*reference)));
    const NodeId entering = mixer.entering(element, range);
    if (name == "inStream") {
      element = entering;
    } else {
      const NodeId enters = all.pool.binary(Op::Less, all.pool.zero(), variable->second.flow_leaf);
      element = all.pool.if_else(enters, entering, element);
    }
  }
  return value;
}

void add_stream_equations(Elaboration& all) {
  if (!all.connections.has_streams() || !know_connections(all)) return;
  Mixer(all).add_equations();
}

}  // namespace driftless::language
