// Decides whether a point may be delivered: the same test for output points, ends of steps and dense output.
//
// A point is compared with the user's equations as written and with every differentiated level of the constraints
// (System::checks), with nothing substituted. The residual R of an equation is measured by the size of its terms: R
// passes if
//
//   |R| <= bound * sum |terms|,   or   |R| <= bound * sum_v |∂R/∂v| (|v| + nominal(v)).
//
// The first is cheap and decides almost always. The second says that changes of the unknowns within the tolerance
// explain the residual, and these changes are tried: it is used where all terms are small, or where a term is a product
// that hides a sum. A residual without a value does not pass, nor does one that large terms hide: y = x + y - atan(y)
// would pass for every large y. Where terms have grown by orders of magnitude since the first point and the residual
// exceeds rounding, only the second measure counts; if rounding exceeds the second measure, the equation gives no
// information.
//
// The bound is the tolerance. A formulation imposes only some levels of the constraints: a violation of these keeps a
// point from being delivered, a violation of the others only enters the verdict. A point between two steps that is not
// solved onto the rows carries the interpolation error, so its bound is larger.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driftless/archive/archive.hpp"
#include "driftless/integrate/system/check_slopes.hpp"
#include "driftless/integrate/system/system.hpp"

namespace driftless {

// How a point was computed.
enum class Origin {
  Solved,        // the rows were solved for everything but the states
  StepEnd,       // as computed by the step's Newton iteration
  Interpolated,  // by a polynomial, between two steps
};

class DeliveredPoint {
 public:
  // Constant steps have no error test: an interpolation error between two of them is not counted as a violation.
  DeliveredPoint(System& system, double tolerance, bool constant_steps);

  struct Violation {
    std::size_t check;  // index into System::checks
    double t, residual, size;
    bool hidden;  // by large terms that cancel whatever the unknowns are
  };

  // Fills the quantities. Returns the worst violation of an imposed equation if the point may not be delivered.
  // Precondition: the caller has checked that all quantities exist; those that do not fail here too.
  std::optional<Violation> operator()(const System::Point& at, Origin origin, std::span<double> quantities);

  // The same for the end of a step that is not an output point: nothing is recorded, and the quantities are not
  // returned.
  struct EndOfStep {
    bool quantities_exist = false;
    std::optional<Violation> violation;
  };
  EndOfStep look_at_end(const System::Point& at);

  // The same for a point between two steps whose residuals and sizes are already known (system/inspected_points.hpp).
  // False if they do not prove that it may be delivered; the caller then uses operator().
  bool is_clear(std::span<const double> residuals_and_sizes);

  // Residuals of the last point that is no end of a step, in the order of System::checks, and the same relative to the
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
  // Returns the size of the terms of a check and stores its relative residual.
  double measure(std::size_t check, double passes);
  bool is_hidden(std::size_t check, double residual, double size, double allowed);

  System& system_;
  double bound_, bound_of_ends_, bound_between_;
  std::vector<bool> imposed_;
  std::vector<double> residuals_and_sizes_, relative_;
  std::vector<double> usual_;  // term sizes up to which a residual cannot be hidden; empty at first

  // Where the terms of a residual are small, its slopes measure it, which costs a kernel of its own. At the ends of
  // some following steps, a residual far below the bound found last passes without a new measurement.
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
