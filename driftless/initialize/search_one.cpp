// Solves one row for one unknown, like most blocks of a start: as Search::solve_together, but without matrices. The
// results are the same bit for bit, including the scaling of the column by which a factorization of one entry divides.
#include <algorithm>
#include <cmath>

#include "driftless/initialize/search.hpp"
#include "driftless/initialize/search_limits.hpp"

namespace driftless {
namespace {

using namespace search_limits;

constexpr double least_slope = 1e-290;  // below, the general iteration decides

double norm_of(double value) { return std::sqrt(value * value); }

// right / slope, by a column of size one.
double correction_of(double slope, double right) {
  const double size = std::abs(slope);
  return right / (slope * (1.0 / size)) / size;
}

}  // namespace

struct Search::Scalar {
  double x = 0.0;  // in units of reach
  double residual = 0.0, slope = 0.0, scale = 0.0, size = 0.0, unit = 0.0;

  double scaled() const { return residual * scale; }
  bool at_rounding() const { return std::abs(residual) <= rounding * size; }
  bool is_solved() const { return std::abs(residual) <= solved * (size + unit); }
};

bool Search::evaluate_one(int part, int col, Scalar& point) {
  point.residual = rows_.residual(part)[0];
  point.slope = point.scale = point.size = point.unit = 0.0;
  const InitialUnknown& unknown = problem_.unknowns[col];
  for (const InitialRows::Entry& entry : rows_.jacobian(part)) {
    const double slope = std::abs(entry.value);
    point.size += slope * std::abs(rows_.value(entry.col));
    if (entry.col != col) continue;
    point.unit = std::max(0.0, slope * unknown.nominal);
    point.scale = std::max(0.0, slope * unknown.reach);
    point.slope = entry.value * unknown.reach;
  }
  point.scale = point.scale > 0.0 && std::isfinite(point.scale) ? 1.0 / point.scale : 1.0;
  return std::isfinite(point.residual) && std::isfinite(point.slope);
}

// Nothing if the general iteration must decide: if a slope is zero, or a value does not exist.
std::optional<Attempt> Search::solve_one(int part, int col) {
  const InitialUnknown& unknown = problem_.unknowns[col];
  Scalar at;
  at.x = rows_.value(col) / unknown.reach;
  const double begin = at.x;
  if (!evaluate_one(part, col, at)) return {};
  Attempt attempt;
  int stalled = 0, iteration = 0;
  for (; iteration < most_iterations && !at.at_rounding(); ++iteration) {
    const double before = norm_of(at.scaled()), slope = at.scale * at.slope;
    if (!(std::abs(slope) > least_slope)) return {};
    attempt.regular = true;
    const double correction = correction_of(slope, -at.scaled());
    if (!std::isfinite(correction)) return {};
    Scalar trial;
    double damping = 1.0;
    bool accepted = false;
    for (; damping > shortest_damping && !accepted; damping *= 0.5) {
      trial.x = at.x + damping * correction;
      rows_.value(col) = trial.x * unknown.reach;
      if (!evaluate_one(part, col, trial)) continue;
      accepted = norm_of(trial.residual * at.scale) <= (1.0 - 0.1 * damping) * before;
      if (!accepted && damping == 1.0 && at.is_solved()) break;  // at rounding level the residual no longer decreases
    }
    if (!accepted) break;
    stalled = norm_of(trial.residual * at.scale) > 0.9 * before ? stalled + 1 : 0;
    const bool last = damping == 0.5 && norm_of(correction) <= 1e-16 * norm_of(at.x);
    at = trial;
    if (last || stalled > 8) break;
  }
  if (!at.is_solved() && norm_of(at.x) > lost * (1.0 + norm_of(begin))) return {};
  rows_.value(col) = at.x * unknown.reach;
  attempt.solved = at.is_solved();
  attempt.missed = std::abs(at.scaled());
  if (attempt.solved && iteration > 0) {
    if (!(std::abs(at.scale * at.slope) > least_slope)) return {};
    const double moved = correction_of(at.scale * at.slope, rounding * (at.size * at.scale));
    attempt.regular =
        std::abs(moved) * unknown.reach <= uncertain * std::max(unknown.nominal, std::abs(at.x) * unknown.reach);
  } else if (attempt.solved) {
    attempt.regular = true;
  }
  return attempt;
}

Attempt Search::solve(std::span<const int> parts, std::span<const int> cols) {
  const bool is_scalar = parts.size() == 1 && cols.size() == 1 && rows_.rows(parts[0]).size() == 1;
  if (is_scalar && target_.empty() && !bounded_) {
    const double before = rows_.value(cols[0]);
    if (const auto attempt = solve_one(parts[0], cols[0])) return *attempt;
    rows_.value(cols[0]) = before;
  }
  return solve_together(parts, cols);
}

}  // namespace driftless
