// Explains why a run ended early: the outcome with one sentence, and in Solution::details the equations, the values and
// advice.
#pragma once

#include "driftless/integrate/run/context.hpp"
#include "driftless/integrate/checks/delivered_point.hpp"
#include "driftless/integrate/run/pivoting.hpp"
#include "driftless/integrate/checks/run_checks.hpp"

namespace driftless {

class Explanation {
 public:
  Explanation(RunContext& run, DeliveredPoint& gate, RunChecks& checks, Pivoting& pivoting)
      : run_(run), gate_(gate), checks_(checks), pivoting_(pivoting) {}

  // The present point has no value, or an assertion does not hold there.
  StepReport undefined_at(double t);
  StepReport not_satisfied(const DeliveredPoint::Violation& violation);
  // At a point a relation differs from its held value.
  StepReport missed_event(double t, std::size_t held) const;
  // A step does not advance the time. If longer steps have met an expression without a value, that is the reason.
  StepReport fails_to_advance() const;

  void describe_failure(const StepReport& report);  // of the stepper
  // No step from the present point succeeds.
  void describe_breakdown(double t);

 private:
  void add(std::vector<std::string> details);

  RunContext& run_;
  DeliveredPoint& gate_;
  RunChecks& checks_;
  Pivoting& pivoting_;
};

}  // namespace driftless
