#include "driftless/integrate/steppers/ida/sundials/ida_failure.hpp"

#include <ida/ida.h>

#include <string>

namespace driftless {

StepReport explain(const IdaFailure& failure) {
  if (failure.undefined) return {Outcome::EvaluationFailed, "an expression has no value"};
  switch (failure.flag) {
    case IDA_CONV_FAIL:
      if (failure.singular) return {Outcome::SingularIteration, "the iteration matrix is singular"};
      return {Outcome::StepTooSmall, failure.has_small_corrections
                                         ? "corrections of Newton's iteration, though smaller than the tolerance, "
                                           "shrink no more: they are rounding"
                                         : "Newton's iteration does not converge"};
    case IDA_LSETUP_FAIL:
    case IDA_LSOLVE_FAIL: return {Outcome::SingularIteration, "the iteration matrix is singular"};
    case IDA_ERR_FAIL: return {Outcome::StepTooSmall, "the error test fails repeatedly"};
    default: return {Outcome::StepTooSmall, std::string("IDA reports ") + IDAGetReturnFlagName(failure.flag)};
  }
}

}  // namespace driftless
