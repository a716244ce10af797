// A step may pass over the time in which an exponential matters: a diode that conducts between the ends of a step and
// at neither. The error test sees smooth ends and nothing else. So, in models with steep functions, the arguments of
// exponentials are looked at between the ends: the states there are the cubic with the values and slopes of both ends,
// the rows give the rest. Where they do not, nothing is checked.
#pragma once

#include <memory>
#include <vector>

#include "driftless/integrate/solve/algebraic.hpp"
#include "driftless/integrate/system/guard.hpp"

namespace driftless {

class PulseCheck {
 public:
  explicit PulseCheck(Problem& problem);

  void states_changed();

  // Is every exponential between the points at most ten times as large as at one of them, or is what it adds to its
  // equations below the tolerance? `places`: how many points between are looked at. Two steps in which no argument
  // changes much are trusted.
  bool operator()(const System::Point& begin, const System::Point& end, double tolerance, int places);

  void archive(Archive& archive) {
    archive(was_quiet_);
    if (on_rows_) archive(*on_rows_);
  }

 private:
  Problem& problem_;
  Guard* guard_;  // null: no exponential, nothing is checked
  std::unique_ptr<AlgebraicSolve> on_rows_;
  bool was_quiet_ = false;
  std::vector<double> y_, yp_;
};

}  // namespace driftless
