// A longer series about the beginning of a step, from which many points within the step are read off.
//
// The series of a step ends where its terms are within the tolerance, so a point is put onto the constraints once more
// (series_point.hpp). Where a step has more points than a series has orders, it costs less to go on with the series
// until its terms are rounding: what it gives then satisfies the equations at every level, because they hold order by
// order. With h = R tolerance^(1/p) for a series of order p that converges as far as R, the order P whose terms are
// within eps at h is p log(eps) / log(tolerance). How far it reaches is measured on its own coefficients.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
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
        exactness_(rounding(order_)),
        expansion_(code, order_ - 1),
        series_(expansion_.make_series()),
        all_rows_(series_.rows),
        measure_(recurrences.system.unknowns, order_, series_.width, exactness_),
        weights_(recurrences.system.unknowns.size()) {}

  // A point costs a Jacobian, and residuals and a solution for each stage up to 0; the series a stage for each order.
  static bool pays(double points, int order, double tolerance, int stages_up_to_zero) {
    return points * (2 * stages_up_to_zero + 1) >= order_for(order, tolerance);
  }

  // About the beginning of another series. Where that cannot be put onto the equations to rounding it reaches nowhere.
  void begin_with(const taylor::Series<Scalar>& start, const SeriesPoint& point, std::span<const double> parameters) {
    reach_ = 0.0;
    series_.begin = start.begin;
    series_.unit = start.unit;
    series_.rows = all_rows_;
    std::copy_n(start.coefficients.begin(), expansion_.stages_up_to_zero() * start.width, series_.coefficients.begin());
    expansion_.set_parameters(parameters);
    point.set_weights(series_, weights_);
    const bool found = expansion_.project(series_, weights_, 0.0) == taylor::Expansion<Scalar>::Failure::None;
    if (!found || !expansion_.begins_at_rounding()) return;
    expansion_.expand(series_);
    measure_.take_sizes(series_);
    const double reach = measure_.step_by_decay(series_);
    if (measure_.largest() < largest_coefficient) reach_ = reach;
  }

  bool reaches(double t) const { return t - series_.begin < reach_; }

  // The first derivatives at a time that it reaches, by as many terms as are more than rounding there.
  void shift_to(double t, taylor::Series<Scalar>& result) {
    const double whole = std::log(exactness_), part = std::max((t - series_.begin) / reach_, 1e-3);
    const int terms = static_cast<int>(std::ceil(whole / (whole / order_ + std::log(part))));
    series_.rows = std::min(std::max(terms, order_ / 2) + expansion_.stages_up_to_zero(), all_rows_);
    taylor::shift(series_, (Scalar(t) - Scalar(series_.begin)) / Scalar(series_.unit), result.rows, result);
    result.unit = series_.unit;
  }

  void archive(Archive& archive) { expansion_.archive_pivots(archive); }

 private:
  static constexpr int highest_order = 64;
  static constexpr double largest_coefficient = 1e200;

  // The highest derivative of a series loses a factor of its order.
  static double rounding(int order) { return static_cast<double>(taylor::epsilon<Scalar>()) / (order + 1); }

  static int order_for(int order, double tolerance) {
    const double wanted = order * std::log(rounding(highest_order)) / std::log(tolerance);
    return std::clamp(static_cast<int>(std::ceil(wanted)), order, std::max(order, highest_order));
  }

  int order_;
  double exactness_, reach_ = 0.0;
  taylor::Expansion<Scalar> expansion_;
  taylor::Series<Scalar> series_;
  int all_rows_;  // of the series; it has fewer where its last terms are rounding
  SeriesMeasure<Scalar> measure_;
  std::vector<double> weights_;
};

}  // namespace driftless
