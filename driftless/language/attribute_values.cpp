#include "driftless/language/attribute_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace driftless::language {

namespace {

std::optional<AttributeKind> attribute_named(std::string_view name) {
  for (std::size_t k = 0; k < attribute_names.size(); ++k)
    if (attribute_names[k] == name) return static_cast<AttributeKind>(k);
  return std::nullopt;
}

Type wanted_type(AttributeKind attribute, Type component) {
  switch (attribute) {
    case AttributeKind::Fixed:
    case AttributeKind::Unbounded: return Type::Boolean;
    case AttributeKind::StateSelect: return Type::Enumeration;
    default: return component;
  }
}

bool is_text(AttributeKind attribute) {
  return attribute == AttributeKind::Unit || attribute == AttributeKind::DisplayUnit ||
         attribute == AttributeKind::Quantity;
}

// Is the shape of the value that of the component's trailing dimensions, as for `each` and attributes of array types?
bool is_suffix(const Shape& part, const Shape& whole) {
  return part.size() <= whole.size() && std::equal(part.rbegin(), part.rend(), whole.rbegin());
}

void set_numbers(const Environment& at, Settings& settings, AttributeKind attribute, const ast::Expression& syntax,
                 const Attribute& source, const Component& component, const Shape& shape) {
  const ast::Modifier& modifier = *source.modifier;
  const Given from{&syntax, source.scope, source.steps};
  const std::string_view name = attribute_names[static_cast<std::size_t>(attribute)];
  const std::string what = fmt::format("{} of '{}'", name, component.name());
  static const std::string state_select = "StateSelect";
  const ParametersUsed used(at.all);
  const Value value =
      convert(at, evaluate_given(at, from), wanted_type(attribute, component.type.type), syntax.range, what,
              attribute == AttributeKind::StateSelect ? &state_select : component.type.enumeration);
  if (!value.valid()) return;

  const Shape about(shape.end() - static_cast<std::ptrdiff_t>(std::min(source.dimensions, shape.size())), shape.end());
  const bool broadcast = value.is_scalar() && !about.empty();
  if (value.shape() != about && !(modifier.each && is_suffix(value.shape(), about)) && !broadcast) {
    at.error(
        Code::ShapesDiffer, syntax.range,
        fmt::format("{} is {}, but '{}' is {}", what, to_string(value.shape()), component.name(), to_string(shape)));
    return;
  }
  if (broadcast && !modifier.each)
    at.all.warning(Code::EachMissing, modifier.range,
                   fmt::format("{0} = {1} is taken for every element of '{2}': write each {0} = {1}", name,
                               at.all.source_text(syntax.range), component.name()));
  AttributeNumbers& target = settings[attribute];
  target.range = modifier.range;
  target.numbers.clear();
  target.from = from;
  target.used = used.list();
  target.waits = std::ranges::any_of(target.used, [](const Component* each) { return each->unfixed; });
  const bool decides = attribute == AttributeKind::Fixed || attribute == AttributeKind::StateSelect;
  if (target.waits && decides)
    at.all.not_supported(syntax.range, what + " that depends on a parameter with fixed = false");
  if (target.waits && attribute != AttributeKind::Start) return;  // bounds and nominal values that are not known yet
  for (const NodeId element : value.elements()) {
    double number = number_of(at.all.pool, element);
    if (target.waits && !std::isfinite(number)) number = 0.0;
    const bool may_be_infinite = attribute == AttributeKind::Min || attribute == AttributeKind::Max;
    if (std::isnan(number) || (std::isinf(number) && !may_be_infinite)) {
      at.error(Code::NotFinite, syntax.range, fmt::format("{} is not a finite number", what));
      target.numbers.clear();
      return;
    }
    target.numbers.push_back(number);
  }
}

void apply_modifier(const Environment& at, Settings& settings, const Attribute& source, const Component& component,
                    const Shape& shape) {
  const ast::Modifier& modifier = *source.modifier;
  const auto* change = std::get_if<ast::ElementModification>(&modifier.node);
  if (!change) {
    at.all.not_supported(modifier.range, "redeclare");
    return;
  }
  std::string name = change->name.parts[source.part].text;
  for (std::size_t k = source.part + 1; k < change->name.parts.size(); ++k) name += "." + change->name.parts[k].text;
  const auto attribute = attribute_named(name);
  if (!attribute) {
    at.error(Code::UnknownAttribute, change->name.range,
             fmt::format("'{}' has no attribute '{}'{}", component.name(), name,
                         did_you_mean(name, {attribute_names.begin(), attribute_names.end()})));
    return;
  }
  const ast::ExpressionPtr& value = change->modification.value;
  if (!value || !change->modification.modifiers.empty()) {
    at.error(Code::AttributeWithoutValue, modifier.range,
             fmt::format("the attribute '{}' needs a value: {} = ...", name, name));
    return;
  }
  if (settings.made_final[static_cast<std::size_t>(*attribute)]) {
    at.error(Code::FinalModified, modifier.range,
             fmt::format("{} of '{}' is final and cannot be modified", name, component.name()))
        .note("it is made final here", settings.made_final[static_cast<std::size_t>(*attribute)]->range);
    return;
  }
  if (modifier.is_final) settings.made_final[static_cast<std::size_t>(*attribute)] = &modifier;
  if (!is_text(*attribute)) {
    set_numbers(at, settings, *attribute, *value, source, component, shape);
    return;
  }
  const Value text = evaluate(at, *value);
  if (text.valid() && text.type() != Type::String)
    at.error(
        Code::TypesDiffer, value->range,
        fmt::format("{} of '{}' must be a String, but this is {}", name, component.name(), to_string(text.type())));
  if (*attribute == AttributeKind::Unit)
    if (const auto* literal = value->as<ast::String>()) settings.unit = literal->value;
}

}  // namespace

Settings settings_of(Elaboration& all, const Component& component, const Shape& shape) {
  Settings settings;
  settings.unit = component.type.unit;
  Locals locals;
  for (const Attribute& source : component.type.attributes)
    apply_modifier({all, *source.scope, locals, Purpose::Attribute}, settings, source, component, shape);
  return settings;
}

Value array_attribute(Elaboration& all, const Component& component) {
  for (const Attribute& source : component.type.attributes) {
    const auto* change = std::get_if<ast::ElementModification>(&source.modifier->node);
    const bool is_attribute = change && change->name.parts.size() == source.part + 1 &&
                              attribute_named(change->name.parts.back().text) && change->modification.value;
    if (!is_attribute || source.modifier->each) continue;
    Locals nothing;
    const Environment at{all, *source.scope, nothing, Purpose::Attribute};
    Value value = evaluate_given(at, {change->modification.value.get(), source.scope, source.steps});
    if (value.valid() && static_cast<std::size_t>(value.rank()) == component.type.dimensions.size()) return value;
  }
  return {};
}

}  // namespace driftless::language
