// Points at which all equations of a model hold at all levels, and its system Jacobian there.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <Eigen/Core>

#include "driftless/initialize/values.hpp"

namespace driftless {

// Values of all quantities at a consistent point; NaN for what the model does not determine.
struct ConsistentPoint {
  const Model* model;
  double t;
  std::vector<double> parameters;
  Values values;

  double operator()(NodeId leaf) const;
};

// Without a seed from the given starts; with a seed without conditions, from starts that are moved at random by a
// twentieth of their nominal values.
std::optional<ConsistentPoint> consistent_point(const Reduced& reduced, double t, std::optional<unsigned> seed = {});

using Leaves = std::function<double(NodeId)>;

// Does an equation hold with its derivatives up to this order, as far as quantities have values?
bool holds_at(const Model& model, const Equation& equation, int order, const ConsistentPoint& point);

// Equations and variables that are connected by entries of the system Jacobian: those with constraints, and small
// enough for dense matrices. (Its diagonal blocks are too small: constraints are in one, their forces in another.)
std::vector<structure::Block> constrained_parts(const Model& model, const structure::Structure& shape);

// A part of the system Jacobian, in units of nominal values and with rows of size one.
Eigen::MatrixXd jacobian_of(const Model& model, const structure::Offsets& offsets, const structure::Block& part,
                            const Leaves& at);

// Singular values below a part 1e-9 of the largest are zero.
bool is_singular(const Eigen::VectorXd& singular_values);

}  // namespace driftless
