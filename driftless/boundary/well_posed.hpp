// May these conditions be imposed? Only as many as there are states: the constraints of all levels determine the rest.
#pragma once

#include "driftless/boundary/conditions.hpp"
#include "driftless/diagnostics/diagnostic.hpp"

namespace driftless::boundary {

// Errors that need no numbers: no final equation, too few conditions or too many, a derivative that is not known.
void check_number_of_conditions(const Reduced& reduced, const Conditions& conditions, Diagnostics& diagnostics);

// An error for conditions at one end that the constraints and the other conditions there already decide. They are
// linearized at the point, and where that shows a dependence, at points near it: one point may be special.
void check_independence(PointEquations& equations, const Conditions& conditions, End end, double t,
                        const Eigen::VectorXd& u, Diagnostics& diagnostics);

}  // namespace driftless::boundary
