#include "driftless/integrate/solve/multiplier_solve.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/integrate/system/norms.hpp"
#include "driftless/linear/number.hpp"
#include "driftless/newton/rounding.hpp"

namespace driftless {
namespace {

constexpr int most_iterations = 25;
constexpr double matrix_serves = 1e-4;  // after a correction below this

// A quasi-Newton correction is followed by one of the order of its square: below this the next correction would be a
// rounding error.
constexpr double last_correction = 1e-8;
constexpr int most_moves = 10;

}  // namespace

void MultiplierSolve::load(double t, std::span<const double> y, std::span<const double> yp) {
  if (const System& system = problem_.system(); version_ != system.parameters_version()) {
    for (auto* inputs : {&inputs_, &next_inputs_}) std::ranges::copy(system.parameters(), inputs->begin() + 1);
    version_ = system.parameters_version();
  }
  inputs_[0] = t;
  std::ranges::copy(y, inputs_.begin() + static_cast<std::ptrdiff_t>(y_offset_));
  for (const Unknown& u : unknowns_)
    if (u.rate) inputs_[u.input] = yp[u.slot];
}

void MultiplierSolve::run(Function& function, const std::vector<double>& inputs) {
  (*function.kernel)(inputs.data(), function.values.data(), work_.data());
}

// Evaluates d, r, d_z, r_z at the point set by `load`.
void MultiplierSolve::evaluate_present(std::span<double> slope) {
  ++counts_.residual_evaluations;
  run(present_, inputs_);
  const double* rates = present_.values.data() + dynamics_.size();
  for (std::size_t k = 0; k < computed_.size(); ++k) slope[computed_[k]] = rates[k];
  for (const Copied& c : copied_) slope[c.slot] = inputs_[c.input];
  take_solved(slope);
}

void MultiplierSolve::take_solved(std::span<double> slope) const {
  for (const Copied& c : solved_) slope[c.slot] = inputs_[c.input];
}

newton::End MultiplierSolve::factorize() {
  ++counts_.jacobian_evaluations, ++counts_.factorizations;
  const double* d_z = present_.values.data() + dynamics_.size() + computed_.size();
  const double* r_z = d_z + dynamics_entries_.size();
  const double* g_x = gradient_.values.data() + constraints_.size();
  std::ranges::fill(matrix_, 0.0);
  for (std::size_t k = 0; k < dynamics_position_.size(); ++k) matrix_[dynamics_position_[k]] = d_z[k];
  for (const Product& p : products_) matrix_[p.position] += g_x[p.gradient] * r_z[p.rate];
  if (elimination_->factorize(matrix_)) return newton::End::Converged;
  return linear::all_finite(matrix_) ? newton::End::Singular : newton::End::Undefined;
}

// Solves for a correction of z whose right-hand side is in z_, and applies it; returns its size, relative to z.
newton::Correction MultiplierSolve::correct(std::span<double> y) {
  ++counts_.newton_iterations;
  elimination_->solve(z_);
  RelativeChange change;
  for (int k = 0; k < size_; ++k) {
    const Unknown& u = unknowns_[k];
    double& value = inputs_[u.input];
    value -= z_[k];
    if (!u.rate) y[u.slot] = value;
    change.add(z_[k], value, nominal_[u.slot]);
  }
  return std::isfinite(change.largest()) ? newton::Correction(change.largest()) : newton::End::Undefined;
}

// change_ becomes r_z z_, for the states that z moves.
void MultiplierSolve::find_change() {
  const double* r_z = present_.values.data() + dynamics_.size() + computed_.size() + dynamics_entries_.size();
  for (const int s : moved_) change_[s] = 0.0;
  for (std::size_t k = 0; k < rate_entries_.size(); ++k)
    change_[rate_entries_[k].slot] += r_z[k] * z_[rate_entries_[k].column];
}

// ---- the two systems

newton::Report MultiplierSolve::ahead(const Stage& stage, std::span<double> y, std::span<double> slope,
                                      std::span<double> next) {
  if (rows_ && !(*rows_)(stage.t, y, slope)) return {newton::End::Diverged};
  load(stage.t, y, slope);
  next_inputs_[0] = stage.t_next;
  const auto advance = [&](int s) { next_inputs_[y_offset_ + s] = next[s] = stage.known[s] + stage.factor * slope[s]; };
  newton::ToRounding at_rounding(newton::in_a_step);
  const auto correct_both = [&]() -> newton::Correction {
    evaluate_present(slope);
    for (const int s : states_) advance(s);
    run(gradient_, next_inputs_);
    if (at_rounding.last() > matrix_serves)
      if (const newton::End end = factorize(); end != newton::End::Converged) return end;
    std::copy_n(present_.values.begin(), dynamics_.size(), z_.begin());
    for (std::size_t i = 0; i < constraints_.size(); ++i) z_[dynamics_.size() + i] = gradient_.values[i] / stage.factor;
    return correct(y);
  };
  const auto test = [&](double size) { return linear_ ? newton::Verdict::Converged : at_rounding(size); };
  const newton::Report report = newton::iterate(most_iterations, correct_both, test);
  if (!report.converged()) return report;
  find_change();
  for (const int s : moved_) slope[s] -= change_[s], advance(s);
  take_solved(slope);
  for (const Copied& c : solved_) advance(c.slot);
  for (const Unknown& u : unknowns_)
    if (!u.rate) next[u.slot] = y[u.slot];
  return report;
}

newton::Report MultiplierSolve::here(double t, std::span<double> y, std::span<double> yp) {
  if (rows_ && !(*rows_)(t, y, yp)) return {newton::End::Diverged};
  load(t, y, yp);
  return settle(y, yp, true);
}

newton::Report MultiplierSolve::settle(std::span<double> y, std::span<double> yp, bool new_matrix) {
  newton::ToRounding at_rounding(newton::in_a_step);
  const auto correct_here = [&]() -> newton::Correction {
    evaluate_present(yp);
    if (new_matrix && at_rounding.last() > matrix_serves) {
      run(gradient_, inputs_);
      if (const newton::End end = factorize(); end != newton::End::Converged) return end;
    }
    run(hidden_, inputs_);
    std::copy_n(present_.values.begin(), dynamics_.size(), z_.begin());
    std::ranges::copy(hidden_.values, z_.begin() + std::ssize(dynamics_));
    return correct(y);
  };
  const auto test = [&](double size) {
    return linear_ && (new_matrix || size <= last_correction) ? newton::Verdict::Converged : at_rounding(size);
  };
  const newton::Report report = newton::iterate(most_iterations, correct_here, test);
  if (!report.converged()) return report;
  find_change();
  for (const int s : moved_) yp[s] -= change_[s];
  take_solved(yp);
  return report;
}

// ---- ways back to the constraints

newton::Report MultiplierSolve::restore(double t, std::span<double> y, std::span<double> yp) {
  double moved = 0.0;
  load(t, y, yp);
  evaluate_present(yp);
  run(gradient_, inputs_);
  if (const newton::End end = factorize(); end != newton::End::Converged) return {end};
  for (const auto move : {&MultiplierSolve::move_onto_levels, &MultiplierSolve::move_onto_constraints}) {
    const auto go = [&]() -> newton::Correction {
      const double size = (this->*move)(y);
      moved = std::max(moved, size);
      return size;
    };
    const newton::Report report = newton::iterate(most_moves, go, newton::Within{last_correction});
    if (!report.converged()) return report;
  }
  return settle(y, yp, moved > last_correction);
}

double MultiplierSolve::move_onto_levels(std::span<double> y) {
  if (levels_.empty()) return 0.0;
  run(below_, inputs_);
  std::ranges::fill(z_, 0.0);
  for (std::size_t i = 0; i < levels_.size(); ++i) z_[dynamics_.size() + levels_[i]] = below_.values[i];
  elimination_->solve(z_);
  find_change();
  const double* links = present_.values.data() + present_.values.size() - links_.size();
  double size = 0.0;
  for (std::size_t k = 0; k < links_.size(); ++k)
    size = std::max(size, move_state(links_[k].to, links[k] * change_[links_[k].from], y));
  return size;
}

double MultiplierSolve::move_onto_constraints(std::span<double> y) {
  if (constraints_.empty()) return 0.0;
  run(gradient_, inputs_);
  std::fill_n(z_.begin(), dynamics_.size(), 0.0);
  std::copy_n(gradient_.values.begin(), constraints_.size(), z_.begin() + std::ssize(dynamics_));
  elimination_->solve(z_);
  find_change();
  double size = 0.0;
  for (const int s : moved_) size = std::max(size, move_state(s, change_[s], y));
  return size;
}

// Returns how far the state moves, relative to its size; infinite if it has no value.
double MultiplierSolve::move_state(int slot, double change, std::span<double> y) {
  y[slot] -= change;
  inputs_[y_offset_ + slot] = y[slot];
  const double part = std::abs(change) / (std::abs(y[slot]) + nominal_[slot]);
  return std::isfinite(part) ? part : HUGE_VAL;
}

void MultiplierSolve::tangential(std::span<double> change) {
  if (constraints_.empty()) return;
  const double* g_x = gradient_.values.data() + constraints_.size();
  std::ranges::fill(z_, 0.0);
  for (std::size_t e = 0; e < gradient_entries_.size(); ++e)
    z_[dynamics_.size() + gradient_entries_[e].row] += g_x[e] * change[gradient_entries_[e].slot];
  elimination_->solve(z_);
  find_change();
  for (const int s : moved_) change[s] -= change_[s];
}

}  // namespace driftless
