// For tests: a text read as a model, and its residuals at points where every leaf has a random value.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "driftless/expr/calculus.hpp"
#include "driftless/language/read.hpp"

namespace driftless::testing {

struct Reading {
  std::shared_ptr<Sources> sources = std::make_shared<Sources>();
  Diagnostics diagnostics;
  std::optional<Model> model;

  std::string report() const { return render(diagnostics, *sources); }
  // The messages alone, one per line: "3:5: error: ...", notes indented.
  std::string messages() const {
    std::string text;
    for (const Diagnostic& one : diagnostics.all()) {
      if (one.range.known()) {
        const Position place = sources->position(one.range.file, one.range.begin);
        text += std::to_string(place.line) + ":" + std::to_string(place.column) + ": ";
      }
      text += one.severity == Severity::Error ? "error: " : "warning: ";
      text += one.message + "\n";
      for (const Note& note : one.notes) text += "  " + note.message + "\n";
    }
    return text;
  }
};

inline Reading read(std::string text, const ReadOptions& options = {}) {
  Reading result;
  result.model = read_model_text("test.mo", std::move(text), options, result.sources, result.diagnostics);
  return result;
}

// The model, which must be without errors and warnings.
inline Model read_clean(std::string text, const ReadOptions& options = {}) {
  Reading result = read(std::move(text), options);
  EXPECT_EQ(result.report(), "");
  return result.model ? std::move(*result.model) : Model();
}

// One point: every variable, derivative, parameter and the time has a value in (0.1, 2), or with a sign.
class Point {
 public:
  Point(const Model& model, std::uint64_t seed, bool with_signs = false)
      : model_(model), seed_(seed), with_signs_(with_signs) {}

  double variable(const std::string& name, int order = 0) const {
    for (std::size_t k = 0; k < model_.variables.size(); ++k)
      if (model_.variables[k].name == name) return sample(1 + order, k);
    ADD_FAILURE() << "no variable " << name;
    return 0;
  }
  double der(const std::string& name) const { return variable(name, 1); }
  double parameter(const std::string& name) const {
    for (std::size_t k = 0; k < model_.parameters.size(); ++k)
      if (model_.parameters[k].name == name) return sample(0, k);
    ADD_FAILURE() << "no parameter " << name;
    return 0;
  }
  double time() const { return sample(99, 0); }

  double operator()(NodeId expression) const {
    const Pool& pool = *model_.pool;
    return evaluate(pool, expression, [&](NodeId leaf) {
      const Node& node = pool[leaf];
      switch (node.op) {
        case Op::Time: return time();
        case Op::Parameter: return parameter_at(node.a);
        case Op::Variable: return sample(1 + static_cast<int>(node.b), node.a);
        default: ADD_FAILURE() << "unexpected leaf"; return 0.0;
      }
    });
  }
  double residual(const std::string& label) const {
    for (const auto* list : {&model_.equations, &model_.initial_equations})
      for (const Equation& equation : *list)
        if (equation.label == label) return (*this)(equation.residual);
    ADD_FAILURE() << "no equation " << label;
    return 0;
  }

 private:
  // A relation that is held has the value that it has here.
  double parameter_at(std::uint64_t place) const {
    for (const Held& held : model_.discrete.held)
      if (static_cast<std::uint64_t>(index(held.held)) == place) return (*this)(held.expression);
    return sample(0, place);
  }
  // A fixed function of seed and leaf (the finalizer of splitmix64).
  double sample(int kind, std::uint64_t which) const {
    std::uint64_t x = seed_ * 0x9e3779b97f4a7c15ULL + static_cast<std::uint64_t>(kind) * 0x100000001b3ULL + which + 1;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    x ^= x >> 31;
    const double unit = static_cast<double>(x >> 11) * 0x1p-53;
    return with_signs_ ? 4 * unit - 2 : 0.1 + 1.9 * unit;
  }

  const Model& model_;
  std::uint64_t seed_;
  bool with_signs_;
};

// Checks one equation against a formula at several points.
template <class Formula>
void expect_residual(const Model& model, const std::string& label, Formula formula, bool with_signs = false) {
  for (std::uint64_t seed = 1; seed <= 8 && !::testing::Test::HasFailure(); ++seed) {
    const Point at(model, seed, with_signs);
    const double expected = formula(at), actual = at.residual(label);
    EXPECT_NEAR(actual, expected, 1e-12 * (1 + std::abs(expected))) << label << ", point " << seed;
  }
}

inline std::vector<std::string> labels(const std::vector<Equation>& equations) {
  std::vector<std::string> list;
  for (const Equation& equation : equations) list.push_back(equation.label);
  return list;
}

}  // namespace driftless::testing
