#include "driftless/integrate/solve/index_one_point.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/expr/calculus.hpp"
#include "driftless/linear/least_change.hpp"
#include "driftless/linear/number.hpp"

namespace driftless {
namespace {

constexpr int most_iterations = 12;
constexpr double converged = 1e-14;  // correction relative to the unknown
constexpr double stalled = 1e-9;     // a correction below this that no longer shrinks is rounding
constexpr double freedom_of_derivatives = 1e2;  // w is of no interest: it moves more easily than x

// The largest entry of every row becomes 1.
void scale_rows(std::vector<Eigen::Triplet<double>>& entries, Eigen::VectorXd& right) {
  Eigen::VectorXd largest = Eigen::VectorXd::Zero(right.size());
  for (const auto& entry : entries) largest[entry.row()] = std::max(largest[entry.row()], std::abs(entry.value()));
  for (auto& entry : entries)
    if (largest[entry.row()] > 0.0) entry = {entry.row(), entry.col(), entry.value() / largest[entry.row()]};
  for (Eigen::Index i = 0; i < right.size(); ++i)
    if (largest[i] > 0.0) right[i] /= largest[i];
}

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
    Differential by_time(
        *pool, [&](NodeId leaf) { return (*pool)[leaf].op == Op::Time ? pool->one() : pool->zero(); });
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

double IndexOnePoint::size_of(int slot) const {
  const bool is_w = column_of_slot_[slot] >= std::ssize(choice_.differential);
  return (std::abs(y_[slot]) + system_.reduced().slots[slot].nominal) * (is_w ? freedom_of_derivatives : 1.0);
}

bool IndexOnePoint::operator()(double t, std::span<double> y, std::span<double> yp) {
  y_.assign(y.begin(), y.end());
  yp_.assign(yp.begin(), yp.end());
  for (std::size_t k = 0; k < choice_.rows.size(); ++k) yp_[slot_of_equation(k)] = 0.0;
  if (!iterate(t, [&] { return move_values(of_values()); })) return false;
  by_time(t);
  if (!linear::all_finite(by_time_) || !iterate(t, [&] { return move_rates(of_rates()); })) return false;
  std::ranges::copy(y_, y.begin());
  std::ranges::copy(yp_, yp.begin());
  return true;
}

// `step` returns the size of its correction.
template <class Step>
bool IndexOnePoint::iterate(double t, Step&& step) {
  double before = HUGE_VAL;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    if (!evaluate(t)) return false;
    const double size = step();
    if (!std::isfinite(size)) return false;
    if (size <= converged || (size <= stalled && size > 0.25 * before)) return true;
    before = size;
  }
  return false;
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

IndexOnePoint::Linear IndexOnePoint::of_values() const {
  Linear equations{Eigen::SparseMatrix<double>(array_rows_, std::ssize(slots_)), Eigen::VectorXd(array_rows_)};
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < array_rows_; ++i) equations.right[i] = rows_[i];
  const auto& all = system_.jacobian_entries();
  for (std::size_t e = 0; e < all.size(); ++e) {
    const auto& [row, slot, rate] = all[e];
    if (row < array_rows_ && !rate && column_of_slot_[slot] >= 0)
      entries.emplace_back(row, column_of_slot_[slot], jacobian_[e] * size_of(slot));
  }
  scale_rows(entries, equations.right);
  equations.matrix.setFromTriplets(entries.begin(), entries.end());
  return equations;
}

double IndexOnePoint::move_values(const Linear& equations) {
  const Eigen::VectorXd change = linear::LeastChange(equations.matrix).solve(equations.right);
  double largest = 0.0;
  for (std::size_t k = 0; k < slots_.size(); ++k) {
    const double part = change[static_cast<Eigen::Index>(k)] * size_of(slots_[k]);
    y_[slots_[k]] -= part;
    const double size = std::abs(y_[slots_[k]]) + system_.reduced().slots[slots_[k]].nominal;
    largest = std::max(largest, std::abs(part) / size);
  }
  return largest;
}

// Unknowns: the rates of x, and those of w. Rows: those of the array, and all differential equations.
IndexOnePoint::Linear IndexOnePoint::of_rates() const {
  const std::size_t written = choice_.rows.size(), all_equations = choice_.equations.size();
  const auto rows = static_cast<Eigen::Index>(array_rows_ + all_equations);
  Linear equations{Eigen::SparseMatrix<double>(rows, std::ssize(slots_)), Eigen::VectorXd(rows)};
  std::vector<Eigen::Triplet<double>> entries;
  const auto add = [&](int row, int slot, double slope) {
    entries.emplace_back(row, column_of_slot_[slot], slope * system_.reduced().slots[slot].nominal);
  };
  std::ranges::copy(by_time_, equations.right.begin());
  for (std::size_t k = 0; k < written; ++k) equations.right[array_rows_ + k] = rows_[choice_.rows[k]];
  for (std::size_t k = written; k < all_equations; ++k) {
    const int row = array_rows_ + static_cast<int>(k), slot = slot_of_equation(k);
    equations.right[row] = yp_[slot] - rows_[system_.rows() + choice_.equations[k]];
    add(row, slot, 1.0);
  }
  const auto& all = system_.jacobian_entries();
  for (std::size_t e = 0; e < all.size(); ++e) {
    const auto& [row, slot, rate] = all[e];
    if (row >= system_.rows() || column_of_slot_[slot] < 0 || rate != (row >= array_rows_)) continue;
    add(row, slot, jacobian_[e]);
    if (!rate) equations.right[row] += jacobian_[e] * yp_[slot];
  }
  scale_rows(entries, equations.right);
  equations.matrix.setFromTriplets(entries.begin(), entries.end());
  return equations;
}

// The size of the correction of the rates of x; those of w are determined in part only.
double IndexOnePoint::move_rates(const Linear& equations) {
  const Eigen::VectorXd change = linear::LeastChange(equations.matrix).solve(equations.right);
  double largest = 0.0;
  for (std::size_t k = 0; k < slots_.size(); ++k) {
    const double nominal = system_.reduced().slots[slots_[k]].nominal, part = change[static_cast<Eigen::Index>(k)];
    yp_[slots_[k]] -= part * nominal;
    if (static_cast<std::ptrdiff_t>(k) < std::ssize(choice_.differential))
      largest = std::max(largest, std::abs(part * nominal) / (std::abs(yp_[slots_[k]]) + nominal));
  }
  return largest;
}

}  // namespace driftless
