// Series about both ends of a step, from which many points within it are read off.
//
// The series of a step ends where its terms are within the tolerance, so a point read off it must be put onto the
// constraints once more (series_point.hpp). If a step has many points, it costs less to compute a longer series in
// addition: with all terms down to rounding it satisfies the equations at every level, because they hold order by
// order. With h = R tolerance^(1/p) for a series of order p that converges as far as R, the terms of order P are within
// eps at a part c of the step for P = log(eps) / (log(tolerance) / p + log(c)). A point lies in one half of the step or
// the other, and the series about the end also serves the next step. The reach of each is measured on its own
// coefficients.
//
// The series about the end is the solution through the end, whose error it has: a motion that decays like exp(-λ t)
// makes it exp(λ h/2) times as large in the middle of a step h. So the two series are compared where they meet, and
// that about the end is left out of steps in which they differ.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "driftless/integrate/steppers/taylor/series_measure.hpp"
#include "driftless/integrate/steppers/taylor/series_point.hpp"
#include "driftless/taylor/expansion.hpp"

namespace driftless {

template <class Scalar>
class PointSeries {
 public:
  // `order`, `tolerance`: of the steps, with the formulas of `code`.
  PointSeries(int order, double tolerance, const taylor::Recurrences& recurrences,
              const taylor::Expansion<Scalar>& code)
      : order_(order_for(order, tolerance)),
        tolerance_(tolerance),
        exactness_(rounding(order_)),
        unknowns_(recurrences.system.unknowns),
        expansion_(code, order_ - 1),
        begin_(expansion_.make_series()),
        end_(begin_),
        seen_from_begin_(begin_.series),
        seen_from_end_(begin_.series),
        all_rows_(begin_.series.rows),
        measure_(unknowns_, order_, begin_.series.width, exactness_),
        weights_(unknowns_.size()) {}

  // A point costs a Jacobian, and residuals and a solution for each stage up to 0; a series a stage for each order, and
  // the sums of its convolutions, which grow with the order to about as much again.
  static bool pays(double points, int order, double tolerance, int stages_up_to_zero) {
    return points * (2 * stages_up_to_zero + 1) >= 2 * order_for(order, tolerance);
  }

  // Makes the series about the ends of a step. If an end cannot be put onto the equations to rounding, the reach of its
  // series is 0.
  void take_step(const taylor::Series<Scalar>& begin, const taylor::Series<Scalar>& end, const SeriesPoint& point,
                 std::span<const double> parameters) {
    expansion_.set_parameters(parameters);
    if (is_about(end_, begin)) std::swap(begin_, end_);
    if (!is_about(begin_, begin)) expand(begin_, begin, point);
    if (!is_about(end_, end)) expand(end_, end, point);
    point.set_weights(begin, weights_);
    agree_ = agree_in_the_middle();
  }
  // To be called when parameters change, as the point may stay the same.
  void forget() { begin_.start.clear(), end_.start.clear(); }

  bool reaches(double t) const { return side_for(t).way_to(t) < 1.0; }

  // The first derivatives at a time within reach of one series, by as many terms as exceed rounding there.
  void shift_to(double t, taylor::Series<Scalar>& result) {
    Side& side = &side_for(t) == &begin_ ? begin_ : end_;
    taylor::Series<Scalar>& series = side.series;
    const double whole = std::log(exactness_), part = std::max(side.way_to(t), 1e-3);
    const int terms = static_cast<int>(std::ceil(whole / (whole / order_ + std::log(part))));
    series.rows = std::min(std::max(terms, order_ / 2) + expansion_.stages_up_to_zero(), all_rows_);
    taylor::shift(series, (Scalar(t) - Scalar(series.begin)) / Scalar(series.unit), result.rows, result);
    series.rows = all_rows_;
    result.unit = series.unit;
  }

  void archive(Archive& archive) {
    expansion_.archive_pivots(archive);
    for (Side* side : {&begin_, &end_}) archive(side->series, side->reach, side->start);
    archive(agree_);
  }

 private:
  static constexpr int lowest_order = 8, highest_order = 64;
  static constexpr double largest_coefficient = 1e200;
  static constexpr double largest_difference = 0.1;  // of the tolerance
  static constexpr double part_of_step = 0.65;       // a half, and some more where coefficients fall slowly

  struct Side {
    explicit Side(taylor::Series<Scalar> empty) : series(std::move(empty)) {}
    taylor::Series<Scalar> series;
    double reach = 0.0;
    std::vector<Scalar> start = {};  // the values it was made from

    // The distance to t relative to its reach.
    double way_to(double t) const {
      return reach > 0.0 ? std::abs(t - series.begin) / reach : std::numeric_limits<double>::infinity();
    }
  };

  const Side& side_for(double t) const { return agree_ && end_.way_to(t) < begin_.way_to(t) ? end_ : begin_; }

  // Compares the two series in the middle of the step, or before it where the series about the beginning still reaches:
  // all derivatives of a point, as coefficients in one unit.
  bool agree_in_the_middle() {
    const double way = static_cast<double>(end_.series.begin - begin_.series.begin);
    const double t =
        static_cast<double>(begin_.series.begin) + way * std::min(0.5, 0.99 * begin_.reach / std::abs(way));
    if (!(begin_.way_to(t) < 1.0 && end_.way_to(t) < 1.0)) return false;
    const int rows = expansion_.stages_up_to_zero();
    for (auto [side, seen] : {std::pair{&begin_, &seen_from_begin_}, std::pair{&end_, &seen_from_end_}})
      taylor::shift(side->series, (Scalar(t) - Scalar(side->series.begin)) / Scalar(side->series.unit), rows, *seen);
    const double ratio = static_cast<double>(begin_.series.unit / end_.series.unit);
    for (std::size_t j = 0; j < unknowns_.size(); ++j) {
      double factor = 1.0;
      for (int m = 0; m <= unknowns_[j].d; ++m, factor *= ratio) {
        const double difference =
            static_cast<double>(seen_from_begin_.at(m)[j] - Scalar(factor) * seen_from_end_.at(m)[j]);
        if (!(std::abs(difference) <= largest_difference * tolerance_ * weights_[j])) return false;
      }
    }
    return true;
  }

  bool is_about(const Side& side, const taylor::Series<Scalar>& start) const {
    if (side.start.empty() || side.series.begin != start.begin || side.series.unit != start.unit) return false;
    auto known = side.start.begin();
    for (std::size_t j = 0; j < unknowns_.size(); ++j)
      for (int n = 0; n <= unknowns_[j].d; ++n)
        if (*known++ != start.at(n)[j]) return false;
    return true;
  }

  void expand(Side& side, const taylor::Series<Scalar>& start, const SeriesPoint& point) {
    taylor::Series<Scalar>& series = side.series;
    side.reach = 0.0;
    side.start.clear();
    for (std::size_t j = 0; j < unknowns_.size(); ++j)
      for (int n = 0; n <= unknowns_[j].d; ++n) side.start.push_back(start.at(n)[j]);
    series.begin = start.begin;
    series.unit = start.unit;
    std::copy_n(start.coefficients.begin(), expansion_.stages_up_to_zero() * start.width, series.coefficients.begin());
    point.set_weights(series, weights_);
    const bool found = expansion_.project(series, weights_, 0.0) == taylor::Expansion<Scalar>::Failure::None;
    if (!found || !expansion_.begins_at_rounding()) return;
    expansion_.expand(series);
    measure_.take_sizes(series);
    const double reach = measure_.step_by_decay(series);
    if (measure_.largest() < largest_coefficient) side.reach = reach;
  }

  // The rounding error of the highest derivative of a series grows by a factor of its order.
  static double rounding(int order) { return static_cast<double>(taylor::epsilon<Scalar>()) / (order + 1); }

  static int order_for(int order, double tolerance) {
    const double wanted = std::log(rounding(highest_order)) / (std::log(tolerance) / order + std::log(part_of_step));
    return std::clamp(static_cast<int>(std::ceil(wanted)), lowest_order, highest_order);
  }

  int order_;
  double tolerance_, exactness_;
  const std::vector<taylor::Unknown>& unknowns_;
  taylor::Expansion<Scalar> expansion_;
  Side begin_, end_;
  taylor::Series<Scalar> seen_from_begin_, seen_from_end_;  // the first derivatives where both are compared
  bool agree_ = false;
  int all_rows_;  // of a series; fewer are used where its last terms are rounding errors
  SeriesMeasure<Scalar> measure_;
  std::vector<double> weights_;
};

}  // namespace driftless
