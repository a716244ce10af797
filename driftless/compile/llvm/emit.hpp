// The code of a shape as LLVM functions
//
//   void (inputs, work, outputs, indices, constants, i64 count, i64 first)
//
// where indices and constants are the group's parts of the tables. Arithmetic follows IEEE 754 strictly (no
// contraction, no reassociation), and the elementary functions are those of `apply`: the results are those of the
// interpreter, bit for bit.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "driftless/compile/tape.hpp"

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace driftless {

constexpr std::int32_t lanes = 4;  // instances computed in parallel

// Runs instance `first` alone.
llvm::Function& emit_single(llvm::Module& module, const Shape& shape);

// Runs all instances, which must be `lanes` or more; `first` is not used.
llvm::Function& emit_loop(llvm::Module& module, const Shape& shape);

// External names in the code: the elementary functions that are not instructions, and "driftless.call", which gets the
// tape, also a symbol, so that the code contains no address.
std::string runtime_name(Op op);
constexpr const char* sine_and_cosine_name = "driftless.sincos";
constexpr const char* tape_name = "driftless.tape";
struct RuntimeFunction {
  std::string name;
  void* address;
};
std::span<const RuntimeFunction> runtime_functions();

}  // namespace driftless
