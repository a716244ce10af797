#include "driftless/events/history.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/Core>

#include "driftless/linear/dense.hpp"

namespace driftless {
namespace {

constexpr int most_halvings = 12;       // of a step
constexpr double shortest_part = 1e-6;  // of the known past: a polynomial is at least this long
constexpr double part_of_tolerance = 0.1;
constexpr int degree = 7;
constexpr int points_compared = 4 * degree;

using Matrix = Eigen::Matrix<double, degree + 1, degree + 1>;

double node(int j) { return -std::cos(j * std::numbers::pi / degree); }

// From values at the nodes in [-1, 1] to coefficients of powers.
const Matrix& powers_from_values() {
  static const Matrix inverse = [] {
    Matrix values;
    for (int j = 0; j <= degree; ++j)
      for (int k = 0; k <= degree; ++k) values(j, k) = std::pow(node(j), k);
    return Matrix(linear::FullLu(values).inverse());
  }();
  return inverse;
}

}  // namespace

void History::add(double from, double to, const std::function<double(double t)>& value) {
  if (to > from) add_piece(from, to, value, 0);
}

void History::add_piece(double from, double to, const std::function<double(double t)>& value, int halvings) {
  constexpr int n = Interpolant::highest_degree;
  std::array<double, n + 1> values;
  const double middle = from + (to - from) / 2, half = (to - from) / 2;
  for (int j = 0; j <= n; ++j) {
    const double t = j == 0 ? to : j == n ? from : middle + half * Interpolant::point(j, n);
    values[static_cast<std::size_t>(j)] = value(t);
    largest_ = std::max(largest_, std::abs(values[static_cast<std::size_t>(j)]));
  }
  Piece piece{from, to, values[n], {}};
  for (double& one : values) one -= piece.base;
  piece.values.take(values, n);
  if (halvings < most_halvings && piece.values.tail() > part_of_tolerance * tolerance_ * largest_) {
    add_piece(from, middle, value, halvings + 1);
    add_piece(middle, to, value, halvings + 1);
    return;
  }
  pieces_.push_back(std::move(piece));
}

void History::add_break(int generation) {
  if (!pieces_.empty() && (breaks_.empty() || breaks_.back().first < end())) breaks_.emplace_back(end(), generation);
}

const History::Piece& History::piece_at(double t) const {
  const auto behind = std::ranges::upper_bound(pieces_, t, {}, &Piece::from);
  return behind == pieces_.begin() ? pieces_.front() : *(behind - 1);
}

namespace {

double in_unit_interval(double from, double to, double t) {
  return std::clamp((2 * t - from - to) / (to - from), -1.0, 1.0);
}

}  // namespace

double History::Piece::value(double t) const { return base + values(in_unit_interval(from, to, t)); }

double History::value(double t) const { return piece_at(t).value(t); }

double History::value_before(double t) const {
  const auto first = std::ranges::lower_bound(pieces_, t, {}, &Piece::from);
  return (first == pieces_.begin() ? pieces_.front() : *(first - 1)).value(t);
}

History::Polynomial History::through(double from, double to) const {
  Eigen::Matrix<double, degree + 1, 1> values;
  const double middle = from + (to - from) / 2, half = (to - from) / 2;
  for (int j = 0; j <= degree; ++j)
    values(j) = j == 0 ? value(from) : j == degree ? value_before(to) : value(middle + half * node(j));
  const double base = values(0);
  values.array() -= base;
  Eigen::Matrix<double, degree + 1, 1> powers = powers_from_values() * values;
  powers(0) += base;
  Polynomial polynomial{from, to, middle};
  double scale = 1.0;
  for (int k = 0; k <= degree; ++k, scale *= half) polynomial.c[static_cast<std::size_t>(k)] = powers(k) / scale;
  return polynomial;
}

bool History::fits(const Polynomial& polynomial) const {
  for (int j = 1; j < points_compared; ++j) {
    const double t = polynomial.from + (polynomial.to - polynomial.from) * j / points_compared;
    double sum = 0.0;
    for (std::size_t k = polynomial.c.size(); k-- > 0;) sum = polynomial.c[k] + (t - polynomial.origin) * sum;
    if (!(std::abs(sum - value(t)) <= part_of_tolerance * tolerance_ * largest_)) return false;
  }
  return true;
}

double History::few_units(double t) const {
  return 16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t), std::abs(end()));
}

std::optional<int> History::break_at(double t) const {
  const auto known =
      std::ranges::find_if(breaks_, [&](const auto& instant) { return std::abs(instant.first - t) <= few_units(t); });
  return known == breaks_.end() ? std::nullopt : std::optional(known->second);
}

History::Polynomial History::repeated_from(double from) const {
  // Breaks that differ by rounding only count as one.
  const auto next = std::ranges::upper_bound(breaks_, from + few_units(from), {}, &std::pair<double, int>::first);
  double to = next == breaks_.end() ? end() : next->first;
  Polynomial polynomial = through(from, to);
  while (!fits(polynomial) && to - from > shortest_part * (end() - begin())) {
    to = from + (to - from) / 2;
    polynomial = through(from, to);
  }
  polynomial.begins_at_break = break_at(from);
  polynomial.ends_at_break = break_at(to);
  return polynomial;
}

History::Polynomial History::repeated_to(double to) const {
  double from = begin();
  for (const auto& [t, generation] : breaks_)
    if (t < to - few_units(to)) from = std::max(from, t);
  Polynomial polynomial = through(from, to);
  while (!fits(polynomial) && to - from > shortest_part * (end() - begin())) {
    from = to - (to - from) / 2;
    polynomial = through(from, to);
  }
  polynomial.begins_at_break = break_at(from);
  polynomial.ends_at_break = break_at(to);
  return polynomial;
}

void History::forget_before(double t) {
  const auto keep = std::ranges::find_if(pieces_, [&](const Piece& piece) { return piece.to > t; });
  pieces_.erase(pieces_.begin(), keep == pieces_.end() && !pieces_.empty() ? keep - 1 : keep);
  std::erase_if(breaks_, [&](const auto& instant) { return instant.first < t; });
}

void History::Piece::archive(Archive& archive) { archive(from, to, base, values); }

void History::archive(Archive& archive) { archive(largest_, pieces_, breaks_); }

}  // namespace driftless
