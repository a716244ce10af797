// delay(e, T): the value that e had a time T > 0 ago, and before start + T its value at the start (Modelica 3.6,
// Section 3.7.4.1).
//
// The delayed value u is a variable with an equation of its own,
//
//   u = c0 + c1 s + ... + c7 s^7,   s = time - origin,
//
// whose coefficients and origin are parameters that change at events only, as those of an input do (drive.hpp). A run
// takes them from its own history of e, which at the event that ends a piece is known for a further time T
// (hybrid_run/delays.hpp). At the start c0 is an unknown, with the equation u = e.
//
// delay(e, T, longest) with a time T that changes, 0 < T <= longest: s = time - T - origin, so that the coefficients
// are those of the history itself. The moment time - T may move forward, stand still or move back; a piece ends where
// it leaves [from, until].
#pragma once

#include <string>

#include "driftless/model/model.hpp"

namespace driftless {

// The delayed expression. The same expression and the same time give the same variable. `time`: an expression of
// parameters.
NodeId add_delay(Model& model, NodeId expression, NodeId time, std::string text, SourceRange range = {});
// The same for a time that changes, whose relations are held (hold.hpp). `longest`: an expression of parameters. Adds
// assertions that the time is positive and at most `longest`.
NodeId add_changing_delay(Model& model, NodeId expression, NodeId time, NodeId longest, std::string text,
                          SourceRange range = {});

// Refuses the run, with a message, if these parameters make a delay time zero or negative.
void check_delays(const Model& model, std::span<const double> parameters);

// The delay time T for these values of all parameters, or the longest T if it changes.
double delay_time(const Model& model, const Delay& delay, std::span<const double> parameters);
// The argument of its polynomials: time itself, or the moment time - T if T changes.
NodeId moment_of(const Model& model, const Delay& delay);

}  // namespace driftless
