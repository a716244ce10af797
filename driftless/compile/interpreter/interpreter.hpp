// The backend that runs the tape directly. It is the oracle for generated code.
#pragma once

#include <memory>
#include <vector>

#include "driftless/compile/kernel.hpp"
#include "driftless/compile/tape.hpp"

namespace driftless {

std::vector<std::unique_ptr<Kernel>> interpret(const std::shared_ptr<const Tape>& tape);

// The same for kernels that are called often: after some calls programs are unrolled (unrolled.hpp), with identical
// results; that call allocates.
std::vector<std::unique_ptr<Kernel>> interpret_quickly(const std::shared_ptr<const Tape>& tape);

}  // namespace driftless
