// The BDF code IDA of SUNDIALS: variable order 1 to 5, fixed leading coefficient. An oracle for our own (bdf.hpp),
// available if SUNDIALS was found when the program was built.
#pragma once

#include "driftless/integrate/steppers/stepper.hpp"

namespace driftless {

bool ida_available();

// Precondition: ida_available().
std::unique_ptr<Stepper> make_ida(Problem& problem, const State& start, const StepSettings& settings);

}  // namespace driftless
