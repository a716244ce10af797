#include "driftless/integrate/solve/highest_level.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

constexpr int most_iterations = 20;
constexpr double converged = 1e-15;  // relative to the unknown
constexpr double stalled = 1e-9;     // a correction below this that no longer shrinks is rounding

}  // namespace

HighestLevel::HighestLevel(System& system) : system_(system), directions_(system) {
  const Reduced& r = system.reduced();
  const int n = system.size();
  std::vector<int> column_y(n, -1), column_yp(n, -1);
  for (const Quantity q : r.quantities)
    if (r.place(q) == Place::Rate) {
      column_yp[r.slot_of(q)] = static_cast<int>(unknowns_.size());
      unknowns_.push_back({r.slot_of(q), true});
    }
  std::vector<int> equation_of_row(r.rows.size(), -1), equation_of_invariant(r.invariants.size(), -1);
  const auto add_equation = [&](int row, int invariant) {
    row_of_equation_.push_back(row);
    invariant_of_equation_.push_back(invariant);
    return static_cast<int>(row_of_equation_.size()) - 1;
  };
  for (std::size_t i = 0; i < r.rows.size(); ++i)
    if (r.rows[i].stage == 0) equation_of_row[i] = add_equation(static_cast<int>(i), -1);
  for (std::size_t i = 0; i < r.invariants.size(); ++i) {
    const Invariant& level = r.invariants[i];
    if (level.of_model() || level.stage != 0) continue;
    equation_of_invariant[i] = add_equation(-1, static_cast<int>(i));
  }
  find_levels_below();

  // Multipliers that a formulation adds are zero on the solution and occur in no equation of the highest level.
  std::vector<bool> occurs(n, false);
  const auto note = [&](const std::vector<System::Entry>& entries, const std::vector<int>& equation_of) {
    for (const System::Entry& e : entries)
      if (!e.rate && e.row < static_cast<int>(equation_of.size()) && equation_of[e.row] >= 0) occurs[e.slot] = true;
  };
  note(system.jacobian_entries(), equation_of_row);
  note(system.invariant_entries(), equation_of_invariant);
  std::vector<bool> moves(n, false);
  for (const Kinematic& k : r.kinematics) moves[k.slot] = true;
  unknown_of_slot_.assign(n, -1);
  for (int s = 0; s < n; ++s)
    if (r.slots[s].stage == 0 && occurs[s]) {
      column_y[s] = unknown_of_slot_[s] = static_cast<int>(unknowns_.size());
      unknowns_.push_back({s, false});
    } else if (r.slots[s].stage == 0 && !moves[s]) {
      idle_.push_back(s);
    }
  determined_ = unknowns_.size() == row_of_equation_.size();

  rows_.resize(system.rows() + system.candidates());
  invariants_.resize(r.invariants.size());
  jacobian_.resize(system.jacobian_entries().size());
  gradient_.resize(system.invariant_entries().size());
  directions_.resize(levels_.size());
  y_.resize(n);
  yp_.resize(n);
  if (!determined_) return;
  std::vector<linear::Coordinate> coordinates;
  const auto collect = [&](const std::vector<System::Entry>& entries, const std::vector<int>& equation_of, bool of) {
    for (std::size_t k = 0; k < entries.size(); ++k) {
      const System::Entry& e = entries[k];
      if (e.row >= static_cast<int>(equation_of.size()) || equation_of[e.row] < 0) continue;
      const int column = (e.rate ? column_yp : column_y)[e.slot];
      if (column < 0) continue;
      terms_.push_back({static_cast<int>(k), of});
      coordinates.push_back({equation_of[e.row], column});
    }
  };
  collect(system.jacobian_entries(), equation_of_row, false);
  collect(system.invariant_entries(), equation_of_invariant, true);
  const int size = static_cast<int>(unknowns_.size());
  assembly_ = linear::assemble(size, coordinates);
  if (size > 0) factorization_ = linear::make_factorization(assembly_.pattern);
  values_.resize(assembly_.pattern.rows.size());
  correction_.resize(size);
}

// Pairs each constraint of the highest level with the level below it, among the rows or the invariants.
void HighestLevel::find_levels_below() {
  const Reduced& r = system_.reduced();
  for (std::size_t e = 0; e < row_of_equation_.size(); ++e) {
    const int row = row_of_equation_[e], invariant = invariant_of_equation_[e];
    const EqnId equation = row >= 0 ? r.rows[row].equation : r.invariants[invariant].equation;
    const int level = row >= 0 ? r.rows[row].level : r.invariants[invariant].level;
    const auto is_below = [&](const auto& other) { return other.equation == equation && other.level == level - 1; };
    const auto below_row = std::ranges::find_if(r.rows, is_below);
    const auto below = std::ranges::find_if(r.invariants, is_below);
    if (below_row != r.rows.end())
      levels_.push_back({static_cast<int>(below_row - r.rows.begin()), -1, static_cast<int>(e)});
    else if (below != r.invariants.end())
      levels_.push_back({-1, static_cast<int>(below - r.invariants.begin()), static_cast<int>(e)});
  }
}

void HighestLevel::residuals(double t, std::span<const double> y, std::span<const double> yp) {
  system_.rows_and_rates({t, y, yp}, rows_);
  if (!invariants_.empty()) system_.invariants({t, y, yp}, invariants_);
}

bool HighestLevel::factorize(double t, std::span<const double> y, std::span<const double> yp) {
  system_.jacobian({t, y, yp}, jacobian_);
  if (!gradient_.empty()) system_.invariant_gradient({t, y, yp}, gradient_);
  std::ranges::fill(values_, 0.0);
  for (std::size_t k = 0; k < terms_.size(); ++k)
    values_[assembly_.position[k]] += (terms_[k].of_invariant ? gradient_ : jacobian_)[terms_[k].entry];
  return factorization_->factorize(values_);
}

void HighestLevel::set_rates(std::span<double> yp) {
  const Reduced& r = system_.reduced();
  for (std::size_t k = 0; k < r.kinematics.size(); ++k) yp[r.kinematics[k].slot] = rows_[system_.rows() + k];
}

bool HighestLevel::solve(double t, std::span<double> y, std::span<double> yp) {
  if (!determined_) return false;
  const Reduced& r = system_.reduced();
  std::ranges::copy(y, y_.begin());
  std::ranges::copy(yp, yp_.begin());
  double before = HUGE_VAL;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    residuals(t, y_, yp_);
    if (unknowns_.empty()) break;
    if (before > 1e-4 && !factorize(t, y_, yp_)) return false;  // later the last matrix is good enough
    for (std::size_t i = 0; i < correction_.size(); ++i)
      correction_[i] = row_of_equation_[i] >= 0 ? rows_[row_of_equation_[i]] : invariants_[invariant_of_equation_[i]];
    factorization_->solve(correction_);
    double size = 0.0;
    for (std::size_t k = 0; k < unknowns_.size(); ++k) {
      double& value = (unknowns_[k].rate ? yp_ : y_)[unknowns_[k].slot];
      value -= correction_[k];
      const double part = std::abs(correction_[k]) / (std::abs(value) + r.slots[unknowns_[k].slot].nominal);
      if (!(part <= size)) size = part;
    }
    if (!std::isfinite(size)) return false;
    if (size <= converged || (size <= stalled && size > 0.25 * before)) break;
    if (iteration + 1 == most_iterations) return false;
    before = size;
  }
  for (const int slot : idle_) y_[slot] = 0.0;
  residuals(t, y_, yp_);
  set_rates(yp_);
  std::ranges::copy(y_, y.begin());
  std::ranges::copy(yp_, yp.begin());
  return true;
}

bool HighestLevel::project(double t, std::span<double> y, std::span<double> yp) {
  if (levels_.empty()) return solve(t, y, yp);
  if (!solve(t, y, yp) || !factorize(t, y, yp)) return false;
  // How the rates change when the highest level of a constraint changes by 1.
  for (std::size_t k = 0; k < levels_.size(); ++k) {
    std::ranges::fill(correction_, 0.0);
    correction_[levels_[k].equation] = 1.0;
    factorization_->solve(correction_);
    directions_.set(k, jacobian_, unknown_of_slot_, correction_);
  }
  const bool there = directions_.follow(y, [&](std::span<double> out) {
    residuals(t, y, yp);
    for (std::size_t k = 0; k < levels_.size(); ++k)
      out[k] = levels_[k].row >= 0 ? rows_[levels_[k].row] : invariants_[levels_[k].invariant];
  });
  return there && solve(t, y, yp);
}

}  // namespace driftless
