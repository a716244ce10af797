// The common loop of Newton iterations: corrections are made, one after the other, until a test of their sizes decides
// that they have converged, or will not.
//
// An iteration passes two functions. `correct()` evaluates the equations, makes a correction with its matrix, and
// returns its size, or why there is none. `test(size)` judges the sizes: ToRounding (rounding.hpp) if the solution is
// needed to rounding, a test of the rate (rate.hpp) if it is needed to a tolerance.
#pragma once

#include <cmath>

namespace driftless::newton {

enum class End { Converged, Diverged, Singular, Undefined };  // Undefined: a value does not exist

struct Report {
  End end = End::Converged;
  int iterations = 0;
  bool converged() const { return end == End::Converged; }
};

// The size of a correction, or the reason why there is none.
class Correction {
 public:
  Correction(double size) : size_(size) {}
  Correction(End why_not) : size_(HUGE_VAL), end_(why_not) {}

  bool was_made() const { return end_ == End::Converged; }
  double size() const { return size_; }
  End why_not() const { return end_; }

 private:
  double size_;
  End end_ = End::Converged;
};

enum class Verdict { GoOn, Converged, Diverged };

// Makes at most `most` corrections. One that is not finite ends the iteration.
template <class Correct, class Test>
Report iterate(int most, Correct&& correct, Test&& test) {
  Report report;
  while (report.iterations < most) {
    const Correction made = correct();
    if (!made.was_made()) return {made.why_not(), report.iterations};
    ++report.iterations;
    if (!std::isfinite(made.size())) return {End::Diverged, report.iterations};
    switch (test(made.size())) {
      case Verdict::Converged: return report;
      case Verdict::Diverged: return {End::Diverged, report.iterations};
      case Verdict::GoOn: break;
    }
  }
  return {End::Diverged, report.iterations};
}

// The natural monotonicity test (Deuflhard 2004, Section 3.3). A correction of this size was made; parts 1, 1/2, 1/4
// ... of it are tried down to the smallest, until the next correction, by the same matrix, is smaller. `next(part)`
// puts the iterate there and gives the size of that correction, infinite where the equations have no value; if it gives
// an `End` instead, the search is over.
template <class Next>
bool shorten_until_next_is_smaller(double size, double smallest_part, Next&& next) {
  for (double part = 1.0; part >= smallest_part; part *= 0.5) {
    const Correction following = next(part);
    if (!following.was_made()) return false;
    if (following.size() <= (1.0 - 0.25 * part) * size) return true;
  }
  return false;
}

// Iterates with corrections that are shortened in this way.
template <class Correct, class Test, class Next>
Report iterate_damped(int most, double smallest_part, Correct&& correct, Test&& test, Next&& next) {
  return iterate(most, correct, [&](double size) {
    const Verdict verdict = test(size);
    if (verdict != Verdict::GoOn) return verdict;
    return shorten_until_next_is_smaller(size, smallest_part, next) ? Verdict::GoOn : Verdict::Diverged;
  });
}

}  // namespace driftless::newton
