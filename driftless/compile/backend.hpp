// How expressions are evaluated: all backends give the same results, bit for bit.
#pragma once

namespace driftless {

// Adaptive: interpreted at first, machine code once that pays (adaptive.hpp).
enum class Backend { Interpreter, Llvm, Adaptive };

// Machine code needs a program that was built with LLVM; otherwise the interpreter is used instead.
bool backend_available(Backend backend);

}  // namespace driftless
