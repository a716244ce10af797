// What a name with its subscripts stands for.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "driftless/language/builtins.hpp"
#include "driftless/language/dependencies.hpp"
#include "driftless/language/elaboration.hpp"
#include "driftless/language/library.hpp"

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
  // x[n] with a discrete variable n is a choice among the elements.
  if (at.purpose == Purpose::Subscript && is_discrete(component)) return component.symbolic;
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
  if (component.unfixed && at.numeric()) {
    at.all.not_supported(range, fmt::format("{} that depends on the parameter '{}' with fixed = false",
                                            phrase(at.purpose), component.name()));
    return {};
  }
  component.structural |= at.structural();
  if (at.numeric() && component.kind == Component::Kind::Parameter && component.type.type == Type::Real)
    at.all.parameters_used.push_back(&component);
  // Leaves come in the order of declaration, after the values; a caller that asks earlier needs only the shape.
  return at.numeric() || !component.symbolic.valid() ? component.numeric : component.symbolic;
}

bool reachable(const Environment& at, const Component& component, const ast::Reference& reference) {
  if (component.kind == Component::Kind::Constant) return true;
  if (component.scope == &at.scope && at.scope.syntax->kind != ast::ClassKind::Function) return true;
  if (component.scope == &at.scope)
    at.error(Code::UsedBeforeAssigned, reference.range,
             fmt::format("'{}' is used before it has a value", component.name()));
  else
    at.error(Code::NotAccessible, reference.range,
             fmt::format("'{}' belongs to {} and is not a constant: it cannot be used in {}", component.name(),
                         component.scope->path, at.scope.path))
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
  if (!at.numeric()) return {Type::Real, at.all.pool.time()};
  at.error(Code::NotKnownBeforeRun, range,
           fmt::format("'time' changes during the run, but {} must be known before it", phrase(at.purpose)));
  return {};
}

}  // namespace

namespace {

// What a person who writes this name probably expects to be there.
std::string hint_for(const std::vector<ast::Identifier>& parts, std::string_view what) {
  static constexpr std::string_view library_models[] = {
      "Resistor",      "Capacitor",        "Inductor",        "Ground", "Diode",        "ConstantVoltage",
      "SineVoltage",   "Inertia",          "Spring",          "Damper", "SpringDamper", "Mass",
      "Fixed",         "Torque",           "Integrator",      "Gain",   "Add",          "PID",
      "HeatCapacitor", "ThermalConductor", "FixedTemperature"};
  const std::string& first = parts.front().text;
  const bool known_part = parts.size() > 1 && (parts[1].text == "Constants" || parts[1].text == "Math");
  if (first == "Modelica" && !known_part)
    return "the Modelica Standard Library is not read yet; known of it are Modelica.Constants, Modelica.Math, "
           "Modelica.Units.SI and Modelica.Units.Conversions";
  if (parts.size() > 1) return {};
  if (what == "variable" && first.size() > 1 && library_constant("Modelica.Constants." + first))
    return fmt::format("write Modelica.Constants.{0}, or import Modelica.Constants.{0};", first);
  if (what == "type" && std::ranges::find(library_models, first) != std::end(library_models))
    return fmt::format("if {} of the Modelica Standard Library is meant: that library is not read yet", first);
  return {};
}

}  // namespace

void report_unknown(const Environment& at, const std::vector<ast::Identifier>& parts, const Found& found,
                    std::string_view what) {
  if (at.all.names_are_missing) return;
  const ast::Identifier& missing = parts[found.missing];
  if (found.denied == Found::Denied::Partial) {
    at.error(Code::NotAccessible, missing.range,
             fmt::format("'{}' cannot be taken from {}, which is partial", missing.text, found.inside->path))
        .note("declared here", found.inside->syntax->name.range);
    return;
  }
  if (found.denied == Found::Denied::Protected) {
    at.error(Code::NotAccessible, missing.range,
             fmt::format("'{}' is protected in {}: it can be used only there", missing.text, found.inside->path));
    return;
  }
  std::vector<std::string_view> candidates;
  if (found.missing > 0) {
    for (const Component& component : found.inside->components) candidates.push_back(component.name());
    for (const Scope& inner : found.inside->classes) candidates.push_back(inner.syntax->name.text);
    at.error(Code::UnknownName, missing.range,
             fmt::format("{} has no element '{}'{}", found.inside->path, missing.text,
                         did_you_mean(missing.text, candidates)));
    return;
  }
  if (what == "type") {
    candidates = {"Real", "Integer", "Boolean", "String"};
  } else if (what == "function") {
    candidates = builtin_function_names();
  } else {
    for (auto local = at.locals.rbegin(); local != at.locals.rend(); ++local) candidates.push_back(local->name);
    for (const std::string_view name : visible_components(at.scope)) candidates.push_back(name);
  }
  for (const std::string_view name : visible_classes(at.scope)) candidates.push_back(name);
  std::vector<std::string_view> full;
  for (const ast::Identifier& part : parts) full.push_back(part.text);
  const std::string hint = hint_for(parts, what);
  const bool compares = parts.size() == 1 && hint.empty() && at.all.may_compare_names(candidates.size());
  Diagnostic& error =
      at.error(Code::UnknownName, parts.size() > 1 ? join(parts.front().range, parts.back().range) : missing.range,
               fmt::format("unknown {} '{}'{}", what, fmt::join(full, "."),
                           compares ? did_you_mean(missing.text, candidates) : std::string()));
  if (!hint.empty()) error.note(hint);
}

Value peek(const Environment& at, const ast::Reference& reference) {
  const ast::ReferencePart& first = reference.parts.front();
  if (!reference.global)
    if (const Local* local = find_local(at.locals, first.name.text)) {
      const Value base = local->value;
      if (has_members(at, reference, 1)) return {};
      return subscripted_part(at, base, first, local->index_types);
    }

  Found found;
  if (!reference.global && reference.parts.size() == 1) found.component = find(at.scope, first.name.text).component;
  if (found.component)
    found.used = 1;
  else
    found = look_up(at.scope, parts_of(reference), reference.global);

  if (found.component) {
    if (!reachable(at, *found.component, reference)) return {};
    const Value base = component_value(at, *found.component, reference.range);
    if (!base.valid() || has_members(at, reference, found.used)) return {};
    return subscripted_part(at, base, reference.parts[found.used - 1], found.component->index_types);
  }
  if (!found.library.empty()) return library_value(at, reference, found.library);
  if (found.scope) {
    at.error(Code::NotAValue, reference.range,
             fmt::format("'{}' is a {}, not a value", to_string(reference), ast::to_string(found.scope->syntax->kind)));
    return {};
  }
  if (found.missing > 0)
    if (const auto* literals = std::get_if<ast::Enumeration>(&found.inside->syntax->node))
      for (std::size_t k = 0; k < literals->literals.size(); ++k)
        if (literals->literals[k].name.text == reference.parts[found.missing].name.text)
          return Value(Type::Enumeration, at.all.pool.constant(static_cast<double>(k + 1)))
              .of_enumeration(&found.inside->path);
  if (is_time(reference)) return time_value(at, reference.range);
  report_unknown(at, identifiers(reference), found, "variable");
  return {};
}

Value read(const Environment& at, const ast::Reference& reference) {
  Value value = peek(at, reference);
  if (!value.valid()) return {};
  if (std::ranges::find(value.elements(), unassigned) != value.elements().end()) {
    at.error(Code::UsedBeforeAssigned, reference.range,
             fmt::format("'{}' is used before it is assigned on every way to this place", to_string(reference)));
    return {};
  }
  return value;
}

}  // namespace driftless::language
