// Strategies for cases where the plain iteration for a start fails, or finds a solution far away: continuation from the
// guess, other guesses, bounds.
#include <algorithm>
#include <cmath>

#include "driftless/expr/calculus.hpp"
#include "driftless/initialize/search.hpp"
#include "driftless/initialize/search_limits.hpp"

namespace driftless {
namespace {

constexpr std::size_t large = search_limits::large;

constexpr double far = 0.1;  // nominal values from the guesses that were given

}  // namespace

// Follows the solution of F(z) = (1 - s) F(z0) from s = 0, where z = z0, to s = 1.
Attempt Search::continue_from_guess(std::span<const int> parts, std::span<const int> cols) {
  std::vector<double> begin;
  for (const int part : parts) {
    const std::span<const double> residual = rows_.residual(part);
    begin.insert(begin.end(), residual.begin(), residual.end());
  }
  if (!std::ranges::all_of(begin, [](double r) { return std::isfinite(r); })) return {.evaluated = false};
  Attempt attempt;
  double reached = 0.0, step = 0.1;
  for (int n = 0; n < 80 && reached < 1.0 && step > 1e-3; ++n) {
    const double next = std::min(1.0, reached + step);
    const std::vector<double> before = save(cols);
    target_.resize(begin.size());
    for (std::size_t i = 0; i < begin.size(); ++i) target_[i] = (1.0 - next) * begin[i];
    attempt = solve(parts, cols);
    if (attempt.solved) {
      reached = next;
      step *= 2.0;
    } else {
      restore(cols, before);
      step *= 0.25;
    }
  }
  target_.clear();
  return solve(parts, cols);
}

bool Search::within_bounds(std::span<const int> cols) const {
  return std::ranges::all_of(cols, [&](int col) {
    const InitialUnknown& unknown = problem_.unknowns[col];
    const double value = rows_.value(col), slack = 1e-9 * (unknown.nominal + std::abs(value));
    return unknown.min - slack <= value && value <= unknown.max + slack;
  });
}

// A guess inside the bounds: `part` of the way between them, or that many nominal values from the only one.
void Search::move_into_bounds(std::span<const int> cols, double part) {
  for (const int col : cols) {
    const InitialUnknown& unknown = problem_.unknowns[col];
    const bool low = std::isfinite(unknown.min), high = std::isfinite(unknown.max);
    if (low && high)
      rows_.value(col) = unknown.min + part * (unknown.max - unknown.min);
    else if (low)
      rows_.value(col) = unknown.min + 10.0 * part * unknown.nominal;
    else if (high)
      rows_.value(col) = unknown.max - 10.0 * part * unknown.nominal;
  }
}

// The best attempt so far, and its values of the unknowns.
struct Search::Best {
  Attempt attempt;
  std::vector<double> values;

  bool done() const { return attempt.evaluated && attempt.solved; }
  bool done_within() const { return done() && attempt.within; }

  bool is_better(const Attempt& next) const {
    const auto rank = [](const Attempt& of) { return !of.evaluated ? 0 : !of.solved ? 1 : of.within ? 3 : 2; };
    const bool closer = rank(next) == 1 && next.missed < 0.5 * attempt.missed;
    return rank(next) > rank(attempt) || (rank(next) == rank(attempt) && closer);
  }
};

void Search::compare(Best& best, std::span<const int> cols, Strategy strategy, Attempt next) {
  trials_.record(strategy, next.solved, next.missed);
  next.within = within_bounds(cols);
  if (!best.is_better(next)) return;
  best.attempt = next;
  best.values = save(cols);
}

Attempt Search::solve_with_effort(std::span<const int> parts, std::span<const int> cols) {
  const std::vector<double> begin = save(cols);
  Best best{solve(parts, cols), {}};
  best.attempt.within = within_bounds(cols);
  trials_.record(Strategy::Newton, best.attempt.solved, best.attempt.missed);
  if (best.done_within()) return best.attempt;
  best.values = save(cols);
  if (!best.done() && cols.size() < large) {
    restore(cols, begin);
    compare(best, cols, Strategy::Continuation, continue_from_guess(parts, cols));
  }
  try_other_guesses(parts, cols, begin, best);
  try_between_bounds(parts, cols, begin, best);
  restore(cols, best.values);
  return best.attempt;
}

// First for those without a given guess.
void Search::try_other_guesses(std::span<const int> parts, std::span<const int> cols, const std::vector<double>& begin,
                               Best& best) {
  const auto shifted = [&](double shift, bool given_too) {
    restore(cols, begin);
    for (std::size_t k = 0; k < cols.size(); ++k)
      if (const InitialUnknown& unknown = problem_.unknowns[cols[k]]; given_too || !unknown.given)
        rows_.value(cols[k]) += shift * (1.0 + 0.37 * std::sin(1.0 + static_cast<double>(k))) *
                                std::max(unknown.nominal, given_too ? std::abs(begin[k]) : 0.0);
  };
  const std::vector<double> shifts = cols.size() < large
                                         ? std::vector{0.1, 1.0, -0.3, -3.0, 10.0, -30.0, 100.0, 1e3, -1e3, 1e5}
                                         : std::vector{0.1, 1.0, -0.3};
  const bool has_given = std::ranges::any_of(cols, [&](int col) { return problem_.unknowns[col].given; });
  const bool has_free = std::ranges::any_of(cols, [&](int col) { return !problem_.unknowns[col].given; });
  for (const bool given_too : {false, true}) {
    if (given_too ? !has_given : !has_free) continue;
    for (const double shift : shifts) {
      if (best.done()) break;
      shifted(shift, given_too);
      compare(best, cols, Strategy::OtherGuesses, solve(parts, cols));
      if (best.done() || cols.size() >= large || std::abs(shift) > 3.0) continue;
      shifted(shift, given_too);
      compare(best, cols, Strategy::OtherGuesses, continue_from_guess(parts, cols));
    }
  }
}

void Search::try_between_bounds(std::span<const int> parts, std::span<const int> cols, const std::vector<double>& begin,
                                Best& best) {
  const bool has_bounds = std::ranges::any_of(cols, [&](int col) {
    const InitialUnknown& unknown = problem_.unknowns[col];
    return std::isfinite(unknown.min) || std::isfinite(unknown.max);
  });
  if (!has_bounds || best.done_within() || cols.size() >= large) return;
  bounded_ = true;
  for (const double part : {0.5, 0.1, 0.9, 0.01}) {
    if (best.done_within()) break;
    restore(cols, begin);
    move_into_bounds(cols, part);
    compare(best, cols, Strategy::Bounds, solve(parts, cols));
  }
  bounded_ = false;
}

bool Search::is_linear(std::span<const int> parts, std::span<const int> cols) const {
  std::vector<bool> unknown(problem_.unknowns.size(), false);
  for (const int col : cols) unknown[col] = true;
  for (const int part : parts)
    for (const int row : rows_.rows(part))
      for (const auto& [col, derivative] : problem_.gradients[row])
        if (unknown[col] && !variables_of(*problem_.pool, derivative).empty()) return false;
  return true;
}

void Search::prefer_nearer(std::span<const int> parts, std::span<const int> cols) {
  const auto distance = [&] {
    double sum = 0.0;
    for (const int col : cols)
      if (const InitialUnknown& unknown = problem_.unknowns[col]; unknown.given)
        sum += std::pow((rows_.value(col) - unknown.guess) / unknown.nominal, 2);
    return std::sqrt(sum);
  };
  const double first = distance();
  if (first <= far || cols.size() >= large || is_linear(parts, cols)) return;
  const std::vector<double> found = save(cols);
  for (const int col : cols) rows_.value(col) = 2.0 * problem_.unknowns[col].guess - rows_.value(col);
  const Attempt other = solve(parts, cols);
  const bool better =
      other.evaluated && other.solved && other.regular && within_bounds(cols) && distance() < 0.9 * first;
  if (!better) restore(cols, found);
}

}  // namespace driftless
