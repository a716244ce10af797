// Derivatives of squares leave factors behind: ∂²(m v²/2)/∂v² is 2*m/2. What is left of them when powers of two and
// signs are moved outwards and cancelled is m.
#pragma once

#include "driftless/expr/pool.hpp"

namespace driftless {

// The same expression with the factors ±2^k of products, quotients and common to both terms of a sum collected in front
// of it. Multiplying by a power of two rounds nothing, so the value stays the same to the last bit wherever neither
// form overflows or underflows.
NodeId collect_constant_factors(Pool& pool, NodeId expression);

}  // namespace driftless
