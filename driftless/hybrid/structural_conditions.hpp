// Conditions that change the structure of a model: while they keep their values, the offsets of its equations and the
// pattern of its system Jacobian stay the same.
//
// A condition of time or variables is not structural: it is evaluated continuously, so both branches always count.
// Structural conditions depend on parameters, including discrete variables and held relations (model/hold.hpp).
//
// With the offsets c, d of all branches together, an entry of the signature with d_j - c_i > sigma_ij may vanish: it
// neither bounds the offsets nor is it an entry of the system Jacobian. So `der(x) = if c then 1 else -y` has one
// structure where y is a state. A condition is structural if it decides whether a leaf with d_j - c_i = sigma_ij
// occurs.
#pragma once

#include <vector>

#include "driftless/model/model.hpp"

namespace driftless {

// In the order of the equations, each once. Conditions inside a branch of another one are left out: they belong to the
// model in which that branch was taken.
std::vector<NodeId> structural_conditions(const Model& model);

// The same model with the branches of these conditions taken, one value for each. Names, numbers and the discrete part
// do not change.
Model with_branches(const Model& model, const std::vector<NodeId>& conditions, const std::vector<bool>& values);

}  // namespace driftless
