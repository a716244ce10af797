#include "driftless/language/parameter_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace driftless::language {

namespace {

// Calls visit(value, attribute) for every modifier of this name, the weakest first.
template <class Visit>
void visit_attribute(const ResolvedType& type, std::string_view name, Visit visit) {
  for (const Attribute& attribute : type.attributes)
    if (const auto* change = std::get_if<ast::ElementModification>(&attribute.modifier->node))
      if (change->name.parts.size() == attribute.part + 1 && change->name.parts.back().text == name &&
          change->modification.value)
        visit(Given{change->modification.value.get(), attribute.scope, attribute.steps});
}

// The start attribute, which is also the value of a parameter that has no other.
Given start_of(const ResolvedType& type) {
  Given start;
  visit_attribute(type, "start", [&](const Given& given) { start = given; });
  return start;
}

}  // namespace

std::optional<double> attribute_number(Elaboration& all, Component& component, std::string_view which) {
  find_type(all, component);
  Locals nothing;
  std::optional<double> number;
  visit_attribute(component.type, which, [&](const Given& given) {
    const Value value = evaluate_given({all, *component.scope, nothing, Purpose::Attribute}, given);
    if (value.valid() && value.is_scalar() && value.is_numeric()) number = known_number(all.pool, value.scalar());
  });
  return number;
}

void refuse_element(Elaboration& all, const Override& given, const Shape& shape) {
  all.error(Code::WrongOverride, {},
            fmt::format("--override {}: '{}' is one number, but the value is {}", given.text,
                        given.text.substr(0, given.text.find('=')), to_string(shape)));
}

bool waits_for_start(const std::vector<Component*>& used) {
  return std::ranges::any_of(used, [](const Component* component) { return component->unfixed; });
}

namespace {

// Inserts the numbers given from outside for single elements.
void override_elements(const Environment& at, const Component& component, Value& numbers) {
  for (const Override& given : component.overrides) {
    if (given.subscripts.empty()) continue;
    const auto place = override_place(at.all, component, numbers.shape(), given);
    if (!place) continue;
    Value value = convert(at, evaluate(at, *given.value), numbers.type(), given.value->range,
                          fmt::format("the value in --override {}", given.text));
    if (!value.valid()) continue;
    if (value.is_scalar())
      numbers.change()[*place] = value.scalar();
    else
      refuse_element(at.all, given, value.shape());
  }
}

// The guess of a parameter computed from others with fixed = false; 0 if their guesses give no number.
Value guesses_of(const Environment& at, Value value) {
  for (NodeId& element : value.change()) {
    const double number = number_of(at.all.pool, element);
    element = at.all.pool.constant(std::isfinite(number) ? number : 0.0);
  }
  return value;
}

// Is it a member of a record whose value was given as a whole?
bool is_member_of_value(const Component& component) {
  return std::ranges::any_of(component.given.steps, [](const Step& step) { return !step.member.empty(); });
}

// Every element as a number; invalid, with an error, if one is not finite.
Value numbers_of(const Environment& at, Value value, const Component& component, SourceRange range) {
  if (!value.valid() || value.type() == Type::String || value.type() == Type::Object) return value;
  const Shape shape = value.shape();
  std::size_t k = 0;
  for (NodeId& element : value.change()) {
    const double number = number_of(at.all.pool, element);
    if (std::isnan(number) && is_member_of_value(component)) {  // not assigned by the function (records.hpp)
      element = at.all.pool.constant(number);
      ++k;
      continue;
    }
    if (!std::isfinite(number)) {
      at.error(Code::NotFinite, range,
               fmt::format("the value of '{}' is not a finite number", element_name(component.name(), shape, k)));
      return {};
    }
    element = at.all.pool.constant(number);
    ++k;
  }
  return value;
}

// A parameter without a value and without a start has the default of its type: 0, or the bound closest to 0; false; the
// first value of an enumeration (Modelica 3.6, Section 4.8).
void take_default(const Environment& at, Component& component) {
  const bool open_size =
      std::ranges::any_of(component.type.dimensions, [](const Dimension& dimension) { return !*dimension.size; });
  if (open_size || component.type.type == Type::Object) {
    at.error(Code::NoValueGiven, component.syntax->range,
             fmt::format("the parameter '{}' has no value", component.name()))
        .note(fmt::format("write {} = ... in its declaration, or give one from outside", component.name()));
    return;
  }
  const auto shape = resolve_shape(at, component.type.dimensions, nullptr, component.name(), component.syntax->range);
  const Type type = component.type.type;
  if (!shape || type == Type::Invalid) return;
  double number = type == Type::Enumeration || type == Type::String ? 1.0 : 0.0;
  if (type == Type::Real || type == Type::Integer) {
    if (const auto min = attribute_number(at.all, component, "min")) number = std::max(number, *min);
    if (const auto max = attribute_number(at.all, component, "max")) number = std::min(number, *max);
  }
  std::vector<NodeId> elements(static_cast<std::size_t>(count(*shape)), at.all.pool.constant(number));
  Value value = Value(type, *shape, std::move(elements)).of_enumeration(component.type.enumeration);
  const bool all_given = !component.overrides.empty();
  if (type != Type::String) override_elements(at, component, value);
  if (!all_given)
    at.all
        .warning(Code::NoValueGiven, component.syntax->range,
                 fmt::format("the parameter '{}' has no value: {} is taken", component.name(),
                             type == Type::Boolean       ? "false"
                             : type == Type::String      ? "the empty string"
                             : type == Type::Enumeration ? "the first of its values"
                                                         : fmt::format("{}", number)))
        .note(fmt::format("write {} = ... in its declaration, or give one from outside", component.name()));
  component.numeric = value;
}

// Does the declaration say fixed = false?
bool is_unfixed(const Environment& at, const Component& component) {
  bool unfixed = false;
  visit_attribute(component.type, "fixed", [&](const Given& given) {
    const Value value = evaluate_given(at.with(Purpose::Attribute), given);
    unfixed = value.valid() && value.type() == Type::Boolean &&
              std::ranges::all_of(value.elements(), [&](NodeId e) { return number_of(at.all.pool, e) == 0.0; });
  });
  return unfixed;
}

}  // namespace

bool is_found_at_start(const Environment& at, const Component& component) {
  const Type type = component.type.type;
  const bool countable = type == Type::Boolean || type == Type::Integer || type == Type::Enumeration;
  return component.kind == Component::Kind::Parameter && countable && !component.given && is_unfixed(at, component);
}

void resolve_value(const Environment& at, Component& component) {
  const bool constant = component.kind == Component::Kind::Constant;
  const std::string name = component.name();
  Given binding = component.given;
  for (const Override& given : component.overrides)
    if (given.subscripts.empty()) binding = {given.value, component.scope};
  if (!binding) binding = start_of(component.type);
  if (!binding && constant) {
    at.error(Code::NoValueGiven, component.syntax->range, fmt::format("the constant '{}' has no value", name))
        .note(fmt::format("write {} = ... in its declaration", name));
    return;
  }
  component.unfixed = !constant && component.type.type == Type::Real && is_unfixed(at, component);
  if (!binding && component.unfixed) {  // the default guess is 0
    const auto shape = resolve_shape(at, component.type.dimensions, nullptr, name, component.syntax->range);
    if (!shape) return;
    const std::vector<NodeId> zeros(static_cast<std::size_t>(count(*shape)), at.all.pool.zero());
    component.numeric = Value(Type::Real, *shape, zeros);
    return;
  }
  if (!binding) {
    take_default(at, component);
    return;
  }
  const ParametersUsed used(at.all);
  Value value = evaluate_given(at, binding);
  component.binding = binding;
  component.computed_from = used.list();
  const auto shape = resolve_shape(at, component.type.dimensions, &value, name, component.syntax->range);
  value = convert(at, value, component.type.type, binding.syntax->range, fmt::format("the value of '{}'", name),
                  component.type.enumeration);
  if (!shape || !value.valid()) return;
  if (value.shape() != *shape) {
    at.error(Code::ShapesDiffer, binding.syntax->range,
             fmt::format("'{}' is {}, but its value is {}", name, to_string(*shape), to_string(value.shape())));
    return;
  }
  if (waits_for_start(component.computed_from)) {
    if (component.type.type != Type::Real || component.unfixed) {
      at.all.not_supported(binding.syntax->range,
                           fmt::format("the {} '{}' that depends on a parameter with fixed = false",
                                       component.unfixed ? "guess of" : to_string(component.type.type), name));
      return;
    }
    component.unfixed = component.follows_unfixed = true;
    value = guesses_of(at, std::move(value));
  } else {
    value = numbers_of(at, std::move(value), component, binding.syntax->range);
  }
  if (value.valid()) override_elements(at, component, value);
  component.numeric = value;
}

}  // namespace driftless::language
