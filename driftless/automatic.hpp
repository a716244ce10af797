// Resolves options that are `auto`: a short trial run decides which formulation and method suit the model.
#pragma once

#include "driftless/choose/choose.hpp"
#include "driftless/simulate.hpp"

namespace driftless {

bool asks_for_choice(const SimulateOptions& options);

// `analysis`: with dummy derivatives. Formulation, method and projection in the options are ignored.
choose::Choice choose_for(const Analysis& analysis, const SimulateOptions& options,
                          choose::Effort effort = choose::Effort::Trial);

// The replacements for every `auto` of the options. A requested projection stays.
choose::Recommendation resolve(const SimulateOptions& options, const choose::Indicators& indicators);

// The runs that are tried one after the other until one succeeds. A method `auto` chooses the formulation too, unless
// one is given that is not the default. If both were to be chosen and the choice fails, dummy derivatives with Radau,
// an explicit method where positions are constrained, then dummy derivatives with BDF take its place.
struct Ways {
  std::vector<SimulateOptions> attempts;
  std::optional<choose::Recommendation> chosen;  // none: the options leave nothing open
};
// For options with an `auto`. The analysis, with dummy derivatives, stores intermediate findings.
Ways choose_ways(Analysis& dummy, const SimulateOptions& options);

// False for outcomes that no other method would change.
bool may_succeed_otherwise(Outcome outcome);

// For models with constraints: replaces dummy derivatives, the default, by the formulation that suits a method, and
// adds the projection that prevents drift, unless another is requested:
//
//   explicit, and dopri5 and dop853 with an error test   index1, positions and velocities projected
//   half-explicit1..5                                    index2, positions projected
//
// Without such a form the options are unchanged.
SimulateOptions with_default_formulation(SimulateOptions options, const Analysis& analysis);

// `explicit` switches to `radau` in stiff parts of a run and back after them; other given methods have no successors.
// Methods chosen by `auto` have their own.
Successors successors_of(const Method& method);

}  // namespace driftless
