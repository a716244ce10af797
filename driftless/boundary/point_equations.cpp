#include "driftless/boundary/point_equations.hpp"

#include <algorithm>

#include "driftless/integrate/system/problem.hpp"

namespace driftless::boundary {
namespace {

// An exchange of states between two intervals must improve the conditioning by this factor.
constexpr double hysteresis = 2.0;

constexpr double singular = 1e-14;

}  // namespace

PointEquations::PointEquations(System& system)
    : system_(system), place_of_rate_(static_cast<std::size_t>(system.size()), -1) {
  const Reduced& r = system.reduced();
  for (const Kinematic& kinematic : r.kinematics) slots_.push_back(kinematic.slot);
  for (const Quantity q : r.quantities) {
    if (r.place(q) != Place::Rate) continue;
    const int slot = r.slot_of(q);
    place_of_rate_[static_cast<std::size_t>(slot)] = system.size() + static_cast<int>(rate_slots_.size());
    rate_slots_.push_back(slot);
    slots_.push_back(slot);
  }
}

double PointEquations::nominal(Eigen::Index unknown) const {
  const Eigen::Index slots = system_.size();
  const auto slot = unknown < slots ? static_cast<std::size_t>(unknown)
                                    : static_cast<std::size_t>(rate_slots_[static_cast<std::size_t>(unknown - slots)]);
  return reduced().slots[slot].nominal;
}

std::string PointEquations::name(Eigen::Index unknown) const {
  const Eigen::Index slots = system_.size();
  if (unknown < slots) return reduced().name(reduced().slots[static_cast<std::size_t>(unknown)].quantity);
  const int slot = rate_slots_[static_cast<std::size_t>(unknown - slots)];
  const Quantity below = reduced().slots[static_cast<std::size_t>(slot)].quantity;
  return reduced().name({below.variable, below.order + 1});
}

void PointEquations::split(const Eigen::VectorXd& u, std::vector<double>& y, std::vector<double>& yp) const {
  y.assign(u.data(), u.data() + system_.size());
  yp.assign(static_cast<std::size_t>(system_.size()), 0.0);
  for (std::size_t k = 0; k < rate_slots_.size(); ++k)
    yp[static_cast<std::size_t>(rate_slots_[k])] = u[system_.size() + static_cast<Eigen::Index>(k)];
}

Eigen::VectorXd PointEquations::join(std::span<const double> y, std::span<const double> yp) const {
  Eigen::VectorXd u(unknowns());
  std::ranges::copy(y, u.data());
  for (std::size_t k = 0; k < rate_slots_.size(); ++k)
    u[system_.size() + static_cast<Eigen::Index>(k)] = yp[static_cast<std::size_t>(rate_slots_[k])];
  return u;
}

bool PointEquations::evaluate(double t, const Eigen::VectorXd& u, Eigen::VectorXd& rows, Eigen::VectorXd& rates) {
  split(u, y_, yp_);
  const Eigen::Index kinematics = system_.candidates();
  values_.resize(static_cast<std::size_t>(this->rows() + kinematics));
  system_.rows_and_rates({t, y_, yp_}, values_);
  rows = Eigen::Map<const Eigen::VectorXd>(values_.data(), this->rows());
  rates.resize(candidates());
  rates.head(kinematics) = Eigen::Map<const Eigen::VectorXd>(values_.data() + this->rows(), kinematics);
  rates.tail(candidates() - kinematics) = u.tail(candidates() - kinematics);
  return rows.allFinite() && rates.allFinite();
}

bool PointEquations::differentiate(double t, const Eigen::VectorXd& u, Eigen::MatrixXd& rows, Eigen::MatrixXd& rates) {
  split(u, y_, yp_);
  const auto& entries = system_.jacobian_entries();
  values_.resize(entries.size());
  system_.jacobian({t, y_, yp_}, values_);
  rows = Eigen::MatrixXd::Zero(this->rows(), unknowns());
  rates = Eigen::MatrixXd::Zero(candidates(), unknowns());
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const int column = entries[e].rate ? place_of_rate(entries[e].slot) : entries[e].slot;
    if (column < 0) continue;
    const Eigen::Index row = entries[e].row;
    (row < this->rows() ? rows(row, column) : rates(row - this->rows(), column)) += values_[e];
  }
  for (std::size_t k = 0; k < rate_slots_.size(); ++k)
    rates(system_.candidates() + static_cast<Eigen::Index>(k), system_.size() + static_cast<Eigen::Index>(k)) = 1.0;
  return rows.allFinite() && rates.allFinite();
}

std::optional<std::vector<Chart>> PointEquations::charts(const std::vector<double>& times,
                                                         const std::vector<Eigen::VectorXd>& points) {
  StateSelection selection(reduced(), system_.choice_entries(), hysteresis);
  std::vector<double> values(system_.choice_values());
  std::vector<Chart> charts;
  for (std::size_t k = 0; k < times.size(); ++k) {
    split(points[k], y_, yp_);
    system_.choices({times[k], y_, yp_}, values);
    if (k == 0 && !selection.choose(values)) {
      dependent_row_ = selection.dependent_row();
      return std::nullopt;
    }
    if (k > 0) selection.examine(values);
    Chart chart = selection.active();
    for (Eigen::Index c = system_.candidates(); c < candidates(); ++c) chart.push_back(static_cast<int>(c));
    charts.push_back(std::move(chart));
  }
  return charts;
}

std::string PointEquations::name_of_row(int row) const { return Problem(system_).name_of_equation(row); }

bool LinearizedPoint::make(PointEquations& equations, const Chart& chart, double t, const Eigen::VectorXd& u) {
  Eigen::MatrixXd f, g;
  if (!equations.differentiate(t, u, f, g)) return false;
  const Eigen::Index width = equations.unknowns(), m = equations.rows();
  const auto states = static_cast<Eigen::Index>(chart.size());
  std::vector<int> state_of(static_cast<std::size_t>(width), -1);
  for (std::size_t j = 0; j < chart.size(); ++j)
    state_of[static_cast<std::size_t>(equations.slot_of(chart[j]))] = static_cast<int>(j);
  dependent_.clear();
  for (int column = 0; column < width; ++column)
    if (state_of[static_cast<std::size_t>(column)] < 0) dependent_.push_back(column);

  Eigen::MatrixXd of_dependent(m, m), of_states(m, states);
  for (Eigen::Index k = 0; k < m; ++k) of_dependent.col(k) = f.col(dependent_[static_cast<std::size_t>(k)]);
  for (Eigen::Index j = 0; j < states; ++j)
    of_states.col(j) = f.col(equations.slot_of(chart[static_cast<std::size_t>(j)]));
  by_states = Eigen::MatrixXd::Zero(width, states);
  for (Eigen::Index j = 0; j < states; ++j) by_states(equations.slot_of(chart[static_cast<std::size_t>(j)]), j) = 1.0;
  if (m > 0) {
    row_scale_ = of_dependent.cwiseAbs().rowwise().maxCoeff();
    if (!(row_scale_.minCoeff() > 0.0)) return false;
    row_scale_ = row_scale_.cwiseInverse();
    lu_ = linear::Lu(row_scale_.asDiagonal() * of_dependent);
    if (!(lu_.reciprocal_condition_number() > singular)) return false;
    const Eigen::MatrixXd solved = lu_.solve(Eigen::MatrixXd(row_scale_.asDiagonal() * of_states));
    for (Eigen::Index k = 0; k < m; ++k) by_states.row(dependent_[static_cast<std::size_t>(k)]) = -solved.row(k);
  }
  rates.resize(states, width);
  for (Eigen::Index j = 0; j < states; ++j) rates.row(j) = g.row(chart[static_cast<std::size_t>(j)]);
  rates_by_states = rates * by_states;
  return rates_by_states.allFinite();
}

Eigen::VectorXd LinearizedPoint::change(const Eigen::VectorXd& rows) const {
  Eigen::VectorXd result = Eigen::VectorXd::Zero(by_states.rows());
  if (rows.size() == 0) return result;
  const Eigen::VectorXd solved = lu_.solve(row_scale_.cwiseProduct(rows).eval());
  for (Eigen::Index k = 0; k < solved.size(); ++k) result[dependent_[static_cast<std::size_t>(k)]] = -solved[k];
  return result;
}

}  // namespace driftless::boundary
