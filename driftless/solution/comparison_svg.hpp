// A comparison in two panels: how far each formulation leaves the constraints as written over time, at the first
// tolerance; and what accuracy costs, one line per formulation over the tolerances. What did not apply is not drawn,
// and runs that failed have no place in the second panel.
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
