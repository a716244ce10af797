// Why a step of IDA failed, in words. The flag alone does not tell: what happened in the functions that IDA calls does.
#pragma once

#include "driftless/integrate/steppers/stepper.hpp"

namespace driftless {

struct IdaFailure {
  int flag;  // of IDASolve
  bool undefined, singular, has_small_corrections;
};

StepReport explain(const IdaFailure& failure);

}  // namespace driftless
