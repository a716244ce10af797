// Judges what the program says about a random model, by the model's own trees in long double.
#pragma once

#include <string>

#include "driftless/simulate.hpp"
#include "tests/random_models/random_model.hpp"

namespace driftless::random_models {

struct Verdict {
  bool success = false;   // what the program claims
  std::string refusal{};  // why not, in its words
  double residual = 0.0;  // the largest of any equation at any delivered point, in units of tolerance times its size
  double error = 0.0;     // the largest distance to the solution, in units of the tolerance and |value| + 1
  double start = 0.0;     // the largest distance of a delivered start to the expected one, in units of |value| + 1
  std::string worst{};    // where
};

Verdict judge(const RandomModel& model, const SimulateOptions& options);

// Empty if the verdict is as it must be for this model; otherwise what is false.
std::string falsehood(const RandomModel& model, const Verdict& verdict);

}  // namespace driftless::random_models
