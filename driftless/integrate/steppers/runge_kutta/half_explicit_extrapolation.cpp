#include "driftless/integrate/steppers/runge_kutta/half_explicit_extrapolation.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

constexpr int most_columns = 10, columns_of_constant_steps = 4;

// One more column for every two digits, or for every digit where a column is worth one order only.
int columns_for(const method::HalfExplicit& method, bool midpoint, std::optional<double> tolerance) {
  if (method.columns > 0) return method.columns;
  if (!tolerance) return columns_of_constant_steps;
  const double digits = -std::log10(*tolerance);
  const double columns = midpoint ? std::ceil(digits / 2.0) + 1.0 : std::ceil(0.75 * digits) + 1.0;
  return static_cast<int>(std::clamp(columns, 3.0, static_cast<double>(most_columns)));
}

}  // namespace

HalfExplicitExtrapolation::HalfExplicitExtrapolation(const method::HalfExplicit& method, MultiplierSolve& solve,
                                                     std::size_t size, std::optional<double> tolerance)
    : solve_(solve),
      midpoint_(!method.euler && solve.is_linear_in_multipliers()),
      columns_(columns_for(method, midpoint_, tolerance)),
      table_(columns_, std::vector<double>(size)),
      before_(size),
      present_(size),
      next_(size),
      slope_(size),
      // with the ends a polynomial whose error has the order of the method
      inner_(std::max(0, (order() + 1) / 2 - 2), Inner{std::vector<double>(size), std::vector<double>(size)}) {}

newton::Report HalfExplicitExtrapolation::advance(const StepEnds& ends) {
  for (int row = 0; row < columns_; ++row) {
    if (const newton::Report report = take_small_steps(ends, row); !report.converged()) return report;
    extrapolate(row);
  }
  std::ranges::copy(next_, ends.y_new.begin());  // guesses of the multipliers
  for (const int s : solve_.states()) ends.y_new[s] = table_[0][s];
  std::ranges::copy(slope_, ends.yp_new.begin());
  return solve_.has_constraints() && !ends.restored ? move_onto_constraints(ends) : newton::Report{};
}

void HalfExplicitExtrapolation::error(double, std::span<double> error) const {
  for (const int s : solve_.states()) error[s] = table_[0][s] - table_[1][s];
}

double HalfExplicitExtrapolation::ratio(int row, int earlier) const {
  const double quotient = static_cast<double>(small_steps(row)) / small_steps(earlier);
  return midpoint_ ? quotient * quotient : quotient;
}

// Starts at the old point; the result is the last entry of the table.
newton::Report HalfExplicitExtrapolation::take_small_steps(const StepEnds& ends, int row) {
  const int n = small_steps(row);
  const double h = ends.h() / n;
  std::ranges::copy(ends.y, present_.begin());
  std::ranges::copy(ends.y, before_.begin());
  std::ranges::copy(ends.yp, slope_.begin());
  for (int i = 0; i < n; ++i) {
    const bool doubled = midpoint_ && i > 0;
    const double t_next = i + 1 == n ? ends.end : ends.t + (i + 1) * h;
    const newton::Report report = solve_.ahead(
        {ends.t + i * h, t_next, doubled ? before_ : present_, doubled ? 2.0 * h : h}, present_, slope_, next_);
    if (!report.converged()) return report;
    before_.swap(present_);
    present_.swap(next_);
  }
  std::ranges::copy(present_, table_[row].begin());
  next_ = present_;
  return {};
}

// Neville's scheme along the row, which overwrites the previous row.
void HalfExplicitExtrapolation::extrapolate(int row) {
  for (int i = row; i > 0; --i) {
    const double weight = 1.0 / (ratio(row, i - 1) - 1.0);
    for (const int s : solve_.states()) table_[i - 1][s] = table_[i][s] + weight * (table_[i][s] - table_[i - 1][s]);
  }
}

// With the slopes at the extrapolated point, x = (x - H f) + H f: other multipliers in the second term lead to a point
// that differs from x by constraint forces only, and lies on the constraint.
newton::Report HalfExplicitExtrapolation::move_onto_constraints(const StepEnds& ends) {
  if (const newton::Report report = solve_.here(ends.end, ends.y_new, ends.yp_new); !report.converged()) return report;
  const double h = ends.h();
  for (const int s : solve_.states()) before_[s] = ends.y_new[s] - h * ends.yp_new[s];
  std::ranges::copy(ends.y_new, present_.begin());
  return solve_.ahead({ends.end, ends.end, before_, h}, present_, ends.yp_new, ends.y_new);
}

}  // namespace driftless
