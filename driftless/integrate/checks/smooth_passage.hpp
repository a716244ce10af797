// Is the motion smooth through a singular point that a step has passed?
//
// Where a mechanism has its bars in line, constraints between positions depend on each other, and beyond it several
// motions satisfy all equations: a parallelogram stays one or is crossed. But velocities of masses do not jump without
// an impact, and the branches that cross there have different directions. So there is only one continuation with the
// present velocity if
//
//   - every constraint that loses rank is differentiated twice, so velocities are part of the solution,
//   - the mechanism moves there: |a| h is small beside |v|, with the accelerations a at both ends of the step h,
//   - both ends are on the branch of that velocity: the differences
//
//         v₁ − v₀ − (a₀ + a₁) h/2,      (q₁ − q₀ − (v₀ + v₁) h/2 + (a₁ − a₀) h²/12) / h
//
//     are small beside |v|. They are of the order h³ along one branch, and of the size of the kink from one to another.
//
// All quantities are scaled by the nominal values of the variables in these constraints.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driftless/integrate/system/system.hpp"

namespace driftless {

class SmoothPassage {
 public:
  enum class Verdict {
    Smooth,
    Unclear,   // the step is too long to decide, or the motion stops there
    NoMotion,  // the equations that lose rank are no constraints between positions
  };

  SmoothPassage(System& system, double tolerance);

  // `begin`, `end`: the ends of a step with all rates; `equations`: those that are singular in between.
  Verdict examine(const std::vector<EqnId>& equations, const System::Point& begin, const System::Point& end);

 private:
  struct Motion {  // of a variable: places of a position, its velocity and its acceleration among the quantities
    int position, velocity, acceleration;
    double nominal;
  };
  std::optional<int> place_of(Quantity q) const;
  std::optional<std::vector<Motion>> motions_in(const std::vector<EqnId>& equations) const;

  System& system_;
  double allowed_;
  std::vector<double> begin_, end_;  // all quantities
};

}  // namespace driftless
