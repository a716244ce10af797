// All levels of all constraints are rows, as for dummy derivatives. Of the kinematic relations x' = rate as many
// combinations L (x' - rate) = 0 are discretized as there are degrees of freedom: an ordinary differential equation for
// the local coordinates u = L x, whose right-hand side solves the constraints. The combinations depend on numbers, and
// are chosen during the integration (integrate/states/state_coordinates.hpp).
#include "driftless/formulate/forms.hpp"

namespace driftless {

Reduced rewritten(const Reduced& base, const formulation::StateSpace& state_space) {
  Reduced result = base;
  result.chart = state_space.chart;
  result.new_chart_every_step = state_space.every_step;
  return result;
}

}  // namespace driftless
