// The names of the Modelica language and of the Modelica Standard Library that are known without their text:
// constants of nature, unit types, elementary functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/language/value.hpp"

namespace driftless::language {

struct LibraryConstant {
  Type type;
  double value;
  const std::string* enumeration = nullptr;  // of a literal: its type
};

// Modelica.Constants.pi, StateSelect.prefer, AssertionLevel.warning; also Constants.pi after an import.
std::optional<LibraryConstant> library_constant(std::string_view name);

struct LibraryType {
  Type type;
  std::string_view unit;
};

// Real, StateSelect, Modelica.Units.SI.Length and its older spellings. A unit type that is not known by name, but
// begins with a capital letter as all of them do, is a Real without a unit.
std::optional<LibraryType> library_type(std::string_view name);

// The built-in function that a name means: sin for Modelica.Math.sin.
std::optional<std::string_view> library_function(std::string_view name);

// A function of Modelica.Units.Conversions: factor * x + offset.
struct LibraryConversion {
  double factor, offset;
};
std::optional<LibraryConversion> library_conversion(std::string_view name);

bool is_library_name(std::string_view name);

// The same, but unit types only if they are in the list: import Modelica.Units.SI.* imports no others.
bool is_listed_library_name(std::string_view name);

}  // namespace driftless::language
