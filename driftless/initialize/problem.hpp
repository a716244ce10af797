// The equations of consistent initial values: all levels of all equations, and what the user fixed.
//
// Unknowns are the slots and rates of the reduction (and, where initial equations ask for them or the reduction is
// implicit, further derivatives). Conditions are `fixed = true` starts and initial equations.
#pragma once

#include <string>
#include <vector>

#include "driftless/reduce/reduced.hpp"

namespace driftless {

struct InitialUnknown {
  Quantity quantity;
  double guess = 0.0;
  double reach = 1.0;  // how far the unknown moves for the same cost: small for guesses the user gave
  bool given = false;  // the user gave the guess
  double nominal = 1.0;
};

struct InitialRow {
  enum class Kind { Equation, Fixed, Initial };
  Kind kind = Kind::Equation;
  NodeId residual;  // over the unknowns' leaves only
  int source = 0;   // EqnId, VarId, or index of the initial equation
  int level = 0;
};

struct InitialProblem {
  std::vector<InitialUnknown> unknowns;
  std::vector<InitialRow> rows;
  int conditions = 0;          // rows that are not equations
  int degrees_of_freedom = 0;  // how many conditions there should be
};

// Derivatives beyond the reduction that an initial equation may ask for.
inline constexpr int most_extra_levels = 4;

InitialProblem make_initial_problem(const Reduced& reduced, Diagnostics& diagnostics);

// "line 7: x^2 + y^2 = L^2 (differentiated once)", "the fixed start x = 1", "initial equation line 9: ..."
std::string describe(const Reduced& reduced, const InitialRow& row);

}  // namespace driftless
