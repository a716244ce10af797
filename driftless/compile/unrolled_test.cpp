// The unrolled program gives the results of the walk over the tape for every form of operand, in any number of calls.
#include "driftless/compile/interpreter/unrolled.hpp"

#include <gtest/gtest.h>

#include "driftless/compile/at_points.hpp"
#include "driftless/compile/kernel_testing.hpp"

namespace driftless {
namespace {

struct Sample {
  std::shared_ptr<Pool> pool = std::make_shared<Pool>();
  std::vector<NodeId> outputs;
  int variables = 40;

  NodeId x(int i) const { return pool->variable(VarId{i}); }
  Tape tape() const {
    const std::vector<KernelSource> sources{{.name = "test", .outputs = outputs}};
    return make_tape(pool, sources, test_layout(variables));
  }

  // Every output by the definition of its operations.
  void expect_right() const {
    const Tape tape = this->tape();
    ASSERT_TRUE(Unrolled::applies_to(tape, tape.programs[0]));
    const Unrolled unrolled(tape, tape.programs[0]);
    std::vector<double> work(Unrolled::work_size(tape, tape.programs[0])), values(outputs.size());
    for (const std::uint32_t seed : {1u, 2u, 3u}) {
      const std::vector<double> inputs = random_inputs(tape.inputs, seed);
      std::ranges::fill(work, std::numeric_limits<double>::quiet_NaN());
      unrolled(inputs.data(), values.data(), work.data());
      for (std::size_t k = 0; k < outputs.size(); ++k)
        EXPECT_TRUE(same(values[k], value_at(*pool, outputs[k], inputs))) << "output " << k;
    }
    for (const Backend backend : {Backend::Interpreter, Backend::Llvm, Backend::Adaptive})
      expect_right_at_points(backend);
  }

  // One point, several, and as many as there may be.
  void expect_right_at_points(Backend backend) const {
    const std::vector<KernelSource> sources{{.name = "test", .outputs = outputs}};
    const auto kernel = compile(pool, sources, test_layout(variables), backend).kernels.front();
    const RunAtPoints run(*kernel);
    std::vector<double> work(run.work_size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t count = 1; count <= KernelAtPoints::most_points; ++count) {
      std::vector<std::vector<double>> inputs, values(count, std::vector<double>(outputs.size(), 12345.678));
      std::vector<const double*> from;
      std::vector<double*> to;
      for (std::size_t p = 0; p < count; ++p)
        inputs.push_back(random_inputs(kernel->inputs(), static_cast<std::uint32_t>(10 * count + p)));
      for (std::size_t p = 0; p < count; ++p) from.push_back(inputs[p].data()), to.push_back(values[p].data());
      run(from, to, work.data());
      for (std::size_t p = 0; p < count; ++p)
        for (std::size_t k = 0; k < outputs.size(); ++k)
          EXPECT_TRUE(same(values[p][k], value_at(*pool, outputs[k], inputs[p])))
              << "output " << k << " at point " << p << " of " << count;
    }
  }
};

TEST(Unrolled, ProductsAndSizesWithinSums) {
  Sample s;
  Pool& p = *s.pool;
  const NodeId product = p.mul(s.x(0), s.x(1)), other = p.mul(s.x(2), p.add(s.x(3), s.x(4)));
  const auto size = [&](NodeId id) { return p.unary(Op::Abs, id); };
  s.outputs = {p.add(product, s.x(2)),
               p.sub(p.mul(s.x(5), s.x(6)), s.x(2)),
               p.add(p.unary(Op::Sin, s.x(2)), p.mul(s.x(7), s.x(8))),
               p.sub(p.unary(Op::Sin, s.x(3)), p.mul(s.x(7), s.x(9))),
               p.sub(p.mul(s.x(10), s.x(11)), p.mul(s.x(12), s.x(13))),
               p.add(size(p.sub(s.x(1), s.x(2))), p.unary(Op::Cos, s.x(4))),
               p.add(p.unary(Op::Exp, s.x(1)), size(p.sub(s.x(4), s.x(2)))),
               p.sub(p.unary(Op::Exp, s.x(6)), size(p.sub(s.x(4), s.x(9))))};
  s.expect_right();
  // An operation whose result is also needed separately is not fused with the sum.
  s.outputs = {p.add(other, s.x(2)), other, p.sub(p.mul(other, other), s.x(5))};
  s.expect_right();
}

TEST(Unrolled, EveryFormOfColumn) {
  Sample s;
  Pool& p = *s.pool;
  for (int i = 0; i < 30; ++i) {
    const NodeId here = s.x(i), next = s.x(i + 1), elsewhere = s.x((7 * i * i + 3) % 40);
    const NodeId shared = p.unary(Op::Sin, p.mul(here, next));
    s.outputs.push_back(p.add(p.mul(shared, p.constant(0.1 * i)), p.div(elsewhere, p.constant(3.0))));
    s.outputs.push_back(p.sub(shared, p.mul(elsewhere, elsewhere)));
  }
  s.outputs.push_back(s.x(3));
  s.outputs.push_back(p.constant(2.5));
  s.expect_right();
}

TEST(Unrolled, EveryOperationAtSeveralPoints) {
  Sample s;
  Pool& p = *s.pool;
  for (int op = static_cast<int>(Op::Neg); op < static_cast<int>(Op::Call); ++op) {
    const NodeId a = s.x(op % 7), b = s.x(op % 5 + 7), c = s.x(op % 3 + 12);
    const Op each = static_cast<Op>(op);
    s.outputs.push_back(arity(each) == 1   ? p.unary(each, a)
                        : arity(each) == 2 ? p.binary(each, a, b)
                                           : p.if_else(a, b, c));
  }
  s.expect_right();
}

TEST(Unrolled, LeavesLongProgramsToTheWalk) {
  Sample s;
  s.variables = 3000;
  for (int i = 0; i + 1 < s.variables; ++i)
    s.outputs.push_back(s.pool->mul(s.x(i), s.pool->unary(Op::Sin, s.x(i + 1))));
  const Tape tape = s.tape();
  EXPECT_FALSE(Unrolled::applies_to(tape, tape.programs[0]));
  s.outputs.resize(1000);
  const Tape shorter = s.tape();
  EXPECT_TRUE(Unrolled::applies_to(shorter, shorter.programs[0]));
}

}  // namespace
}  // namespace driftless
