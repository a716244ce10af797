// delay(e, T): the value that e had a time T > 0 ago, and before start + T the one that it had at the start (Modelica
// 3.6, Section 3.7.4.1).
//
// The delayed value u is a variable with an equation of its own,
//
//   u = c0 + c1 s + ... + c7 s^7,   s = time - origin,
//
// whose coefficients and origin are parameters that change at events only, as those of an input do (drive.hpp). A run
// takes them from what it has computed: at the event at which a piece ends, the history of e reaches a time T farther
// (hybrid_delays.hpp). At the start c0 is an unknown, with the equation u = e.
#pragma once

#include <string>

#include "driftless/model/model.hpp"

namespace driftless {

// The delayed expression. The same expression and the same time give the same variable. `time`: of parameters.
NodeId add_delay(Model& model, NodeId expression, NodeId time, std::string text, SourceRange range = {});

// Is there none that a parameter makes zero or negative? Otherwise the run is refused, in words.
void check_delays(const Model& model, std::span<const double> parameters);

// Of one of them, with these numbers of all parameters.
double delay_time(const Model& model, const Delay& delay, std::span<const double> parameters);

}  // namespace driftless
