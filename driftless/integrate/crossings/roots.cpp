#include "driftless/integrate/crossings/roots.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "driftless/integrate/crossings/bracket.hpp"

namespace driftless {
namespace {

constexpr int most_halvings = 40;      // of the interval, until roots count as one
constexpr int most_refinements = 200;  // of one root
constexpr double refined = 1e-15;      // the width of its bracket

int changes_of_sign(std::span<const double> coefficients, double noise) {
  int changes = 0;
  double last = 0.0;
  for (const double c : coefficients) {
    if (!(std::abs(c) > noise)) continue;
    if (last != 0.0 && (c < 0.0) != (last < 0.0)) ++changes;
    last = c;
  }
  return changes;
}

}  // namespace

double bernstein_value(std::span<const double> coefficients, double x, std::span<double> work) {
  std::ranges::copy(coefficients, work.begin());
  for (std::size_t n = coefficients.size(); n > 1; --n)
    for (std::size_t i = 0; i + 1 < n; ++i) work[i] += x * (work[i + 1] - work[i]);
  return work[0];
}

void Roots::add(double root) {
  if (roots_.empty() || root > roots_.back()) roots_.push_back(root);
}

std::span<const double> Roots::find(std::span<const double> bernstein, double noise) {
  count_ = bernstein.size();
  work_.resize(count_);
  roots_.clear();
  stack_.clear();
  coefficients_.assign(bernstein.begin(), bernstein.end());
  stack_.push_back({0.0, 1.0, 0, 0});
  const auto is_value = [&](double c) { return std::abs(c) > noise; };
  double sign = 0.0;  // at the end of the pieces so far
  while (!stack_.empty()) {
    const Piece piece = stack_.back();
    const std::span<const double> c(coefficients_.data() + piece.first, count_);
    const int changes = changes_of_sign(c, noise);
    if (changes > 1 && piece.depth < most_halvings) {
      halve(piece);
      continue;
    }
    if (const auto first = std::ranges::find_if(c, is_value); first != c.end()) {
      if (sign != 0.0 && (*first < 0.0) != (sign < 0.0)) add(piece.low);  // a root between two pieces, up to rounding
      sign = *std::find_if(c.rbegin(), c.rend(), is_value);
    }
    if (piece.low == 0.0 && c.front() == 0.0) add(0.0);
    if (changes == 1) add(refine(piece, noise));
    if (changes > 1) add(std::midpoint(piece.low, piece.high));
    if (c.back() == 0.0) add(piece.high);
    coefficients_.resize(piece.first);
    stack_.pop_back();
  }
  return roots_;
}

// The piece is the last one of the stack; its right half takes its place, and the left one is pushed after it.
void Roots::halve(const Piece& piece) {
  coefficients_.resize(piece.first + 2 * count_);
  double* const right = coefficients_.data() + piece.first;
  double* const left = right + count_;
  for (std::size_t n = count_; n > 0; --n) {
    left[count_ - n] = right[0];
    for (std::size_t i = 0; i + 1 < n; ++i) right[i] = std::midpoint(right[i], right[i + 1]);
  }
  const double middle = std::midpoint(piece.low, piece.high);
  stack_.back() = {middle, piece.high, piece.depth + 1, piece.first};
  stack_.push_back({piece.low, middle, piece.depth + 1, piece.first + count_});
}

double Roots::refine(const Piece& piece, double noise) const {
  const std::span<const double> c(coefficients_.data() + piece.first, count_);
  // An end whose coefficient is a rounding error gets the sign of its neighbour.
  const auto is_value = [&](double value) { return std::abs(value) > noise; };
  const double first = *std::ranges::find_if(c, is_value);
  Bracket bracket{0.0, 1.0, is_value(c.front()) ? first : std::copysign(noise, first),
                  is_value(c.back()) ? c.back() : std::copysign(noise, -first)};
  if (bracket.g_before == 0.0 || bracket.g_behind == 0.0)  // without noise, 0 at an end is a root of its own
    bracket.g_before = std::copysign(1.0, first), bracket.g_behind = -bracket.g_before;
  for (int i = 0; i < most_refinements && bracket.behind - bracket.before > refined; ++i) {
    const auto x = bracket.next(bracket.creeps());
    if (!x) break;
    const double value = bernstein_value(c, *x, work_);
    if (value == 0.0) return std::lerp(piece.low, piece.high, *x);
    bracket.take(*x, value);
  }
  return std::lerp(piece.low, piece.high, std::midpoint(bracket.before, bracket.behind));
}

}  // namespace driftless
