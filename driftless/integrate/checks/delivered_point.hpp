// Which points may be delivered: the one place that decides it, for output points, ends of steps and dense output.
//
// A point is compared with the user's equations as written and with every differentiated level of the constraints
// (System::checks), nothing substituted. The residual R of an equation is measured by the size of its terms: R passes
// if
//
//   |R| <= bound * sum |terms|,   or   |R| <= bound * sum_v |∂R/∂v| (|v| + nominal(v)).
//
// The first is cheap and decides almost always. The second says that changes of the unknowns within the tolerance
// explain the residual, and these changes are tried: it is asked where all terms are small, or where a term is a
// product that hides a sum. What has no value does not pass. Nor does what large terms hide: y = x + y - atan(y) would
// pass for every large y. Where terms have grown by orders since the first point, the second measure alone decides, if
// the residual is more than rounding; and if rounding is larger than the second measure, the equation says nothing.
//
// The bound is the tolerance. A formulation imposes some levels of the constraints and leaves others to themselves:
// only a level that is imposed keeps a point from being delivered, the others count in the verdict. Where nothing puts
// a point between two steps onto the rows, it carries the error of the interpolation, and is allowed more.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driftless/archive/archive.hpp"
#include "driftless/integrate/system/check_slopes.hpp"
#include "driftless/integrate/system/system.hpp"

namespace driftless {

// How a point came about.
enum class Origin {
  Solved,        // the rows were solved for all that is no state
  StepEnd,       // as Newton's iteration of the step left it
  Interpolated,  // by a polynomial, between two steps
};

class DeliveredPoint {
 public:
  // Constant steps have no error test: what their polynomials miss between two steps is no fault.
  DeliveredPoint(System& system, double tolerance, bool constant_steps);

  struct Violation {
    std::size_t check;  // index into System::checks
    double t, residual, size;
    bool hidden;  // by large terms that cancel whatever the unknowns are
  };

  // Fills the quantities. The worst violation of an imposed equation, if the point may not be delivered. Precondition:
  // quantities that do not exist were looked for by the caller; they do not pass here either.
  std::optional<Violation> operator()(const System::Point& at, Origin origin, std::span<double> quantities);

  // The same for the end of a step, which is no output point: nothing is recorded, and the quantities are not shown.
  struct EndOfStep {
    bool quantities_exist = false;
    std::optional<Violation> violation;
  };
  EndOfStep look_at_end(const System::Point& at);

  // The same for a point between two steps of which somebody has found residuals and sizes
  // (system/inspected_points.hpp). False: it is not clear from them that it may be delivered, and the point has to be
  // looked at as above.
  bool is_clear(std::span<const double> residuals_and_sizes);

  // Of the last point that is no end of a step, in the order of System::checks: residuals, and the same in units of the
  // size of their terms.
  std::span<const double> residuals() const { return std::span(residuals_and_sizes_).first(relative_.size()); }
  std::span<const double> relative() const { return relative_; }

  double bound() const { return bound_; }
  bool is_imposed(std::size_t check) const { return imposed_[check]; }

  // "line 7: x^2 + y^2 = L^2 (differentiated once) has the residual 2.8 at t = 1.5; its terms have the size 3"
  std::string describe(const Violation& violation) const;

  void archive(Archive& archive) { archive(usual_, ends_, measured_); }

 private:
  double limit(Origin origin) const;
  std::optional<Violation> judge(const System::Point& at, Origin origin);
  bool all_clear(double bound) const;
  bool was_far_from_limit(std::size_t check, double allowed) const;
  // The size of the terms of a check; its relative residual is noted.
  double measure(std::size_t check, double passes);
  bool is_hidden(std::size_t check, double residual, double size, double allowed);

  System& system_;
  double bound_, bound_of_ends_, bound_between_;
  std::vector<bool> imposed_;
  std::vector<double> residuals_and_sizes_, relative_;
  std::vector<double> usual_;  // sizes up to which terms are not suspected of hiding a residual; none at first

  // Where the terms of a residual are small, its slopes measure it, which costs a kernel of their own. At the ends of
  // steps a residual that is smaller by orders than what was allowed by the last measure passes for some steps.
  struct Measured {
    double size = 0.0;
    long end = -1;  // number of the end of a step at which it was found
    void archive(Archive& archive) { archive(size, end); }
  };
  std::vector<Measured> measured_;
  long ends_ = 0;  // of steps

  void make_slopes_from(std::size_t first, double passes);
  CheckSlopes& slopes_at_point();  // of the last call
  bool slopes_have_point_ = false;
};

}  // namespace driftless
