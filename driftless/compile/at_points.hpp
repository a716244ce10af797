// A kernel at several points at once, with results identical to one call for each. An interpreted kernel decodes every
// operation once for all points, which takes a third of the time.
#pragma once

#include <span>

#include "driftless/compile/kernel.hpp"

namespace driftless {

class KernelAtPoints {
 public:
  static constexpr std::size_t most_points = 8;
  virtual ~KernelAtPoints() = default;

  // most_points of them at most. `work` has room for work_size_of_points() values.
  virtual void at_points(std::span<const double* const> inputs, std::span<double* const> outputs,
                         double* work) const = 0;
  virtual std::size_t work_size_of_points() const = 0;
  virtual bool gains_by_points() const = 0;  // at present
};

// Null if it always evaluates one point after the other.
inline const KernelAtPoints* at_points(const Kernel& kernel) { return dynamic_cast<const KernelAtPoints*>(&kernel); }

// Evaluates a kernel at several points, together or one by one, as decided when it is made.
class RunAtPoints {
 public:
  explicit RunAtPoints(const Kernel& kernel) : kernel_(kernel), together_(at_points(kernel)) {}

  // `work` has room for work_size() values.
  void operator()(std::span<const double* const> inputs, std::span<double* const> outputs, double* work) const {
    if (together_) return together_->at_points(inputs, outputs, work);
    for (std::size_t k = 0; k < inputs.size(); ++k) kernel_(inputs[k], outputs[k], work);
  }
  std::size_t work_size() const { return together_ ? together_->work_size_of_points() : kernel_.work_size(); }
  bool gains() const { return together_ && together_->gains_by_points(); }

 private:
  const Kernel& kernel_;
  const KernelAtPoints* together_;
};

}  // namespace driftless
