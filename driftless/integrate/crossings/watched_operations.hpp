// Finds from the structure of expressions where they may jump or have a pole (switches.hpp): which operations must be
// watched, which denominators never change their sign, and under which conditions a node is used at all.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "driftless/model/model.hpp"

namespace driftless {

bool is_discrete_operation(Op op);  // its value is constant between jumps
bool may_be_watched(Op op);

// By variable: the other side of an equation that has it alone on one side; none where there is no such equation.
std::vector<std::optional<NodeId>> explicit_values(const Model& model);

// Squares, roots, exponentials and their sums, also where an equation gives them a name.
bool is_never_negative(const Pool& pool, const std::vector<std::optional<NodeId>>& values, NodeId sum);

// By node of the residuals: the condition under which some residual uses its value, by the branches around it.
std::unordered_map<NodeId, NodeId> conditions_of_use(Pool& pool, const Model& model);

}  // namespace driftless
