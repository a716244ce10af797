#include "driftless/sensitivity/linearization.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/linear/graded_elimination.hpp"

namespace driftless::sensitivity {
namespace {

constexpr int most_small_rows = 16;  // beyond it a sparse factorization costs less
constexpr int most_iterations = 5;   // of Newton
constexpr double near = 0.05;        // of values to be corrected, relative
constexpr double slowest = 0.3;      // a correction in units of that before: all are made with the same matrix
constexpr double unseen = 1e-2;      // error of the point that partial derivatives tolerate, in units of the tolerance

}  // namespace

Linearization::Linearization(VariationalArray& array) : array_(array) {}

bool Linearization::move_to(double t, std::span<const double> parameters, std::span<const double> quantities) {
  array_.evaluate(t, parameters, quantities, point_);
  is_factorized_ = false;
  const auto finite = [](double value) { return std::isfinite(value); };
  return std::ranges::all_of(point_.slopes, finite) && std::ranges::all_of(point_.of_parameters, finite) &&
         std::ranges::all_of(point_.of_time, finite);
}

bool Linearization::move_from_states(double t, std::span<const double> parameters, double tolerance,
                                     std::vector<double>& quantities) {
  if (!has_states() || !move_to(t, parameters, quantities) || !factorize()) return false;
  // In the first iteration quantities that occur linearly may be arbitrarily far off.
  double before = HUGE_VAL, bent = 0.0;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    const std::vector<double>& residual = array_.residual(t, parameters, quantities);
    right_ = Eigen::Map<const Eigen::VectorXd>(residual.data(), static_cast<Eigen::Index>(residual.size()));
    solve();
    const auto [correction, bending] = correct(quantities);
    const bool is_noise = iteration > 0 && correction <= tolerance;
    bent += bending;
    if (!(bent <= near) || !(correction <= before || is_noise)) return false;
    // If only linear quantities were corrected, the partial derivatives were already right, and so is the correction.
    if (bent <= unseen * tolerance) return true;
    if (correction <= unseen * tolerance || (is_noise && correction > before))
      return move_to(t, parameters, quantities);
    before = slowest * correction;
  }
  return false;
}

// Corrects by solving the equations with the residual as right-hand side.
Linearization::Correction Linearization::correct(std::vector<double>& quantities) const {
  Correction result;
  for (std::size_t col = 0; col < quantities.size(); ++col) {
    const int unknown = unknown_of_[col];
    if (unknown < 0) continue;
    const double step = right_(unknown, 0);
    quantities[col] -= step;
    const double size = std::abs(step) / (std::abs(quantities[col]) + array_.nominal(static_cast<int>(col)));
    if (!std::isfinite(size)) return {std::nan(""), std::nan("")};
    result.largest = std::max(result.largest, size);
    if (array_.bends(static_cast<int>(col))) result.bending = std::max(result.bending, size);
  }
  return result;
}

bool Linearization::choose_states(std::span<const int> rank) {
  std::vector<std::vector<std::pair<int, double>>> rows(static_cast<std::size_t>(array_.rows()));
  const auto& entries = array_.entries();
  for (std::size_t e = 0; e < entries.size(); ++e)
    rows[static_cast<std::size_t>(entries[e].row)].emplace_back(entries[e].col, point_.slopes[e]);
  std::vector<int> grade;
  std::vector<double> scale;
  for (int col = 0; col < array_.cols(); ++col) {
    grade.push_back(array_.is_highest(col) ? 0 : 1 + (rank.empty() ? 0 : rank[static_cast<std::size_t>(col)]));
    scale.push_back(array_.nominal(col));
  }
  const linear::GradedElimination elimination = linear::eliminate_by_grade(rows, grade, scale);
  if (elimination.rank() < array_.rows()) return false;
  std::vector<bool> is_pivot(static_cast<std::size_t>(array_.cols()), false);
  for (const auto& pivot : elimination.pivots) is_pivot[static_cast<std::size_t>(pivot.col)] = true;
  std::vector<int> states;
  for (int col = 0; col < array_.cols(); ++col)
    if (!is_pivot[static_cast<std::size_t>(col)]) {
      if (array_.is_highest(col)) return false;
      states.push_back(col);
    }
  if (states != states_ || !has_states()) use_states(std::move(states));
  return true;
}

void Linearization::use_states(std::vector<int> states) {
  states_ = std::move(states);
  const auto cols = static_cast<std::size_t>(array_.cols());
  state_of_.assign(cols, -1);
  unknown_of_.assign(cols, -1);
  next_.clear();
  for (std::size_t k = 0; k < states_.size(); ++k) {
    state_of_[static_cast<std::size_t>(states_[k])] = static_cast<int>(k);
    next_.push_back(states_[k] + 1);  // quantities ascend by variable, then by order
  }
  int unknowns = 0;
  for (std::size_t col = 0; col < cols; ++col)
    if (state_of_[col] < 0) unknown_of_[col] = unknowns++;
  std::vector<linear::Coordinate> coordinates;
  used_.clear();
  const auto& entries = array_.entries();
  for (std::size_t e = 0; e < entries.size(); ++e)
    if (const int col = unknown_of_[static_cast<std::size_t>(entries[e].col)]; col >= 0) {
      coordinates.push_back({entries[e].row, col});
      used_.push_back(e);
    }
  is_small_ = array_.rows() <= most_small_rows;
  if (!is_small_) {
    assembly_ = linear::assemble(array_.rows(), coordinates);
    factorization_ = linear::make_factorization(assembly_.pattern);
    values_.assign(assembly_.pattern.rows.size(), 0.0);
  }
  is_factorized_ = false;
}

bool Linearization::factorize() {
  if (is_factorized_) return true;
  if (is_small_) {
    small_.matrix().setZero(array_.rows(), array_.rows());
    for (const std::size_t e : used_) {
      const VariationalArray::Entry& entry = array_.entries()[e];
      small_.matrix()(entry.row, unknown_of_[static_cast<std::size_t>(entry.col)]) += point_.slopes[e];
    }
    is_factorized_ = small_.factorize();
    return is_factorized_;
  }
  std::ranges::fill(values_, 0.0);
  for (std::size_t k = 0; k < used_.size(); ++k)
    values_[static_cast<std::size_t>(assembly_.position[k])] += point_.slopes[used_[k]];
  is_factorized_ = factorization_->factorize(values_);
  return is_factorized_;
}

// Adds -∂f/∂p dp, the contribution of the parameters, in columns from `first` on.
void Linearization::add_parameters(const Eigen::MatrixXd& of_parameters, Eigen::Index first) const {
  const auto& entries = array_.parameter_entries();
  for (std::size_t e = 0; e < entries.size(); ++e)
    for (Eigen::Index k = 0; k < of_parameters.cols(); ++k)
      right_(entries[e].row, first + k) -= point_.of_parameters[e] * of_parameters(entries[e].col, k);
}

void Linearization::add_states(const Eigen::MatrixXd& of_states) const {
  const auto& entries = array_.entries();
  for (std::size_t e = 0; e < entries.size(); ++e)
    if (const int state = state_of_[static_cast<std::size_t>(entries[e].col)]; state >= 0)
      for (Eigen::Index k = 0; k < of_states.cols(); ++k)
        right_(entries[e].row, k) -= point_.slopes[e] * of_states(state, k);
}

void Linearization::solve() const {
  if (is_small_) {
    small_.solve(right_);
    return;
  }
  for (Eigen::Index k = 0; k < right_.cols(); ++k)
    factorization_->solve(std::span(right_.data() + k * right_.rows(), static_cast<std::size_t>(right_.rows())));
}

void Linearization::take_solution(const Eigen::MatrixXd& of_states, Eigen::MatrixXd& all) const {
  all.resize(array_.cols(), of_states.cols());
  for (Eigen::Index k = 0; k < all.cols(); ++k)
    for (Eigen::Index col = 0; col < all.rows(); ++col) {
      const int state = state_of_[static_cast<std::size_t>(col)];
      all(col, k) = state >= 0 ? of_states(state, k) : right_(unknown_of_[static_cast<std::size_t>(col)], k);
    }
}

void Linearization::complete(const Eigen::MatrixXd& of_states, const Eigen::MatrixXd& of_parameters,
                             Eigen::MatrixXd& all) const {
  right_.setZero(array_.rows(), of_states.cols());
  add_parameters(of_parameters, 0);
  add_states(of_states);
  solve();
  take_solution(of_states, all);
}

// Time is one more parameter, with respect to which the states move by their rates.
Eigen::VectorXd Linearization::rates(std::span<const double> quantities) const {
  Eigen::MatrixXd of_states(states_.size(), 1), all;
  right_.setZero(array_.rows(), 1);
  for (std::size_t k = 0; k < states_.size(); ++k)
    of_states(static_cast<Eigen::Index>(k), 0) = quantities[static_cast<std::size_t>(next_[k])];
  for (std::size_t e = 0; e < point_.of_time.size(); ++e) right_(array_.time_rows()[e], 0) -= point_.of_time[e];
  add_states(of_states);
  solve();
  take_solution(of_states, all);
  return all;
}

void Linearization::dynamics(const Eigen::MatrixXd& of_parameters, Dynamics& result) const {
  const auto n = static_cast<Eigen::Index>(states_.size()), p = of_parameters.cols();
  right_.setZero(array_.rows(), n + p);
  const auto& entries = array_.entries();
  for (std::size_t e = 0; e < entries.size(); ++e)
    if (const int state = state_of_[static_cast<std::size_t>(entries[e].col)]; state >= 0)
      right_(entries[e].row, state) -= point_.slopes[e];
  add_parameters(of_parameters, n);
  solve();
  result.matrix.setZero(n, n);
  result.offset.setZero(n, p);
  for (Eigen::Index k = 0; k < n; ++k) {
    const auto col = static_cast<std::size_t>(next_[static_cast<std::size_t>(k)]);
    if (const int other = state_of_[col]; other >= 0) {
      result.matrix(k, other) = 1.0;
      continue;
    }
    result.matrix.row(k) = right_.row(unknown_of_[col]).head(n);
    result.offset.row(k) = right_.row(unknown_of_[col]).tail(p);
  }
  growth_ = 0.0;
  for (int col = 0; col < array_.cols(); ++col) {
    const int unknown = unknown_of_[static_cast<std::size_t>(col)];
    if (unknown < 0 || array_.is_highest(col)) continue;
    for (Eigen::Index k = 0; k < n; ++k)
      growth_ = std::max(growth_, std::abs(right_(unknown, k)) * array_.nominal(states_[static_cast<std::size_t>(k)]) /
                                      array_.nominal(col));
  }
}

}  // namespace driftless::sensitivity
