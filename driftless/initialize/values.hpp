// Values of quantities at a start.
#pragma once

#include <vector>

#include "driftless/initialize/problem.hpp"

namespace driftless {

// By variable and order; unknown ones are NaN.
using Values = std::vector<std::vector<double>>;

// The values of all unknowns, and of everything that the reduction defines by them.
Values values_of(const Reduced& reduced, const InitialProblem& problem, const std::vector<double>& found,
                 const std::vector<double>& parameters, double t);

// All parameters of the model, including computed ones.
std::vector<double> parameters_of(const Model& model, const InitialProblem& problem, const std::vector<double>& found);

// The problem with other guesses for everything that follows from the states.
InitialProblem with_guesses(InitialProblem problem, const Values& values);

}  // namespace driftless
