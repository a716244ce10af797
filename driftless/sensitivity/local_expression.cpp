#include "driftless/sensitivity/local_expression.hpp"

#include <cmath>

#include "driftless/expr/calculus.hpp"

namespace driftless::sensitivity {
namespace {

int place_of(const Node& leaf, const VariationalArray& array) {
  return array.place({VarId{static_cast<int>(leaf.a)}, static_cast<int>(leaf.b)});
}

}  // namespace

double value_of(NodeId expression, const LocalPoint& point) {
  const Pool& pool = *point.array.model().pool;
  return evaluate(pool, expression, [&](NodeId id) {
    const Node& leaf = pool[id];
    if (leaf.op == Op::Time) return point.t;
    if (leaf.op == Op::Parameter) return point.parameters[leaf.a];
    const int col = place_of(leaf, point.array);
    return col < 0 ? std::nan("") : point.quantities[static_cast<std::size_t>(col)];
  });
}

Eigen::RowVectorXd derivative_of(NodeId expression, const LocalPoint& point, const Motion& motion,
                                 Eigen::RowVectorXd* terms) {
  Pool& pool = *point.array.model().pool;
  Eigen::RowVectorXd result = Eigen::RowVectorXd::Zero(motion.time.size());
  if (terms) *terms = result;
  const auto add = [&](NodeId leaf, const auto& moves) {
    if (moves.isZero(0.0)) return;
    const double slope = value_of(partial(pool, expression, leaf), point);
    if (slope == 0.0) return;
    result += slope * moves;
    if (terms) *terms += (slope * moves).cwiseAbs();
  };
  for (const NodeId id : nodes_of(pool, expression)) {
    const Node leaf = pool[id];
    if (leaf.op == Op::Time) add(id, motion.time);
    if (leaf.op == Op::Parameter) add(id, motion.parameters.row(leaf.a));
    if (leaf.op != Op::Variable) continue;
    const int col = place_of(leaf, point.array);
    if (col < 0) return Eigen::RowVectorXd::Constant(motion.time.size(), std::nan(""));
    add(id, motion.quantities.row(col));
  }
  return result;
}

}  // namespace driftless::sensitivity
