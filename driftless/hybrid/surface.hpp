// Surfaces of relations: where the sides of a < b are equal.
#pragma once

#include <optional>
#include <span>

#include "driftless/model/model.hpp"

namespace driftless {

// a - b for a < b and a <= b; nothing for other expressions.
std::optional<NodeId> surface_of(Pool& pool, NodeId relation);

// The expression with definitions x = ... of equations inserted, except for the leaves in `kept`.
NodeId with_definitions(const Model& model, Pool& pool, NodeId expression, std::span<const NodeId> kept);

// Adds a relation to be watched, with its own parameter; returns its place in Model::discrete.held.
std::size_t add_end(Model& model, NodeId relation, SourceRange range);

}  // namespace driftless
