#include "driftless/reduce/nearest_point.hpp"

#include <algorithm>

#include "driftless/expr/apply.hpp"
#include "driftless/expr/function.hpp"
#include "driftless/linear/least_change.hpp"

namespace driftless {
namespace {

constexpr int most_descents = 60, most_halvings = 20;
constexpr double least_progress = 1e-12;  // a relative change of the residual that ends the search

}  // namespace

NearestPoint::NearestPoint(const Model& model, const std::vector<EqnId>& equations) : model_(model) {
  const Pool& pool = *model.pool;
  for (const EqnId e : equations)
    for (const NodeId leaf : variables_of(pool, model[e].residual))
      if (column_.try_emplace(leaf, static_cast<int>(quantities_.size())).second) {
        quantities_.push_back(leaf);
        nominal_.push_back(model.variables[pool[leaf].a].nominal);
      }
  for (const EqnId e : equations) {
    Row& row = rows_.emplace_back();
    const NodeId residual = model[e].residual;
    const std::vector<Partial> slopes = gradient(*model.pool, residual);
    append(row, residual);
    for (const Partial& slope : slopes) append(row, slope.derivative);
    std::ranges::sort(row.operations);
    row.operations.erase(std::ranges::unique(row.operations).begin(), row.operations.end());
    row.value = place_.at(residual);
    for (const Partial& slope : slopes) row.by_column.emplace_back(column_.at(slope.leaf), place_.at(slope.derivative));
  }
  values_.resize(operations_.size());
  local_.assign(quantities_.size(), -1);
}

// ---- the list of operations

void NearestPoint::append(Row& row, NodeId expression) {
  for (const NodeId node : nodes_of(*model_.pool, expression)) row.operations.push_back(place_of(node));
}

int NearestPoint::place_of(NodeId node) {
  const auto [found, is_new] = place_.try_emplace(node, static_cast<int>(operations_.size()));
  if (!is_new) return found->second;
  const Node& of = (*model_.pool)[node];
  Operation operation{node, of.op, {}};
  if (of.op == Op::Variable)
    operation.quantity = column_.at(node);
  else if (of.op != Op::Call && of.op > Op::Local)
    for (int k = 0; k < arity(of.op); ++k) operation.operands[static_cast<std::size_t>(k)] = place_.at(of.operand(k));
  operations_.push_back(operation);
  return found->second;
}

double NearestPoint::call(const Operation& operation) const {
  const Pool& pool = *model_.pool;
  const CallSite& site = pool.call_site(pool[operation.node]);
  const Function& function = pool.function(site.function);
  std::vector<double> locals(static_cast<std::size_t>(function.locals));
  std::ranges::transform(site.arguments, locals.begin(),
                         [&](NodeId argument) { return values_[static_cast<std::size_t>(place_.at(argument))]; });
  const auto parameter = [&](NodeId leaf) { return model_.parameters[pool[leaf].a].value; };
  return evaluate_function(pool, function, site.output, parameter, locals);
}

void NearestPoint::evaluate(const Row& row, const Eigen::VectorXd& point) {
  const Pool& pool = *model_.pool;
  for (const int place : row.operations) {
    const Operation& operation = operations_[static_cast<std::size_t>(place)];
    const auto operand = [&](std::size_t k) { return values_[static_cast<std::size_t>(operation.operands[k])]; };
    double& value = values_[static_cast<std::size_t>(place)];
    if (operation.quantity >= 0)
      value = point[operation.quantity];
    else if (operation.op == Op::Constant)
      value = pool.constant_value(operation.node);
    else if (operation.op == Op::Time)
      value = model_.experiment.start;
    else if (operation.op == Op::Parameter)
      value = model_.parameters[pool[operation.node].a].value;
    else if (operation.op == Op::Call)
      value = call(operation);
    else if (operation.op <= Op::Local)
      value = 0.0;
    else
      value = apply(operation.op, operand(0), operand(1), operand(2));
  }
}

// ---- points

Eigen::VectorXd NearestPoint::guess(int attempt) const {
  Eigen::VectorXd point(std::ssize(quantities_));
  for (std::size_t k = 0; k < quantities_.size(); ++k) {
    const Node& leaf = (*model_.pool)[quantities_[k]];
    double& value = point[static_cast<Eigen::Index>(k)];
    value = leaf.b > 0 ? 0.0 : model_.variables[leaf.a].start.value_or(0.0);
    if (attempt > 0)
      value += std::sin(attempt + 2.399963 * static_cast<double>(k)) * std::ldexp(nominal_[k], attempt / 2 - 1);
  }
  return point;
}

double NearestPoint::unit(int column, const Eigen::VectorXd& point) const {
  return std::abs(point[column]) + nominal_[static_cast<std::size_t>(column)];
}

// The scale of the row evaluated last.
double NearestPoint::scale_of(const Row& row, const Eigen::VectorXd& point) const {
  double largest = 0.0;
  for (const auto& [column, place] : row.by_column) {
    const double slope = std::abs(values_[static_cast<std::size_t>(place)] * unit(column, point));
    if (!(slope <= largest)) largest = slope;  // also takes over a NaN
  }
  return largest > 0.0 ? 1.0 / largest : 1.0;
}

double NearestPoint::residual(int equation, const Eigen::VectorXd& point) {
  const Row& row = rows_[static_cast<std::size_t>(equation)];
  evaluate(row, point);
  return values_[static_cast<std::size_t>(row.value)];
}

Eigen::VectorXd NearestPoint::missed(const std::vector<int>& selected, const Eigen::VectorXd& point) {
  Eigen::VectorXd result(std::ssize(selected));
  for (std::size_t i = 0; i < selected.size(); ++i) {
    const double value = residual(selected[i], point);
    result[static_cast<Eigen::Index>(i)] = value * scale_of(rows_[static_cast<std::size_t>(selected[i])], point);
  }
  return result;
}

double NearestPoint::size_at(const std::vector<int>& selected, const Eigen::VectorXd& point) {
  const double size = missed(selected, point).norm();
  return std::isfinite(size) ? size : HUGE_VAL;
}

void NearestPoint::take_columns(const std::vector<int>& selected) {
  for (const int column : global_) local_[static_cast<std::size_t>(column)] = -1;
  global_.clear();
  for (const int i : selected)
    for (const auto& [column, place] : rows_[static_cast<std::size_t>(i)].by_column)
      if (int& local = local_[static_cast<std::size_t>(column)]; local < 0) {
        local = static_cast<int>(global_.size());
        global_.push_back(column);
      }
}

NearestPoint::Linear NearestPoint::linearize(const std::vector<int>& selected, const Eigen::VectorXd& point) {
  Linear linear;
  linear.residual.resize(std::ssize(selected));
  std::vector<Eigen::Triplet<double>> entries;
  linear.exists = true;
  for (std::size_t i = 0; i < selected.size(); ++i) {
    const Row& row = rows_[static_cast<std::size_t>(selected[i])];
    evaluate(row, point);
    const double scale = scale_of(row, point);
    linear.residual[static_cast<Eigen::Index>(i)] = values_[static_cast<std::size_t>(row.value)] * scale;
    for (const auto& [column, place] : row.by_column) {
      const double slope = values_[static_cast<std::size_t>(place)] * unit(column, point) * scale;
      linear.exists = linear.exists && std::isfinite(slope);
      entries.emplace_back(static_cast<int>(i), local_[static_cast<std::size_t>(column)], slope);
    }
  }
  linear.exists = linear.exists && linear.residual.allFinite();
  linear.slopes.resize(std::ssize(selected), std::ssize(global_));
  if (linear.exists) linear.slopes.setFromTriplets(entries.begin(), entries.end());
  return linear;
}

NearestPoint::Found NearestPoint::from(Eigen::VectorXd point, const std::vector<int>& selected) {
  take_columns(selected);
  double before = size_at(selected, point);
  for (int step = 0; step < most_descents && before > satisfied && std::isfinite(before); ++step) {
    const Linear linear = linearize(selected, point);
    if (!linear.exists) return {std::move(point), HUGE_VAL};
    const Eigen::VectorXd change = linear::LeastChange(linear.slopes).solve(-linear.residual);
    double part = 1.0, after = before;
    Eigen::VectorXd there;
    for (int halving = 0; halving < most_halvings; ++halving, part *= 0.5) {
      there = point;
      for (std::size_t k = 0; k < global_.size(); ++k)
        there[global_[k]] += part * change[static_cast<Eigen::Index>(k)] * unit(global_[k], point);
      after = size_at(selected, there);
      if (after < before) break;
    }
    if (!(after < (1.0 - least_progress) * before)) break;
    point = std::move(there);
    before = after;
  }
  return {std::move(point), before};
}

std::vector<std::pair<std::string, double>> NearestPoint::named(const std::vector<int>& selected,
                                                                const Eigen::VectorXd& point) const {
  std::vector<int> columns;
  for (const int i : selected)
    for (const auto& [column, place] : rows_[static_cast<std::size_t>(i)].by_column)
      if (std::ranges::find(columns, column) == columns.end()) columns.push_back(column);
  std::vector<std::pair<std::string, double>> list;
  for (const int column : columns) {
    const Node& leaf = (*model_.pool)[quantities_[static_cast<std::size_t>(column)]];
    list.emplace_back(derivative_name(model_.variables[leaf.a].name, static_cast<int>(leaf.b)), point[column]);
  }
  return list;
}

}  // namespace driftless
