#include "driftless/integrate/run/differential_rows.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace driftless {
namespace {

constexpr double has_become_small = 0.25;  // beside the determinant of the start

}  // namespace

bool DifferentialRows::are_in(const Reduced& reduced) {
  return reduced.implicit && std::ranges::any_of(reduced.offsets.c, [](int c) { return c > 0; });
}

std::optional<std::string> DifferentialRows::lost_at(const System::Point& at) {
  const Reduced& r = system_.reduced();
  const auto& entries = system_.jacobian_entries();
  std::vector<double> values(entries.size());
  system_.jacobian(at, values);
  std::vector<bool> has_rate(r.rows.size(), false);
  for (const System::Entry& entry : entries)
    if (entry.rate && entry.row < system_.rows()) has_rate[entry.row] = true;
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(system_.size(), system_.size());
  for (std::size_t e = 0; e < entries.size(); ++e)
    if (const auto& [row, slot, rate] = entries[e]; row < system_.rows() && rate == has_rate[row])
      matrix(row, slot) += values[e];
  for (std::size_t k = 0; k < r.kinematics.size(); ++k)
    matrix(system_.rows() + static_cast<Eigen::Index>(k), r.kinematics[k].slot) = 1.0;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    if (const double largest = matrix.row(i).cwiseAbs().maxCoeff(); largest > 0.0) matrix.row(i) /= largest;
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(matrix);
  const Eigen::VectorXd pivots = lu.matrixLU().diagonal();
  const double log = pivots.cwiseAbs().array().log().sum();
  int sign = lu.permutationP().determinant() > 0 ? 1 : -1;
  for (const double pivot : pivots)
    if (pivot < 0.0) sign = -sign;
  if (sign_ == 0) {
    sign_ = sign, log_at_start_ = log;
    return {};
  }
  if (sign == sign_ && log > log_at_start_ + std::log(has_become_small)) return {};
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < r.rows.size(); ++i)
    if (has_rate[i]) labels.push_back((*r.model)[r.rows[i].equation].label);
  for (const int k : r.permanent)
    if (const Kinematic& relation = r.kinematics[k]; r.slot_at((*r.model->pool)[relation.rate]) >= 0)
      labels.push_back("the derivative of " + r.name(r.slots[relation.slot].quantity));
  return fmt::format(
      "the differential equations that were chosen at the start ({}) no longer determine the motion; --formulation "
      "derivative-array chooses anew on its way",
      fmt::join(labels, ", "));
}

}  // namespace driftless
