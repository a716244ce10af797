#include "driftless/initialize/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Core>
#include <Eigen/Sparse>

#include "driftless/initialize/newton_correction.hpp"
#include "driftless/initialize/search_limits.hpp"
#include "driftless/linear/least_change.hpp"

namespace driftless {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::SparseMatrix<double>;

using namespace search_limits;

bool finite(const Matrix& m) {
  for (int k = 0; k < m.nonZeros(); ++k)
    if (!std::isfinite(m.valuePtr()[k])) return false;
  return true;
}

}  // namespace

Search::Search(InitialRows& rows, const InitialProblem& problem)
    : rows_(rows), problem_(problem), correction_(std::make_unique<NewtonCorrection>()) {}
Search::~Search() = default;

struct Search::Point {
  Vector x;         // in units of reach
  Vector residual;  // raw
  Matrix j;         // with respect to x
  Vector scale;     // of the rows: one over the largest slope
  Vector size;      // of the terms of each row
  Vector unit;      // the change of each row by one nominal value

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
    const std::span<const double> residual = rows_.residual(part);
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

// Do rounding errors of the rows change all unknowns by small parts of their values only?
bool Search::is_determined(std::span<const int> cols, const Point& at) {
  bool regular = false;
  const Vector moved = (*correction_)(at.scale.asDiagonal() * at.j, rounding * at.size.cwiseProduct(at.scale), regular);
  for (std::size_t k = 0; k < cols.size() && regular; ++k) {
    const InitialUnknown& unknown = problem_.unknowns[cols[k]];
    const Eigen::Index i = static_cast<Eigen::Index>(k);
    regular =
        std::abs(moved[i]) * unknown.reach <= uncertain * std::max(unknown.nominal, std::abs(at.x[i]) * unknown.reach);
  }
  return regular;
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
        (*correction_)(at.scale.asDiagonal() * at.j, -at.residual.cwiseProduct(at.scale), attempt.regular);
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
      if (!accepted && damping == 1.0 && at.is_solved()) break;  // at rounding level the residual no longer decreases
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
  if (attempt.solved && iteration > 0 && at.j.rows() == at.j.cols())
    attempt.regular = is_determined(cols, at);
  else if (attempt.solved)
    attempt.regular = true;
  return attempt;
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
