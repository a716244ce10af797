#include "driftless/integrate/states/equation_selection.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/linear/archive_values.hpp"
#include "driftless/linear/dense.hpp"
#include "driftless/linear/equilibration.hpp"
#include "driftless/linear/number.hpp"

namespace driftless {
namespace {

constexpr double vanished = 1e-10;  // of a pivot, relative to the largest: the rows lose rank
constexpr double influence = 1e-5;  // of a held unknown on a determined one: more than rounding
constexpr std::size_t most_named = 4;

// The first `number` columns that a factorization has chosen, ascending.
std::vector<int> first_pivots(const linear::PivotedQr& qr, Eigen::Index number) {
  std::vector<int> pivots;
  for (Eigen::Index k = 0; k < number; ++k) pivots.push_back(static_cast<int>(qr.column(k)));
  std::ranges::sort(pivots);
  return pivots;
}

std::vector<int> others(const std::vector<int>& chosen, Eigen::Index all) {
  std::vector<int> rest;
  for (int k = 0; k < all; ++k)
    if (!std::ranges::binary_search(chosen, k)) rest.push_back(k);
  return rest;
}

}  // namespace

EquationSelection::EquationSelection(System& system, double hysteresis)
    : system_(system), choice_(system.reduced().equation_choice), hysteresis_(hysteresis) {
  if (!exists()) return;
  column_of_slot_.assign(system.reduced().slots.size(), -1);
  int column = 0;
  for (const int slot : choice_.differential) column_of_slot_[slot] = column++;
  for (const int candidate : choice_.derivatives)
    column_of_slot_[system.reduced().kinematics[candidate].slot] = column++;
  jacobian_.resize(system.jacobian_entries().size());
}

std::optional<EquationSelection::Matrices> EquationSelection::matrices_at(const System::Point& at) {
  system_.jacobian(at, jacobian_);
  const int rows = system_.rows() - static_cast<int>(choice_.rows.size());
  Matrices m{Eigen::MatrixXd::Zero(rows, std::ssize(choice_.differential) + std::ssize(choice_.derivatives)),
             Eigen::MatrixXd::Zero(std::ssize(choice_.equations), std::ssize(choice_.differential))};
  const auto& entries = system_.jacobian_entries();
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const auto& [row, slot, rate] = entries[e];
    const int column = column_of_slot_[slot];
    if (row >= system_.rows() || column < 0) continue;
    if (row < rows && !rate) m.array(row, column) += jacobian_[e];
    if (row >= rows && rate) m.slopes(row - rows, column) += jacobian_[e];
  }
  for (std::size_t k = choice_.rows.size(); k < choice_.equations.size(); ++k)
    m.slopes(static_cast<Eigen::Index>(k), column_of_slot_[system_.reduced().kinematics[choice_.equations[k]].slot]) =
        1.0;
  if (!m.array.allFinite() || !m.slopes.allFinite()) return {};
  return m;
}

void EquationSelection::take_units(Matrices& m) {
  if (rows_.size() == 0 && columns_.size() == 0) {
    const linear::Equilibration scale = linear::equilibrate(m.array);
    rows_ = scale.rows, columns_ = scale.columns;
  }
  m.array = (rows_.asDiagonal() * m.array * columns_.asDiagonal()).eval();
  m.slopes = (m.slopes * columns_.head(m.slopes.cols()).asDiagonal()).eval();
  for (Eigen::Index i = 0; i < m.slopes.rows(); ++i)
    if (const double largest = m.slopes.row(i).cwiseAbs().maxCoeff(); largest > 0.0) m.slopes.row(i) /= largest;
}

// Nothing if the ranks have changed.
std::optional<Eigen::MatrixXd> EquationSelection::slopes_along(const Matrices& m) const {
  const Eigen::Index x = std::ssize(choice_.differential), rank = std::ssize(choice_.derivatives) - choice_.held;
  const Eigen::Index constraints = m.array.rows() - rank;
  const linear::PivotedQr of_m(m.array.rightCols(m.array.cols() - x));
  if (!of_m.has_rank(rank, vanished)) return {};
  const Eigen::MatrixXd n = of_m.transposed_q_times(m.array.leftCols(x).eval());
  Eigen::MatrixXd along = Eigen::MatrixXd::Identity(x, x);
  if (constraints > 0) {
    const linear::PivotedQr of_n(n.bottomRows(constraints).transpose());
    if (!of_n.has_rank(constraints, vanished)) return {};
    along = of_n.q().rightCols(x - constraints);
  }
  return (m.slopes * along).eval();
}

std::optional<EquationSelection::Chosen> EquationSelection::best_for(const Matrices& m) const {
  const Eigen::Index w = std::ssize(choice_.derivatives), rank = w - choice_.held;
  const auto along = slopes_along(m);
  if (!along) return {};
  Chosen best;
  if (w > 0) best.held = others(first_pivots(linear::PivotedQr(m.array.rightCols(w)), rank), w);
  if (choice_.number > 0) {
    const linear::PivotedQr qr(along->transpose());
    if (!qr.has_rank(choice_.number, vanished)) return {};
    best.equations = first_pivots(qr, choice_.number);
  }
  return best;
}

bool EquationSelection::choose(const System::Point& at) {
  rows_.resize(0), columns_.resize(0);
  before_.reset();
  auto m = matrices_at(at);
  if (!m) return false;
  take_units(*m);
  auto best = best_for(*m);
  if (!best) {
    chosen_.held.resize(static_cast<std::size_t>(choice_.held));
    chosen_.equations.resize(static_cast<std::size_t>(choice_.number));
    std::iota(chosen_.held.begin(), chosen_.held.end(), 0);
    std::iota(chosen_.equations.begin(), chosen_.equations.end(), 0);
    return false;
  }
  chosen_ = std::move(*best);
  before_ = std::move(m);
  return true;
}

// Exchanges columns; the chosen ones are a basis of the range.
void EquationSelection::exchange(const Eigen::MatrixXd& columns, std::vector<int>& chosen,
                                 const std::vector<int>& candidates, bool chosen_are_states) {
  std::vector<int> rest = others(chosen, columns.cols());
  for (std::size_t n = 0; n < 4 * chosen.size() + 1 && !rest.empty() && !chosen.empty(); ++n) {
    const Eigen::MatrixXd basis = columns(Eigen::all, chosen), of_rest = columns(Eigen::all, rest);
    const Eigen::MatrixXd t = linear::Qr(basis).solve(of_rest);
    if (!t.allFinite()) return;
    Eigen::Index row = 0, column = 0;
    const double largest = t.cwiseAbs().maxCoeff(&row, &column);
    if (!(largest > hysteresis_)) return;
    const int leaves = candidates[chosen[row]], comes = candidates[rest[column]];
    exchanges_.push_back(chosen_are_states ? Exchange{leaves, comes, largest} : Exchange{comes, leaves, largest});
    std::swap(chosen[row], rest[column]);
    std::ranges::sort(chosen);
    std::ranges::sort(rest);
  }
}

const std::vector<Exchange>& EquationSelection::examine(const System::Point& at) {
  exchanges_.clear();
  auto m = matrices_at(at);
  if (!m) return exchanges_;
  take_units(*m);
  if (const auto along = slopes_along(*m)) {
    const Eigen::Index w = std::ssize(choice_.derivatives);
    std::vector<int> basis = others(chosen_.held, w);
    exchange(m->array.rightCols(w), basis, choice_.derivatives, false);
    chosen_.held = others(basis, w);
    exchange(along->transpose(), chosen_.equations, choice_.equations, true);
  }
  before_ = std::move(m);
  return exchanges_;
}

// The sign of the determinant, with the same factors at all points.
int EquationSelection::sign_with(const Chosen& chosen, const Matrices& m) const {
  const Eigen::Index x = std::ssize(choice_.differential), size = m.array.cols(), rows = m.array.rows();
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(size, size);
  matrix.topRows(rows) = m.array;
  Eigen::Index row = rows;
  for (const int equation : chosen.equations) matrix.row(row++).head(x) = m.slopes.row(equation);
  for (const int held : chosen.held) matrix(row++, x + held) = 1.0;
  return linear::Lu(matrix).sign();
}

// Do held unknowns have no influence on the constraints: do their columns of M depend linearly on the others?
bool EquationSelection::leaves_the_same_open(const Matrices& m) const {
  const Eigen::Index w = std::ssize(choice_.derivatives);
  if (chosen_.held.empty() || w == choice_.held) return true;
  const Eigen::MatrixXd of_w = m.array.rightCols(w);
  const Eigen::MatrixXd basis = of_w(Eigen::all, others(chosen_.held, w)), held = of_w(Eigen::all, chosen_.held);
  const Eigen::MatrixXd t = linear::Qr(basis).solve(held);
  return (basis * t - held).cwiseAbs().maxCoeff() <= influence * std::max(1.0, t.cwiseAbs().maxCoeff());
}

std::string EquationSelection::names_of_equations() const {
  const Reduced& r = system_.reduced();
  std::vector<std::string> labels;
  for (const int k : chosen_.equations) {
    const Quantity q = r.slots[r.kinematics[choice_.equations[k]].slot].quantity;
    labels.push_back(k < std::ssize(choice_.rows) ? (*r.model)[r.rows[choice_.rows[k]].equation].label
                                                  : "the derivative of " + r.name(q));
  }
  if (labels.size() > most_named) labels.resize(most_named), labels.push_back("...");
  return fmt::format("{}", fmt::join(labels, ", "));
}

std::optional<std::string> EquationSelection::lost_at(const System::Point& at) {
  is_in_doubt_ = false;
  if (!before_) return {};
  auto m = matrices_at(at);
  if (!m) return {};
  take_units(*m);
  const auto best = best_for(*m);
  const auto lost = [&](const char* what) {
    return fmt::format("the ranks of the derivative array change: {} (the differential equations were {})", what,
                       names_of_equations());
  };
  if (!best) return lost("no equations determine the motion any more");
  if (!leaves_the_same_open(*m)) return lost("derivatives that it left open have become constraints");
  if (sign_with(chosen_, *before_) == sign_with(chosen_, *m)) return {};
  if (sign_with(*best, *before_) == sign_with(*best, *m)) return {};
  is_in_doubt_ = true;
  return lost("within the last step no choice of equations determined the motion");
}

void EquationSelection::add_states(std::vector<int>& active) const {
  for (const int held : chosen_.held) active.push_back(choice_.derivatives[held]);
  for (const int equation : chosen_.equations) active.push_back(choice_.equations[equation]);
}

void EquationSelection::archive(Archive& archive) {
  if (!exists()) return;
  archive.section("differential equations");
  archive(chosen_.held, chosen_.equations);
  linear::archive_matrix(archive, rows_);
  linear::archive_matrix(archive, columns_);
  bool known = before_.has_value();
  archive(known);
  if (!known) return before_.reset();
  if (!before_) before_.emplace();
  linear::archive_matrix(archive, before_->array);
  linear::archive_matrix(archive, before_->slopes);
}

}  // namespace driftless
