// Finds pulses of functions of time alone within a step that leave no trace at its ends. The error test of a method
// sees the ends and a few points between, so it can miss a pulse that is narrower than their distance at any tolerance.
//
// Each term that may have pulses (forcing_terms.hpp) is bounded over the step by interval arithmetic. What its values
// and slopes at the ends explain is what a parabola would do. Where the bounds are wider, the step is divided, the
// piece with the widest bounds first, until the bounds are narrow or a value is found that the ends do not explain. Ten
// bisections find a pulse of a thousandth of the step, twenty bisections one of a millionth.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "driftless/archive/archive.hpp"
#include "driftless/expr/bounds_in_time.hpp"
#include "driftless/integrate/system/system.hpp"

namespace driftless {

class Forcing {
 public:
  // `begin`, `end`: of the run.
  Forcing(const System& system, double tolerance, double begin, double end);

  bool exist() const { return !terms_.empty(); }

  // At an event: other values of the parameters.
  void take_parameters(std::span<const double> values);

  struct Pulse {
    double begin, peak;  // where it rises above a part of the tolerance, and about where it is largest
  };
  // The first pulse found within the step from a to b for which `matters(peak)` holds.
  std::optional<Pulse> find(double a, double b, const std::function<bool(double peak)>& matters);

  void archive(Archive& archive);

 private:
  struct Term {
    bool jumps;
    BoundsInTime value, slope;
    double usual = 0.0;  // the width of its bounds in the whole run, if these are finite
    double at = std::numeric_limits<double>::quiet_NaN(), value_there = 0.0;  // the end of the last step
    // Terms whose bounds do not become narrow are checked less and less often.
    int idle = 0, rests = 0;
    void archive(Archive& archive) { archive(idle, rests); }
  };
  struct Explained {  // by the ends of a step
    double low, high;
    double distance(double value) const;
    double excess(Interval bounds) const;
  };

  explicit Forcing(const CompiledSystem& system);
  double value_at(Term& term, double t) const;
  Explained explained(const Term& term, double from, double to, double by_slopes) const;
  double excess(Term& term, const Explained& by_ends, double from, double to) const;
  std::optional<double> find_peak(Term& term, const Explained& explained, double a, double b);
  double begin_of(Term& term, const Explained& explained, double a, double peak) const;

  std::vector<Term> terms_;
  double tolerance_ = 0.0;
  double begin_ = 0.0, end_ = 0.0;
  struct Piece {
    double begin, end, excess;
  };
  std::vector<Piece> pieces_;  // a heap
};

}  // namespace driftless
