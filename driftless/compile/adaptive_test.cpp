// Kernels that are interpreted at first: identical results before and after they are compiled, which happens when it
// pays.
#include "driftless/compile/adaptive.hpp"

#include <gtest/gtest.h>

#include "driftless/compile/interpreter/interpreter.hpp"
#include "driftless/compile/kernel_testing.hpp"

namespace driftless {
namespace {

struct Sample {
  std::shared_ptr<Pool> pool = std::make_shared<Pool>();
  std::vector<KernelSource> sources{{.name = "one", .outputs = {}}, {.name = "other", .outputs = {}}};
  InputLayout layout = test_layout(40);

  Sample() {
    const auto x = [&](int i) { return pool->variable(VarId{i}); };
    for (int i = 0; i < 39; ++i)
      sources[0].outputs.push_back(pool->mul(pool->unary(Op::Sin, x(i)), pool->add(x(i + 1), x(i))));
    sources[1].outputs.push_back(pool->div(x(3), pool->unary(Op::Exp, x(4))));
  }

  std::shared_ptr<const Tape> tape() const { return std::make_shared<const Tape>(make_tape(pool, sources, layout)); }
};

std::vector<double> some_inputs() {
  std::vector<double> inputs{0.7, 1.5, -0.25};
  for (int i = 0; i < 40; ++i) inputs.push_back(0.1 * i - 1.7);
  return inputs;
}

TEST(Adaptive, ChangesWhenInterpretationHasCostAsMuchAsMachineCode) {
  const auto tape = Sample().tape();
  int generated = 0;
  const auto kernels = interpret_first(tape, [&](const std::shared_ptr<const Tape>& of) {
    ++generated;
    return interpret(of);
  });
  const double machine_code = cost_of_machine_code(*tape);
  const double both = cost_of_interpretation(*tape, 0) + cost_of_interpretation(*tape, 1);
  const auto calls = static_cast<long>(machine_code / both);
  ASSERT_GT(calls, 100);
  const std::vector<double> inputs = some_inputs();
  for (long k = 0; k < calls; ++k) run_once(*kernels[0], inputs), run_once(*kernels[1], inputs);
  EXPECT_EQ(generated, 0) << "all kernels of the tape together have not cost enough";
  for (long k = 0; k < 2; ++k) run_once(*kernels[0], inputs), run_once(*kernels[1], inputs);
  EXPECT_EQ(generated, 1);
  for (long k = 0; k < 2 * calls; ++k) run_once(*kernels[1], inputs);
  EXPECT_EQ(generated, 1) << "once for all of them";
}

TEST(Adaptive, NeverChangesABit) {
  if (!backend_available(Backend::Adaptive)) GTEST_SKIP() << "built without LLVM";
  const Sample sample;
  const CompiledKernels adaptive = compile(sample.pool, sample.sources, sample.layout, Backend::Adaptive);
  const CompiledKernels interpreted = compile(sample.pool, sample.sources, sample.layout, Backend::Interpreter);
  const auto calls =
      static_cast<long>(2.0 * cost_of_machine_code(*sample.tape()) / cost_of_interpretation(*sample.tape(), 0));
  const double before = seconds_of_compilation();
  std::vector<double> inputs = some_inputs();
  for (long k = 0; k < calls; ++k) {
    inputs[5] = 1e-3 * static_cast<double>(k);
    const std::vector<double> one = run_once(*adaptive.kernels[0], inputs),
                              other = run_once(*interpreted.kernels[0], inputs);
    for (std::size_t i = 0; i < one.size(); ++i) ASSERT_TRUE(same(one[i], other[i])) << k << ' ' << i;
  }
  EXPECT_GT(seconds_of_compilation(), before) << "machine code was made on the way";
}

}  // namespace
}  // namespace driftless
