// Checks after every step whether it has passed over a singular point (singular_points.hpp). For a method without
// states, or a formulation whose matrix is not that of the constraints, states are chosen for this check, and only in
// steps in which a determinant may have changed its sign (sign_check.hpp). Where constraints depend on each other but
// the motion is smooth (smooth_passage.hpp), the run continues, and a remark gives the time.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "driftless/integrate/run/context.hpp"
#include "driftless/integrate/checks/sign_check.hpp"
#include "driftless/integrate/checks/singular_points.hpp"
#include "driftless/integrate/checks/smooth_passage.hpp"
#include "driftless/integrate/states/state_coordinates.hpp"

namespace driftless {

class SingularWatch {
 public:
  explicit SingularWatch(RunContext& run) : run_(run), singular_(run.problem) {}

  void states_changed() { singular_.states_changed(); }
  void forget() { singular_.forget(); }  // after a jump the matrix may be a different one

  // Up to `end`, which is an event or the end of the step.
  StepReport look_at_step(double end);
  // A failure of that look: a shorter step may show that the motion goes on smoothly.
  bool wants_shorter() const { return wants_shorter_; }
  // The last check has found not a singular point but a leap to another solution.
  bool found_leap() const { return found_leap_; }

  void archive(Archive& archive);

 private:
  struct OwnStates {  // with every level of the constraints
    explicit OwnStates(RunContext& run);
    std::unique_ptr<System> base;  // of a rewritten formulation
    System* system;
    SignCheck signs;
    double until;  // the end of the last step that was checked
    // The last point at which no matrix was nearly singular.
    struct Regular {
      double t = 0.0;
      std::vector<double> y, yp;
      void archive(Archive& archive) { archive(t, y, yp); }
    };
    std::optional<Regular> regular;

    // Made for the first step that needs the close check.
    struct Closely {
      Closely(System& of, double hysteresis) : problem(of), coordinates(of, hysteresis), singular(problem) {}
      Problem problem;
      StateCoordinates coordinates;
      SingularPoints singular;
    };
    std::unique_ptr<Closely> closely;
  };
  using Found = SingularPoints::Found;
  using Path = SingularPoints::Path;

  StepReport look();
  bool is_part() const { return end_ < run_.stepper->time(); }
  const std::vector<double>& end_y() const { return is_part() ? end_y_ : run_.end_y; }
  const std::vector<double>& end_yp() const { return is_part() ? end_yp_ : run_.end_yp; }
  bool may_pass(const Found& found);
  void remark_on_passage();
  bool has_base() const;
  bool needs_own_states() const { return has_base() || !uses_states(run_.method()); }
  void prepare();
  std::optional<Found> look_with_own_states(const System::Point& begin, const System::Point& end, const Path& path);
  OwnStates::Closely& closely_at(const System::Point& point);  // with the best states there
  std::optional<Found> look_closely(const System::Point& begin, const System::Point& end, const Path& path);

  RunContext& run_;
  double end_ = 0.0;                    // of what is looked at,
  std::vector<double> end_y_, end_yp_;  // and the point there, if it is not that of the step
  SingularPoints singular_;
  std::unique_ptr<OwnStates> own_;
  std::unique_ptr<SmoothPassage> passage_;  // made for the first singular point
  std::vector<Found> passed_;               // of the step that is checked
  bool wants_shorter_ = false, has_remark_ = false, found_leap_ = false;
  bool prepared_ = false;
};

}  // namespace driftless
