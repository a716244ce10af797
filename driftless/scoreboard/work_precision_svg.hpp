// The cost of accuracy on one model: the digits reached over the time of the integration, one line per method through
// its tolerances. Failed runs are not shown.
#pragma once

#include <string>

#include "driftless/scoreboard/scoreboard.hpp"
#include "driftless/solution/svg.hpp"

namespace driftless::scoreboard {

std::string work_precision_svg(const Sheet& sheet, Theme theme = Theme::Auto);

}  // namespace driftless::scoreboard
