// The passage of points where constraints between positions depend on each other, which checks/smooth_passage.hpp
// allows where the motion goes on smoothly.
//
// Forces may grow there without bound. Methods that test their errors, or expand them into series, take shorter and
// shorter steps then, and nearer than the root of the rounding error the equations cannot tell the branches apart that
// meet there: a method that goes so near follows what rounding makes of them, and turns onto another one. So where
// steps become short, the run looks how far ahead the point lies (checks/rank_ahead.hpp), and as long as there are
// digits left it takes one step of an explicit method that ends as far behind the point as it begins before it. No
// stage of it comes near. Then the method goes on. Whether the motion is right behind the point is looked at as in
// every step (singular_watch.hpp).
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

  // After a step that has failed: does the run leap over such a point from its beginning? Or does it go on there as
  // before, if what has failed is a leap?
  bool leaps_from_failure();
  // After a step: the next one may be a leap, or the leap was this one.
  void after_step();
  // Does the step that was taken last leap?
  bool is_leaping() const { return is_leaping_; }

  void archive(Archive& archive);

 private:
  bool may_leap() const;
  RankAhead& ranks();
  // From the point in from_y and from_yp, if the constraints depend on each other within this time.
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
