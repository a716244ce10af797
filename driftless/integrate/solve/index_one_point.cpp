#include "driftless/integrate/solve/index_one_point.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/expr/calculus.hpp"
#include "driftless/linear/equilibration.hpp"
#include "driftless/linear/number.hpp"
#include "driftless/newton/rounding.hpp"

namespace driftless {
namespace {

constexpr int most_iterations = 12;

}  // namespace

struct IndexOnePoint::ByTime {
  Kernels kernels;
};

IndexOnePoint::IndexOnePoint(System& system)
    : system_(system),
      choice_(system.reduced().equation_choice),
      array_rows_(system.rows() - static_cast<int>(choice_.rows.size())),
      rows_(system.rows() + system.candidates()),
      jacobian_(system.jacobian_entries().size()) {
  const Reduced& r = system.reduced();
  column_of_slot_.assign(r.slots.size(), -1);
  slots_ = choice_.differential;
  for (const int candidate : choice_.derivatives) slots_.push_back(r.kinematics[candidate].slot);
  for (std::size_t k = 0; k < slots_.size(); ++k) column_of_slot_[slots_[k]] = static_cast<int>(k);
  time_ = system.compiled().part<ByTime>({}, [&] {
    const std::shared_ptr<Pool> pool = growable(r.model->pool);
    Differential by_time(*pool, [&](NodeId leaf) { return (*pool)[leaf].op == Op::Time ? pool->one() : pool->zero(); });
    KernelSource source{"derivative array by time", {}};
    for (int i = 0; i < array_rows_; ++i) source.outputs.push_back(by_time(r.rows[i].residual));
    if (pool != r.model->pool) pool->freeze();
    return std::make_shared<const ByTime>(ByTime{system.compiled().compile(pool, std::vector{std::move(source)})});
  });
  by_time_.resize(array_rows_);
  inputs_ = system.compiled().inputs();
  work_.resize(time_->kernels[0]->work_size());
}

int IndexOnePoint::slot_of_equation(std::size_t k) const {
  return system_.reduced().kinematics[choice_.equations[k]].slot;
}

double IndexOnePoint::unit_of(int slot) const { return std::abs(y_[slot]) + system_.reduced().slots[slot].nominal; }

bool IndexOnePoint::operator()(double t, std::span<double> y, std::span<double> yp) {
  y_.assign(y.begin(), y.end());
  yp_.assign(yp.begin(), yp.end());
  for (std::size_t k = 0; k < choice_.rows.size(); ++k) yp_[slot_of_equation(k)] = 0.0;
  if (!iterate(t, [&] { return move_values(); })) return false;
  by_time(t);
  if (!linear::all_finite(by_time_) || !iterate(t, [&] { return move_rates(); })) return false;
  std::ranges::copy(y_, y.begin());
  std::ranges::copy(yp_, yp.begin());
  return true;
}

// `step` returns the size of its correction.
template <class Step>
bool IndexOnePoint::iterate(double t, Step&& step) {
  newton::ToRounding test(newton::at_a_point);
  const auto correct = [&]() -> newton::Correction {
    if (!evaluate(t)) return newton::End::Undefined;
    return step();
  };
  return newton::iterate(most_iterations, correct, test).converged();
}

bool IndexOnePoint::evaluate(double t) {
  system_.rows_and_rates({t, y_, yp_}, rows_);
  system_.jacobian({t, y_, yp_}, jacobian_);
  return linear::all_finite(rows_) && linear::all_finite(jacobian_);
}

void IndexOnePoint::by_time(double t) {
  const CompiledSystem& compiled = system_.compiled();
  inputs_[0] = t;
  std::ranges::copy(system_.parameters(), inputs_.begin() + 1);
  std::ranges::copy(y_, inputs_.begin() + static_cast<std::ptrdiff_t>(compiled.y_offset()));
  std::ranges::copy(yp_, inputs_.begin() + static_cast<std::ptrdiff_t>(compiled.yp_offset()));
  (*time_->kernels[0])(inputs_.data(), by_time_.data(), work_.data());
}

// The array at the point, x in units of its size, rows and w in units in which their entries are about 1. With M = Q R
// by w, of rank r, the last rows of Qᵀ A_x are the constraints on x, independent of w.
void IndexOnePoint::separate() {
  const Eigen::Index x = std::ssize(choice_.differential), all = std::ssize(slots_);
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(array_rows_, all);
  const auto& entries = system_.jacobian_entries();
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const auto& [row, slot, rate] = entries[e];
    if (row < array_rows_ && !rate && column_of_slot_[slot] >= 0)
      matrix(row, column_of_slot_[slot]) += jacobian_[e] * unit_of(slot);
  }
  const linear::Equilibration scale = linear::equilibrate(matrix);
  row_scale_ = scale.rows;
  of_w_ = scale.columns.tail(all - x);
  for (Eigen::Index k = x; k < all; ++k) of_w_[k - x] *= unit_of(slots_[static_cast<std::size_t>(k)]);
  qr_ =
      linear::PivotedQr(scale.rows.asDiagonal() * matrix.rightCols(all - x) * scale.columns.tail(all - x).asDiagonal());
  by_x_ = qr_.transposed_q_times(Eigen::MatrixXd(scale.rows.asDiagonal() * matrix.leftCols(x)));
}

// Qᵀ times a right-hand side of the rows of the array.
Eigen::VectorXd IndexOnePoint::rotated(std::span<const double> right) const {
  Eigen::VectorXd result(array_rows_);
  for (int i = 0; i < array_rows_; ++i) result[i] = row_scale_[i] * right[static_cast<std::size_t>(i)];
  return qr_.transposed_q_times(result);
}

double IndexOnePoint::move_values() {
  separate();
  const Eigen::Index x = std::ssize(choice_.differential), w = std::ssize(choice_.derivatives), rank = w - choice_.held;
  const Eigen::VectorXd right = rotated(rows_);
  Eigen::VectorXd of_x = Eigen::VectorXd::Zero(x);
  if (rank < array_rows_)
    of_x = linear::CompleteQr(by_x_.bottomRows(array_rows_ - rank)).solve(right.tail(array_rows_ - rank));
  double largest = 0.0;
  for (Eigen::Index k = 0; k < x; ++k) {
    const int slot = choice_.differential[static_cast<std::size_t>(k)];
    y_[slot] -= of_x[k] * unit_of(slot);
    largest = std::max(largest, std::abs(of_x[k]));
  }
  if (rank == 0) return largest;
  const Eigen::VectorXd left = right.head(rank) - by_x_.topRows(rank) * of_x;
  const Eigen::VectorXd of_w = qr_.solve_triangle(left);
  double size = 0.0, change = 0.0;  // of w, all of them together
  for (Eigen::Index k = 0; k < w; ++k) {
    const Eigen::Index column = qr_.column(k);
    double& value = y_[slots_[static_cast<std::size_t>(x + column)]];
    if (k < rank) value -= of_w[k] * of_w_[column], change = std::max(change, std::abs(of_w[k]));
    if (of_w_[column] > 0.0) size = std::max(size, std::abs(value / of_w_[column]));
  }
  return std::max(largest, size > 0.0 ? change / size : change);
}

// The constraints on x, differentiated, and all differential equations, including those that are not chosen at present.
double IndexOnePoint::move_rates() {
  separate();
  const Eigen::Index x = std::ssize(choice_.differential);
  const Eigen::Index constraints = array_rows_ - (std::ssize(choice_.derivatives) - choice_.held);
  const auto written = std::ssize(choice_.rows), all = std::ssize(choice_.equations);
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(constraints + all, x);
  Eigen::VectorXd right(constraints + all), rates(x);
  for (Eigen::Index k = 0; k < x; ++k) {
    const int slot = choice_.differential[static_cast<std::size_t>(k)];
    rates[k] = yp_[slot] / unit_of(slot);
  }
  matrix.topRows(constraints) = by_x_.bottomRows(constraints);
  right.head(constraints) = rotated(by_time_).tail(constraints) + matrix.topRows(constraints) * rates;
  for (Eigen::Index k = 0; k < all; ++k) {
    const auto number = static_cast<std::size_t>(k);
    if (k < written) {
      right[constraints + k] = rows_[static_cast<std::size_t>(choice_.rows[number])];
      continue;
    }
    const int candidate = choice_.equations[number], slot = slot_of_equation(number);
    right[constraints + k] = yp_[slot] - rows_[static_cast<std::size_t>(system_.rows() + candidate)];
    matrix(constraints + k, column_of_slot_[slot]) = unit_of(slot);
  }
  const auto& entries = system_.jacobian_entries();
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const auto& [row, slot, rate] = entries[e];
    if (row < array_rows_ || row >= system_.rows() || !rate || column_of_slot_[slot] < 0) continue;
    matrix(constraints + row - array_rows_, column_of_slot_[slot]) += jacobian_[e] * unit_of(slot);
  }
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    if (const double size = matrix.row(i).cwiseAbs().maxCoeff(); size > 0.0) matrix.row(i) /= size, right[i] /= size;
  const Eigen::VectorXd change = linear::CompleteQr(matrix).solve(right);
  for (Eigen::Index k = 0; k < x; ++k) {
    const int slot = choice_.differential[static_cast<std::size_t>(k)];
    yp_[slot] -= change[k] * unit_of(slot);
  }
  // Measured over all rates together: one that passes 0 has the rounding errors of the others.
  const double largest = change.size() > 0 ? change.cwiseAbs().maxCoeff() : 0.0;
  const double size = rates.size() > 0 ? (rates - change).cwiseAbs().maxCoeff() : 0.0;
  return size > 0.0 ? largest / size : largest;
}

}  // namespace driftless
