// Detects an explicit method whose steps are limited by a decaying mode so much that millions of them are left: it
// would take hours to reach the step limit. The run checks its pace now and then, and the fastest mode if the pace is
// that slow; if this is found twice, the run ends with the reason. A solution that itself needs many steps goes on,
// unless four checks in a row predict a hundred times as many steps as the limit allows.
#pragma once

#include <optional>
#include <string>

#include "driftless/integrate/run/fastest_mode.hpp"
#include "driftless/integrate/steppers/method.hpp"
#include "driftless/integrate/steppers/stepper.hpp"

namespace driftless {

class StiffCrawl {
 public:
  explicit StiffCrawl(Problem& problem) : problem_(problem) {}

  // After every step. The reason why `stop` cannot be reached, or nothing.
  std::optional<std::string> operator()(const Method& method, const Stepper& stepper, double stop, long max_steps);

  void archive(Archive& archive) {
    bool has_modes = fastest_.has_value();
    archive(has_modes, steps_, mark_, signs_, slow_looks_);
    if (has_modes && !fastest_) fastest_.emplace(problem_);
    if (fastest_) archive(*fastest_);
  }

 private:
  Problem& problem_;
  std::optional<FastestMode> fastest_;  // made at the first use
  long steps_ = 0;
  double mark_ = 0.0;  // the time of the last check
  int signs_ = 0, slow_looks_ = 0;
};

}  // namespace driftless
