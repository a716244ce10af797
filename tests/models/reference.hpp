// What a file of tests/references says about a model: its solution at some times, what stays constant along it, and
// what the analysis must find. docs/models.md describes the files and how they were made.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "driftless/model/model.hpp"

namespace driftless {

using Overrides = std::vector<std::pair<std::string, std::string>>;

struct Reference {
  struct Point {
    double t = 0.0;
    std::map<std::string, double> values;  // by column name: "x", "der(x)"
  };
  struct Invariant {
    std::string name, expression;
    double value = 0.0;
  };

  std::string name;        // of the file, without extension
  std::string model_file;  // absolute
  double stop = 0.0;
  Overrides overrides;
  std::vector<Point> points;
  std::vector<Invariant> invariants;
  int equations = 0, structural_index = 0, degrees_of_freedom = 0;
  std::vector<int> differentiations;
  int true_degrees_of_freedom = 0;  // where the structure lies; otherwise the same

  // allowances.json: what is granted to this model beyond the others, and why.
  double allowance = 1.0;  // for errors
  double invariants_allowance = 1.0;
  std::vector<double> tolerances = {1e-4, 1e-6, 1e-8};

  Model model() const;  // throws ModelError
};

std::vector<std::string> reference_names();  // all files, sorted
Reference read_reference(const std::string& name);

std::vector<std::string> shipped_models();  // all of models/, sorted, without extension
Model read_shipped(const std::string& name, const Overrides& overrides = {});
Model read_text(const std::string& text);

// The model of a reference with one more variable, `observable`, and as its last equation observable = expression.
Model with_observable(const Reference& reference, const std::string& expression);

}  // namespace driftless
