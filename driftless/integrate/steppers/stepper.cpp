#include "driftless/integrate/steppers/stepper.hpp"

namespace driftless {

StepReport explain(const NewtonReport& report, const char* if_singular, bool is_constant) {
  switch (report.end) {
    case NewtonReport::End::Undefined: return {Outcome::EvaluationFailed, "an expression has no value"};
    case NewtonReport::End::Singular: return {Outcome::SingularIteration, if_singular};
    default:
      return {Outcome::StepTooSmall, is_constant ? "Newton's iteration does not converge with this constant step size"
                                                 : "Newton's iteration does not converge"};
  }
}

}  // namespace driftless
