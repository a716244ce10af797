// Expressions of a model at one point of a run, and their sensitivities.
#pragma once

#include <span>

#include <Eigen/Core>

#include "driftless/sensitivity/variational_array.hpp"

namespace driftless::sensitivity {

struct LocalPoint {
  const VariationalArray& array;
  double t = 0.0;
  std::span<const double> parameters, quantities;
};

// The sensitivities of everything that occurs in expressions; columns are directions.
struct Motion {
  Eigen::MatrixXd quantities, parameters;
  Eigen::RowVectorXd time;
};

// NaN where the expression has no value, or contains a derivative that the array lacks.
double value_of(NodeId expression, const LocalPoint& point);
// `terms`: the sizes of the summed terms.
Eigen::RowVectorXd derivative_of(NodeId expression, const LocalPoint& point, const Motion& motion,
                                 Eigen::RowVectorXd* terms = nullptr);

}  // namespace driftless::sensitivity
