// A scoreboard as one JSON object for programs.
#pragma once

#include <string>

#include "driftless/scoreboard/scoreboard.hpp"

namespace driftless::scoreboard {

// Numbers that are not finite become null.
std::string to_json(const Board& board);

}  // namespace driftless::scoreboard
