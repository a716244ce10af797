#include "driftless/compile/adaptive.hpp"
#include "driftless/compile/interpreter/interpreter.hpp"
#include "driftless/compile/kernel.hpp"
#include "driftless/compile/processor_time.hpp"
#include "driftless/compile/tape.hpp"
#ifdef DRIFTLESS_HAS_LLVM
#include "driftless/compile/llvm/jit.hpp"
#endif

namespace driftless {

bool backend_available(Backend backend) {
#ifdef DRIFTLESS_HAS_LLVM
  static_cast<void>(backend);
  return true;
#else
  return backend == Backend::Interpreter;
#endif
}

CompiledKernels compile(const std::shared_ptr<Pool>& pool, std::span<const KernelSource> sources,
                        const InputLayout& layout, [[maybe_unused]] Backend backend) {
  const double start = processor_seconds();
  const auto tape = std::make_shared<const Tape>(make_tape(pool, sources, layout));

  CompiledKernels compiled;
#ifdef DRIFTLESS_HAS_LLVM
  compiled.kernels = backend == Backend::Llvm       ? generate_code(tape)
                     : backend == Backend::Adaptive ? interpret_first(tape, generate_code)
                                                    : interpret(tape);
#else
  compiled.kernels = interpret(tape);
#endif
  compiled.statistics.shapes = tape->shapes.size();
  for (const Shape& shape : tape->shapes) compiled.statistics.instructions += shape.code.size();
  compiled.statistics.seconds = processor_seconds() - start;
  return compiled;
}

}  // namespace driftless
