// A comparison in two panels: how far each formulation leaves the constraints as written over time, at the first
// tolerance; and the cost of accuracy, one line per formulation over the tolerances. Runs that did not apply are not
// drawn, and runs that failed are not in the second panel.
#pragma once

#include <string>

#include "driftless/solution/comparison.hpp"
#include "driftless/solution/theme.hpp"

namespace driftless {

struct ComparisonPlotOptions {
  int width = 860;  // pixels; at least 480
  Theme theme = Theme::Auto;
};

std::string comparison_svg(const Comparison& comparison, const ComparisonPlotOptions& options = {});

}  // namespace driftless
