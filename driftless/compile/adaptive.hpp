// Kernels that are interpreted at first. Machine code costs some thousand interpreted calls, and many kernels are
// called less often: those of a short run, of a look at the start, of output points. So the kernels of a tape are
// interpreted until that has cost as much as their machine code will, and compiled then: never more than twice the cost
// of the better of the two. Both are counted in instructions, not measured, and give the same bits.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "driftless/compile/kernel.hpp"
#include "driftless/compile/tape.hpp"

namespace driftless {

using GenerateCode = std::function<std::vector<std::unique_ptr<Kernel>>(const std::shared_ptr<const Tape>&)>;

std::vector<std::unique_ptr<Kernel>> interpret_first(const std::shared_ptr<const Tape>& tape, GenerateCode generate);

// In units of one interpreted instruction: the machine code of all kernels of the tape, and one interpreted call of a
// kernel.
double cost_of_machine_code(const Tape& tape);
double cost_of_interpretation(const Tape& tape, std::size_t kernel);

}  // namespace driftless
