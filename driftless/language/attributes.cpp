// The attributes of variables and parameters (start, fixed, nominal, ...), and declaration equations.
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <limits>

#include "driftless/language/attribute_values.hpp"
#include "driftless/model/drive.hpp"

namespace driftless::language {

namespace {

void check_bounds(Elaboration& all, Settings& settings, const Component& component, const Shape& shape,
                  std::string_view what, const std::function<std::optional<double>(std::size_t)>& value_of,
                  SourceRange value_range) {
  const AttributeNumbers &min = settings[AttributeKind::Min], &max = settings[AttributeKind::Max];
  if (!min.given() && !max.given()) return;
  for (std::size_t k = 0; k < static_cast<std::size_t>(count(shape)); ++k) {
    const double lower = min.given() ? min[k] : -std::numeric_limits<double>::infinity();
    const double upper = max.given() ? max[k] : std::numeric_limits<double>::infinity();
    const std::string name = element_name(component.name(), shape, k);
    if (lower > upper) {
      all.error(Code::MinAboveMax, max.range, fmt::format("'{}' has min = {} above max = {}", name, lower, upper));
      return;
    }
    const auto value = value_of(k);
    if (value && (*value < lower || *value > upper)) {
      all.warning(Code::OutsideBounds, value_range,
                  fmt::format("the {} of '{}', {}, is outside [{}, {}]", what, name, *value, lower, upper));
      return;
    }
  }
}

void check_nominal(Elaboration& all, AttributeNumbers& nominal, const Component& component) {
  for (const double number : nominal.numbers)
    if (number <= 0.0) {
      all.error(Code::NominalNotPositive, nominal.range,
                fmt::format("nominal of '{}' must be positive, but is {}", component.name(), number));
      nominal.numbers.clear();
      return;
    }
}

// Start values given from outside replace those of the text. `set(k, number)` sets that of the k-th element.
template <class Set>
void override_start(Elaboration& all, const Component& component, Set set) {
  Locals locals;
  const Environment at{all, *component.scope, locals, Purpose::Attribute};
  const Shape& shape = component.symbolic.shape();
  for (const Override& given : component.overrides) {
    const std::string what = fmt::format("the value in --override {}", given.text);
    const Value value = convert(at, evaluate(at, *given.value), component.type.type, given.value->range, what,
                                component.type.enumeration);
    if (!value.valid()) continue;
    if (!given.subscripts.empty()) {
      const auto place = override_place(all, component, shape, given);
      if (place && !value.is_scalar()) refuse_element(all, given, value.shape());
      if (place && value.is_scalar()) set(*place, number_of(all.pool, value.scalar()));
    } else if (value.shape() == shape || value.is_scalar()) {
      for (std::size_t k = 0; k < component.symbolic.size(); ++k) set(k, number_of(all.pool, value[k]));
    } else {
      all.error(Code::WrongOverride, {},
                fmt::format("--override {}: '{}' is {}, but the value is {}", given.text, component.name(),
                            to_string(shape), to_string(value.shape())));
    }
  }
}

// The elements of an attribute of trailing dimensions are repeated, and with them their expressions.
void bind(Elaboration& all, const AttributeNumbers& attribute, Binding::Of of, const Component& component) {
  if (!attribute.given() || attribute.used.empty()) return;
  Locals locals;
  const Environment at{all, *attribute.from.scope, locals, Purpose::Attribute};
  const std::size_t part = attribute.numbers.size();
  for (std::size_t k = 0; k < component.symbolic.size(); k += part)
    add_bindings(at, attribute.from, attribute.used,
                 {of, static_cast<std::size_t>(component.first) + k, attribute.numbers});
}

// A fixed start computed from parameters with fixed = false becomes an equation of the start.
void add_start_equations(Elaboration& all, const Component& component, const AttributeNumbers& start) {
  Locals locals;
  const Value value = evaluate_given({all, *start.from.scope, locals, Purpose::Equation}, start.from);
  if (!value.valid()) return;
  for (std::size_t k = 0; k < component.symbolic.size(); ++k) {
    Variable& variable = all.model.variables[static_cast<std::size_t>(component.first) + k];
    if (!std::exchange(variable.fixed, false)) continue;
    all.add_equation(all.model.initial_equations, all.site(start.range),
                     element_name("", component.symbolic.shape(), k),
                     all.pool.sub(component.symbolic[k], value[k % value.size()]));
  }
}

void finish_variable(Elaboration& all, Component& component) {
  const Shape& shape = component.symbolic.shape();
  Settings settings = settings_of(all, component, shape);
  const AttributeNumbers &start = settings[AttributeKind::Start], &fixed = settings[AttributeKind::Fixed],
                         &min = settings[AttributeKind::Min], &max = settings[AttributeKind::Max],
                         &select = settings[AttributeKind::StateSelect];
  AttributeNumbers& nominal = settings[AttributeKind::Nominal];
  check_nominal(all, nominal, component);
  for (std::size_t k = 0; k < component.symbolic.size(); ++k) {
    Variable& variable = all.model.variables[static_cast<std::size_t>(component.first) + k];
    if (start.given()) variable.start = start[k];
    if (fixed.given()) variable.fixed = fixed[k] != 0.0;
    if (nominal.given()) variable.nominal = nominal[k];
    if (min.given()) variable.min = min[k];
    if (max.given()) variable.max = max[k];
    if (select.given()) variable.state_select = static_cast<StateSelect>(static_cast<int>(select[k]));
    variable.unit = settings.unit;
  }
  override_start(all, component, [&](std::size_t k, double number) {
    all.model.variables[static_cast<std::size_t>(component.first) + k].start = number;
  });
  if (component.overrides.empty() && start.waits) add_start_equations(all, component, start);
  if (component.overrides.empty() && !start.waits) bind(all, start, Binding::Of::Start, component);
  bind(all, min, Binding::Of::Min, component);
  bind(all, max, Binding::Of::Max, component);
  for (const AttributeNumbers* attribute : {&fixed, &select})
    for (Component* used : attribute->used) used->structural = true;
  check_bounds(
      all, settings, component, shape, "start value",
      [&](std::size_t k) { return all.model.variables[static_cast<std::size_t>(component.first) + k].start; },
      start.given() ? start.range : component.syntax->range);
}

void set_discrete_start(Model& model, std::size_t place, double start) {
  DiscreteVariable& variable = model.discrete.variables[place];
  variable.start = start;
  for (const ParamId leaf : {variable.value, variable.pre})
    model.parameters[static_cast<std::size_t>(index(leaf))].value = start;
}

void finish_discrete(Elaboration& all, Component& component) {
  const Shape& shape = component.symbolic.shape();
  Settings settings = settings_of(all, component, shape);
  const AttributeNumbers &start = settings[AttributeKind::Start], &fixed = settings[AttributeKind::Fixed],
                         &min = settings[AttributeKind::Min], &max = settings[AttributeKind::Max];
  const auto first = static_cast<std::size_t>(component.first);
  if (start.waits)
    all.not_supported(start.range, fmt::format("a start of the discrete '{}' that depends on a parameter with "
                                               "fixed = false",
                                               component.name()));
  for (std::size_t k = 0; k < component.symbolic.size(); ++k) {
    DiscreteVariable& variable = all.model.discrete.variables[first + k];
    if (start.given()) set_discrete_start(all.model, first + k, start[k]);
    if (fixed.given()) variable.fixed = fixed[k] != 0.0;
    if (min.given()) variable.min = min[k];
    if (max.given()) variable.max = max[k];
    variable.unit = settings.unit;
  }
  override_start(all, component,
                 [&](std::size_t k, double number) { set_discrete_start(all.model, first + k, number); });
  if (component.overrides.empty()) bind(all, start, Binding::Of::DiscreteStart, component);
  for (const AttributeNumbers* attribute : {&fixed, &min, &max})
    for (Component* used : attribute->used) used->structural = true;
  check_bounds(
      all, settings, component, shape, "start value",
      [&](std::size_t k) { return std::optional(all.model.discrete.variables[first + k].start); },
      start.given() ? start.range : component.syntax->range);
}

// A parameter that is computed from others with fixed = false is determined at the start together with them.
void add_value_equations(Elaboration& all, const Component& component) {
  Locals locals;
  const Environment at{all, *component.binding.scope, locals, Purpose::Equation};
  const SourceRange range = component.binding.syntax->range;
  const Value value = convert(at, evaluate_given(at, component.binding), Type::Real, range,
                              fmt::format("the value of '{}'", component.name()));
  if (!value.valid() || value.shape() != component.symbolic.shape()) return;
  for (std::size_t k = 0; k < component.symbolic.size(); ++k)
    all.add_equation(all.model.initial_equations, all.site(component.syntax->range),
                     element_name("", component.symbolic.shape(), k), all.pool.sub(component.symbolic[k], value[k]));
}

void bind_value(Elaboration& all, const Component& component) {
  if (component.computed_from.empty()) return;
  if (component.follows_unfixed) return add_value_equations(all, component);
  if (component.type.type != Type::Real || component.unfixed) {  // has no leaf whose value can change
    for (Component* used : component.computed_from) used->structural = true;
    return;
  }
  Locals locals;
  std::vector<double> numbers;
  for (const NodeId element : component.numeric.elements()) numbers.push_back(number_of(all.pool, element));
  add_bindings({all, *component.binding.scope, locals, Purpose::ParameterValue}, component.binding,
               component.computed_from, {Binding::Of::Parameter, static_cast<std::size_t>(component.first), numbers});
}

void finish_parameter(Elaboration& all, Component& component) {
  const Shape& shape = component.numeric.shape();
  Settings settings = settings_of(all, component, shape);
  const AttributeNumbers& fixed = settings[AttributeKind::Fixed];
  for (const double number : fixed.numbers)
    if (number == 0.0 && !component.unfixed && !component.known_at_start)
      all.not_supported(
          fixed.range, fmt::format("the {} '{}' with fixed = false{}", to_string(component.type.type), component.name(),
                                   fixed.numbers.size() > 1 ? " for some elements only" : ""));
  if (component.type.type == Type::Object)  // made from the present numbers
    for (Component* used : component.computed_from) used->structural = true;
  if (component.first < 0) return;
  AttributeNumbers& nominal = settings[AttributeKind::Nominal];
  check_nominal(all, nominal, component);
  for (std::size_t k = 0; k < component.numeric.size(); ++k) {
    Parameter& parameter = all.model.parameters[static_cast<std::size_t>(component.first) + k];
    parameter.unit = settings.unit;
    parameter.fixed = !component.unfixed;
    if (nominal.given()) parameter.nominal = nominal[k];
  }
  bind_value(all, component);
  check_bounds(
      all, settings, component, shape, "value",
      [&](std::size_t k) { return known_number(all.pool, component.numeric[k]); }, component.syntax->range);
}

// Adds that a parameter determined at the start stays constant.
void add_constancy(Elaboration& all, const Component& component) {
  const SourceRange range = component.syntax->range;
  for (std::size_t k = 0; k < component.symbolic.size(); ++k) {
    const DiscreteVariable& variable = all.model.discrete.variables[static_cast<std::size_t>(component.first) + k];
    all.model.discrete.equations.push_back({component.symbolic[k], all.pool.parameter(variable.pre),
                                            all.label(all.site(range), element_name("", component.symbolic.shape(), k)),
                                            fmt::format("{0} = pre({0})", variable.name), range});
  }
}

void add_declared_equation(Elaboration& all, Component& component) {
  if (!component.given) return;
  Locals locals;
  const Environment at{all, *component.scope, locals};
  const SourceRange range = component.given.syntax->range;
  const Value right = convert(at, evaluate_given(at, component.given), component.type.type, range,
                              fmt::format("the value of '{}'", component.name()), component.type.enumeration);
  if (!right.valid()) return;
  if (right.shape() != component.symbolic.shape()) {
    at.error(Code::ShapesDiffer, range,
             fmt::format("'{}' is {}, but its value is {}", component.name(), to_string(component.symbolic.shape()),
                         to_string(right.shape())));
    return;
  }
  add_declaration_equation(at, component.symbolic, right, component.syntax->range);
}

// An input without an equation in its declaration has its start as value.
void add_inputs(Elaboration& all, Component& component) {
  Model& model = all.model;
  if (is_discrete(component)) {
    if (component.given) return add_declared_equation(all, component);
    for (std::size_t k = 0; k < component.symbolic.size(); ++k)
      add_discrete_input(model, static_cast<std::size_t>(component.first) + k);
    return;
  }
  const auto variable = [&](std::size_t k) { return VarId{component.first + static_cast<std::int32_t>(k)}; };
  if (!component.given) {
    for (std::size_t k = 0; k < component.symbolic.size(); ++k) add_input(model, variable(k));
    return;
  }
  const auto first = static_cast<std::int32_t>(model.equations.size());
  add_declared_equation(all, component);
  const auto added = static_cast<std::int32_t>(model.equations.size()) - first;
  for (std::int32_t k = 0; k < added; ++k)
    add_declared_input(model, variable(static_cast<std::size_t>(k)), EqnId{first + k});
}

}  // namespace

void finish_components(Elaboration& all, const Flat& flat) {
  for (Component* each : flat.components) {
    Component& component = *each;
    const Reading reading(all, component.instance);
    switch (component.kind) {
      case Component::Kind::Variable:
        if (!component.symbolic.valid()) break;
        if (is_discrete(component))
          finish_discrete(all, component);
        else
          finish_variable(all, component);
        if (component.unfixed) add_constancy(all, component);
        // Inputs of a part are given by the equations of the model.
        if (component.prefixes.causality == ast::Causality::Input && component.instance == all.root)
          add_inputs(all, component);
        else
          add_declared_equation(all, component);
        break;
      case Component::Kind::Parameter:
      case Component::Kind::Constant:
        if (component.numeric.valid()) finish_parameter(all, component);
        break;
    }
  }
}

}  // namespace driftless::language
