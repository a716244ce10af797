// Looks after every step for singular points that it has passed over (singular_points.hpp). A method without states, or
// a formulation whose matrix is not that of the constraints, is watched with states chosen for the purpose.
#pragma once

#include <memory>

#include "driftless/integrate/run/context.hpp"
#include "driftless/integrate/run/singular_points.hpp"
#include "driftless/integrate/states/state_coordinates.hpp"

namespace driftless {

class SingularWatch {
 public:
  SingularWatch(RunContext& run, const StateCoordinates& coordinates)
      : run_(run), coordinates_(coordinates), singular_(run.problem) {}

  void states_changed() { singular_.states_changed(); }
  void forget() { singular_.forget(); }  // behind a jump the matrix may be another one

  StepReport look_at_step();

  void archive(Archive& archive);

 private:
  struct OwnStates {  // with every level of the constraints
    OwnStates(std::shared_ptr<System> watched, const StateCoordinates& chosen);
    std::shared_ptr<System> system;
    Problem problem;
    StateCoordinates coordinates;
    SingularPoints singular;
    double until;  // the end of the last step that was looked at
    // Before a step: behind a jump, or steps of another method, the matrix may be another one.
    void begin(double t);
    // At the end of a step: other states, if these have become worse.
    void renew(double t, std::span<const double> y, std::span<const double> yp);
  };
  std::unique_ptr<OwnStates> choose_own_states() const;
  bool has_base() const;
  bool needs_own_states() const { return has_base() || !uses_states(run_.method()); }
  void prepare();

  RunContext& run_;
  const StateCoordinates& coordinates_;
  SingularPoints singular_;
  std::unique_ptr<OwnStates> own_;
  bool prepared_ = false;
};

}  // namespace driftless
