// Is the system Jacobian singular at a consistent start, though at generic points it is not? Where a factor of it is an
// equation of the model, as in
//
//   x' = f,    y + m(x) (x' - f) = g,
//
// it vanishes wherever the equations hold: the index is higher and there are fewer states than the structure suggests,
// and a method that relies on the structure computes noise.
#pragma once

#include "driftless/initialize/initialize.hpp"
#include "driftless/structure/analysis.hpp"

namespace driftless {

// Can it be? Not where no entry of the system Jacobian changes. Looks at models of up to 2000 equations, and at blocks
// of up to 200.
bool may_be_singular_at_starts(const Model& model, const structure::Structure& shape);

// `base` is the reduction that the start belongs to, by a model whose pool takes new expressions.
bool is_singular_at(const Reduced& base, const structure::Structure& shape, const State& start);

}  // namespace driftless
