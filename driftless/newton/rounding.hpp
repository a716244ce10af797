// The test of Newton iterations that solve equations to rounding.
//
// Sizes are relative to the unknowns. A correction below `nothing` is insignificant. One below `small` that is not
// smaller than `part` times the previous one is a rounding error, too: no more digits can be gained.
#pragma once

#include <cmath>

#include "driftless/newton/iterate.hpp"

namespace driftless::newton {

struct Rounding {
  double nothing, small, part;
};

// For points between and at the ends of steps, which are needed often: the matrix is mostly new.
constexpr Rounding at_a_point{.nothing = 1e-14, .small = 1e-9, .part = 0.25};
// For the steps of a method, whose matrix may be older, and whose unknowns may be large multipliers.
constexpr Rounding in_a_step{.nothing = 4e-15, .small = 1e-7, .part = 0.5};

class ToRounding {
 public:
  explicit constexpr ToRounding(const Rounding& limits) : limits_(limits) {}

  Verdict operator()(double size) {
    before_ = last_;
    last_ = size;
    return is_nothing() || (last_ <= limits_.small && shrinks_slowly(limits_.part)) ? Verdict::Converged
                                                                                    : Verdict::GoOn;
  }

  // The last tested correction, and the one before; infinite if there was none.
  double last() const { return last_; }
  double before() const { return before_; }
  bool is_nothing() const { return last_ <= limits_.nothing; }
  bool shrinks_slowly(double part) const { return last_ >= part * before_; }

  // The next correction is treated as the first one.
  void forget() { last_ = before_ = HUGE_VAL; }

 private:
  Rounding limits_;
  double last_ = HUGE_VAL, before_ = HUGE_VAL;
};

// Converged as soon as a correction is within a bound.
struct Within {
  double bound;
  Verdict operator()(double size) const { return size <= bound ? Verdict::Converged : Verdict::GoOn; }
};

}  // namespace driftless::newton
