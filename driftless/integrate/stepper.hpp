// A stepper only steps. Output, pivots, certificates and outcomes are the driver's.
#pragma once

#include <span>
#include <string>

#include "driftless/integrate/problem.hpp"
#include "driftless/solution/solution.hpp"

namespace driftless {

struct StepReport {
  Outcome outcome = Outcome::Success;
  std::string reason;  // why it failed, in words
};

class Stepper {
 public:
  virtual ~Stepper() = default;

  // One accepted step, not beyond the stop time.
  virtual StepReport step() = 0;

  virtual double time() const = 0;
  virtual double last_step() const = 0;
  virtual int last_order() const = 0;
  virtual std::span<const double> y() const = 0;
  virtual std::span<const double> yp() const = 0;

  // Within the last step, by the polynomial of the method.
  virtual void interpolate(double t, std::span<double> y, std::span<double> yp) = 0;
  virtual void store(Segment& segment) = 0;

  // The problem has new states: go on with history, order and step size, and a fresh matrix.
  virtual void continue_with_new_states() = 0;
  // The same, but forget the history.
  virtual void restart(std::span<const double> y, std::span<const double> yp) = 0;

  virtual void add_to(Statistics& statistics) const = 0;
};

// Which components enter the error test of an index-1 form: what is differentiated in the model. Highest derivatives
// and multipliers follow from these algebraically (Brenan, Campbell, Petzold 1996, Section 5.4).
std::vector<bool> in_error_test(const Problem& problem);

}  // namespace driftless
