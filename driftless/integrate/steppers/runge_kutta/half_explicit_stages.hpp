// A step of a half-explicit method by its tableau: stages that are explicit but for the multipliers
// (half_explicit.hpp).
#pragma once

#include <span>
#include <vector>

#include "driftless/integrate/solve/multiplier_solve.hpp"
#include "driftless/integrate/steppers/runge_kutta/tableau.hpp"
#include "driftless/integrate/steppers/step_polynomial.hpp"

namespace driftless {

// The point where a step begins, and the place for that where it ends.
struct StepEnds {
  double t, end;
  std::span<const double> y, yp;
  std::span<double> y_new, yp_new;
  bool restored = false;  // the end is moved onto all constraints afterwards
  double h() const { return end - t; }
};

class HalfExplicitStages {
 public:
  using Polynomial = StepPolynomial;
  static constexpr bool fits_at_once = true;  // the polynomial of a step needs no further stage
  // The error estimate is of lower order across the constraints, in the directions of their forces.
  static constexpr bool weaker_across = true;
  static constexpr const char* too_small = "the error test fails repeatedly";

  HalfExplicitStages(const method::HalfExplicit& method, MultiplierSolve& solve, std::size_t size);

  int order() const { return tableau_.order; }
  int order_of_error() const { return tableau_.order; }  // the estimate is O(h^order)

  // States of the new point; slopes and multipliers there are guesses.
  newton::Report advance(const StepEnds& ends);
  // Takes the slopes at the new point.
  void arrive(std::span<const double> slopes);
  // The error estimate of the states in the last step.
  void error(double h, std::span<double> error) const;

  template <class Settle>
  bool fit(StepPolynomial& polynomial, const StepPolynomial::End& begin, const StepPolynomial::End& end, bool,
           Settle&&) {
    combine_dense(end.t - begin.t);
    polynomial.set(begin, end, solve_.states(), extra_);
    return true;
  }

 private:
  double next_weight(int i, int j) const;
  double next_node(int i) const;
  int last_solved() const { return tableau_.stiffly_accurate() ? tableau_.stages - 1 : tableau_.stages; }
  void combine(const StepEnds& ends, int i);
  void combine_dense(double h);

  const Tableau tableau_;
  MultiplierSolve& solve_;
  std::vector<double> known_, present_, extra_;
  std::vector<std::vector<double>> slope_;  // f(X_i, Z_i)
};

}  // namespace driftless
