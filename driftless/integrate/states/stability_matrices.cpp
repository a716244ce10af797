#include "driftless/integrate/states/stability_matrices.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/linear/dense.hpp"
#include "driftless/linear/svd.hpp"

namespace driftless {
namespace {

bool is_differentiated(const Reduced& r, EqnId equation) { return r.offsets.c[index(equation)] > 0; }

}  // namespace

// ---- directions of the constraint forces

ForceDirections::ForceDirections(System& system) : stage_(system), propagation_(system) {
  for (std::size_t k = 0; k < stage_.equations().size(); ++k) {
    const EqnId equation = stage_.equations()[k].of;
    if (!is_differentiated(system.reduced(), equation)) continue;
    constraints_.push_back(equation);
    equations_.push_back(static_cast<int>(k));
  }
}

bool ForceDirections::evaluate(const System::Point& at) {
  stage_.evaluate(at);
  propagation_.take(stage_.jacobian());
  const auto n = static_cast<Eigen::Index>(stage_.size()), m = static_cast<Eigen::Index>(constraints_.size());
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n, n), response = Eigen::MatrixXd::Zero(n, m);
  for (std::size_t k = 0; k < stage_.entries().size(); ++k)
    matrix(stage_.entries()[k].row, stage_.entries()[k].col) = stage_.matrix()[k];
  if (!matrix.allFinite()) return false;
  for (Eigen::Index i = 0; i < m; ++i) response(equations_[i], i) = 1.0;
  const linear::FullLu lu(matrix);
  if (n > 0 && !lu.is_regular()) return false;
  if (n > 0) response = lu.solve(response);
  of_slots_.resize(static_cast<Eigen::Index>(at.y.size()), m);
  for (Eigen::Index i = 0; i < m; ++i) {
    propagation_.run(stage_.unknowns().all(), {response.col(i).data(), static_cast<std::size_t>(n)});
    std::ranges::copy(propagation_.of_slots(), of_slots_.col(i).data());
  }
  return of_slots_.allFinite();
}

// ---- the essential form

double Essential::K1() const { return linear::norm2(CB_inverse); }

double Essential::K2() const {
  Eigen::MatrixXd both(F.rows(), S.cols() + F.cols());
  both << S, F;
  return linear::norm2(both);
}

std::optional<std::string> EssentialForm::not_applicable(const Reduced& r) {
  if (r.implicit) return "the model is integrated as F(t, y, y') = 0";
  const auto constraint = std::ranges::find_if(
      r.rows, [&](const DerivedEquation& row) { return row.stage == -1 && is_differentiated(r, row.equation); });
  if (constraint == r.rows.end()) return "no equation has to be differentiated";
  int rows = 0, unknowns = 0;
  for (const DerivedEquation& row : r.rows) rows += row.stage == 0;
  for (const Slot& slot : r.slots) unknowns += slot.stage == 0;
  for (const Quantity q : r.quantities) unknowns += r.place(q) == Place::Rate;
  if (rows != unknowns) return fmt::format("{} is not kept at all its levels", (*r.model)[constraint->equation].label);
  return {};
}

EssentialForm::EssentialForm(System& system) : system_(system), directions_(system) {
  const Reduced& r = system.reduced();
  position_.assign(r.slots.size(), -1);
  for (std::size_t s = 0; s < r.slots.size(); ++s)
    if (r.slots[s].stage == -1) {
      position_[s] = static_cast<int>(slots_.size());
      slots_.push_back(static_cast<int>(s));
    }
  constraint_of_row_.assign(r.rows.size(), -1);
  for (std::size_t i = 0; i < r.rows.size(); ++i)
    if (r.rows[i].stage == -1) {
      const auto found = std::ranges::find(constraints(), r.rows[i].equation);
      constraint_of_row_[i] = static_cast<int>(found - constraints().begin());
    }
  find_multipliers();
  compile_entries();
}

// Variables without derivatives, as many as constraints: all of them, or those that no equation gives explicitly.
void EssentialForm::find_multipliers() {
  const Reduced& r = system_.reduced();
  const auto algebraic = [&](bool defined_too) {
    std::vector<VarId> found;
    for (std::size_t j = 0; j < r.offsets.d.size(); ++j) {
      const VarId v{static_cast<int>(j)};
      if (r.offsets.d[j] == 0 && (defined_too || r.place({v, 0}) == Place::Slot)) found.push_back(v);
    }
    return found;
  };
  for (const bool defined_too : {true, false})
    if (multipliers_ = algebraic(defined_too); multipliers_.size() == constraints().size()) return;
  multipliers_.clear();
}

void EssentialForm::compile_entries() {
  const Reduced& r = system_.reduced();
  const std::shared_ptr<Pool> own = growable(r.model->pool);
  Pool& pool = *own;
  TimeDerivative derivative(pool);
  KernelSource source{"essential", {}};
  for (std::size_t i = 0; i < r.rows.size(); ++i) {
    if (constraint_of_row_[i] < 0) continue;
    for (const Partial& p : gradient(pool, r.rows[i].residual)) {
      const int slot = r.slot_at(pool[p.leaf]);
      if (slot < 0 || position_[slot] < 0) continue;
      dot_entries_.push_back({constraint_of_row_[i], position_[slot]});
      source.outputs.push_back(derivative(p.derivative));
    }
  }
  for (std::size_t k = 0; k < multipliers_.size(); ++k)
    for (const Partial& p : gradient(pool, r.value_of({multipliers_[k], 0}))) {
      const int slot = r.slot_at(pool[p.leaf]);
      if (slot < 0 || r.slots[slot].stage != 0) continue;
      multiplier_entries_.push_back({static_cast<int>(k), slot});
      source.outputs.push_back(p.derivative);
    }
  const InputLayout layout = system_.compiled().layout_of_quantities();
  kernel_ = compile(own, {&source, 1}, layout, Backend::Interpreter).kernels.front();
  inputs_.assign(layout.inputs, 0.0);
  std::ranges::copy(system_.parameters(), inputs_.begin() + 1);
  values_.resize(source.outputs.size());
  work_.resize(kernel_->work_size());
}

std::optional<Essential> EssentialForm::at(double t, std::span<const double> y, std::span<const double> yp) {
  const System::Point point{t, y, yp};
  if (!directions_.evaluate(point)) return {};
  const auto n = static_cast<Eigen::Index>(slots_.size()), m = static_cast<Eigen::Index>(constraints().size());
  Essential e;
  e.t = t;
  e.C.setZero(m, n);
  const auto& entries = system_.jacobian_entries();
  for (std::size_t k = 0; k < entries.size(); ++k) {
    if (entries[k].row >= system_.rows() || entries[k].rate || position_[entries[k].slot] < 0) continue;
    if (const int i = constraint_of_row_[entries[k].row]; i >= 0)
      e.C(i, position_[entries[k].slot]) += directions_.jacobian()[k];
  }
  inputs_[0] = t;
  std::ranges::copy(system_.parameters(), inputs_.begin() + 1);
  system_.observe(point, std::span(inputs_).subspan(inputs_.size() - system_.reduced().quantities.size()));
  (*kernel_)(inputs_.data(), values_.data(), work_.data());
  e.C_dot.setZero(m, n);
  for (std::size_t k = 0; k < dot_entries_.size(); ++k) e.C_dot(dot_entries_[k].row, dot_entries_[k].col) += values_[k];
  e.F.resize(n, m);
  for (Eigen::Index j = 0; j < n; ++j) e.F.row(j) = directions_.of_slots().row(slots_[j]);
  e.H = Eigen::MatrixXd::Identity(n, n) - e.F * e.C;
  e.CB_inverse = Eigen::MatrixXd::Identity(m, m);
  if (!multipliers_.empty()) e.CB_inverse.setZero();
  for (std::size_t k = 0; k < multiplier_entries_.size(); ++k)
    e.CB_inverse.row(multiplier_entries_[k].row) +=
        values_[dot_entries_.size() + k] * directions_.of_slots().row(multiplier_entries_[k].col);
  const linear::FullLu lu(e.CB_inverse);
  if (!lu.is_regular()) return {};
  e.B = e.F * lu.inverse();
  if (!continue_frame(e)) return {};
  return e;
}

// An orthonormal basis of ker B^T, rotated to be as close as possible to the previous one: the orthogonal factor of the
// polar decomposition of R_before R^T does this, and makes R' R^T as small as possible.
bool EssentialForm::continue_frame(Essential& e) {
  const Eigen::Index n = e.B.rows(), m = e.B.cols();
  const Eigen::MatrixXd q = linear::Qr(e.F).q();
  e.R = q.rightCols(n - m).transpose();
  e.R_dot.setZero(n - m, n);
  if (before_ && n > m) {
    const linear::Svd svd = linear::svd(before_->R * e.R.transpose());
    e.R = svd.U * svd.V.transpose() * e.R;
    if (e.t != before_->t) e.R_dot = (e.R - before_->R) / (e.t - before_->t);
  }
  Eigen::MatrixXd both(n, n);
  both << e.R, e.C;
  const linear::FullLu lu(both);
  if (!lu.is_regular()) return false;
  e.S = lu.inverse().leftCols(n - m);
  before_ = Frame{e.t, e.R};
  return true;
}

}  // namespace driftless
