// A step may pass over the time in which an exponential matters: a diode that conducts between the ends of a step but
// at neither. The error test sees only the smooth ends. So, in models with steep functions, the arguments of
// exponentials are evaluated between the ends: the states there follow the cubic with the values and slopes of both
// ends, and the rows give the rest. Where the rows cannot be solved, nothing is checked. A pulse may lie between two of
// these points: where an argument is larger at a point than at both neighbours, the vertex of the parabola through the
// three is checked too.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "driftless/integrate/solve/algebraic.hpp"
#include "driftless/integrate/system/guard.hpp"

namespace driftless {

class PulseCheck {
 public:
  explicit PulseCheck(Problem& problem);

  void states_changed();

  // Is every exponential between the points at most ten times as large as at one of them, or is its contribution to its
  // equations below the tolerance? `places`: how many points between are evaluated. Two steps of similar size in which
  // no argument changes much pass without evaluation.
  bool operator()(const System::Point& begin, const System::Point& end, double tolerance, int places);

  void archive(Archive& archive) {
    archive(was_quiet_, last_size_);
    if (on_rows_) archive(*on_rows_);
  }

 private:
  struct Place {
    double x = 0.0;                 // part of the step
    std::vector<double> arguments;  // of each exponential
  };

  void add_place(double x);
  bool solve_at(double x, const System::Point& begin, const System::Point& end);
  std::optional<bool> stays_small_at(double x, const System::Point& begin, const System::Point& end);
  std::optional<double> peak(std::size_t place) const;

  Problem& problem_;
  Guard* guard_;  // null: no exponential, nothing is checked
  std::unique_ptr<AlgebraicSolve> on_rows_;
  bool was_quiet_ = false;
  double last_size_ = 0.0;
  std::vector<double> y_, yp_;
  std::vector<Place> places_;  // those of the last step, in order, then spare room
  std::size_t used_ = 0;
  std::vector<double> ceilings_;
};

}  // namespace driftless
