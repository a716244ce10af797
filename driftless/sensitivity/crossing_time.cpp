#include "driftless/sensitivity/crossing_time.hpp"

#include <cmath>

#include <fmt/format.h>

namespace driftless::sensitivity {
namespace {

constexpr double tangential = 1e-10;  // dg/dt relative to its terms

}  // namespace

std::variant<Eigen::RowVectorXd, std::string> crossing_time(NodeId expression, const std::string& text,
                                                            const Crossing& crossing) {
  Pool& pool = *crossing.point.array.model().pool;
  const Node node = pool[expression];
  const bool is_relation = node.op == Op::Less || node.op == Op::LessEqual;
  if (!is_relation && node.op != Op::Floor && node.op != Op::Ceil && node.op != Op::Sign)
    return fmt::format("{} is no relation whose time can be differentiated", text);
  const NodeId g = is_relation ? pool.sub(node.operand(0), node.operand(1)) : node.operand(0);
  const Eigen::Index directions = crossing.quantities.cols();
  const Motion in_time{crossing.rates, Eigen::MatrixXd::Zero(crossing.of_parameters.rows(), 1),
                       Eigen::RowVectorXd::Ones(1)};
  const Motion in_directions{crossing.quantities, crossing.of_parameters, Eigen::RowVectorXd::Zero(directions)};
  Eigen::RowVectorXd terms;
  const double slope = derivative_of(g, crossing.point, in_time, &terms)(0);
  if (!(std::abs(slope) > tangential * terms(0)))
    return fmt::format("the two sides of {} touch without crossing: the time of the event has no derivative", text);
  const Eigen::RowVectorXd moves = derivative_of(g, crossing.point, in_directions);
  if (!moves.allFinite()) return fmt::format("{} has no derivative", text);
  return Eigen::RowVectorXd((moves / -slope).array() + 0.0);  // no negative zeros
}

}  // namespace driftless::sensitivity
