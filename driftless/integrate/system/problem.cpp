#include "driftless/integrate/system/problem.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/integrate/system/residuals_at_points.hpp"
#include "driftless/linear/number.hpp"

namespace driftless {

Problem::Problem(System& system)
    : system_(system),
      is_state_(system.size(), false),
      is_whole_state_(system.size(), false),
      rows_and_rates_(system.rows() + system.candidates()),
      jacobian_(system.jacobian_entries().size()) {}

std::vector<Combination> each_alone(const std::vector<int>& candidates) {
  std::vector<Combination> states;
  for (const int candidate : candidates) states.push_back({{candidate, 1.0}});
  return states;
}

void Problem::set_states(const std::vector<int>& active) { set_states(each_alone(active)); }

void Problem::set_states(std::vector<Combination> states) {
  assert(system_.rows() + static_cast<int>(states.size()) == size());
  states_ = std::move(states);
  const Reduced& r = reduced();
  is_state_.assign(size(), false);
  for (const Quantity q : r.quantities)
    if (r.place(q) == Place::Rate) is_state_[r.slot_of(q)] = true;
  is_whole_state_ = is_state_;
  contributions_.clear();
  std::vector<linear::Coordinate> coordinates;
  struct Use {
    int equation;
    double weight;
  };
  std::vector<std::vector<Use>> uses(system_.candidates());
  for (std::size_t k = 0; k < states_.size(); ++k)
    for (const Term& term : states_[k]) {
      const int slot = r.kinematics[term.candidate].slot, row = system_.rows() + static_cast<int>(k);
      uses[term.candidate].push_back({row, term.weight});
      is_state_[slot] = true;
      if (states_[k].size() == 1) is_whole_state_[slot] = true;
      contributions_.push_back({-1, term.weight, true, {row, slot}});
      coordinates.push_back({row, slot});
    }
  active_.clear();
  for (int candidate = 0; candidate < system_.candidates(); ++candidate)
    if (!uses[candidate].empty()) active_.push_back(candidate);
  const auto& entries = system_.jacobian_entries();
  const auto contribute = [&](std::size_t e, int row, double factor) {
    contributions_.push_back({static_cast<int>(e), factor, entries[e].rate, {row, entries[e].slot}});
    coordinates.push_back({row, entries[e].slot});
  };
  for (std::size_t e = 0; e < entries.size(); ++e) {
    if (entries[e].row < system_.rows())
      contribute(e, entries[e].row, 1.0);
    else
      for (const Use& use : uses[entries[e].row - system_.rows()]) contribute(e, use.equation, -use.weight);
  }
  assembly_ = linear::assemble(size(), coordinates);
  rate_enters_.assign(assembly_.pattern.rows.size(), false);
  for (std::size_t k = 0; k < contributions_.size(); ++k)
    if (contributions_[k].times_alpha) rate_enters_[assembly_.position[k]] = true;
}

bool Problem::residual(double t, std::span<const double> y, std::span<const double> yp, std::span<double> out) {
  system_.rows_and_rates({t, y, yp}, rows_and_rates_);
  if (residual_by_rows(*this, yp, rows_and_rates_, out)) return true;
  undefined_ = {t, {y.begin(), y.end()}, {yp.begin(), yp.end()}};
  return false;
}

bool Problem::matrix(double t, std::span<const double> y, std::span<const double> yp, double alpha,
                     std::span<double> values) {
  if (!differentiate(t, y, yp)) return false;
  assemble(alpha, values);
  return true;
}

bool Problem::differentiate(double t, std::span<const double> y, std::span<const double> yp) {
  system_.jacobian({t, y, yp}, jacobian_);
  if (linear::all_finite(jacobian_)) return true;
  undefined_ = {t, {y.begin(), y.end()}, {yp.begin(), yp.end()}};
  return false;
}

void Problem::assemble(double alpha, std::span<double> values) const {
  std::ranges::fill(values, 0.0);
  for (std::size_t k = 0; k < contributions_.size(); ++k) {
    const Contribution& c = contributions_[k];
    values[assembly_.position[k]] += c.times_alpha ? alpha * derivative(c) : derivative(c);
  }
}

void Problem::rates_times(std::span<const double> x, std::span<double> out) const {
  std::ranges::fill(out, 0.0);
  for (const Contribution& c : contributions_)
    if (c.times_alpha) out[c.at.row] += derivative(c) * x[c.at.col];
}

void Problem::rates_times_sizes(std::span<const double> sizes, std::span<double> out) const {
  std::ranges::fill(out, 0.0);
  for (const Contribution& c : contributions_)
    if (c.times_alpha) out[c.at.row] += std::abs(derivative(c)) * sizes[c.at.col];
}

bool Problem::derivatives(double t, std::span<const double> y, std::span<const double> yp, std::span<double> by_value,
                          std::span<double> by_rate) {
  if (!differentiate(t, y, yp)) return false;
  std::ranges::fill(by_value, 0.0);
  std::ranges::fill(by_rate, 0.0);
  for (std::size_t k = 0; k < contributions_.size(); ++k) {
    const Contribution& c = contributions_[k];
    (c.times_alpha ? by_rate : by_value)[assembly_.position[k]] += derivative(c);
  }
  return true;
}

void Problem::archive(Archive& archive) {
  archive.section("problem");
  archive.expect(size(), "number of unknowns");
  archive.expect(system_.rows(), "number of equations");
  std::vector<Combination> states = states_;
  archive(states);
  if (archive.is_reading() && states != states_) set_states(std::move(states));
  archive(jacobian_, undefined_.t, undefined_.y, undefined_.yp);
  archive(system_);
}

std::string Problem::name_of_equation(int i) const {
  const Reduced& r = system_.reduced();
  if (i < system_.rows()) {
    const DerivedEquation& row = r.rows[i];
    const Equation& equation = (*r.model)[row.equation];
    return row.level == 0 ? fmt::format("{}: {}", equation.label, equation.text)
                          : fmt::format("{}: {} (differentiated {})", equation.label, equation.text,
                                        row.level == 1   ? "once"
                                        : row.level == 2 ? "twice"
                                                         : fmt::format("{} times", row.level));
  }
  std::vector<std::string> names;
  for (const Term& term : states_[i - system_.rows()])
    if (term.weight != 0.0) names.push_back(r.name(r.slots[r.kinematics[term.candidate].slot].quantity));
  return fmt::format("the derivative of {}{}", names.size() > 1 ? "a combination of " : "", fmt::join(names, ", "));
}

}  // namespace driftless
