#include "driftless/integrate/solve/imposed_constraints.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace driftless {
namespace {

// Rows that contain no algebraic component.
std::vector<int> constraint_rows(const Problem& problem) {
  const System& system = problem.system();
  std::vector<bool> is_constraint(system.rows(), true);
  for (const System::Entry& e : system.jacobian_entries())
    if (e.row < system.rows() && (e.rate || !problem.is_state(e.slot))) is_constraint[e.row] = false;
  std::vector<int> rows;
  for (int i = 0; i < system.rows(); ++i)
    if (is_constraint[i]) rows.push_back(i);
  return rows;
}

}  // namespace

ImposedConstraints::ImposedConstraints(Problem& problem)
    : system_(problem.system()),
      constraints_(constraint_rows(problem)),
      column_of_slot_(problem.size(), -1),
      rows_and_rates_(system_.rows() + system_.candidates()),
      jacobian_(system_.jacobian_entries().size()),
      directions_(system_) {
  directions_.resize(constraints_.size());
  int columns = 0;
  for (int s = 0; s < problem.size(); ++s)
    if (!problem.is_state(s)) column_of_slot_[s] = columns++;
  if (constraints_.empty() || columns != system_.rows()) return;

  // The matrix: derivatives of algebraic rows by the algebraic components; for a constraint g the row g_y f_z.
  const auto& entries = system_.jacobian_entries();
  std::vector<std::vector<int>> of_rate(problem.size());  // entries of ∂rate/∂z, by slot
  for (std::size_t e = 0; e < entries.size(); ++e)
    if (entries[e].row >= system_.rows() && !entries[e].rate && column_of_slot_[entries[e].slot] >= 0)
      of_rate[problem.reduced().kinematics[entries[e].row - system_.rows()].slot].push_back(static_cast<int>(e));
  std::vector<linear::Coordinate> coordinates;
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const System::Entry& entry = entries[e];
    if (entry.row >= system_.rows() || entry.rate) continue;
    if (column_of_slot_[entry.slot] >= 0) {
      contributions_.push_back({static_cast<int>(e), -1});
      coordinates.push_back({entry.row, column_of_slot_[entry.slot]});
    } else if (std::ranges::binary_search(constraints_, entry.row)) {
      for (const int rate : of_rate[entry.slot]) {
        contributions_.push_back({static_cast<int>(e), rate});
        coordinates.push_back({entry.row, column_of_slot_[entries[rate].slot]});
      }
    }
  }
  assembly_ = linear::assemble(columns, coordinates);
  factorization_ = linear::make_factorization(assembly_.pattern);
  values_.resize(assembly_.pattern.rows.size());
  solution_.resize(columns);
}

// Direction k changes constraint k at the rate 1 and no other: f_z (g_y f_z)^-1.
bool ImposedConstraints::find_directions(double t, std::span<const double> y, std::span<const double> yp) {
  system_.jacobian({t, y, yp}, jacobian_);
  std::ranges::fill(values_, 0.0);
  for (std::size_t k = 0; k < contributions_.size(); ++k) {
    const Contribution& c = contributions_[k];
    values_[assembly_.position[k]] += jacobian_[c.entry] * (c.factor < 0 ? 1.0 : jacobian_[c.factor]);
  }
  if (!factorization_->factorize(values_)) return false;
  for (std::size_t k = 0; k < constraints_.size(); ++k) {
    std::ranges::fill(solution_, 0.0);
    solution_[constraints_[k]] = 1.0;
    factorization_->solve(solution_);
    directions_.set(k, jacobian_, column_of_slot_, solution_);
  }
  return true;
}

bool ImposedConstraints::project(double t, std::span<double> y, std::span<const double> yp) {
  if (constraints_.empty()) return true;
  if (!factorization_ || !find_directions(t, y, yp)) return false;
  return directions_.follow(y, [&](std::span<double> out) {
    system_.rows_and_rates({t, y, yp}, rows_and_rates_);
    for (std::size_t k = 0; k < constraints_.size(); ++k) out[k] = rows_and_rates_[constraints_[k]];
  });
}

std::optional<std::string> not_projectable(const Problem& problem) {
  const System& system = problem.system();
  const Reduced& r = problem.reduced();
  if (r.implicit) return "the model is integrated as F(t, y, y') = 0, without states";
  if (r.chart != Chart::Slots) return "the states are local coordinates, which keep every constraint already";
  std::vector<bool> moves(problem.size(), false);  // slots whose rate contains an algebraic component
  for (const System::Entry& e : system.jacobian_entries())
    if (e.row >= system.rows() && !e.rate && !problem.is_state(e.slot))
      moves[r.kinematics[e.row - system.rows()].slot] = true;
  for (const int row : constraint_rows(problem)) {
    const bool reached = std::ranges::any_of(
        system.jacobian_entries(), [&](const System::Entry& e) { return e.row == row && !e.rate && moves[e.slot]; });
    if (reached) continue;
    const Equation& equation = (*r.model)[r.rows[row].equation];
    return fmt::format("{} ({}) is more than one differentiation away from its multiplier; use the formulation index2",
                       equation.label, equation.text);
  }
  return {};
}

}  // namespace driftless
