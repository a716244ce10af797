// Derivatives of squares contain factors: ∂²(m v²/2)/∂v² is 2*m/2. Moving powers of two and signs outwards and
// cancelling them gives m.
#pragma once

#include "driftless/expr/pool.hpp"

namespace driftless {

// The same expression with the factors ±2^k of products, quotients and common to both terms of a sum collected in front
// of it. Multiplying by a power of two is exact, so the value is identical wherever neither form overflows or
// underflows.
NodeId collect_constant_factors(Pool& pool, NodeId expression);

}  // namespace driftless
