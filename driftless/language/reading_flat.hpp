// For tests: the equations and parameters of a flat model as text.
#pragma once

#include <string>
#include <vector>

#include "driftless/language/reading_events.hpp"

namespace driftless::testing {

using Lines = std::vector<std::string>;

// "label: residual" for each equation.
inline Lines flat(const Model& model) {
  Lines lines;
  for (const Equation& equation : model.equations)
    lines.push_back(equation.label + ": " + text_of(model, equation.residual));
  return lines;
}

inline Lines flat(std::string text, const ReadOptions& options = {}) {
  return flat(read_clean(std::move(text), options));
}

inline Lines names(const Model& model) {
  Lines lines;
  for (const Variable& variable : model.variables) lines.push_back(variable.name);
  return lines;
}

inline double parameter(const Model& model, const std::string& name) {
  for (const Parameter& one : model.parameters)
    if (one.name == name) return one.value;
  ADD_FAILURE() << "no parameter " << name;
  return 0;
}

inline const Variable& variable(const Model& model, const std::string& name) {
  for (const Variable& one : model.variables)
    if (one.name == name) return one;
  ADD_FAILURE() << "no variable " << name;
  static const Variable none;
  return none;
}

}  // namespace driftless::testing
