// An explicit method that a decaying mode holds to steps of its own length, with millions of them ahead: it would crawl
// to the step limit, for hours. The run looks at its pace now and then, and at the fastest mode where the pace is that
// slow; found twice, the reason is told and the run ends. A solution that itself asks for many steps is left alone,
// unless its pace, for four looks, leaves a hundred times as many ahead as the limit of steps allows.
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

  // After every step. Why it is hopeless to go on to `stop`, or nothing.
  std::optional<std::string> operator()(const Method& method, const Stepper& stepper, double stop, long max_steps);

  void archive(Archive& archive) {
    bool has_modes = fastest_.has_value();
    archive(has_modes, steps_, mark_, signs_, slow_looks_);
    if (has_modes && !fastest_) fastest_.emplace(problem_);
    if (fastest_) archive(*fastest_);
  }

 private:
  Problem& problem_;
  std::optional<FastestMode> fastest_;  // made when it is asked for
  long steps_ = 0;
  double mark_ = 0.0;  // the time of the last look
  int signs_ = 0, slow_looks_ = 0;
};

}  // namespace driftless
