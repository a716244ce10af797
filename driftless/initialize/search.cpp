#include "driftless/initialize/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Dense>
#include <Eigen/Sparse>

#include "driftless/expr/calculus.hpp"
#include "driftless/initialize/search_limits.hpp"
#include "driftless/linear/factorization.hpp"
#include "driftless/linear/least_change.hpp"

namespace driftless {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::SparseMatrix<double>;

using namespace search_limits;

constexpr std::size_t large = 500;  // unknowns, from which on effort is limited
constexpr double far = 0.1;         // nominal values from the guesses that were given
constexpr Eigen::Index dense_size = 60;

bool is_same(const Matrix& a, const Matrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && a.nonZeros() == b.nonZeros() &&
         std::equal(a.outerIndexPtr(), a.outerIndexPtr() + a.outerSize() + 1, b.outerIndexPtr()) &&
         std::equal(a.innerIndexPtr(), a.innerIndexPtr() + a.nonZeros(), b.innerIndexPtr()) &&
         std::equal(a.valuePtr(), a.valuePtr() + a.nonZeros(), b.valuePtr());
}

}  // namespace

// The last large matrix with its factors: rows that are linear in the unknowns bring the same one again.
class Search::Factors {
 public:
  // Those of the matrix; null if it is singular.
  const linear::Factorization* of(const Matrix& j) {
    if (is_same(j, matrix_)) return regular_ ? factorization_.get() : nullptr;
    std::vector<linear::Coordinate> places;
    std::vector<double> values;
    for (int col = 0; col < j.outerSize(); ++col)
      for (Matrix::InnerIterator it(j, col); it; ++it) {
        places.push_back({static_cast<int>(it.row()), col});
        values.push_back(it.value());
      }
    const linear::Assembly assembly = linear::assemble(static_cast<int>(j.cols()), places);
    std::vector<double> assembled(assembly.pattern.rows.size(), 0.0);
    for (std::size_t k = 0; k < values.size(); ++k) assembled[assembly.position[k]] += values[k];
    factorization_ = linear::make_factorization(assembly.pattern);
    regular_ = factorization_->factorize(assembled) && factorization_->pivot_ratio() > 1e-14;
    matrix_ = j;
    return regular_ ? factorization_.get() : nullptr;
  }

 private:
  Matrix matrix_;
  std::unique_ptr<linear::Factorization> factorization_;
  bool regular_ = false;
};

Search::Search(InitialRows& rows, const InitialProblem& problem)
    : rows_(rows), problem_(problem), factors_(std::make_unique<Factors>()) {}
Search::~Search() = default;

namespace {

// A step of Newton's method where the matrix is square and regular, otherwise the smallest that does best.
template <class Factors>
Vector correction_of(const Matrix& j, const Vector& right, bool& regular, Factors& factors) {
  regular = false;
  const Eigen::Index n = j.cols();
  if (j.rows() == n && n <= dense_size) {
    const Eigen::MatrixXd dense(j);
    Vector column(n);  // columns of size one, so that units play no part in the rank
    for (Eigen::Index k = 0; k < n; ++k) column[k] = std::max(dense.col(k).cwiseAbs().maxCoeff(), 1e-300);
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(dense * column.cwiseInverse().asDiagonal());
    qr.setThreshold(1e-14);
    if (qr.rank() == n) {
      regular = true;
      return qr.solve(right).cwiseQuotient(column);
    }
  } else if (j.rows() == n) {
    if (const linear::Factorization* factorization = factors.of(j)) {
      regular = true;
      Vector x = right;
      factorization->solve({x.data(), static_cast<std::size_t>(n)});
      return x;
    }
  }
  return linear::LeastChange(j).solve(right);
}

bool finite(const Matrix& m) {
  for (int k = 0; k < m.nonZeros(); ++k)
    if (!std::isfinite(m.valuePtr()[k])) return false;
  return true;
}

}  // namespace

struct Search::Point {
  Vector x;         // in units of reach
  Vector residual;  // raw
  Matrix j;         // with respect to x
  Vector scale;     // of the rows: one over the largest slope
  Vector size;      // of the terms of each row
  Vector unit;      // what a change of one nominal value means in each row

  double norm() const { return residual.cwiseProduct(scale).norm(); }
  bool at_rounding() const { return (residual.array().abs() <= rounding * size.array()).all(); }
  bool is_solved() const { return (residual.array().abs() <= solved * (size + unit).array()).all(); }
};

void Search::load(std::span<const int> cols, const Point& point) {
  for (std::size_t k = 0; k < cols.size(); ++k)
    rows_.value(cols[k]) = point.x[static_cast<Eigen::Index>(k)] * problem_.unknowns[cols[k]].reach;
}

std::vector<double> Search::save(std::span<const int> cols) const {
  std::vector<double> values;
  for (const int col : cols) values.push_back(rows_.value(col));
  return values;
}

void Search::restore(std::span<const int> cols, const std::vector<double>& values) {
  for (std::size_t k = 0; k < cols.size(); ++k) rows_.value(cols[k]) = values[k];
}

// Residuals and slopes at the present values; false if one of them does not exist.
bool Search::evaluate(std::span<const int> parts, std::span<const int> cols, Point& point) {
  Eigen::Index m = 0;
  std::size_t entries = 0;
  for (const int part : parts) m += static_cast<Eigen::Index>(rows_.rows(part).size());
  point.residual.resize(m);
  place_.resize(problem_.unknowns.size(), -1);
  for (std::size_t k = 0; k < cols.size(); ++k) place_[cols[k]] = static_cast<int>(k);
  std::vector<Eigen::Triplet<double>> triplets;
  triplets.reserve(entries);
  point.size = point.unit = point.scale = Vector::Zero(m);
  Eigen::Index first = 0;
  for (const int part : parts) {
    const std::vector<double>& residual = rows_.residual(part);
    for (std::size_t i = 0; i < residual.size(); ++i) {
      const Eigen::Index row = first + static_cast<Eigen::Index>(i);
      point.residual[row] = residual[i] - (target_.empty() ? 0.0 : target_[row]);
      point.size[row] = rows_.sizes_without_unknowns(part)[i];
    }
    Eigen::Index row = first - 1;
    int last = -1;
    for (const InitialRows::Entry& entry : rows_.jacobian(part)) {
      while (last != entry.row) last = rows_.rows(part)[++row - first];
      const InitialUnknown& unknown = problem_.unknowns[entry.col];
      const double slope = std::abs(entry.value);
      point.size[row] += slope * std::abs(rows_.value(entry.col));
      if (place_[entry.col] < 0) continue;
      point.unit[row] = std::max(point.unit[row], slope * unknown.nominal);
      point.scale[row] = std::max(point.scale[row], slope * unknown.reach);
      triplets.emplace_back(static_cast<int>(row), place_[entry.col], entry.value * unknown.reach);
    }
    first += static_cast<Eigen::Index>(residual.size());
  }
  for (const int col : cols) place_[col] = -1;
  point.scale = point.scale.unaryExpr([](double v) { return v > 0.0 && std::isfinite(v) ? 1.0 / v : 1.0; });
  point.j.resize(m, static_cast<Eigen::Index>(cols.size()));
  point.j.setFromTriplets(triplets.begin(), triplets.end());
  return point.residual.allFinite() && finite(point.j);
}

Attempt Search::judge(std::span<const int> parts) {
  std::vector<int> all(problem_.unknowns.size());
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<int>(k);
  Point point;
  Attempt attempt;
  attempt.evaluated = evaluate(parts, all, point);
  if (!attempt.evaluated) return attempt;
  attempt.solved = point.is_solved();
  attempt.missed = point.residual.size() ? point.residual.cwiseProduct(point.scale).cwiseAbs().maxCoeff() : 0.0;
  return attempt;
}

Attempt Search::solve_together(std::span<const int> parts, std::span<const int> cols) {
  Point at;
  at.x.resize(static_cast<Eigen::Index>(cols.size()));
  for (std::size_t k = 0; k < cols.size(); ++k)
    at.x[static_cast<Eigen::Index>(k)] = rows_.value(cols[k]) / problem_.unknowns[cols[k]].reach;
  const Vector begin = at.x;
  Attempt attempt;
  attempt.evaluated = evaluate(parts, cols, at);
  if (!attempt.evaluated) return attempt;
  const int limit = !target_.empty()      ? most_iterations_on_path
                    : cols.size() < large ? most_iterations
                                          : most_iterations_of_large;
  int stalled = 0, iteration = 0;
  for (; iteration < limit && !at.at_rounding(); ++iteration) {
    const double before = at.norm();
    const Vector correction =
        correction_of(at.scale.asDiagonal() * at.j, -at.residual.cwiseProduct(at.scale), attempt.regular, *factors_);
    if (!correction.allFinite()) break;
    Point trial;
    double damping = 1.0;
    bool accepted = false;
    for (; damping > shortest_damping && !accepted; damping *= 0.5) {
      trial.x = at.x + damping * correction;
      if (bounded_)
        for (std::size_t k = 0; k < cols.size(); ++k) {
          const InitialUnknown& unknown = problem_.unknowns[cols[k]];
          double& x = trial.x[static_cast<Eigen::Index>(k)];
          x = std::clamp(x, unknown.min / unknown.reach, unknown.max / unknown.reach);
        }
      load(cols, trial);
      if (!evaluate(parts, cols, trial)) continue;
      const double after = trial.residual.cwiseProduct(at.scale).norm();
      accepted = after <= (1.0 - 0.1 * damping) * before;
      if (!accepted && damping == 1.0 && at.is_solved()) break;  // at rounding level nothing decreases any more
    }
    if (!accepted) break;
    stalled = trial.residual.cwiseProduct(at.scale).norm() > 0.9 * before ? stalled + 1 : 0;
    const bool last = damping == 0.5 && correction.norm() <= 1e-16 * at.x.norm();
    at = std::move(trial);
    if (last || stalled > 8) break;
  }
  if (!at.is_solved() && at.x.norm() > lost * (1.0 + begin.norm())) {
    at.x = begin;
    load(cols, at);
    evaluate(parts, cols, at);
  }
  load(cols, at);
  attempt.solved = at.is_solved();
  attempt.missed = at.residual.size() ? at.residual.cwiseProduct(at.scale).cwiseAbs().maxCoeff() : 0.0;
  if (attempt.solved && iteration > 0 && at.j.rows() == at.j.cols()) {
    const Vector moved = correction_of(at.scale.asDiagonal() * at.j, rounding * at.size.cwiseProduct(at.scale),
                                       attempt.regular, *factors_);
    for (std::size_t k = 0; k < cols.size() && attempt.regular; ++k) {
      const InitialUnknown& unknown = problem_.unknowns[cols[k]];
      const Eigen::Index i = static_cast<Eigen::Index>(k);
      attempt.regular = std::abs(moved[i]) * unknown.reach <=
                        uncertain * std::max(unknown.nominal, std::abs(at.x[i]) * unknown.reach);
    }
  } else if (attempt.solved) {
    attempt.regular = true;
  }
  return attempt;
}

// The solution of F(z) = (1 - s) F(z0) from s = 0, where z0 is one, to s = 1.
Attempt Search::continue_from_guess(std::span<const int> parts, std::span<const int> cols) {
  std::vector<double> begin;
  for (const int part : parts) {
    const std::vector<double>& residual = rows_.residual(part);
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

Attempt Search::solve_with_effort(std::span<const int> parts, std::span<const int> cols) {
  const std::vector<double> begin = save(cols);
  Attempt best = solve(parts, cols);
  best.within = within_bounds(cols);
  trials_.record(Strategy::Newton, best.solved, best.missed);
  std::vector<double> best_values = save(cols);
  const auto done = [&] { return best.evaluated && best.solved; };
  const auto compare = [&](Strategy strategy, Attempt next) {
    trials_.record(strategy, next.solved, next.missed);
    next.within = within_bounds(cols);
    const auto rank = [](const Attempt& attempt) {
      return !attempt.evaluated ? 0 : !attempt.solved ? 1 : attempt.within ? 3 : 2;
    };
    const bool closer = rank(next) == 1 && next.missed < 0.5 * best.missed;
    if (rank(next) < rank(best) || (rank(next) == rank(best) && !closer)) return;
    best = next;
    best_values = save(cols);
  };
  const auto shifted = [&](double shift, bool given_too) {
    restore(cols, begin);
    for (std::size_t k = 0; k < cols.size(); ++k)
      if (const InitialUnknown& unknown = problem_.unknowns[cols[k]]; given_too || !unknown.given)
        rows_.value(cols[k]) += shift * (1.0 + 0.37 * std::sin(1.0 + static_cast<double>(k))) *
                                std::max(unknown.nominal, given_too ? std::abs(begin[k]) : 0.0);
  };
  if (!done() && cols.size() < large) {
    restore(cols, begin);
    compare(Strategy::Continuation, continue_from_guess(parts, cols));
  }
  const std::vector<double> shifts = cols.size() < large
                                         ? std::vector{0.1, 1.0, -0.3, -3.0, 10.0, -30.0, 100.0, 1e3, -1e3, 1e5}
                                         : std::vector{0.1, 1.0, -0.3};
  const bool has_given = std::ranges::any_of(cols, [&](int col) { return problem_.unknowns[col].given; });
  const bool has_free = std::ranges::any_of(cols, [&](int col) { return !problem_.unknowns[col].given; });
  for (const bool given_too : {false, true}) {
    if (given_too ? !has_given : !has_free) continue;
    for (const double shift : shifts) {
      if (done()) break;
      shifted(shift, given_too);
      compare(Strategy::OtherGuesses, solve(parts, cols));
      if (done() || cols.size() >= large || std::abs(shift) > 3.0) continue;
      shifted(shift, given_too);
      compare(Strategy::OtherGuesses, continue_from_guess(parts, cols));
    }
  }
  const bool has_bounds = std::ranges::any_of(cols, [&](int col) {
    const InitialUnknown& unknown = problem_.unknowns[col];
    return std::isfinite(unknown.min) || std::isfinite(unknown.max);
  });
  if (has_bounds && !(done() && best.within) && cols.size() < large) {
    bounded_ = true;
    for (const double part : {0.5, 0.1, 0.9, 0.01}) {
      if (done() && best.within) break;
      restore(cols, begin);
      move_into_bounds(cols, part);
      compare(Strategy::Bounds, solve(parts, cols));
    }
    bounded_ = false;
  }
  restore(cols, best_values);
  return best;
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

Attempt Search::solve_nearest(std::span<const int> parts, std::span<const int> cols) {
  Attempt best = solve_with_effort(parts, cols);
  if (!best.evaluated || !best.solved) return best;
  const Eigen::Index n = static_cast<Eigen::Index>(cols.size());
  Point at;
  at.x.resize(n);
  Vector guess(n);
  for (Eigen::Index k = 0; k < n; ++k) guess[k] = problem_.unknowns[cols[k]].guess / problem_.unknowns[cols[k]].reach;
  for (int iteration = 0; iteration < 50; ++iteration) {
    const std::vector<double> begin = save(cols);
    for (Eigen::Index k = 0; k < n; ++k) at.x[k] = begin[k] / problem_.unknowns[cols[k]].reach;
    if (!evaluate(parts, cols, at)) break;
    // Along the tangent space towards the guesses, and back to the solutions.
    const Matrix scaled = at.scale.asDiagonal() * at.j;
    const Vector wish = guess - at.x;
    const Vector slide = wish - linear::LeastChange(scaled).solve(scaled * wish);
    if (slide.norm() <= 1e-9 * (1.0 + at.x.norm())) break;
    const Vector from = at.x;
    bool nearer = false;
    for (double part = 1.0; part > 0.1 && !nearer; part *= 0.5) {
      at.x = from + part * slide;
      load(cols, at);
      const Attempt next = solve(parts, cols);
      Vector reached(n);
      for (Eigen::Index k = 0; k < n; ++k) reached[k] = rows_.value(cols[k]) / problem_.unknowns[cols[k]].reach;
      nearer = next.evaluated && next.solved && (reached - guess).norm() < (1.0 - 1e-9) * (from - guess).norm();
      if (nearer) best = next;
    }
    if (!nearer) {
      restore(cols, begin);
      break;
    }
  }
  return best;
}

}  // namespace driftless
