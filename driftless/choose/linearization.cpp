#include "driftless/choose/linearization.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/expr/evaluate_all.hpp"
#include "driftless/integrate/system/residuals_at_points.hpp"

namespace driftless::choose {
namespace {

// Below this estimate of its reciprocal condition number a matrix is singular.
constexpr double singular = 1e-15;

std::vector<double> jacobian_without_kernel(const System& system, const System::Point& at) {
  const CompiledSystem& compiled = system.compiled();
  const Pool& pool = *compiled.pool();
  const InputLayout& layout = compiled.layout();
  std::vector<double> inputs;
  load_inputs(system, at, inputs);
  return evaluate_all(pool, compiled.jacobian_expressions(), [&](NodeId leaf) {
    const Node& node = pool[leaf];
    return inputs[node.op == Op::Time ? 0
                  : node.op == Op::Parameter
                      ? layout.parameter(ParamId{static_cast<std::int32_t>(node.a)})
                      : layout.variable(VarId{static_cast<std::int32_t>(node.a)}, static_cast<int>(node.b))];
  });
}

}  // namespace

Linearization::Linearization(System& system, Points points)
    : system_(system), points_(points), values_(system.jacobian_entries().size()) {
  const Reduced& reduced = system.reduced();
  for (std::size_t s = 0; s < reduced.slots.size(); ++s) {
    column_.push_back(reduced.slots[s].stage < 0 ? size() : -1);
    if (reduced.slots[s].stage < 0) differential_.push_back(static_cast<int>(s));
  }
  for (const DerivedEquation& row : reduced.rows) {
    const bool highest = row.stage == 0;
    level_of_row_.push_back(highest ? -1 : lower_++);
    if (highest && row.level > 0) constraints_.push_back(equations_);
    equation_of_row_.push_back(highest ? equations_++ : -1);
  }
  for (std::size_t k = 0; k < reduced.kinematics.size(); ++k) equation_of_row_.push_back(equations_++);
}

bool Linearization::evaluate(const System::Point& at) {
  if (equations_ != system_.size()) return false;
  if (points_ == Points::One)
    values_ = jacobian_without_kernel(system_, at);
  else
    system_.jacobian(at, values_);
  if (!std::ranges::all_of(values_, [](double v) { return std::isfinite(v); })) return false;
  assemble();
  lu_ = linear::Lu(by_unknowns_);
  if (!(lu_.reciprocal_condition_number() > singular)) return false;
  jacobian_ = -lu_.solve(by_states_)(differential_, Eigen::all);
  return true;
}

Eigen::MatrixXd Linearization::frozen() const {
  Eigen::MatrixXd by_states = by_states_;
  for (const int constraint : constraints_) by_states.row(constraint).setZero();
  return -lu_.solve(by_states)(differential_, Eigen::all);
}

// The unknowns are the derivatives of the differential slots, in the columns of those slots, and the other slots.
void Linearization::assemble() {
  const Reduced& reduced = system_.reduced();
  by_unknowns_.setZero(equations_, equations_);
  by_states_.setZero(equations_, size());
  levels_.setZero(lower_, size());
  const int rows = system_.rows();
  const auto& entries = system_.jacobian_entries();
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const auto [row, slot, rate] = entries[e];
    const int equation = equation_of_row_[row], column = column_[slot];
    const double value = row < rows ? values_[e] : -values_[e];  // y' - rate = 0
    if (equation < 0) {
      if (column >= 0) levels_(level_of_row_[row], column) += value;
    } else if (rate || column < 0) {
      by_unknowns_(equation, slot) += value;
    } else {
      by_states_(equation, column) += value;
    }
  }
  for (std::size_t k = 0; k < reduced.kinematics.size(); ++k)
    by_unknowns_(equation_of_row_[rows + k], reduced.kinematics[k].slot) += 1.0;
}

}  // namespace driftless::choose
