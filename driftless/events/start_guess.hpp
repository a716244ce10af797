// Guesses for the discrete part of a start.
#pragma once

#include <optional>
#include <vector>

#include "driftless/hybrid/modes.hpp"
#include "driftless/model/model.hpp"

namespace driftless {

// The values of all parameters: discrete variables at their starts, relations evaluated at the starts of the variables.
std::vector<double> guessed_parameters(const Model& model, double t);

// How singular the structure of a mode is: the number of equations that are too many for some unknowns, and the
// equations among which they are. None if it is regular, or can be repaired (reduce/repair.hpp).
struct Excess {
  int size = 0;
  std::vector<int> equations = {};
};
Excess excess_of(const std::shared_ptr<const Model>& mode);

// The held expressions on which an equation of the model depends, directly or by discrete variables: one list for each.
std::vector<std::vector<std::size_t>> held_in_equations(const Model& model);

// The closest values of relations and Boolean variables that give a regular mode: the given ones if they do. Ideal
// diodes that all conduct at their starts may not. Nothing if no such values are found.
std::optional<std::vector<double>> regular_guess(Modes& modes, const Model& model, const std::vector<double>& values);

// The same model with these values.
Model with_parameters(const Model& model, const std::vector<double>& values);

}  // namespace driftless
