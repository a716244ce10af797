// Line plots of a solution as one SVG document (plot_picture.hpp).
#pragma once

#include <string>
#include <vector>

#include "driftless/solution/plot_picture.hpp"

namespace driftless {

// Throws std::invalid_argument with the text of plot_problem.
std::string plot_svg(const Solution& solution, const std::vector<std::string>& names, const PlotOptions& options = {});

}  // namespace driftless
