// The steppers of a run: that of the first method, and those of methods that take over later (method_switching.hpp
// decides when). A stepper that is replaced is kept: if its method takes over again, its kernels and orderings are
// reused.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "driftless/integrate/run/context.hpp"
#include "driftless/integrate/run/end_projection.hpp"
#include "driftless/integrate/run/pivoting.hpp"

namespace driftless {

class MethodExchange {
 public:
  MethodExchange(RunContext& run, EndProjection& projection, Pivoting& pivoting)
      : run_(run), projection_(projection), pivoting_(pivoting) {}

  // The stepper of the first method, or an exception that says why it cannot be applied.
  void make_first();
  // After a step: changes the method if the report of the step or an examination of the modes advises it.
  void after_step(StepReport& report);

  // Another method goes on from this point, with the present states.
  void exchange(const Method& next, double t, std::vector<double> y, std::vector<double> yp);

  // The next step has this size and is that of an explicit method, from this point, with the present states. Behind it
  // the method before goes on.
  void leap(double step, double t, std::vector<double> y, std::vector<double> yp);
  void end_leap(double t, std::vector<double> y, std::vector<double> yp);

  void add_statistics();  // of all steppers
  void add_remark() const;

  void archive(Archive& archive);

 private:
  std::shared_ptr<PointSolver> point_solver_of(Stepper& stepper);
  void begin_with(const Method& method, const State& from, std::optional<double> leap = {});
  void take_over(const Method& next, double t);
  void hand_over(const Method& next, const StepReport& report);
  bool resume_former(const Method& method, const State& here);
  void take_in_use();
  void archive_point_solvers(Archive& archive);
  void add_statistics(const Method& method, const Stepper& stepper);

  RunContext& run_;
  EndProjection& projection_;
  Pivoting& pivoting_;
  struct Origin {  // what a stepper was made with
    State from;
    double stop = 0.0;
    std::optional<double> leap = {};  // its only step
    void archive(Archive& archive) { archive(from.t, from.y, from.yp, stop, leap); }
  };
  std::unique_ptr<Stepper> make(const Method& method, const Origin& origin) const;
  struct Former {
    Method method;
    Origin origin;
    std::unique_ptr<Stepper> stepper;
  };
  std::vector<Former> former_;
  Origin origin_;                     // of the present stepper
  std::size_t remark_of_change_ = 0;  // the last of them
};

}  // namespace driftless
