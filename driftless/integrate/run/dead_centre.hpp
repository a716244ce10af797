// The passage of points where constraints between positions depend on each other, which checks/smooth_passage.hpp
// allows where the motion goes on smoothly.
//
// Forces may grow there without bound, so methods that test the errors of forces, or expand forces into series, take
// shorter and shorter steps. Closer to the point than the square root of the rounding error the equations no longer
// separate the branches that meet there, and a method may turn onto another branch. So where steps become short, the
// run computes how far ahead the point lies (checks/rank_ahead.hpp). While enough digits are left, it takes one step of
// an explicit method, the leap, that ends as far beyond the point as it begins before it; no stage of it comes close.
// Then the previous method continues. The motion beyond the point is checked as in every step (singular_watch.hpp).
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <string>

#include "driftless/integrate/checks/rank_ahead.hpp"
#include "driftless/integrate/run/context.hpp"
#include "driftless/integrate/run/method_exchange.hpp"
#include "driftless/integrate/run/pivoting.hpp"

namespace driftless {

class DeadCentre {
 public:
  DeadCentre(RunContext& run, Pivoting& pivoting, MethodExchange& methods)
      : run_(run), pivoting_(pivoting), methods_(methods) {}

  // After a step that has failed: true if the run continues at its beginning, by a leap over such a point or, if the
  // failed step was a leap, by the previous method.
  bool leaps_from_failure();
  // After a step: ends a leap, or decides that the next step is one.
  void after_step();
  // Is the last step a leap?
  bool is_leaping() const { return is_leaping_; }

  void archive(Archive& archive);

 private:
  bool may_leap() const;
  RankAhead& ranks();
  // Prepares a leap from the point in from_y and from_yp, if the constraints depend on each other within this time.
  bool leaps(double farthest);

  RunContext& run_;
  Pivoting& pivoting_;
  MethodExchange& methods_;
  std::unique_ptr<System> base_;    // of a rewritten formulation
  std::optional<RankAhead> ranks_;  // made for the first look
  bool is_leaping_ = false, has_remark_ = false;
  std::string remark_;         // of the present leap
  double longest_ = 0.0;       // step of the recent ones
  double distance_ = 0.0;      // of the point over which the last leap led
  double nearest_ = HUGE_VAL;  // no leap from farther away
};

}  // namespace driftless
