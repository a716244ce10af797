// The fastest modes, at a point of a run, of the ordinary differential equation y' = f(t, y) for the states. No
// Jacobian is formed: J v is a difference quotient of slopes, and the power method turns v towards the fastest mode
// (Sommeijer, Shampine, Verwer 1998). Three vectors v, J v, J^2 v = a J v + b v, a and b by least squares, give a pair
// of eigenvalues, real or complex: the roots of z^2 = a z + b. The next call begins with the last v, so that following
// the modes along a run takes three slopes each time.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "driftless/archive/archive.hpp"
#include "driftless/integrate/solve/slopes.hpp"

namespace driftless {

struct Mode {
  double rate = 0.0;   // |z|
  double decay = 0.0;  // max(-Re z) - max(Re z, 0): motion that decays and grows alike has none

  bool mostly_decays() const { return decay > 0.5 * rate; }
  void archive(Archive& archive) { archive(rate, decay); }
};

class FastestMode {
 public:
  explicit FastestMode(Problem& problem);

  void states_changed();
  long slopes() const { return slopes_.counts().residual_evaluations; }  // evaluated so far

  // Empty where the slopes have no value.
  std::optional<Mode> operator()(double t, std::span<const double> y, std::span<const double> yp);

  void archive(Archive& archive) { archive(slopes_, y_, yp_, moved_y_, moved_yp_, scale_, v_, image_, second_, last_); }

 private:
  bool multiply(std::span<const double> v, std::span<double> image);  // J v
  std::optional<Mode> iterate();

  Problem& problem_;
  Slopes slopes_;
  double t_ = 0.0;
  std::vector<double> y_, yp_, moved_y_, moved_yp_;  // by slot
  std::vector<double> scale_, v_, image_, second_;   // by state; the vectors in units of the scale
  Mode last_;
};

}  // namespace driftless
