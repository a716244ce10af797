// Newton's iteration to rounding, for equations whose solution itself is wanted.
//
// Sizes are relative to the unknowns. A correction below `nothing` changes no digit that counts. One below `small` that
// has not become smaller than `part` times the one before is rounding too: more digits are not to be had.
#pragma once

#include <cmath>

#include "driftless/newton/iterate.hpp"

namespace driftless::newton {

struct Rounding {
  double nothing, small, part;
};

// For points between and behind steps, which are asked for often: the matrix is mostly a fresh one.
constexpr Rounding at_a_point{.nothing = 1e-14, .small = 1e-9, .part = 0.25};
// For the steps of a method, whose matrix may be an older one, and whose unknowns may be large multipliers.
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

  // Of the corrections that were tested; infinite where there was none.
  double last() const { return last_; }
  double before() const { return before_; }
  bool is_nothing() const { return last_ <= limits_.nothing; }
  bool shrinks_slowly(double part) const { return last_ >= part * before_; }

  // The next correction is as good as the first one.
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
