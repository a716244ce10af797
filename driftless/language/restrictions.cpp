#include "driftless/language/restrictions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "driftless/language/instantiate.hpp"
#include "driftless/language/overconstrained.hpp"

namespace driftless::language {

namespace {

using Kind = ast::ClassKind;

bool is_record(Kind kind) { return kind == Kind::Record || kind == Kind::OperatorRecord; }
bool is_connector(Kind kind) { return kind == Kind::Connector || kind == Kind::ExpandableConnector; }
bool is_function(Kind kind) { return kind == Kind::Function || kind == Kind::OperatorFunction; }

class ContentChecker {
 public:
  ContentChecker(Elaboration& all, const Class& of) : all_(all), of_(of), kind_(of.syntax->kind) {}

  void check() {
    if (const ast::Enumeration* enumeration = of_.enumeration()) check_literals(*enumeration);
    if (const ast::ShortClass* synonym = of_.synonym()) check_modifiers(synonym->modifiers);
    const ast::LongClass* body = of_.body();
    if (!body) return;
    check_sections(*body);
    for (const ast::Element& element : body->elements) check_element(element);
  }

 private:
  void refuse(SourceRange range, std::string_view what) {
    const std::string kind(ast::to_string(kind_));
    const bool vowel = kind.starts_with('o') || kind.starts_with('e');
    all_.error(Code::WrongPlace, range, fmt::format("{} {} cannot have {}", vowel ? "an" : "a", kind, what));
  }

  // Records, connectors and packages contain no equations, functions one algorithm.
  void check_sections(const ast::LongClass& body) {
    const bool holds_data = is_record(kind_) || is_connector(kind_) || kind_ == Kind::Package;
    for (const ast::EquationSection& section : body.equations)
      if (holds_data || is_function(kind_)) refuse(section.range, "equations");
    for (std::size_t k = 0; k < body.algorithms.size(); ++k) {
      const ast::AlgorithmSection& section = body.algorithms[k];
      if (holds_data) refuse(section.range, "an algorithm");
      if (is_function(kind_) && section.initial) refuse(section.range, "an initial algorithm");
      if (is_function(kind_) && k > 0) refuse(section.range, "two algorithm sections");
    }
  }

  void check_element(const ast::Element& element) {
    if (kind_ == Kind::Operator) check_element_of_operator(element);
    if (const auto* extends = std::get_if<ast::Extends>(&element.node)) check_modifiers(extends->modifiers);
    const auto* clause = std::get_if<ast::ComponentClause>(&element.node);
    if (!clause) return;
    for (const ast::Component& component : clause->components) {
      check_modifiers(component.modification.modifiers);
      check_component(element, *clause, component.range);
    }
  }

  // An operator contains functions and imports (Modelica 3.6, Section 4.7).
  void check_element_of_operator(const ast::Element& element) {
    if (std::holds_alternative<ast::ComponentClause>(element.node)) refuse(element.range, "components");
    const auto* definition = std::get_if<std::unique_ptr<ast::ClassDefinition>>(&element.node);
    if (definition && !is_function((*definition)->kind)) refuse((*definition)->name.range, "classes but functions");
  }

  void check_component(const ast::Element& element, const ast::ComponentClause& clause, SourceRange range) {
    const bool is_constant = clause.variability == ast::Variability::Constant;
    if (kind_ == Kind::Package && !is_constant) refuse(range, "variables");
    if (is_record(kind_) || is_connector(kind_)) {
      if (element.is_protected) refuse(range, "protected components");
      if (element.inner || element.outer) refuse(range, "components that are inner or outer");
    }
    if (is_record(kind_) && clause.causality != ast::Causality::Unspecified)
      refuse(range, "components that are input or output");
    if ((is_record(kind_) || kind_ == Kind::ExpandableConnector) && clause.connection != ast::Connection::Potential)
      refuse(range, "components that are flow or stream");
  }

  void check_literals(const ast::Enumeration& enumeration) {
    static constexpr std::array<std::string_view, 5> attributes{"quantity", "min", "max", "start", "fixed"};
    std::set<std::string_view> seen;
    for (const ast::Enumeration::Literal& literal : enumeration.literals) {
      if (!seen.insert(literal.name.text).second)
        all_.error(Code::DeclaredTwice, literal.name.range, fmt::format("'{}' is declared twice", literal.name.text));
      if (std::ranges::find(attributes, literal.name.text) != attributes.end())
        all_.error(
            Code::WrongPlace, literal.name.range,
            fmt::format("'{}' is an attribute of enumerations and cannot be one of their values", literal.name.text));
    }
  }

  // Each element or attribute is given a value once: a(x = 1, x = 2) is ambiguous.
  void check_modifiers(const std::vector<ast::Modifier>& modifiers) {
    std::set<std::string> seen;
    note_values(modifiers, {}, seen);
  }

  void note_values(const std::vector<ast::Modifier>& modifiers, const std::string& around,
                   std::set<std::string>& seen) {
    for (const ast::Modifier& modifier : modifiers) {
      const auto* change = std::get_if<ast::ElementModification>(&modifier.node);
      if (!change) continue;
      const std::string name = around + to_string(change->name);
      if (change->modification.value && !seen.insert(name).second)
        all_.error(Code::WrongModifier, modifier.range,
                   fmt::format("'{}' is given two values in the same modification", name));
      note_values(change->modification.modifiers, name + ".", seen);
    }
  }

  Elaboration& all_;
  const Class& of_;
  Kind kind_;
};

// The first prefix of the declaration that concerns its values; empty if there is none.
std::string_view prefix_of(const ast::ComponentClause& clause) {
  if (clause.connection == ast::Connection::Flow) return "flow";
  if (clause.connection == ast::Connection::Stream) return "stream";
  if (clause.causality == ast::Causality::Input) return "input";
  if (clause.causality == ast::Causality::Output) return "output";
  if (clause.variability == ast::Variability::Constant) return "constant";
  if (clause.variability == ast::Variability::Parameter) return "parameter";
  if (clause.variability == ast::Variability::Discrete) return "discrete";
  return {};
}

std::string_view prefix_of(const Prefixes& prefixes) {
  return prefix_of({prefixes.connection, ast::Variability::Unspecified, prefixes.causality, {}, {}, {}});
}

ast::Causality own_causality(const Component& component) {
  const ast::Causality written = component.clause->causality;
  return written == ast::Causality::Unspecified ? component.type.causality : written;
}

// Reports input C c if C has an input itself, which is ambiguous.
void check_against_surroundings(Elaboration& all, const Component& component) {
  const Prefixes& around = component.instance->prefixes;
  const std::string_view outer = prefix_of(around);
  const ast::ComponentClause& clause = *component.clause;
  const std::string_view own =
      prefix_of(Prefixes{ast::Variability::Unspecified, own_causality(component), clause.connection});
  const bool may_be_causal = around.causality == ast::Causality::Unspecified;
  const bool conflict = !own.empty() && (!may_be_causal || clause.connection != ast::Connection::Potential);
  if (outer.empty() || !conflict || !component.instance->as) return;
  const Component& as = *component.instance->as;
  all.error(Code::WrongPlace, as.syntax->range,
            fmt::format("'{}' cannot be {}: its element '{}' is {}", as.name(), outer, component.identifier(), own))
      .note("declared here", component.syntax->range);
}

// Flows are summed with signs, for which an operator record needs operators (Modelica 3.6, Section 9.2).
void check_flow_operators(Elaboration& all, const Component& component) {
  const Class& record = *component.type.part;
  if (record.syntax->kind != Kind::OperatorRecord) return;
  for (const std::string_view needed : {"'+'", "'-'", "'0'"})
    if (!record.child(needed))
      all.error(Code::WrongConnection, component.syntax->range,
                fmt::format("'{}' cannot be a flow: {} has no operator {}", component.name(), record.path, needed))
          .note("flows are summed up to zero, which needs '+', '-' and '0'", record.syntax->name.range);
}

}  // namespace

void check_content(Elaboration& all, const Class& of) {
  if (all.checked_classes.insert(&of).second) ContentChecker(all, of).check();
}

void check_prefixes(Elaboration& all, const Component& component) {
  check_against_surroundings(all, component);
  const bool of_function = is_function(component.scope->syntax ? component.scope->syntax->kind : Kind::Package);
  if (of_function && own_causality(component) == ast::Causality::Unspecified && !component.is_protected() &&
      component.kind == Component::Kind::Variable)
    all.error(Code::WrongPlace, component.syntax->range,
              fmt::format("'{}' is neither input nor output: a function has no other public components",
                          component.identifier()))
        .note("write 'protected' before the variables that the function needs for itself");
  if (!component.is_part()) return;
  if (component.clause->connection == ast::Connection::Flow) check_flow_operators(all, component);
  const std::string_view prefix = prefix_of(*component.clause);
  if (prefix.empty()) return;
  const Kind kind = component.type.part->syntax->kind;
  const bool is_constant = component.clause->variability >= ast::Variability::Parameter;
  const bool of_model = kind == Kind::Model || kind == Kind::Block;
  if (!of_model && !(is_connector(kind) && is_constant)) return;
  all.error(Code::WrongPlace, component.syntax->range,
            fmt::format("'{}' cannot be {}: {} is a {}", component.name(),
                        is_constant && !of_model ? "known before the run" : prefix, component.type.part->path,
                        ast::to_string(kind)))
      .note("declared here", component.type.part->syntax->name.range);
}

namespace {

struct Balance {
  std::size_t flows = 0, potentials = 0;
  bool is_open = false;  // overconstrained, or unknown
  bool acausal = false;  // it has variables that are neither input nor output
};

// How many numbers the result of equalityConstraint has; nothing if that is not known here.
std::optional<std::size_t> size_of_residue(Elaboration& all, LocalClass& constraint) {
  Instance* function = instance_of(constraint);
  if (!function) return std::nullopt;
  for (Component& component : function->components) {
    if (component.prefixes.causality != ast::Causality::Output) continue;
    const bool muted = std::exchange(all.muted, true);
    find_type(all, component);
    Locals nothing;
    const auto shape = resolve_shape({all, function->own(), nothing}, component.type.dimensions, nullptr,
                                     component.identifier(), component.syntax->range);
    all.muted = muted;
    return shape ? std::optional(static_cast<std::size_t>(count(*shape))) : std::nullopt;
  }
  return std::nullopt;
}

// An overdetermined variable counts as many potentials as its equalityConstraint has results (Modelica 3.6, Section
// 9.3.1).
void count_overdetermined(Elaboration& all, LocalClass& constraint, std::size_t nodes, Balance& balance) {
  const auto size = size_of_residue(all, constraint);
  balance.is_open |= !size;
  balance.potentials += size.value_or(0) * nodes;
  balance.acausal = true;
}

// Counts the variables, including those of connectors and records inside it.
void count_variables(Elaboration& all, Instance& connector, Balance& balance) {
  std::vector<Instance*> open{&connector};
  while (!open.empty()) {
    Instance& instance = *open.back();
    open.pop_back();
    balance.is_open |= instance.of->syntax->kind == Kind::ExpandableConnector;
    if (LocalClass* constraint = find_in(instance, "equalityConstraint").local) {
      count_overdetermined(all, *constraint, 1, balance);
      continue;
    }
    for (Component& component : instance.components) {
      if (component.removed) continue;
      for (const auto& part : component.parts) open.push_back(part.get());
      if (component.is_part() || component.kind != Component::Kind::Variable) continue;
      balance.is_open |= !component.symbolic.valid();
      if (component.type.equality_constraint && component.prefixes.connection == ast::Connection::Potential) {
        const std::size_t nodes = component.symbolic.size() / elements_of_node(component);
        count_overdetermined(all, *component.type.equality_constraint, nodes, balance);
        continue;
      }
      if (component.prefixes.connection == ast::Connection::Flow) balance.flows += component.symbolic.size();
      if (component.prefixes.causality != ast::Causality::Unspecified) continue;
      balance.acausal = true;
      if (component.prefixes.connection == ast::Connection::Potential) balance.potentials += component.symbolic.size();
    }
  }
}

void check_connector(Elaboration& all, Instance& connector) {
  const Component& as = *connector.as;
  const bool of_block = as.scope->syntax && as.scope->syntax->kind == Kind::Block && !as.is_protected();
  if (!all.balanced_connectors.insert(connector.of).second && !of_block) return;
  Balance balance;
  count_variables(all, connector, balance);
  if (of_block && balance.acausal && connector.of->syntax->kind != Kind::ExpandableConnector)
    all.error(Code::WrongPlace, as.syntax->range,
              fmt::format("'{}' has variables that are neither input nor output: a block has no such public connectors",
                          as.name()))
        .note("write 'model' if it is to have connectors with flows", as.scope->syntax->name.range);
  if (balance.is_open || balance.flows == balance.potentials) return;
  all.error(Code::UnbalancedClass, connector.of->syntax->name.range,
            fmt::format("the connector {} has {} flow{} and {} potential{}: their numbers must be equal",
                        connector.of->path, balance.flows, balance.flows == 1 ? "" : "s", balance.potentials,
                        balance.potentials == 1 ? "" : "s"))
      .note("a potential is a variable that is neither flow nor stream, input, output, parameter or constant")
      .note(fmt::format("{} is declared here", connector.path), connector.as->syntax->range);
}

}  // namespace

namespace {

// Is it a discrete Real of a part without a value in its class? (In the model itself discrete equations may give it
// one.)
bool is_discrete_from_outside(const Component& component) {
  return component.kind == Component::Kind::Variable && component.type.type == Type::Real && !component.removed &&
         component.clause->variability == ast::Variability::Discrete && !component.assigned_in_when &&
         !component.given && component.instance->parent;
}

}  // namespace

void check_components(Elaboration& all, const Flat& flat) {
  if (all.has_errors()) return;
  for (Instance* instance : flat.instances) {
    const bool nested = instance->parent && instance->parent->as && instance->parent->as->type.is_connector;
    if (instance->as && instance->as->type.is_connector && !nested) check_connector(all, *instance);
  }
  for (const Component* component : flat.components)
    if (is_discrete_from_outside(*component))
      all.error(Code::NotDiscrete, component->syntax->range,
                fmt::format("'{}' is declared discrete, but no when clause of its class gives it a value",
                            component->name()))
          .note("the model around it cannot do that; a part gets values by inputs and connections");
}

}  // namespace driftless::language
