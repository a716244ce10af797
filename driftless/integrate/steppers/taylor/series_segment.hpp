// The Taylor series of a step as polynomials of its slots: the segment of dense output, and one function of the slots
// along the step. Series are about the beginning of the step, segments about its end.
#pragma once

#include <algorithm>
#include <span>

#include "driftless/integrate/steppers/along_step.hpp"
#include "driftless/integrate/steppers/taylor/series_point.hpp"
#include "driftless/solution/solution.hpp"
#include "driftless/taylor/series.hpp"

namespace driftless {

// A step of a series, and where the slots come from.
template <class Scalar>
struct SeriesOfStep {
  const taylor::Series<Scalar>& series;
  const SeriesPoint& point;
  double end, h;

  Scalar tau_of_end() const { return (Scalar(end) - Scalar(series.begin)) / Scalar(series.unit); }
};

template <class Scalar>
void store_segment(const SeriesOfStep<Scalar>& step, std::size_t unknowns, std::size_t slots, Segment& segment) {
  const taylor::Series<Scalar>& series = step.series;
  const int rows = series.rows;
  segment.begin = series.begin;
  segment.end = step.end;
  taylor::Series<Scalar> shifted(static_cast<int>(unknowns), rows);
  taylor::shift(series, step.tau_of_end(), rows, shifted);
  segment.order = rows - 1;
  segment.coefficients.assign(static_cast<std::size_t>(rows) * slots, 0.0);
  const Scalar ratio = Scalar(step.h) / Scalar(series.unit);
  for (const SeriesPoint::Source& s : step.point.sources()) {
    Scalar power(1);
    for (int n = 0; n + s.order < rows; ++n, power *= ratio) {
      Scalar c = Scalar(s.sign) * shifted.at(n + s.order)[s.unknown] * power;
      for (int i = 1; i <= s.order; ++i) c *= Scalar(n + i) / Scalar(series.unit);
      segment.coefficients[n * slots + s.slot] = static_cast<double>(c);
    }
  }
}

// False if one of the slots is no unknown of the series.
template <class Scalar>
bool along_series(const SeriesOfStep<Scalar>& step, std::span<const SlotWeight> function, AlongStep& out) {
  const taylor::Series<Scalar>& series = step.series;
  const auto& sources = step.point.sources();
  const int rows = series.rows;
  const double tau = static_cast<double>(step.tau_of_end());
  out.origin = series.begin;
  out.h = step.h;
  out.c.assign(static_cast<std::size_t>(rows), 0.0);
  for (const SlotWeight& term : function) {
    const auto source = std::ranges::lower_bound(sources, static_cast<int>(term.slot), {}, &SeriesPoint::Source::slot);
    if (source == sources.end() || source->slot != static_cast<int>(term.slot)) return false;
    double power = term.weight * source->sign;
    for (int n = 0; n + source->order < rows; ++n, power *= tau) {
      double c = power * static_cast<double>(series.at(n + source->order)[source->unknown]);
      for (int i = 1; i <= source->order; ++i) c *= (n + i) / series.unit;
      out.c[static_cast<std::size_t>(n)] += c;
    }
  }
  return true;
}

}  // namespace driftless
