// Methods that test the errors of forces, or expand them into series, cannot approach a point where constraints between
// positions depend on each other: forces may grow there without bound, although the motion goes on smoothly. BDF tests
// the motion alone, of all bodies, so it also notices when one of them leaves the smooth branch. It takes over where a
// step fails at such a point, or steps become very short, and after some steps the method that was asked for goes on.
// Whether the motion beyond the point is correct is checked as in every step (singular_watch.hpp).
#pragma once

#include "driftless/integrate/run/context.hpp"
#include "driftless/integrate/run/method_exchange.hpp"
#include "driftless/integrate/run/pivoting.hpp"

namespace driftless {

class DeadCentre {
 public:
  DeadCentre(RunContext& run, Pivoting& pivoting, MethodExchange& methods)
      : run_(run), pivoting_(pivoting), methods_(methods) {}

  // After a step that has failed: does BDF take over at its beginning?
  bool takes_over();
  // After a step: returns to the method that was asked for when BDF has taken enough steps.
  void after_step();

  void archive(Archive& archive);

 private:
  bool may_take_over() const;

  RunContext& run_;
  Pivoting& pivoting_;
  MethodExchange& methods_;
  bool is_passing_ = false, has_remark_ = false;
  long steps_ = 0;     // since the last change of the method
  long patience_ = 0;  // remaining steps of BDF; before it has taken over, the number of short steps in a row
};

}  // namespace driftless
