// The backend that turns the shapes of a tape into machine code: one function per shape and way of running it, all in
// one module. The kernels walk their groups and call these functions.
#pragma once

#include <memory>
#include <vector>

#include "driftless/compile/kernel.hpp"
#include "driftless/compile/tape.hpp"

namespace driftless {

std::vector<std::unique_ptr<Kernel>> generate_code(const std::shared_ptr<const Tape>& tape);

}  // namespace driftless
