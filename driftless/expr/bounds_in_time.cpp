#include "driftless/expr/bounds_in_time.hpp"

#include "driftless/expr/apply.hpp"
#include "driftless/expr/calculus.hpp"

namespace driftless {

BoundsInTime::BoundsInTime(const Pool& pool, NodeId expression) {
  NodeMap<std::uint32_t> places;
  for (const NodeId id : nodes_of(pool, expression)) {  // operands first
    const Node node = pool[id];
    Operation operation{node.op, node.a, 0, 0};
    std::uint32_t* const operands[] = {&operation.a, &operation.b, &operation.c};
    for (int k = 0; k < arity(node.op); ++k) *operands[k] = places.at(node.operand(k));
    places.insert(id, static_cast<std::uint32_t>(operations_.size()));
    operations_.push_back(operation);
    bounds_.emplace_back();
    values_.push_back(node.op == Op::Constant ? pool.constant_value(id) : 0.0);
    if (node.op == Op::Constant) bounds_.back() = {values_.back(), values_.back()};
  }
}

void BoundsInTime::take_parameters(std::span<const double> values) {
  for (std::size_t k = 0; k < operations_.size(); ++k)
    if (const Operation& o = operations_[k]; o.op == Op::Parameter)
      values_[k] = values[o.a], bounds_[k] = {values_[k], values_[k]};
}

double BoundsInTime::value(double t) {
  for (std::size_t k = 0; k < operations_.size(); ++k) {
    const Operation& o = operations_[k];
    if (o.op == Op::Time)
      values_[k] = t;
    else if (o.op != Op::Constant && o.op != Op::Parameter)
      values_[k] = apply(o.op, values_[o.a], values_[o.b], values_[o.c]);
  }
  return values_.back();
}

Interval BoundsInTime::operator()(double from, double to) {
  for (std::size_t k = 0; k < operations_.size(); ++k) {
    const Operation& o = operations_[k];
    if (o.op == Op::Time)
      bounds_[k] = {from, to};
    else if (o.op == Op::Mul && o.a == o.b)
      bounds_[k] = bounds_of_square(bounds_[o.a]);
    else if (o.op != Op::Constant && o.op != Op::Parameter)
      bounds_[k] = bounds_where_all_exist(o.op, bounds_[o.a], bounds_[o.b], bounds_[o.c]);
  }
  return bounds_.back();
}

}  // namespace driftless
