// Generated code, interpreter and C++ written by hand, on a chain of n pendulums in the plane:
//
//   m x_i'' = 2 (λ_{i+1} (x_{i+1} - x_i) - λ_i (x_i - x_{i-1}))            x_0 = y_0 = 0, λ_{n+1} = 0
//   m y_i'' = 2 (λ_{i+1} (y_{i+1} - y_i) - λ_i (y_i - y_{i-1})) - m g
//   0 = (x_i - x_{i-1})² + (y_i - y_{i-1})² - L²
//
// and the time to compile residual and Jacobian of such a chain.
#include <benchmark/benchmark.h>

#include <cmath>
#include <memory>
#include <vector>

#include "driftless/compile/kernel.hpp"
#include "driftless/expr/calculus.hpp"

namespace driftless {
namespace {

enum Unknown { x, y, lambda };

// [ t | m g L | x_1 y_1 λ_1 x_2 ... | x_1'' y_1'' x_2'' ... ]
struct Chain {
  int n;

  int position(int i, Unknown what) const { return 4 + 3 * i + what; }
  int acceleration(int i, Unknown what) const { return 4 + 3 * n + 2 * i + what; }
  int inputs() const { return 4 + 5 * n; }

  InputLayout layout() const {
    return {.parameters = 3, .inputs = inputs(), .variable = [*this](VarId id, int order) {
              const int i = index(id) / 3;
              const auto what = static_cast<Unknown>(index(id) % 3);
              return order == 0 ? position(i, what) : order == 2 ? acceleration(i, what) : -1;
            }};
  }

  std::vector<double> point() const {
    std::vector<double> values(static_cast<std::size_t>(inputs()));
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = std::sin(0.1 + static_cast<double>(k));
    return values;
  }

  std::vector<NodeId> residuals(Pool& pool) const {
    const NodeId m = pool.parameter(ParamId{0}), g = pool.parameter(ParamId{1}), length = pool.parameter(ParamId{2});
    const NodeId two = pool.constant(2.0);
    const auto unknown = [&](int i, Unknown what, int order = 0) { return pool.variable(VarId{3 * i + what}, order); };
    const auto rod = [&](int i, Unknown what) {
      return i == 0 ? unknown(0, what) : pool.sub(unknown(i, what), unknown(i - 1, what));
    };
    std::vector<NodeId> all;
    for (int i = 0; i < n; ++i) {
      for (const Unknown what : {x, y}) {
        NodeId force = pool.neg(pool.mul(unknown(i, lambda), rod(i, what)));
        if (i + 1 < n) force = pool.add(pool.mul(unknown(i + 1, lambda), rod(i + 1, what)), force);
        force = pool.mul(two, force);
        if (what == y) force = pool.sub(force, pool.mul(m, g));
        all.push_back(pool.sub(pool.mul(m, unknown(i, what, 2)), force));
      }
      all.push_back(pool.sub(pool.add(pool.pow(rod(i, x), two), pool.pow(rod(i, y), two)), pool.pow(length, two)));
    }
    return all;
  }

  // Every derivative of every row, in the order of the rows.
  std::vector<NodeId> jacobian(Pool& pool) const {
    std::vector<NodeId> entries;
    for (const NodeId row : residuals(pool))
      for (const Partial& entry : gradient(pool, row)) entries.push_back(entry.derivative);
    return entries;
  }
};

void residual_by_hand(int n, const double* in, double* out) {
  const double m = in[1], g = in[2], length = in[3];
  const double* const u = in + 4;
  const double* const a = in + 4 + 3 * n;
  double old_x = 0.0, old_y = 0.0;
  double dx = u[0], dy = u[1];
  for (int i = 0; i < n; ++i) {
    double fx = -(u[3 * i + 2] * dx), fy = -(u[3 * i + 2] * dy);
    out[3 * i + 2] = dx * dx + dy * dy - length * length;
    old_x = u[3 * i];
    old_y = u[3 * i + 1];
    if (i + 1 < n) {
      dx = u[3 * i + 3] - old_x;
      dy = u[3 * i + 4] - old_y;
      fx += u[3 * i + 5] * dx;
      fy += u[3 * i + 5] * dy;
    }
    out[3 * i] = m * a[2 * i] - 2.0 * fx;
    out[3 * i + 1] = m * a[2 * i + 1] - (2.0 * fy - m * g);
  }
}

void by_hand(benchmark::State& state) {
  const Chain chain{static_cast<int>(state.range(0))};
  const std::vector<double> inputs = chain.point();
  std::vector<double> outputs(static_cast<std::size_t>(3 * chain.n));
  for (auto _ : state) {
    residual_by_hand(chain.n, inputs.data(), outputs.data());
    benchmark::DoNotOptimize(outputs.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * 3 * chain.n);  // rows
}

void run(benchmark::State& state, const Chain& chain, const std::shared_ptr<Pool>& pool, std::vector<NodeId> rows,
         Backend backend) {
  if (!backend_available(backend)) return state.SkipWithError("this backend was not built");
  const std::vector<KernelSource> sources{{"kernel", std::move(rows)}};
  const CompiledKernels compiled = compile(pool, sources, chain.layout(), backend);
  const Kernel& kernel = *compiled.kernels.front();
  const std::vector<double> inputs = chain.point();
  std::vector<double> outputs(kernel.outputs()), work(kernel.work_size());
  for (auto _ : state) {
    kernel(inputs.data(), outputs.data(), work.data());
    benchmark::DoNotOptimize(outputs.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(outputs.size()));
}

void residual(benchmark::State& state, Backend backend) {
  const Chain chain{static_cast<int>(state.range(0))};
  const auto pool = std::make_shared<Pool>();
  const std::vector<NodeId> rows = chain.residuals(*pool);

  const std::vector<KernelSource> sources{{"residual", rows}};
  const CompiledKernels compiled = compile(pool, sources, chain.layout(), backend);
  const std::vector<double> inputs = chain.point();
  std::vector<double> outputs(rows.size()), expected(rows.size()), work(compiled.kernels[0]->work_size());
  (*compiled.kernels[0])(inputs.data(), outputs.data(), work.data());
  residual_by_hand(chain.n, inputs.data(), expected.data());
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (!(std::fabs(outputs[k] - expected[k]) < 1e-14)) return state.SkipWithError("differs from the code by hand");

  run(state, chain, pool, rows, backend);
}

void jacobian(benchmark::State& state, Backend backend) {
  const Chain chain{static_cast<int>(state.range(0))};
  const auto pool = std::make_shared<Pool>();
  std::vector<NodeId> entries = chain.jacobian(*pool);
  run(state, chain, pool, std::move(entries), backend);
}

void compile_time(benchmark::State& state, Backend backend) {
  if (!backend_available(backend)) return state.SkipWithError("this backend was not built");
  const Chain chain{static_cast<int>(state.range(0))};
  const auto pool = std::make_shared<Pool>();
  const std::vector<KernelSource> sources{{"residual", chain.residuals(*pool)}, {"jacobian", chain.jacobian(*pool)}};
  CompileStatistics statistics;
  for (auto _ : state) {
    const CompiledKernels compiled = compile(pool, sources, chain.layout(), backend);
    statistics = compiled.statistics;
  }
  state.counters["rows"] = 3.0 * chain.n;
  state.counters["shapes"] = static_cast<double>(statistics.shapes);
  state.counters["instructions"] = static_cast<double>(statistics.instructions);
}

BENCHMARK(by_hand)->Arg(1)->Arg(10)->Arg(100)->Arg(1000)->Arg(100000);
BENCHMARK_CAPTURE(residual, llvm, Backend::Llvm)->Arg(1)->Arg(10)->Arg(100)->Arg(1000)->Arg(100000);
BENCHMARK_CAPTURE(residual, interpreter, Backend::Interpreter)->Arg(1)->Arg(10)->Arg(100)->Arg(1000)->Arg(100000);
BENCHMARK_CAPTURE(jacobian, llvm, Backend::Llvm)->Arg(1)->Arg(10)->Arg(100)->Arg(1000)->Arg(100000);
BENCHMARK_CAPTURE(jacobian, interpreter, Backend::Interpreter)->Arg(1)->Arg(10)->Arg(100)->Arg(1000)->Arg(100000);
BENCHMARK_CAPTURE(compile_time, llvm, Backend::Llvm)
    ->RangeMultiplier(10)
    ->Range(1, 100000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compile_time, interpreter, Backend::Interpreter)
    ->RangeMultiplier(10)
    ->Range(1, 100000)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace driftless
