// Evaluates names with subscripts.
#include <fmt/format.h>

#include <algorithm>

#include "driftless/language/builtins.hpp"
#include "driftless/language/dependencies.hpp"
#include "driftless/language/elaboration.hpp"
#include "driftless/language/instantiate.hpp"
#include "driftless/language/library.hpp"
#include "driftless/language/records.hpp"

namespace driftless::language {

namespace {

std::string_view phrase(Purpose purpose) {
  switch (purpose) {
    case Purpose::Equation: return "an equation";
    case Purpose::ParameterValue: return "the value of a parameter";
    case Purpose::ConstantValue: return "the value of a constant";
    case Purpose::Attribute: return "an attribute (start, min, ...)";
    case Purpose::Size: return "a size";
    case Purpose::Subscript: return "a subscript";
    case Purpose::Range: return "the range of a loop";
    case Purpose::Condition: return "the condition of an if-equation";
    case Purpose::Setting: return "a setting of the experiment";
  }
  return {};
}

void report_cycle(const Environment& at, Component& component, SourceRange range) {
  if (component.in_cycle) return;
  std::string chain;
  for (Component* next : cycle_through(component)) {
    next->in_cycle = true;
    chain += next->name() + " -> ";
  }
  at.error(Code::DependsOnItself, range, fmt::format("'{0}' depends on itself: {1}{0}", component.name(), chain));
}

Value component_value(const Environment& at, Component& component, SourceRange range) {
  if (component.progress == Component::Progress::InProgress) {
    report_cycle(at, component, range);
    return {};
  }
  resolve(at.all, component);
  if (component.removed) {
    at.error(Code::ComponentAbsent, range, fmt::format("'{}' is absent: its condition is false", component.name()))
        .note("declared here", component.syntax->range);
    return {};
  }
  // x[n] with a discrete variable n is a choice among the elements.
  if (at.purpose == Purpose::Subscript && is_discrete(component)) return component.symbolic;
  // Values that depend on it are also determined at the start, and use its guess until then; the shape of the model
  // cannot depend on it.
  const bool may_wait = component.kind == Component::Kind::Parameter &&
                        (at.purpose == Purpose::ParameterValue || at.purpose == Purpose::Attribute);
  if (component.unfixed && at.numeric() && !may_wait) {
    at.all.not_supported(range, fmt::format("{} that depends on the parameter '{}' with fixed = false",
                                            phrase(at.purpose), component.name()));
    return {};
  }
  if (component.kind == Component::Kind::Variable && at.numeric()) {
    if (component.symbolic.valid())
      at.error(Code::NotKnownBeforeRun, range,
               fmt::format("'{}' changes during the run, but {} must be known before it", component.name(),
                           phrase(at.purpose)));
    return {};
  }
  if (component.kind == Component::Kind::Parameter && at.purpose == Purpose::ConstantValue) {
    at.error(
        Code::NotKnownBeforeRun, range,
        fmt::format("'{}' is a parameter, but the value of a constant may depend only on constants", component.name()));
    return {};
  }
  component.structural |= at.structural();
  if (at.numeric() && component.kind == Component::Kind::Parameter && component.type.type == Type::Real)
    at.all.parameters_used.push_back(&component);
  // Leaves come in the order of declaration, after the values; a caller that asks earlier needs only the shape.
  return at.numeric() || !component.symbolic.valid() ? component.numeric : component.symbolic;
}

bool reachable(const Environment& at, const Component& component, const Instance* owner,
               const ast::Reference& reference) {
  if (component.kind == Component::Kind::Constant) return true;
  const bool own = owner == at.scope.instance;
  if (own && at.scope.syntax->kind != ast::ClassKind::Function) return true;
  if (own)
    at.error(Code::UsedBeforeAssigned, reference.range,
             fmt::format("'{}' is used before it has a value", component.name()));
  else if (component.scope->of == at.scope.of)
    at.error(Code::NotAccessible, reference.range,
             fmt::format("'{}' is not a constant, so the class {} has no value "
                         "of it: write {} for the own one",
                         to_string(reference), component.scope->path(), component.identifier()));
  else
    at.error(Code::NotAccessible, reference.range,
             fmt::format("'{}' belongs to {} and is not a constant: it cannot be used in {}", component.name(),
                         component.scope->path(), at.scope.path()))
        .note("declared here", component.syntax->name.range);
  return false;
}

std::vector<ast::Identifier> identifiers(const ast::Reference& reference) {
  std::vector<ast::Identifier> names;
  for (const ast::ReferencePart& part : reference.parts) names.push_back(part.name);
  return names;
}

Value library_value(const Environment& at, const ast::Reference& reference, const std::string& name) {
  if (const auto constant = library_constant(name))
    return Value(constant->type, at.all.pool.constant(constant->value)).of_enumeration(constant->enumeration);
  at.error(Code::NotAValue, reference.range,
           fmt::format("'{}' is {}, not a value", to_string(reference), library_type(name) ? "a type" : "a function"));
  return {};
}

Value subscripted_part(const Environment& at, const Value& base, const ast::ReferencePart& part,
                       const std::vector<Type>& index_types = {}) {
  return part.subscripts.empty() ? base
                                 : subscripted(at, base, part.subscripts, part.name.text, part.name.range, index_types);
}

bool has_members(const Environment& at, const ast::Reference& reference, std::size_t used) {
  if (reference.parts.size() <= used) return false;
  at.error(
      Code::UnknownName, reference.range,
      fmt::format("'{}' has no member '{}'", reference.parts[used - 1].name.text, reference.parts[used].name.text));
  return true;
}

bool is_time(const ast::Reference& reference) {
  return reference.is_simple() && reference.parts.front().name.text == "time";
}

Value time_value(const Environment& at, SourceRange range) {
  const ast::ClassKind kind = at.scope.syntax ? at.scope.syntax->kind : ast::ClassKind::Model;
  if (kind == ast::ClassKind::Function || kind == ast::ClassKind::OperatorFunction || kind == ast::ClassKind::Record ||
      kind == ast::ClassKind::OperatorRecord || kind == ast::ClassKind::Connector) {
    at.error(Code::NotAccessible, range, fmt::format("a {} has no time", ast::to_string(kind)))
        .note("models and blocks have; they can pass it on as an argument or a value");
    return {};
  }
  if (!at.numeric()) return {Type::Real, at.all.pool.time()};
  at.error(Code::NotKnownBeforeRun, range,
           fmt::format("'time' changes during the run, but {} must be known before it", phrase(at.purpose)));
  return {};
}

}  // namespace

namespace {

void report_unknown_member(const Environment& at, const Instance& instance, const ast::Identifier& member) {
  std::vector<std::string_view> names;
  for (const Component& component : instance.components) names.push_back(component.identifier());
  at.error(Code::UnknownName, member.range,
           fmt::format("{} has no element '{}'{}", instance.path, member.text, did_you_mean(member.text, names)))
      .note(fmt::format("{} is of the class {}", instance.path, instance.of->path), instance.of->syntax->name.range);
}

// The component of a part that the k-th name of the reference means; null, with an error, if there is none.
Component* member_of(const Environment& at, Instance& instance, const ast::Reference& reference, std::size_t k) {
  const ast::Identifier& name = reference.parts[k].name;
  Component* member = find_in(instance, name.text).component;
  if (!member) {
    report_unknown_member(at, instance, name);
    return nullptr;
  }
  if (!member->is_protected()) return member;
  at.error(Code::NotAccessible, name.range,
           fmt::format("'{}' is protected in {}: it can be used only there", name.text, instance.of->path));
  return nullptr;
}

// The inner component may have more than the class says with which it is declared outer: that is not seen.
bool outer_has_member(const Environment& at, const OuterComponent& outer, const ast::Reference& reference) {
  if (reference.parts.size() < 2) return true;
  find_type(at.all, *outer.inner);
  const Found declared = look_up(*outer.scope, parts_of(outer.clause->type), outer.clause->type.global);
  if (!declared.local || declared.local->of == outer.inner->type.part) return true;
  const bool muted = std::exchange(at.all.muted, true);
  Instance* seen = instance_of(*declared.local);
  const ast::Identifier& member = reference.parts[1].name;
  const bool has = !seen || seen->layers.empty() || find_in(*seen, member.text).found();
  at.all.muted = muted;
  if (has) return true;
  at.error(Code::UnknownName, member.range,
           fmt::format("{} has no element '{}', and '{}' is declared outer with this class", declared.local->of->path,
                       member.text, reference.parts.front().name.text))
      .note("its inner component has one, but another class", outer.inner->syntax->range);
  return false;
}

// Values of one shape as an array of the shape `outer`.
Value joined(const Environment& at, const std::vector<Value>& values, const Shape& outer, SourceRange range) {
  Shape shape = outer;
  std::vector<NodeId> elements;
  for (const Value& value : values) {
    if (!value.valid()) return {};
    if (value.shape() != values.front().shape() || value.layout() != values.front().layout()) {
      at.error(Code::ShapesDiffer, range,
               fmt::format("the elements have different shapes here: {} and {}", to_string(values.front().shape()),
                           to_string(value.shape())));
      return {};
    }
    elements.insert(elements.end(), value.elements().begin(), value.elements().end());
  }
  if (values.empty()) return {Type::Real, shape, {}};
  const Value& first = values.front();
  shape.insert(shape.end(), first.shape().begin(), first.shape().end());
  return first.like(std::move(shape), std::move(elements));
}

// A component with a condition may be used in connections only (Modelica 3.6, Section 4.4.5).
bool refuse_conditional(const Environment& at, const Component& component, const ast::Reference& reference) {
  if (!component.syntax->condition) return false;
  at.error(Code::ComponentAbsent, reference.range,
           fmt::format("'{}' exists only under a condition: it can be connected, but not used in expressions",
                       component.name()))
      .note("declared here", component.syntax->range);
  return true;
}

// Evaluates the names from the k-th on, the k-th being that of the component.
Value value_behind(const Environment& at, Component& component, const ast::Reference& reference, std::size_t k) {
  find_type(at.all, component);
  if (refuse_conditional(at, component, reference)) return {};
  const ast::ReferencePart& part = reference.parts[k];
  if (!component.is_part()) {
    const Value base = component_value(at, component, reference.range);
    if (!base.valid() || has_members(at, reference, k + 1)) return {};
    return subscripted_part(at, base, part, component.index_types);
  }
  const auto chosen = chosen_parts(at, component, part);
  if (!chosen) return {};
  const bool is_whole = k + 1 == reference.parts.size();
  const bool is_record = !chosen->parts.empty() && is_record_class(*chosen->parts.front()->of);
  if (is_whole && !is_record) {
    at.error(Code::NotAValue, reference.range,
             fmt::format("'{}' is a component of {}, not a value", to_string(reference), component.type.part->path))
        .note(fmt::format("an element of it is written {}.name", to_string(reference)));
    return {};
  }
  std::vector<Value> values;
  for (Instance* instance : chosen->parts) {
    if (is_whole) {
      values.push_back(record_value(at, *instance, reference.range));
    } else {
      Component* member = member_of(at, *instance, reference, k + 1);
      values.push_back(member ? value_behind(at, *member, reference, k + 1) : Value());
    }
    if (!values.back().valid()) return {};
  }
  return chosen->shape.empty() ? values.front() : joined(at, values, chosen->shape, reference.range);
}

}  // namespace

Value whole_value(const Environment& at, Component& component, SourceRange range) {
  find_type(at.all, component);
  if (!component.is_part()) return component_value(at, component, range);
  const auto chosen = chosen_parts(at, component, {{component.identifier(), range}, {}});
  if (!chosen) return {};
  std::vector<Value> values;
  for (Instance* instance : chosen->parts) values.push_back(record_value(at, *instance, range));
  return chosen->shape.empty() ? values.front() : joined(at, values, chosen->shape, range);
}

std::optional<ChosenParts> chosen_parts(const Environment& at, Component& component, const ast::ReferencePart& part) {
  if (component.progress == Component::Progress::InProgress) {
    report_cycle(at, component, part.name.range);
    return std::nullopt;
  }
  resolve(at.all, component);
  if (component.removed) {
    at.error(Code::ComponentAbsent, part.name.range,
             fmt::format("'{}' is absent: its condition is false", component.name()))
        .note("declared here", component.syntax->range);
    return std::nullopt;
  }
  if (component.parts.size() != static_cast<std::size_t>(count(component.shape))) return std::nullopt;  // reported
  if (component.shape.empty() && part.subscripts.empty()) return ChosenParts{{}, {component.parts.front().get()}};
  const auto selected =
      slice(at, component.shape, part.subscripts, part.name.text, part.name.range, component.index_types);
  if (!selected) return std::nullopt;
  if (!selected->conditions.empty()) {
    at.all.not_supported(part.name.range, "a subscript of components that is known only during the run");
    return std::nullopt;
  }
  ChosenParts chosen{selected->shape, {}};
  for (const std::size_t offset : selected->offsets) chosen.parts.push_back(component.parts[offset].get());
  return chosen;
}

Value peek(const Environment& at, const ast::Reference& reference) {
  const ast::ReferencePart& first = reference.parts.front();
  if (!reference.global)
    if (const Local* local = find_local(at.locals, first.name.text)) {
      const Value base = local->value;
      Value value = subscripted_part(at, base, first, local->index_types);
      for (std::size_t k = 1; k < reference.parts.size() && value.valid(); ++k) {
        const Value member = value.member(reference.parts[k].name.text);
        if (!member.valid() && has_members(at, reference, k)) return {};
        value = subscripted_part(at, member, reference.parts[k]);
      }
      return value;
    }

  Found found;
  if (!reference.global && reference.parts.size() == 1) {
    const Symbol symbol = find(at.scope, first.name.text);
    found.component = symbol.component;
    found.owner = symbol.owner;
  }
  if (found.component)
    found.used = 1;
  else
    found = look_up(at.scope, parts_of(reference), reference.global);

  if (found.component) {
    if (!reachable(at, *found.component, found.owner, reference)) return {};
    if (found.outer && found.used == 1 && !outer_has_member(at, *found.outer, reference)) return {};
    return value_behind(at, *found.component, reference, found.used - 1);
  }
  if (!found.library.empty()) return library_value(at, reference, found.library);
  if (found.local) {
    at.error(
        Code::NotAValue, reference.range,
        fmt::format("'{}' is a {}, not a value", to_string(reference), ast::to_string(found.local->of->syntax->kind)));
    return {};
  }
  if (found.inside && found.inside->of)  // E.red, or red where E.red is imported
    if (const ast::Enumeration* literals = found.inside->of->enumeration())
      for (std::size_t k = 0; k < literals->literals.size(); ++k)
        if (literals->literals[k].name.text == reference.parts[found.missing].name.text)
          return Value(Type::Enumeration, at.all.pool.constant(static_cast<double>(k + 1)))
              .of_enumeration(&found.inside->path());
  if (is_time(reference)) return time_value(at, reference.range);
  report_unknown(at, identifiers(reference), found, "variable");
  return {};
}

Value read(const Environment& at, const ast::Reference& reference) {
  Value value = peek(at, reference);
  if (!value.valid()) return {};
  if (value.is_record()) value = with_undefined_members(at.all.pool, std::move(value));
  if (std::ranges::find(value.elements(), unassigned) != value.elements().end()) {
    at.error(Code::UsedBeforeAssigned, reference.range,
             fmt::format("'{}' is used before it is assigned on every way to this place", to_string(reference)));
    return {};
  }
  return value;
}

}  // namespace driftless::language
