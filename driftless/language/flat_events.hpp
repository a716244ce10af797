// The discrete part of a model as text: discrete variables, their equations, when clauses.
#pragma once

#include <string>
#include <vector>

#include "driftless/language/flat_expressions.hpp"

namespace driftless::language {

// Lines without indentation.
using FlatLines = std::vector<std::string>;

FlatLines flat_discrete_declarations(const Model& model, FlatExpressions& expressions);
// The model has the flag initial().
FlatLines flat_discrete_equations(const Model& model, FlatExpressions& expressions);
FlatLines flat_initial_discrete_equations(const Model& model, FlatExpressions& expressions);
// Is it the equation of a declared input, which is not written?
bool is_equation_of_input(const Model& model, const std::string& label);

std::string string_literal(const std::string& text);

}  // namespace driftless::language
