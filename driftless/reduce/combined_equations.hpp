// The conversion of equations (repair.hpp): where a combination sum_i u_i f_i^(c_i - c) of the equations of a block
// contains none of the highest derivatives, one of these equations is replaced by it. The solutions stay the same, and
// the sum of the offsets d_j - c_i becomes smaller.
#pragma once

#include <optional>

#include "driftless/reduce/block_under_repair.hpp"
#include "driftless/reduce/repair.hpp"

namespace driftless {

enum class EquationsCombined {
  No,
  Combined,  // the model now has fewer degrees of freedom
  LeftOut,   // a redundant equation was removed
};

// After `No` the model may be partly changed; the caller restores the state. `contradiction`: the first one found with
// the present values of the parameters.
EquationsCombined combine_equations(BlockUnderRepair& at, std::optional<Contradiction>& contradiction);

}  // namespace driftless
