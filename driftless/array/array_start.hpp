// A consistent point of a derivative array: all its equations, the fixed starts and the initial equations hold, and the
// variables are as close as possible to the user's starts,
//
//   minimize  sum_i ((u_i - start_i) / reach_i)^2   subject to  array(t, u) = 0.
//
// Damped Gauss-Newton steps of least norm lead to the array; there tangential steps make the sum smaller, each followed
// by a return to the array. `reach` is how far an unknown moves at the same cost: least for unknowns with a start, most
// for derivatives (as in initialize/problem.cpp).
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include <Eigen/Core>

#include "driftless/array/derivative_array.hpp"
#include "driftless/initialize/initialize.hpp"

namespace driftless {

struct ArrayPoint {
  double t = 0.0;
  Eigen::VectorXd values;            // of the unknowns of the array
  std::vector<std::string> remarks;  // starts that were moved
};

// With the starts and parameters of `numbers`.
std::variant<ArrayPoint, NoConsistentStart> find_start(const DerivativeArray& array, const Model& numbers, double t);

// A point of the array near another one, at a slightly different time, without conditions. Nothing if there is none.
std::optional<ArrayPoint> find_neighbour(const DerivativeArray& array, const Model& numbers, const ArrayPoint& point,
                                         double t);

}  // namespace driftless
