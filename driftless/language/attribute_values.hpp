// The attributes that modifiers give a component: start, fixed, nominal, min, max, ...
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/language/elaboration.hpp"

namespace driftless::language {

enum class AttributeKind { Start, Fixed, Nominal, Min, Max, Unit, DisplayUnit, Quantity, StateSelect, Unbounded };

inline constexpr std::array<std::string_view, 10> attribute_names{
    "start", "fixed", "nominal", "min", "max", "unit", "displayUnit", "quantity", "stateSelect", "unbounded"};

// The attribute values of one component, each with one number per element of a trailing part of its shape.
struct AttributeNumbers {
  std::vector<double> numbers;
  SourceRange range;
  // The expression of the numbers, if it contains parameters.
  Given from = {};
  std::vector<Component*> used = {};
  bool waits = false;  // the expression contains parameters with fixed = false: the numbers are guesses

  bool given() const { return !numbers.empty(); }
  double operator[](std::size_t k) const { return numbers[k % numbers.size()]; }
};

struct Settings {
  std::array<AttributeNumbers, attribute_names.size()> values;
  std::string unit;
  std::array<const ast::Modifier*, attribute_names.size()> made_final{};

  AttributeNumbers& operator[](AttributeKind attribute) { return values[static_cast<std::size_t>(attribute)]; }
};

// The attributes of a component of this shape, the strongest modifiers applied last.
Settings settings_of(Elaboration& all, const Component& component, const Shape& shape);

// An attribute that is an array, of a component without a value: it gives the size of `Real x[:](start = {1, 2})`
// (Modelica 3.6, Section 10.1). Invalid if there is none.
Value array_attribute(Elaboration& all, const Component& component);

}  // namespace driftless::language
