#include <iterator>

#include "driftless/clock/processor_time.hpp"
#include "driftless/compile/adaptive.hpp"
#include "driftless/compile/interpreter/interpreter.hpp"
#include "driftless/compile/kernel.hpp"
#include "driftless/compile/object_code.hpp"
#include "driftless/compile/tape.hpp"
#ifdef DRIFTLESS_HAS_LLVM
#include "driftless/compile/llvm/jit.hpp"
#endif

namespace driftless {
namespace {
thread_local double seconds_on_kernels = 0.0;
}  // namespace

double seconds_of_compilation() { return seconds_on_kernels; }
void add_seconds_of_compilation(double seconds) { seconds_on_kernels += seconds; }

bool backend_available(Backend backend) {
#ifdef DRIFTLESS_HAS_LLVM
  static_cast<void>(backend);
  return true;
#else
  return backend == Backend::Interpreter;
#endif
}

#ifndef DRIFTLESS_HAS_LLVM
std::vector<std::string> object_code(const Tape&) { return {}; }
#endif

CompiledKernels compile(const std::shared_ptr<const Pool>& pool, std::span<const KernelSource> sources,
                        const InputLayout& layout, [[maybe_unused]] Backend backend) {
  const double start = processor_seconds();
  const auto tape = std::make_shared<const Tape>(make_tape(pool, sources, layout));

  CompiledKernels compiled;
#ifdef DRIFTLESS_HAS_LLVM
  auto kernels = backend == Backend::Llvm       ? generate_code(tape)
                 : backend == Backend::Adaptive ? interpret_first(tape, generate_code)
                                                : interpret(tape);
#else
  auto kernels = backend == Backend::Adaptive ? interpret_quickly(tape) : interpret(tape);
#endif
  compiled.kernels.assign(std::make_move_iterator(kernels.begin()), std::make_move_iterator(kernels.end()));
  compiled.statistics.shapes = tape->shapes.size();
  for (const Shape& shape : tape->shapes) compiled.statistics.instructions += shape.code.size();
  compiled.statistics.seconds = processor_seconds() - start;
  add_seconds_of_compilation(compiled.statistics.seconds);
  return compiled;
}

}  // namespace driftless
