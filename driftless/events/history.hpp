// The past values of a quantity in a run, and polynomials that repeat them later: the memory of a delay.
//
// Every step is stored as interpolants of degree 16 at Chebyshev points, halved until their last coefficients are
// within the tolerance. A piece of the past is repeated by one polynomial of degree 7 through its values at
//
//   A + (B - A) (1 - cos(j pi/7))/2,   j = 0, ..., 7,
//
// including both ends, so that the repeated signal does not jump where two pieces meet. It extends as far as it is
// within the tolerance of the past, and never across a break: a time at which the quantity or one of its derivatives
// jumps.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "driftless/archive/archive.hpp"
#include "driftless/integrate/crossings/interpolant.hpp"

namespace driftless {

class History {
 public:
  // `tolerance`: of the values, relative to the largest one so far.
  explicit History(double tolerance = 1e-6) : tolerance_(tolerance) {}

  // A step from where the last one ended. `value` must exist in all of it.
  void add(double from, double to, const std::function<double(double t)>& value);
  // The quantity or one of its derivatives jumps at the present end. Generation 0: because of an event; n: because a
  // break of generation n - 1 is repeated there.
  void add_break(int generation);

  // Precondition of this and all functions below: a step was added.
  double begin() const { return pieces_.front().from; }
  double end() const { return pieces_.back().to; }
  double value(double t) const;  // after t, except at the end

  struct Polynomial {
    double from = 0.0, to = 0.0, origin = 0.0;
    std::array<double, 8> c = {};                                 // of powers of t - origin
    std::optional<int> begins_at_break = {}, ends_at_break = {};  // their generations
  };
  // One polynomial from `from` on, as far as it is accurate. Precondition: begin <= from < end.
  Polynomial repeated_from(double from) const;
  // The same backwards from `to`. Precondition: begin < to <= end.
  Polynomial repeated_to(double to) const;

  void forget_before(double t);

  void archive(Archive& archive);

 private:
  struct Piece {
    double from = 0.0, to = 0.0;
    double base = 0.0;   // the value at `from`: a constant is remembered exactly
    Interpolant values;  // minus `base`
    double value(double t) const;
    void archive(Archive& archive);
  };
  void add_piece(double from, double to, const std::function<double(double t)>& value, int halvings);
  const Piece& piece_at(double t) const;
  double value_before(double t) const;  // before t
  Polynomial through(double from, double to) const;
  bool fits(const Polynomial& polynomial) const;
  double few_units(double t) const;  // times that differ by less are equal
  std::optional<int> break_at(double t) const;

  double tolerance_, largest_ = 0.0;
  std::vector<Piece> pieces_;
  std::vector<std::pair<double, int>> breaks_;  // time and generation
};

}  // namespace driftless
