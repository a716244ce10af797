// The table of derivatives of operations.
#pragma once

#include "driftless/expr/pool.hpp"

namespace driftless {

// s ∂(node)/∂(operand k). Forward mode gives it s = the differential
// of the operand, reverse mode s = the adjoint of the node. The value of the node itself is used
// again wherever it occurs in its derivative.
//
// Precondition: the node is neither a leaf nor a choice (Min, Max, IfElse).
NodeId times_partial(Pool& pool, NodeId id, int k, NodeId s);

}  // namespace driftless
