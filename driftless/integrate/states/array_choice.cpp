#include "driftless/integrate/states/array_choice.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/linear/dense.hpp"
#include "driftless/linear/sparse_rank.hpp"

namespace driftless {
namespace {

constexpr double vanished = 1e-10;   // of a pivot, relative to the largest: the rows lose rank
constexpr double influence = 1e-5;   // of a constant on a delivered unknown, in units of both: more than rounding
constexpr double noticeable = 0.02;  // of a change of the matrix, relative to its rows: worth another examination

}  // namespace

ArrayChoice::ArrayChoice(const Reduced& reduced, const Choice& choice, const std::vector<System::ChoiceEntry>& entries,
                         std::size_t offset, double hysteresis, std::size_t most_full)
    : reduced_(&reduced),
      choice_(&choice),
      entries_(&entries),
      offset_(offset),
      hysteresis_(hysteresis),
      scale_(choice.kinematics.size(), 1.0) {
  if (choice.rows.size() <= most_full) return;
  std::vector<int> grades, numbers(3, 0);
  for (const Role role : choice.roles) {
    grades.push_back(role == Role::Open ? 0 : role == Role::Determined ? 1 : 2);
    ++numbers[grades.back()];
  }
  numbers[2] -= choice.states;  // number of constraints; the other rows have their pivots in open derivatives
  numbers[0] = static_cast<int>(choice.rows.size()) - numbers[1] - numbers[2];
  basis_.emplace(std::move(grades), std::move(numbers));
}

std::string ArrayChoice::name(int candidate) const {
  return reduced_->name(reduced_->slots[reduced_->kinematics[choice_->kinematics[candidate]].slot].quantity);
}

Eigen::MatrixXd ArrayChoice::matrix(std::span<const double> values) const {
  Eigen::MatrixXd b = Eigen::MatrixXd::Zero(std::ssize(choice_->rows), std::ssize(choice_->kinematics));
  for (std::size_t e = 0; e < entries_->size(); ++e) {
    const auto& [row, candidate] = (*entries_)[e];
    b(row, candidate) += values[offset_ + e] * scale_[candidate];
  }
  return b;
}

linear::GradedBasis::Rows ArrayChoice::sparse_rows(std::span<const double> values) const {
  linear::GradedBasis::Rows rows(choice_->rows.size());
  for (std::size_t e = 0; e < entries_->size(); ++e) {
    const auto& [row, candidate] = (*entries_)[e];
    rows[row].emplace_back(candidate, values[offset_ + e] * scale_[candidate] * row_scale_[row]);
  }
  return rows;
}

bool ArrayChoice::choose(std::span<const double> values) {
  if (basis_) {
    if (choose_large(values)) return true;
    if (choice_->rows.size() > most_rows_of_difficult_arrays) return false;
    basis_.reset();
  }
  std::ranges::fill(scale_, 1.0);
  const Eigen::MatrixXd b = matrix(values);
  if (!b.allFinite()) return false;
  const linear::Equilibration scale = linear::equilibrate(b);
  std::ranges::copy(scale.columns, scale_.begin());
  remember(values);
  return choose_columns(scale.rows.asDiagonal() * b * scale.columns.asDiagonal());
}

bool ArrayChoice::choose_columns(const Eigen::MatrixXd& b) {
  std::vector<Eigen::Index> fast, states;  // open and determined ones; those that may be states
  for (Eigen::Index j = 0; j < b.cols(); ++j) (role(static_cast<int>(j)) == Role::State ? states : fast).push_back(j);
  const Eigen::Index constraints = std::ssize(states) - choice_->states, rank = b.rows() - constraints;
  const linear::PivotedQr first(b(Eigen::all, fast));
  bool regular = first.has_rank(rank, vanished);
  dependent_.clear();
  for (Eigen::Index k = 0; k < rank; ++k) dependent_.push_back(static_cast<int>(fast[first.column(k)]));
  if (constraints > 0) {
    const Eigen::MatrixXd rest = first.transposed_q_times(b(Eigen::all, states).eval());
    const linear::PivotedQr second(rest.bottomRows(constraints));
    regular = second.has_rank(constraints, vanished) && regular;
    for (Eigen::Index k = 0; k < constraints; ++k) dependent_.push_back(static_cast<int>(states[second.column(k)]));
  }
  take_dependent(std::move(dependent_));
  return regular && std::ranges::none_of(free_, [&](int j) { return role(j) == Role::Determined; });
}

void ArrayChoice::take_dependent(std::vector<int> columns) {
  dependent_ = std::move(columns);
  std::ranges::sort(dependent_);
  free_.clear();
  for (int j = 0; j < std::ssize(choice_->kinematics); ++j)
    if (!std::ranges::binary_search(dependent_, j)) free_.push_back(j);
}

bool ArrayChoice::choose_large(std::span<const double> values) {
  const std::span<const double> own = values.subspan(offset_, entries_->size());
  if (!std::ranges::all_of(own, [](double v) { return std::isfinite(v); })) return false;
  std::vector<Eigen::Triplet<double>> triplets;
  for (std::size_t e = 0; e < own.size(); ++e)
    triplets.emplace_back((*entries_)[e].row, (*entries_)[e].candidate, own[e]);
  Eigen::SparseMatrix<double> b(std::ssize(choice_->rows), std::ssize(choice_->kinematics));
  b.setFromTriplets(triplets.begin(), triplets.end());
  const linear::Equilibration scale = linear::equilibrate(b);
  scale_.assign(scale.columns.begin(), scale.columns.end());
  row_scale_.assign(scale.rows.begin(), scale.rows.end());
  remember(values);
  const bool regular = basis_->choose(sparse_rows(values));
  take_dependent(basis_->columns());
  return regular;
}

// Pairs leaving and entering candidates by role; their margin is only known to be at least the hysteresis.
void ArrayChoice::examine_large(std::span<const double> values, std::vector<Exchange>& exchanges) {
  step_begin_.assign(values.begin(), values.end());
  if (!has_changed(values)) return;
  remember(values);
  if (!basis_->improve(sparse_rows(values), hysteresis_) || basis_->columns() == dependent_) return;
  for (const Role of : {Role::State, Role::Open}) {
    std::vector<int> out, in;
    for (const int j : basis_->columns())
      if (role(j) == of && !std::ranges::binary_search(dependent_, j)) out.push_back(j);
    for (const int j : dependent_)
      if (role(j) == of && !std::ranges::binary_search(basis_->columns(), j)) in.push_back(j);
    for (std::size_t k = 0; k < out.size(); ++k)
      exchanges.push_back({choice_->kinematics[out[k]], choice_->kinematics[in[k]], hysteresis_});
  }
  take_dependent(basis_->columns());
}

std::optional<std::string> ArrayChoice::lost_in_large(std::span<const double> values) const {
  const linear::GradedBasis::Rows here = sparse_rows(values);
  linear::GradedBasis best = *basis_;
  if (!best.improve(here, hysteresis_)) return "the ranks of the derivative array have changed";
  if (step_begin_.empty()) return {};
  const linear::GradedBasis::Rows before = sparse_rows(step_begin_);
  if (basis_->sign(before) == basis_->sign(here) || best.sign(before) == best.sign(here)) return {};
  return "within the last step no choice of states was regular";
}

std::optional<Eigen::MatrixXd> ArrayChoice::dependence(const Eigen::MatrixXd& b) const {
  if (!b.allFinite()) return {};
  Eigen::MatrixXd t = linear::Lu(b(Eigen::all, dependent_)).solve(b(Eigen::all, free_).eval());
  if (!t.allFinite()) return {};
  return t;
}

std::optional<std::string> ArrayChoice::lost_at(std::span<const double> values) const {
  if (basis_) return lost_in_large(values);
  if (!has_changed(values)) return {};
  const auto t = dependence(matrix(values));
  if (!t) return "the equations of the derivative array lose rank";
  for (Eigen::Index i = 0; i < t->rows(); ++i)
    for (Eigen::Index j = 0; j < t->cols(); ++j)
      if (role(dependent_[i]) != Role::Open && role(free_[j]) == Role::Open && std::abs((*t)(i, j)) > influence)
        return fmt::format("the ranks of the derivative array have changed: {} depends on {}, which it leaves open",
                           name(dependent_[i]), name(free_[j]));
  return {};
}

void ArrayChoice::examine(std::span<const double> values, std::vector<Exchange>& exchanges) {
  if (basis_) return examine_large(values, exchanges);
  if (!has_changed(values)) return;
  remember(values);
  const Eigen::MatrixXd b = matrix(values);
  for (std::size_t n = 0; n < 4 * dependent_.size() + 1; ++n) {
    const auto t = dependence(b);
    if (!t) return;
    double best = 0.0;
    Eigen::Index row = -1, column = -1;
    for (Eigen::Index i = 0; i < t->rows(); ++i)
      for (Eigen::Index j = 0; j < t->cols(); ++j)
        if (const double size = std::abs((*t)(i, j)); size > best && role(dependent_[i]) == role(free_[j]))
          best = size, row = i, column = j;
    if (!(best > hysteresis_)) return;
    int &dependent = dependent_[row], &free = free_[column];
    exchanges.push_back({choice_->kinematics[free], choice_->kinematics[dependent], best});
    std::swap(dependent, free);
    std::ranges::sort(dependent_);
    std::ranges::sort(free_);
  }
}

bool ArrayChoice::has_changed(std::span<const double> values) const {
  for (std::size_t e = 0; e < looked_at_.size(); ++e)
    if (!(std::abs(values[offset_ + e] - looked_at_[e]) <= noticeable * row_size_[(*entries_)[e].row])) return true;
  return looked_at_.empty();
}

void ArrayChoice::remember(std::span<const double> values) {
  const std::span<const double> own = values.subspan(offset_, entries_->size());
  looked_at_.assign(own.begin(), own.end());
  row_size_.assign(choice_->rows.size(), 0.0);
  for (std::size_t e = 0; e < own.size(); ++e) {
    double& size = row_size_[(*entries_)[e].row];
    size = std::max(size, std::abs(own[e]));
  }
}

void ArrayChoice::add_states(std::vector<int>& active) const {
  for (const int j : free_) active.push_back(choice_->kinematics[j]);
}

void ArrayChoice::archive(Archive& archive) {
  bool is_large = basis_.has_value();
  archive(is_large, scale_, dependent_, free_, looked_at_, row_size_, row_scale_, step_begin_);
  if (!is_large) basis_.reset();
  if (basis_) basis_->archive(archive);
}

}  // namespace driftless
