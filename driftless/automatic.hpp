// What the options leave open. `auto` in place of a formulation or a method: a short trial run says what suits the
// model.
#pragma once

#include "driftless/choose/choose.hpp"
#include "driftless/simulate.hpp"

namespace driftless {

bool asks_for_choice(const SimulateOptions& options);

// `analysis`: with dummy derivatives. Formulation, method and projection in the options do not matter.
choose::Choice choose_for(const Analysis& analysis, const SimulateOptions& options,
                          choose::Effort effort = choose::Effort::Trial);

// What replaces every `auto` of the options. A projection that was asked for stays.
choose::Recommendation resolve(const SimulateOptions& options, const choose::Indicators& indicators);

// What is run, one after the other until one succeeds. A method `auto` chooses the formulation too, unless one is given
// that is not the default. If both were to be chosen and the choice fails, dummy derivatives with Radau, an explicit
// method where positions are constrained, then dummy derivatives with BDF take its place.
struct Ways {
  std::vector<SimulateOptions> attempts;
  std::optional<choose::Recommendation> chosen;  // none: nothing was to be chosen
};
// For options that ask for a choice. The analysis, with dummy derivatives, keeps what was found on the way.
Ways choose_ways(Analysis& dummy, const SimulateOptions& options);

// A run may also end early for reasons that no other method would change.
bool may_succeed_otherwise(Outcome outcome);

// The form in which a method is at home, in place of dummy derivatives, the default, on a model with constraints; and
// the projection that keeps that form from drifting, unless another is asked for:
//
//   explicit, and dopri5 and dop853 with an error test   index1, positions and velocities projected
//   half-explicit1..5                                    index2, positions projected
//
// All other options stay as they are, and so they do where there is no such form.
SimulateOptions with_default_formulation(SimulateOptions options, const Analysis& analysis);

// `explicit` leaves stiff parts of a run to `radau`, and takes over again behind them; every other method is meant as
// it is. What `auto` chooses has successors of its own.
Successors successors_of(const Method& method);

}  // namespace driftless
