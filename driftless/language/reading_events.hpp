// For tests: the discrete part of a model as text, and evaluated at chosen values.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "driftless/expr/print.hpp"
#include "driftless/language/reading.hpp"

namespace driftless::testing {

// Values of leaves by their names: "x", "der(x)", "n", "pre(n)", "x < 0", "sample(0, 1)", "time".
using Values = std::map<std::string, double>;

inline std::string text_of(const Model& model, NodeId expression) {
  return to_string(*model.pool, expression, names_of(model));
}

inline double value_at(const Model& model, NodeId expression, const Values& values) {
  return evaluate(*model.pool, expression, [&](NodeId leaf) {
    const auto known = values.find(text_of(model, leaf));
    for (const Held& held : model.discrete.held)
      if (known == values.end() && model.pool->parameter(held.held) == leaf)
        return value_at(model, held.expression, values);
    EXPECT_NE(known, values.end()) << "no value is given for " << text_of(model, leaf);
    return known == values.end() ? 0.0 : known->second;
  });
}

// "left = right", without the conditions of when clauses.
inline std::vector<std::string> texts(const Model& model, const std::vector<DiscreteEquation>& equations) {
  std::vector<std::string> list;
  for (const DiscreteEquation& equation : equations)
    list.push_back(text_of(model, equation.left) + " = " + text_of(model, equation.right));
  return list;
}

inline const DiscreteVariable& discrete_named(const Model& model, const std::string& name) {
  for (const DiscreteVariable& variable : model.discrete.variables)
    if (variable.name == name) return variable;
  ADD_FAILURE() << "no discrete variable " << name;
  static const DiscreteVariable none;
  return none;
}

// The right side of the equation for a discrete variable.
inline NodeId right_of(const Model& model, const std::string& name) {
  for (const DiscreteEquation& equation : model.discrete.equations)
    if (text_of(model, equation.left) == name) return equation.right;
  ADD_FAILURE() << "no equation for " << name;
  return model.pool->zero();
}

inline double next_value(const Model& model, const std::string& name, const Values& values) {
  return value_at(model, right_of(model, name), values);
}

inline std::vector<std::string> held(const Model& model) {
  std::vector<std::string> list;
  for (const Held& one : model.discrete.held) list.push_back(one.text);
  return list;
}

}  // namespace driftless::testing
