// The reason why a step of IDA failed, as text. The flag alone does not give it: errors in the functions that IDA calls
// do.
#pragma once

#include "driftless/integrate/steppers/stepper.hpp"

namespace driftless {

struct IdaFailure {
  int flag;  // of IDASolve
  bool undefined, singular, has_small_corrections;
};

StepReport explain(const IdaFailure& failure);

}  // namespace driftless
