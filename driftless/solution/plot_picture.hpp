// Line plots of one run, or of several in the same panels. Curves over time share a panel when they have the same unit
// and comparable size, panels share the time axis; a curve over another variable has a panel of its own. Pivots and
// events are marked on the time axis. Discrete variables are staircases: Booleans in lanes, enumerations with their
// literals at the axis. Where another variable jumps, a dashed line joins both sides.
//
// Of several runs, the curves of one variable share a panel. If it is alone there, colours and dashes distinguish runs;
// otherwise colours distinguish variables, and dashes runs. The legend names both.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driftless/solution/picture/drawing.hpp"
#include "driftless/solution/solution.hpp"
#include "driftless/solution/theme.hpp"

namespace driftless {

struct PlotOptions {
  std::string title{};  // empty: the name of the model
  int width = 860;      // pixels; at least 320
  Theme theme = Theme::Auto;
  bool pivots = true;
};

struct PlottedRun {
  std::string label;  // in the legend, if there are several
  const Solution* solution;
};

// The reason why these names cannot be plotted, if there is one: "no variable 'bdy': did you mean 'body'?".
std::optional<std::string> plot_problem(const Solution& solution, const std::vector<std::string>& names);

// A name is a variable, a parameter or an array, plotted over time, or "x:y", which plots y over x (plot_names.hpp). No
// names: the first variables of the model. Throws std::invalid_argument with the text of plot_problem.
Picture plot_picture(const Solution& solution, const std::vector<std::string>& names, const PlotOptions& options = {});

// The same for at least one run. Every run must have the columns that the names mean in the first one; without names,
// the first variables of the first run that all runs have.
Picture plot_picture(const std::vector<PlottedRun>& runs, const std::vector<std::string>& names,
                     const PlotOptions& options = {});

}  // namespace driftless
