// Is it certain that no determinant has changed its sign in a step? Used for methods and formulations that choose no
// states: to find their singular points (singular_points.hpp), states must first be chosen, and this test shows that
// few steps need it.
//
// Rows that belong to no choice of states (states/fixed_rows.hpp) form blocks whose determinants must have the same
// sign at both ends. The rows of a choice, m rows of n > m candidates, lose rank where all determinants of m columns
// vanish together, and beyond such a point all of them have the opposite sign. So one set of columns in which both ends
// have the same sign is enough. It is kept from step to step until its determinant changes its sign; then the columns
// that are best at the end of the step are tried, and take its place. Higher levels of a constraint have the same
// matrix as the first, and are left out.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "driftless/archive/archive.hpp"
#include "driftless/integrate/states/constraint_slopes.hpp"
#include "driftless/linear/determinant.hpp"

namespace driftless {

class SignCheck {
 public:
  using Path = std::function<bool(double t, std::span<double> y, std::span<double> yp)>;

  explicit SignCheck(System& system);

  bool applies() const { return applies_; }                     // otherwise `holds_to` proves nothing
  bool has_work() const { return slopes_->kernel != nullptr; }  // a matrix changes

  // The beginning of a step that does not begin where the last one has ended.
  void begin(const System::Point& at);
  // Checks the step from the last end to this one, which then becomes the last end. False if it is not certain.
  bool holds_to(const System::Point& end);
  // The same along the last checked step, from a to b, evaluated at points inside of it: the pieces in which it is not
  // certain.
  struct Piece {
    double begin, end;
  };
  std::vector<Piece> doubtful_pieces(double a, double b, const Path& path);

  // May the determinant of a block have touched 0 within the last checked step, from a to b, without changing its sign,
  // which the ends do not show? Decided by its tangents at the ends.
  bool may_touch_zero(double a, double b, const Path& path);

  // True if some matrix was nearly singular at the last end: the sign of the end before is kept for it.
  bool is_open() const { return is_open_; }

  void archive(Archive& archive) {
    archive.section("signs");
    archive(values_, from_, signs_, sets_, is_open_);
  }

 private:
  using Candidates = ConstraintSlopes::Candidates;
  // Columns of a choice of states, and the sign of their determinant.
  struct Set {
    std::vector<int> place;  // of each column; -1: it is left out
    int sign = 0;
    void archive(Archive& archive) { archive(place, sign); }
  };

  void evaluate(const System::Point& at, std::vector<double>& values);
  linear::Determinant of_block(std::size_t block, std::span<const double> values);
  linear::Determinant in_set(const Candidates& choice, const Set& set, std::span<const double> values);
  // Finds the best conditioned columns for these values of the matrix. False if its rows are dependent.
  bool choose(const Candidates& choice, std::span<const double> values, Set& set);
  bool follow(const Candidates& choice, Set& set, std::span<const double> from, std::span<const double> to);
  bool compare(std::span<const double> from, std::span<const double> to);

  System& system_;
  std::shared_ptr<const ConstraintSlopes> slopes_;
  std::vector<double> values_, from_;  // at the last end, and at the one before
  std::vector<double> here_, next_, y_, yp_, of_block_;
  std::vector<linear::RepeatedDeterminant> blocks_;
  std::vector<int> signs_;  // of blocks
  std::vector<Set> sets_;   // of choices
  Set other_;
  bool applies_, is_open_ = false;
  linear::SmallMatrix matrix_;
  std::vector<double> table_, largest_of_row_;  // of a choice
  std::vector<int> pivots_;
};

}  // namespace driftless
