// Literal values in annotations: read from the syntax tree, without looking up any name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/language/ast.hpp"

namespace driftless::language {

// annotation(...) of a class, for all kinds of definitions.
const std::vector<ast::Modifier>& annotation_of(const ast::ClassDefinition& definition);

// The modification of `name` in a list, or null: experiment(...), version = "4.0.0".
const ast::Modification* find_setting(const std::vector<ast::Modifier>& list, std::string_view name);

// The text of name = "..."; nothing if there is no such setting, or it is not a string.
std::optional<std::string> string_setting(const std::vector<ast::Modifier>& list, std::string_view name);

// uses(Modelica(version = "4.0.0")) gives Modelica and 4.0.0; without a version that is empty.
struct UsedLibrary {
  std::string name, version;
  SourceRange range;
};
std::vector<UsedLibrary> used_libraries(const ast::ClassDefinition& definition);

// conversion(noneFromVersion = "3.2.1", noneFromVersion = "3.2.2"): text written for these versions needs no change.
std::vector<std::string> compatible_versions(const ast::ClassDefinition& definition);

// experiment(StartTime = 0, StopTime = 2*60): each value as text, empty where none is given.
struct ExperimentText {
  std::string start, stop, tolerance, interval;
};
std::optional<ExperimentText> experiment_of(const ast::ClassDefinition& definition);

}  // namespace driftless::language
