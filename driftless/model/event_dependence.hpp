// Which numbers that change at events an expression contains. An event that changes none of those in the continuous
// equations, and no state, changes nothing continuous: the solution continues as if there had been no event.
//
// Numbers that change at events are the parameters of discrete variables and of their left limits, of held expressions
// and samplings, the coefficients of inputs, initial() and terminal() (discrete.hpp).
#pragma once

#include <vector>

#include "driftless/model/model.hpp"

namespace driftless {

// The numbers in the equations of the model, ascending, including those in conditions that decide which equations are
// active.
std::vector<ParamId> event_numbers_in_equations(const Model& model);

// The numbers on which the values of held expressions and the times of samplings depend, ascending, including the held
// values themselves, which determine on which side of a bound the value is.
std::vector<ParamId> event_numbers_in_relations(const Model& model);

// Can an event change something continuous: a state, or a number in the equations?
bool events_change_equations(const Model& model);

}  // namespace driftless
