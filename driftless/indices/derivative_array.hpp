// The derivative array of a model, F = 0, dF/dt = 0, ..., d^K F/dt^K = 0, read as algebraic equations in all
// derivatives of its variables, evaluated at points.
//
// It does not use the structural reduction, so its results are independent of it.
#pragma once

#include <memory>
#include <vector>

#include <Eigen/Core>

#include "driftless/model/model.hpp"

namespace driftless {

// A time, and for every variable its derivatives of the orders 0 to `orders` - 1 of the array.
struct PointOfIndex {
  double t = 0.0;
  Eigen::MatrixXd values;  // (variable, order)
};

class DerivativeArrayAt {
 public:
  // With the equations differentiated up to `levels` times. Derivatives are added to the pool of the model.
  DerivativeArrayAt(std::shared_ptr<const Model> model, int levels);

  int levels() const { return levels_; }
  int orders() const { return orders_; }                    // how many orders of each variable occur
  int highest(std::size_t j) const { return highest_[j]; }  // in the equations as written; at least 1

  const Eigen::VectorXd& sizes() const { return sizes_; }  // of the variables

  // All residuals and their partial derivatives; columns are variable * orders() + order, rows level by level. Not
  // finite where an expression has no value.
  struct Values {
    Eigen::VectorXd residual;
    Eigen::MatrixXd jacobian;
  };
  Values evaluate(const PointOfIndex& point) const;

  // Moves to the nearest point at which the residuals vanish up to rounding, with the time held. `freedom`, by
  // (variable, order): the weight of changes; an entry with 1/1000 changes a thousand times less. False if the
  // iteration finds none.
  bool project(PointOfIndex& point, const Eigen::MatrixXd& freedom) const;

 private:
  struct Entry {
    int row, col;
    NodeId value;
  };
  std::shared_ptr<const Model> model_;
  int levels_, orders_ = 1;
  std::vector<int> highest_;
  Eigen::VectorXd sizes_;
  std::vector<NodeId> residuals_;
  std::vector<Entry> entries_;
};

}  // namespace driftless
