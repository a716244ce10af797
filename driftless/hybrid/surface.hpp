// Surfaces of relations: where the sides of a < b are equal.
#pragma once

#include <optional>
#include <span>

#include "driftless/model/model.hpp"

namespace driftless {

// a - b for a < b and a <= b; nothing for what is no such relation.
std::optional<NodeId> surface_of(Pool& pool, NodeId relation);

// With what equations x = ... define inserted, but for these leaves.
NodeId with_definitions(const Model& model, Pool& pool, NodeId expression, std::span<const NodeId> kept);

// A relation that is watched from now on, with a parameter of its own: its place among Model::discrete.held.
std::size_t add_end(Model& model, NodeId relation, SourceRange range);

}  // namespace driftless
