// Examines the start of a model: what is free, given, missing, contradictory, moved, violated.
#pragma once

#include "driftless/initialize/report.hpp"
#include "driftless/simulate.hpp"

namespace driftless {

// At time t, by default the start of the model's experiment. Initial equations that cannot be used throw ModelError.
StartReport examine_start(const Analysis& analysis, std::optional<double> t = {});

}  // namespace driftless
