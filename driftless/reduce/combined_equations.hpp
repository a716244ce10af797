// The conversion of equations (repair.hpp): where a combination sum_i u_i f_i^(c_i - c) of the equations of a block
// holds none of the highest derivatives, one of these equations is replaced by it. The solutions stay the same, and the
// sum of the offsets d_j - c_i becomes smaller.
#pragma once

#include <optional>

#include "driftless/reduce/block_under_repair.hpp"
#include "driftless/reduce/repair.hpp"

namespace driftless {

enum class EquationsCombined {
  No,
  Combined,  // there are fewer degrees of freedom now
  LeftOut,   // there is one equation less that says nothing
};

// `No`: the model may be changed in part; whoever asks takes the state back. `contradiction`: the first one seen, if it
// is one with the present values of the parameters.
EquationsCombined combine_equations(BlockUnderRepair& at, std::optional<Contradiction>& contradiction);

}  // namespace driftless
