// The indicators and the recommendation as text for people.
#pragma once

#include <string>

#include "driftless/choose/choose.hpp"

namespace driftless::choose {

// Lines without indentation: one for each indicator with its meaning, the constants, the case, the recommendation.
std::string report(const Choice& choice);

}  // namespace driftless::choose
