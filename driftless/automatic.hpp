// What the options leave open. `auto` in place of a formulation or a method: a short trial run says what suits the
// model.
#pragma once

#include "driftless/choose/choose.hpp"
#include "driftless/simulate.hpp"

namespace driftless {

bool asks_for_choice(const SimulateOptions& options);

// Formulation, method and projection in the options do not matter.
choose::Choice choose_for(const Analysis& analysis, const SimulateOptions& options);

// What replaces every `auto` of the options. A projection that was asked for stays.
choose::Recommendation resolve(const SimulateOptions& options, const choose::Indicators& indicators);

// As simulate, for options that ask for a choice; a remark of the solution says what was chosen and why. If both
// formulation and method were to be chosen and the choice fails, dummy derivatives and BDF take its place.
Solution simulate_chosen(std::shared_ptr<const Model> model, const SimulateOptions& options);

// The method `explicit` on the default formulation: the index-1 form, on which all constraints are restored at every
// step, instead of a choice of states. Where there is no such form (or nothing to restore) the formulation stays.
bool brings_formulation(const SimulateOptions& options);
Solution simulate_explicit(std::shared_ptr<const Model> model, const SimulateOptions& options);

// Who goes on where the method finds the problem stiff; nothing if the method was meant as it is.
std::optional<Method> successor(const Method& method);

}  // namespace driftless
