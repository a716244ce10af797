// Machine code as relocatable objects, before it is loaded: bytes without addresses of this process. They depend on the
// tape and the processor alone, so they may be stored, or loaded elsewhere. External functions and data that they use
// are referenced by name: the elementary functions, `driftless.call`, and `driftless.tape` with the functions of the
// model.
#pragma once

#include <string>
#include <vector>

#include "driftless/compile/tape.hpp"

namespace driftless {

// One object for straight code and one for loops, if there is any; none without LLVM at build time.
std::vector<std::string> object_code(const Tape& tape);

}  // namespace driftless
