// The first time in a step at which one of several functions leaves the range for which a value is held.
//
// For a relation g < 0 or g <= 0 the value is its truth, for floor(g) and ceil(g) an integer. A value has one bound, or
// two: as long as it is right, the distances m from its bounds, g or -g for a relation, are positive. An event is where
// a distance becomes negative. 0 itself belongs to one side of a bound: g < 0 is false there, g <= 0 is true.
//
// Rounding. The level of g is its change by the rounding errors of the step, a few units in the last place of its terms
// and of the time. A distance that reaches 0 but does not fall below -level causes no event: a contact that touches
// exactly is no event, one that crosses by more than rounding is.
//
// The beginning. A bound is armed while its distance is positive. After an event a distance may be 0 or negative, by
// rounding or because the event has already set the new value: such a bound waits. It is armed where its distance
// exceeds the level; it causes an event where it falls below -(level + twice its negative amount at the beginning). So
// a function that starts at a bound and leaves to the side of its value causes no event, one that leaves to the other
// side causes one at once, and one that rests there causes none. A distance that is negative by more than the tolerance
// explains contradicts the held value: that is an event at the beginning itself.
//
// The cost. A step evaluates all functions and their slopes at its end. The two ends define a cubic for each distance;
// only if that has an extremum near 0, the distance is examined inside the step: it is interpolated at Chebyshev points
// (interpolant.hpp), all extrema of this polynomial are found (roots.hpp), and between two of them the function is
// monotonic. Steps of one-step methods are longer: they are also evaluated in their middle, and interpolated unless the
// functions agree there with the cubic and are far from their bounds. Steps of series are always interpolated.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "driftless/archive/archive.hpp"
#include "driftless/integrate/crossings/interpolant.hpp"
#include "driftless/integrate/crossings/roots.hpp"
#include "driftless/integrate/steppers/along_step.hpp"

namespace driftless {

class Crossings {
 public:
  enum class Kind { Less, LessEqual, Floor, Ceil };  // g < 0, g <= 0, floor(g), ceil(g)
  struct Function {
    Kind kind;
    bool has_slope;  // otherwise differences of values approximate it
  };
  // How well a step is described: by a cubic through its ends; by that cubic if it also fits in the middle; by several
  // polynomials of degree 16; or not at all, because it may contain any number of oscillations.
  enum class Steps { Short, Medium, Long, Oscillating };
  struct Course {
    // At a time of the step: all functions, then their slopes; false where there are none.
    std::function<bool(double t, std::span<double> values_and_slopes)> values;
    // At an end of the step: the sum of the sizes of the terms of each function, then the same for terms of variables
    // alone with their nominal values added.
    std::function<void(double t, std::span<double> sizes)> sizes;
  };
  struct Found {
    double before, at;  // adjacent up to rounding of the functions; at `at` the first function is beyond its bound
    void archive(Archive& archive) { archive(before, at); }
  };
  struct Crossed {
    int function;
    double value;             // from here on
    bool never_left = false;  // the function has been on its bound since the step after the last event
    void archive(Archive& archive) { archive(function, value, never_left); }
  };

  Crossings() = default;
  Crossings(std::vector<Function> functions, double tolerance);

  bool exist() const { return !functions_.empty(); }
  void hold(std::span<const double> values);  // one for each function; also forgets earlier steps
  void forget();                              // at the beginning of the next step the functions may have jumped
  // The first event in (a, b], or at a if held values contradict the functions there. `along`: the functions as
  // polynomials in the step, where these are known; `away`: by function, whether it is proven to stay away from its
  // bounds, so that the course need not give its values inside the step.
  std::optional<Found> find(double a, double b, const Course& course, Steps steps, std::span<const char> away = {},
                            std::span<const AlongStep> along = {});
  // A function that the pieces of the last step do not describe well enough to exclude that it leaves its range. If
  // there is one, the caller must take a shorter step: an empty result of `find` then proves nothing.
  std::optional<int> undecided() const { return undecided_; }
  // At a point of the step that is to be delivered, with values in the order of `Course::values`: a function that lies
  // beyond its bound by more than errors explain although its value is still held. `sizes` as in the course.
  std::optional<int> contradicted(std::span<const double> values, std::span<const double> sizes) const;
  bool any_is_beyond(std::span<const double> values) const;  // its bound at all: otherwise sizes are of no interest
  // Of the last event that was found: every function that leaves its range there, or within rounding after it.
  std::span<const Crossed> crossed() const { return crossed_; }

  // Called for an event of another kind at the end of the step: functions that reach their bound there, up to rounding,
  // become `crossed`.
  void note_leaving_at_end(const Course& course);

  // In the last step: does a bound of this value, which the function has not left since an earlier event, wait at g?
  bool waits(std::size_t f, double held, double g) const;
  template <class Use>  // of each such function
  void for_each_waiting(Use use) const {
    for (const Bound& bound : bounds_)
      if (!bound.will_be_armed) use(bound.function);
  }
  // In the last step: a function at the event that was found, or at the end; and its rounding error.
  double last_value(std::size_t f) const { return last_[f]; }
  double last_level(std::size_t f) const { return levels_[f]; }

  void archive(Archive& archive);

  static bool is_relation(Kind kind) { return kind == Kind::Less || kind == Kind::LessEqual; }
  static double value(Kind kind, double g);
  // The rounding error of a function, from the size of its terms, its slope and the time.
  static double level(double size, double slope, double t);

 private:
  struct Place {
    double t = 0.0, m = 0.0;
  };
  struct Bound {  // distance m = sign * g + offset
    int function;
    double sign, offset;
    bool contains_zero;          // is the held value right at m = 0?
    bool armed = false;          // at the beginning of the step
    bool will_be_armed = false;  // at its end, or at the last time examined
    double waits_to = 0.0;       // not armed: the distance at which it causes an event
    Place inside = {};           // the last place examined at which the held value is right
    bool is_doubtful = true;     // the cubic does not exclude an event in this step
    bool is_clear = false;       // stays away from 0 in the present piece
    bool is_away = false;        // and in all of this step
    void archive(Archive& archive);
  };
  struct Sample {
    double t = 0.0;
    bool exists = false;
    std::vector<double> values;
    void archive(Archive& archive) { archive(t, exists, values); }
  };
  struct Piece {
    double low, high;
    int depth;
  };
  struct Interval {
    Place low, high;
  };

  double distance(const Bound& bound, const Sample& s) const {
    return bound.sign * s.values[bound.function] + bound.offset;
  }
  double rate(const Bound& bound, const Sample& s) const {
    return bound.sign * s.values[functions_.size() + bound.function];
  }
  static bool is_out(const Bound& bound, double m) { return bound.contains_zero ? m < 0.0 : m <= 0.0; }
  // An armed bound is left at distance 0, a waiting bound further out.
  static bool is_left(const Bound& bound, double m) {
    return bound.will_be_armed ? is_out(bound, m) : m < bound.waits_to;
  }
  void add_bounds(int function, double value);
  bool evaluate(double t, const Course& course, Sample& sample);
  bool take_ends(double a, double b, const Course& course);
  void fill_slopes(const Course& course);
  void find_levels(const Course& course);
  std::optional<Found> arm(const Course& course);
  bool leaves_at_end(const Bound& bound, const Course& course);
  bool cubic_is_doubtful(const Bound& bound) const;
  bool middle_is_as_expected(const Course& course);
  void arm_behind(const Course& course);

  // Inside of a step (crossings_inside.cpp).
  std::optional<Found> look_inside(const Course& course, Steps steps);
  std::optional<Found> look_along(const Course& course, std::span<const AlongStep> along);
  std::optional<Interval> walk_along(Bound& bound, const AlongStep& along);
  double take_polynomial(const Bound& bound, const AlongStep& along);
  bool describe(const Piece& piece, const Course& course, Steps steps, bool& splits);
  bool may_split(const Piece& piece, Steps steps) const;
  bool sample(const Piece& piece, int degree, bool has_half, const Course& course);
  void interpolate(const Bound& bound, int degree);
  bool is_described(Bound& bound, const Piece& piece, int degree, Steps steps);
  std::optional<Interval> walk(Bound& bound, const Piece& piece, bool is_polynomial, const Course& course);
  bool passes(Bound& bound, double t, double m);  // is it left here?
  Found locate(const Bound& bound, Interval in, const Course& course);
  void take_first(std::optional<Found>& first, const Bound& bound, Interval in, const Course& course);
  std::optional<double> zero_of_cubic(const Bound& bound, double from) const;
  bool contradicts(const Bound& bound) const;  // its value at the beginning
  bool leaves(const Bound& bound, const Sample& s) const;
  void note(const Bound& bound, const Sample& s);
  void note_crossed(const Found& found, bool contradicts_beginning, const Course& course);

  double tolerance_ = 0.0;
  std::vector<Function> functions_;
  std::vector<double> held_;
  std::vector<Bound> bounds_;
  bool is_fresh_ = true;         // no step has been examined since `hold` or `forget`
  Sample before_, begin_, end_;  // the beginning of the previous step; the ends of this one
  std::vector<double> levels_, sizes_, allowed_, last_;
  bool levels_are_known_ = false;
  std::vector<Sample> grid_;  // at the Chebyshev points of a piece, descending
  int degree_ = 0;            // the number of points of grid_ minus one
  Sample here_;
  std::vector<Piece> pieces_;
  int looked_at_ = 0;  // pieces of this step that were examined
  std::optional<int> undecided_;
  std::size_t first_bound_ = 0;  // the first one that was left at the event
  std::vector<Crossed> crossed_;
  Interpolant interpolant_;
  Roots roots_;
  std::vector<double> polynomial_, bernstein_;  // of a distance along the step
};

}  // namespace driftless
