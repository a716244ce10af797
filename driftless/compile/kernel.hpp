// Kernels: expressions made callable. A kernel reads one flat array of inputs and writes one flat
// array of outputs; it never throws and never allocates. Where an expression has no value the
// output is NaN or infinite, and the caller decides.
//
// Layout of the inputs, for every kernel of a model:
//
//   [ time | parameters | first block of unknowns | second block of unknowns | ... ]
//
// The caller decides where each Variable leaf is stored (InputLayout).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "driftless/compile/backend.hpp"
#include "driftless/expr/pool.hpp"

namespace driftless {

// Maps the leaves of expressions to positions in the input array. Position 0 is time, parameters
// follow; variables are wherever `variable` says, -1 for "must not occur".
struct InputLayout {
  int parameters = 0;
  int inputs = 1;  // total length of the array
  std::function<int(VarId, int order)> variable;

  int parameter(ParamId id) const { return 1 + index(id); }
};

class Kernel {
 public:
  virtual ~Kernel() = default;

  // `work` has room for work_size() values; they need no preparation. No two concurrent calls may share it. The three
  // arrays must not overlap.
  virtual void operator()(const double* inputs, double* outputs, double* work) const = 0;

  std::size_t inputs() const { return inputs_; }
  std::size_t outputs() const { return outputs_; }
  std::size_t work_size() const { return work_size_; }

 protected:
  std::size_t inputs_ = 0, outputs_ = 0, work_size_ = 0;
};

// One kernel to be made.
struct KernelSource {
  std::string name;  // appears in profiles
  std::vector<NodeId> outputs;
};

struct CompileStatistics {
  std::size_t shapes = 0;        // distinct loops
  std::size_t instructions = 0;  // in all shapes together
  double seconds = 0.0;
};

using Kernels = std::vector<std::shared_ptr<const Kernel>>;

struct CompiledKernels {
  Kernels kernels;  // as in the sources
  CompileStatistics statistics;
};

// Compiles all kernels of a model in one go, so that the fixed costs are paid once and the kernels share the code of
// equal shapes. The kernels keep alive what they need; that is the pool only if functions with value-dependent loops
// are called. All backends give the same results, bit for bit; where one is not available the interpreter is used.
CompiledKernels compile(const std::shared_ptr<const Pool>& pool, std::span<const KernelSource> sources,
                        const InputLayout& layout, Backend backend);

// Processor time that this thread has spent so far on making kernels, in `compile` or, for kernels that were
// interpreted first, inside their calls.
double seconds_of_compilation();
void add_seconds_of_compilation(double seconds);

}  // namespace driftless
