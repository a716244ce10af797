#include "driftless/integrate/problem.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

namespace driftless {

Problem::Problem(System& system)
    : system_(system),
      is_state_(system.size(), false),
      rows_and_rates_(system.rows() + system.candidates()),
      jacobian_(system.jacobian_entries().size()) {}

void Problem::set_states(const std::vector<int>& active) {
  assert(system_.rows() + static_cast<int>(active.size()) == size());
  active_ = active;
  const Reduced& r = reduced();
  std::vector<int> equation_of_candidate(system_.candidates(), -1);
  is_state_.assign(size(), false);
  for (const Quantity q : r.quantities)
    if (r.place(q) == Place::Rate) is_state_[r.slot_of(q)] = true;
  contributions_.clear();
  std::vector<linear::Coordinate> coordinates;
  for (std::size_t k = 0; k < active.size(); ++k) {
    const int slot = r.kinematics[active[k]].slot, row = system_.rows() + static_cast<int>(k);
    equation_of_candidate[active[k]] = row;
    is_state_[slot] = true;
    contributions_.push_back({-1, 1.0, true});
    coordinates.push_back({row, slot});
  }
  const auto& entries = system_.jacobian_entries();
  for (std::size_t e = 0; e < entries.size(); ++e) {
    int row = entries[e].row;
    double factor = 1.0;
    if (row >= system_.rows()) {
      row = equation_of_candidate[row - system_.rows()];
      factor = -1.0;
      if (row < 0) continue;
    }
    contributions_.push_back({static_cast<int>(e), factor, entries[e].rate});
    coordinates.push_back({row, entries[e].slot});
  }
  assembly_ = linear::assemble(size(), coordinates);
}

bool Problem::residual(double t, std::span<const double> y, std::span<const double> yp, std::span<double> out) {
  system_.rows_and_rates({t, y, yp}, rows_and_rates_);
  const int rows = system_.rows();
  std::copy_n(rows_and_rates_.begin(), rows, out.begin());
  for (std::size_t k = 0; k < active_.size(); ++k)
    out[rows + k] = yp[reduced().kinematics[active_[k]].slot] - rows_and_rates_[rows + active_[k]];
  double sum = 0.0;
  for (const double v : out) sum += v;
  if (std::isfinite(sum)) return true;
  if (std::ranges::all_of(out, [](double v) { return std::isfinite(v); })) return true;
  undefined_ = {t, {y.begin(), y.end()}, {yp.begin(), yp.end()}};
  return false;
}

bool Problem::matrix(double t, std::span<const double> y, std::span<const double> yp, double alpha,
                     std::span<double> values) {
  system_.jacobian({t, y, yp}, jacobian_);
  std::ranges::fill(values, 0.0);
  double sum = 0.0;
  for (std::size_t k = 0; k < contributions_.size(); ++k) {
    const Contribution& c = contributions_[k];
    const double value = (c.entry < 0 ? 1.0 : jacobian_[c.entry]) * c.factor * (c.times_alpha ? alpha : 1.0);
    values[assembly_.position[k]] += value;
    sum += value;
  }
  return std::isfinite(sum);
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
  const Quantity q = r.slots[r.kinematics[active_[i - system_.rows()]].slot].quantity;
  return fmt::format("the derivative of {}", r.name(q));
}

}  // namespace driftless
