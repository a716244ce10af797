// The conversion of variables (repair.hpp): where the columns of a block depend on each other, J v = 0, the
// combinations x_j^(d_j - c) - (v_j / v_l) x_l^(d_l - c) become variables of their own, and the highest derivative of
// x_l cancels.
#pragma once

#include "driftless/reduce/block_under_repair.hpp"

namespace driftless {

// After false the model may be partly changed; the caller restores the state.
bool combine_variables(BlockUnderRepair& at);

}  // namespace driftless
