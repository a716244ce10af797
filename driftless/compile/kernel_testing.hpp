// Shared by the tests of kernels: a layout, one way to run expressions on every backend, and comparison by bits.
#pragma once

#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include "driftless/compile/kernel.hpp"
#include "driftless/expr/calculus.hpp"

namespace driftless {

constexpr int test_parameters = 2;

// [ time | p0 p1 | x0 ... ], no derivatives.
inline InputLayout test_layout(int variables) {
  return {.parameters = test_parameters,
          .inputs = 1 + test_parameters + variables,
          .variable = [](VarId id, int order) { return order == 0 ? 1 + test_parameters + index(id) : -1; }};
}

inline std::vector<Backend> available_backends() {
  std::vector<Backend> all;
  for (const Backend backend : {Backend::Interpreter, Backend::Llvm})
    if (backend_available(backend)) all.push_back(backend);
  return all;
}

inline std::vector<double> run_once(const Kernel& kernel, std::span<const double> inputs) {
  // Makes unwritten outputs visible.
  std::vector<double> outputs(kernel.outputs(), 12345.678);
  std::vector<double> work(kernel.work_size(), std::numeric_limits<double>::quiet_NaN());
  kernel(inputs.data(), outputs.data(), work.data());
  return outputs;
}

// Equal bits, all NaNs being one value.
inline bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

// The first calls walk over the tape, later ones run the unrolled program: an output that differs between them is
// returned as a value that no test expects.
inline std::vector<double> run(const Kernel& kernel, std::span<const double> inputs) {
  constexpr int further_calls = 5;
  std::vector<double> outputs = run_once(kernel, inputs);
  for (int call = 0; call < further_calls; ++call) {
    const std::vector<double> again = run_once(kernel, inputs);
    for (std::size_t k = 0; k < outputs.size(); ++k)
      if (!same(outputs[k], again[k])) outputs[k] = 87654.321;
  }
  return outputs;
}

inline std::vector<double> run(const std::shared_ptr<Pool>& pool, const std::vector<NodeId>& outputs,
                               std::span<const double> inputs, Backend backend) {
  const std::vector<KernelSource> sources{{.name = "test", .outputs = outputs}};
  const InputLayout layout = test_layout(static_cast<int>(inputs.size()) - 1 - test_parameters);
  return run(*compile(pool, sources, layout, backend).kernels.front(), inputs);
}

// The value by the definition of the operations, one expression at a time.
inline double value_at(const Pool& pool, NodeId expression, std::span<const double> inputs) {
  return evaluate(pool, expression, [&](NodeId leaf) {
    const Node& node = pool[leaf];
    if (node.op == Op::Time) return inputs[0];
    return inputs[node.a + (node.op == Op::Parameter ? 1u : 1u + test_parameters)];
  });
}

inline std::vector<double> random_inputs(std::size_t count, std::uint32_t seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<> uniform(-2.0, 2.0);
  std::vector<double> inputs(count);
  for (double& value : inputs) value = uniform(generator);
  return inputs;
}

}  // namespace driftless
