// delay(e, T): the value that e had a time T > 0 ago, and before start + T the one that it had at the start (Modelica
// 3.6, Section 3.7.4.1).
//
// The delayed value u is a variable with an equation of its own,
//
//   u = c0 + c1 s + ... + c7 s^7,   s = time - origin,
//
// whose coefficients and origin are parameters that change at events only, as those of an input do (drive.hpp). A run
// takes them from what it has computed: at the event at which a piece ends, the history of e reaches a time T farther
// (hybrid_run/delays.hpp). At the start c0 is an unknown, with the equation u = e.
//
// delay(e, T, longest) with a time T that changes, 0 < T <= longest: s = time - T - origin, so that the coefficients
// are those of the history itself. The moment time - T may go on at any speed, stand still and go back; a piece ends
// where it leaves [from, until].
#pragma once

#include <string>

#include "driftless/model/model.hpp"

namespace driftless {

// The delayed expression. The same expression and the same time give the same variable. `time`: of parameters.
NodeId add_delay(Model& model, NodeId expression, NodeId time, std::string text, SourceRange range = {});
// The same by a time that changes, whose relations are held (hold.hpp). `longest`: of parameters. It is asserted that
// the time is positive and not above the longest.
NodeId add_changing_delay(Model& model, NodeId expression, NodeId time, NodeId longest, std::string text,
                          SourceRange range = {});

// Is there none that a parameter makes zero or negative? Otherwise the run is refused, in words.
void check_delays(const Model& model, std::span<const double> parameters);

// Of one of them, with these numbers of all parameters: T, or the longest T if it changes.
double delay_time(const Model& model, const Delay& delay, std::span<const double> parameters);
// What counts as time in its polynomials: time itself, or the moment time - T if T changes.
NodeId moment_of(const Model& model, const Delay& delay);

}  // namespace driftless
