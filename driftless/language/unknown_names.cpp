// Messages about unknown names, with suggestions.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "driftless/language/builtins.hpp"
#include "driftless/language/elaboration.hpp"
#include "driftless/language/library.hpp"

namespace driftless::language {

namespace {

// A hint about what the author of this name probably expects to exist.
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
  const ast::Identifier& missing = parts[found.missing];
  if (found.denied == Found::Denied::Partial) {
    at.error(Code::NotAccessible, missing.range,
             fmt::format("'{}' cannot be taken from {}, which is partial", missing.text, found.inside->path()))
        .note("declared here", found.inside->syntax->name.range);
    return;
  }
  if (found.denied == Found::Denied::Protected) {
    at.error(Code::NotAccessible, missing.range,
             fmt::format("'{}' is protected in {}: it can be used only there", missing.text, found.inside->path()));
    return;
  }
  if (found.denied == Found::Denied::NotPackage) {
    at.error(Code::NotAccessible, missing.range,
             fmt::format("'{}' cannot be taken from {}, which is no package", missing.text, found.inside->path()))
        .note("declare it in a package, or, if it is used by its full name only, as encapsulated",
              found.inside->syntax->name.range);
    return;
  }
  if (found.denied == Found::Denied::Ambiguous) {
    at.error(Code::DeclaredTwice, missing.range,
             fmt::format("'{}' is ambiguous: two imports with .* bring an element of this name", missing.text));
    return;
  }
  std::vector<std::string_view> candidates;
  if (found.missing > 0) {
    for (const Component& component : found.inside->instance->components) candidates.push_back(component.identifier());
    for (const Scope& layer : found.inside->instance->layers)
      for (const Class& inner : layer.of->classes) candidates.push_back(inner.syntax->name.text);
    at.error(Code::UnknownName, missing.range,
             fmt::format("{} has no element '{}'{}", found.inside->path(), missing.text,
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

}  // namespace driftless::language
