// Tolerances of single variables. Every variable has the tolerance of the run, relative and absolute in units of its
// nominal value,
//
//   an error e_i counts as e_i / (tolerance_i (|y_i| + nominal_i)),
//
// and tolerance_i = tolerance unless one is given for it. A variable for which one is given takes part in the error
// test even if its kind is otherwise left out: multipliers of index 2, whose estimate does not vanish with the step
// size (Brenan, Campbell, Petzold 1996), then need a loose one.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "driftless/integrate/steppers/method.hpp"
#include "driftless/reduce/reduced.hpp"

namespace driftless {

// By name: "lambda", "der(x)"; "x" stands for all elements of an array x, "mu" for all multipliers mu(...) that a
// formulation adds.
using Tolerances = std::vector<std::pair<std::string, double>>;

// The reduced model with these tolerances of slots; or the reason why they cannot be used, naming the variable.
std::variant<Reduced, std::string> with_tolerances(const Reduced& reduced, const Tolerances& given, double tolerance,
                                                   const Method& method);

}  // namespace driftless
