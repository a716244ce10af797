// May these conditions be imposed? Only as many as there are states: the constraints of all levels determine the rest.
#pragma once

#include "driftless/boundary/conditions.hpp"
#include "driftless/diagnostics/diagnostic.hpp"

namespace driftless::boundary {

// Reports errors that need no numbers: no final equation, too few or too many conditions, an unknown derivative.
void check_number_of_conditions(const Reduced& reduced, const Conditions& conditions, Diagnostics& diagnostics);

// Reports conditions at one end that the constraints and the other conditions there already determine. They are
// linearized at the point, and if they are dependent there, also at points near it, as one point may be special.
void check_independence(PointEquations& equations, const Conditions& conditions, End end, double t,
                        const Eigen::VectorXd& u, Diagnostics& diagnostics);

}  // namespace driftless::boundary
