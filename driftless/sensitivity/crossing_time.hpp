// The derivative of the instant at which an expression changes its value: of a relation where its sides cross,
//
//   dt*/dp = -(∂g/∂q s + ∂g/∂p) / (dg/dt),
//
// or of a rounded value where its argument reaches an integer.
#pragma once

#include <string>
#include <variant>

#include <Eigen/Core>

#include "driftless/sensitivity/local_expression.hpp"

namespace driftless::sensitivity {

struct Crossing {
  const LocalPoint& point;               // right before it
  const Eigen::VectorXd& rates;          // of all quantities there
  const Eigen::MatrixXd& quantities;     // their sensitivities
  const Eigen::MatrixXd& of_parameters;  // those of all parameters
};

// `text`: its name in messages. Otherwise the reason why there is no derivative.
std::variant<Eigen::RowVectorXd, std::string> crossing_time(NodeId expression, const std::string& text,
                                                            const Crossing& crossing);

}  // namespace driftless::sensitivity
