// Kernels that are interpreted at first. Machine code costs some thousand interpreted calls, and many kernels are
// called less often: in a short run, at the start, for output points. So the kernels of a tape are interpreted until
// that has cost as much as making their machine code, and then compiled: this costs at most twice as much as the better
// of the two. Costs are counted in instructions, not measured, and both ways give identical results.
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
