// The BDF code IDA of SUNDIALS: variable order 1 to 5, fixed leading coefficient.
#pragma once

#include "driftless/integrate/stepper.hpp"

namespace driftless {

std::unique_ptr<Stepper> make_ida(Problem& problem, const State& start, const StepSettings& settings);

}  // namespace driftless
