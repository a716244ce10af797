#include "driftless/integrate/solve/acceleration_solve.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/integrate/system/norms.hpp"
#include "driftless/newton/rounding.hpp"

namespace driftless {
namespace {

constexpr int most_iterations = 20;
constexpr newton::Rounding of_accelerations{.nothing = 1e-15, .small = 1e-9, .part = 0.25};
constexpr double matrix_serves = 1e-4;  // after a correction below this

}  // namespace

AccelerationSolve::AccelerationSolve(System& system)
    : system_(system),
      stage_(system),
      rows_(system.rows() + system.candidates()),
      invariants_(system.invariants()),
      correction_(stage_.size()),
      y_(system.size()),
      yp_(system.size()),
      directions_(system) {
  find_levels_below();
  directions_.resize(levels_.size());
  if (!determined()) return;
  assembly_ = linear::assemble(stage_.size(), stage_.entries());
  if (stage_.size() > 0) factorization_ = linear::make_factorization(assembly_.pattern);
  values_.resize(assembly_.pattern.rows.size());
}

// Pairs each constraint of the highest level with the level below it, among the rows or the invariants.
void AccelerationSolve::find_levels_below() {
  const Reduced& r = system_.reduced();
  for (std::size_t e = 0; e < stage_.equations().size(); ++e) {
    const HighestStage::Equation& highest = stage_.equations()[e];
    const auto below = [&](const auto& levels) {
      const auto found = std::ranges::find_if(
          levels, [&](const auto& other) { return other.equation == highest.of && other.level == highest.level - 1; });
      return found == levels.end() ? -1 : static_cast<int>(found - levels.begin());
    };
    const int row = below(r.rows), invariant = row >= 0 ? -1 : below(r.invariants);
    if (row >= 0 || invariant >= 0) levels_.push_back({row, invariant, static_cast<int>(e)});
  }
}

void AccelerationSolve::residuals(const System::Point& at) {
  system_.rows_and_rates(at, rows_);
  if (!invariants_.empty()) system_.invariants(at, invariants_);
}

bool AccelerationSolve::factorize(const System::Point& at) {
  stage_.evaluate(at);
  for (std::size_t k = 0; k < stage_.matrix().size(); ++k) values_[assembly_.position[k]] = stage_.matrix()[k];
  return factorization_->factorize(values_);
}

bool AccelerationSolve::solve(double t, std::span<double> y, std::span<double> yp) {
  if (!determined()) return false;
  const std::vector<Unknown>& unknowns = stage_.unknowns().all();
  std::ranges::copy(y, y_.begin());
  std::ranges::copy(yp, yp_.begin());
  newton::ToRounding test(of_accelerations);
  const auto correct = [&]() -> newton::Correction {
    residuals({t, y_, yp_});
    if (test.last() > matrix_serves && !factorize({t, y_, yp_})) return newton::End::Singular;
    for (std::size_t i = 0; i < correction_.size(); ++i)
      correction_[i] = residual(stage_.equations()[i].row, stage_.equations()[i].invariant);
    factorization_->solve(correction_);
    RelativeChange change;
    for (std::size_t k = 0; k < unknowns.size(); ++k) {
      double& value = (unknowns[k].rate ? yp_ : y_)[unknowns[k].slot];
      value -= correction_[k];
      change.add(correction_[k], value, system_.reduced().slots[unknowns[k].slot].nominal);
    }
    return change.largest();
  };
  if (!unknowns.empty() && !newton::iterate(most_iterations, correct, test).converged()) return false;
  for (const int slot : stage_.idle()) y_[slot] = 0.0;
  residuals({t, y_, yp_});
  system_.take_rates(rows_, yp_);
  std::ranges::copy(y_, y.begin());
  std::ranges::copy(yp_, yp.begin());
  return true;
}

bool AccelerationSolve::project(double t, std::span<double> y, std::span<double> yp) {
  if (levels_.empty()) return solve(t, y, yp);
  if (!solve(t, y, yp) || !factorize({t, y, yp})) return false;
  // The change of the rates when the highest level of a constraint changes by 1.
  for (std::size_t k = 0; k < levels_.size(); ++k) {
    std::ranges::fill(correction_, 0.0);
    correction_[levels_[k].equation] = 1.0;
    factorization_->solve(correction_);
    directions_.set(k, stage_.jacobian(), stage_.unknowns().columns_of_slots(), correction_);
  }
  const bool there = directions_.follow(y, [&](std::span<double> out) {
    residuals({t, y, yp});
    for (std::size_t k = 0; k < levels_.size(); ++k) out[k] = residual(levels_[k].row, levels_[k].invariant);
  });
  return there && solve(t, y, yp);
}

}  // namespace driftless
