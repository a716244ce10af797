// Where the search for the discrete part of a start begins.
#pragma once

#include <optional>
#include <vector>

#include "driftless/hybrid/modes.hpp"
#include "driftless/model/model.hpp"

namespace driftless {

// The values of all parameters: discrete variables at their starts, relations as the starts of the variables make them.
std::vector<double> guessed_parameters(const Model& model, double t);

// How singular the structure of a mode is: so many equations are too many for some unknowns, of these equations. None:
// it is regular, or can be repaired (reduce/repair.hpp).
struct Excess {
  int size = 0;
  std::vector<int> equations = {};
};
Excess excess_of(const std::shared_ptr<const Model>& mode);

// The held expressions on which an equation of the model depends, directly or by discrete variables: one list for each.
std::vector<std::vector<std::size_t>> held_in_equations(const Model& model);

// The values nearby with which relations and Boolean variables put the model into a regular mode: these themselves, if
// theirs is one. Ideal diodes that all conduct at their starts are none. Nothing, if no such values are found.
std::optional<std::vector<double>> regular_guess(Modes& modes, const Model& model, const std::vector<double>& values);

// The same model with these values.
Model with_parameters(const Model& model, const std::vector<double>& values);

}  // namespace driftless
