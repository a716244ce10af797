// Line plots of a solution as one SVG document. Curves over time share a panel when they have the
// same unit and comparable size, panels share the time axis; a curve over another variable has a
// panel of its own. Pivots and events are marked on the time axis. Discrete variables are staircases: Booleans in
// lanes, enumerations with their literals at the axis. Where another variable jumps, a dashed line joins both sides.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driftless/solution/solution.hpp"
#include "driftless/solution/theme.hpp"

namespace driftless {

struct PlotOptions {
  std::string title{};  // empty: the name of the model
  int width = 860;      // pixels; at least 320
  Theme theme = Theme::Auto;
  bool pivots = true;
};

// Why these names cannot be plotted, if so: "no variable 'bdy': did you mean 'body'?".
std::optional<std::string> plot_problem(const Solution& solution, const std::vector<std::string>& names);

// A name is a variable, a parameter or an array, plotted over time, or "x:y", which plots y over x (plot_names.hpp). No
// names: the first variables of the model. Throws std::invalid_argument with the text of plot_problem.
std::string plot_svg(const Solution& solution, const std::vector<std::string>& names, const PlotOptions& options = {});

}  // namespace driftless
