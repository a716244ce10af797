#include "driftless/integrate/steppers/stepper.hpp"

namespace driftless {

StepReport explain(const newton::Report& report, const char* if_singular, bool is_constant) {
  switch (report.end) {
    case newton::End::Undefined: return {Outcome::EvaluationFailed, "an expression has no value"};
    case newton::End::Singular: return {Outcome::SingularIteration, if_singular};
    default:
      return {Outcome::StepTooSmall, is_constant ? "Newton's iteration does not converge with this constant step size"
                                                 : "Newton's iteration does not converge"};
  }
}

}  // namespace driftless
