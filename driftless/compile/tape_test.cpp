#include "driftless/compile/tape.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "driftless/compile/kernel_testing.hpp"
#include "driftless/expr/calculus.hpp"

namespace driftless {
namespace {

Tape tape_of(const std::shared_ptr<Pool>& pool, const std::vector<NodeId>& outputs, int variables) {
  const std::vector<KernelSource> sources{{.name = "test", .outputs = outputs}};
  return make_tape(pool, sources, test_layout(variables));
}

// How often a run of the kernel executes an operation.
std::size_t executed(const Tape& tape, Op op) {
  std::size_t times = 0;
  for (const Program& program : tape.programs)
    for (const Group& group : program.groups)
      for (const Instruction& instruction : tape.shapes[group.shape].code)
        if (instruction.op == op) times += static_cast<std::size_t>(group.count);
  return times;
}

std::size_t longest_shape(const Tape& tape) {
  std::size_t longest = 0;
  for (const Shape& shape : tape.shapes) longest = std::max(longest, shape.code.size());
  return longest;
}

std::int32_t index_at(const Program& program, const Group& group, const Shape& shape, const IndexColumn& column,
                      std::int32_t instance) {
  const std::int32_t* const part = program.indices.data() + group.indices;
  switch (column.kind) {
    case IndexColumn::Kind::Uniform: return column.value;
    case IndexColumn::Kind::Affine: return part[column.slot] + column.value * instance;
    default:
      return part[shape.bases + column.slot * static_cast<std::uint32_t>(group.count) +
                  static_cast<std::uint32_t>(instance)];
  }
}

// The promises of tape.hpp and shape.hpp: a group reads only what earlier groups wrote, everything is written once,
// all outputs are.
void expect_valid(const Tape& tape) {
  for (const Program& program : tape.programs) {
    std::vector<bool> kept(program.work, false), output(program.outputs, false);
    for (const Group& group : program.groups) {
      const Shape& shape = tape.shapes[group.shape];
      ASSERT_GT(group.count, 0);
      for (const Instruction& instruction : shape.code) {
        if (instruction.op != Op::Variable && instruction.op != Op::Local) continue;
        for (std::int32_t i = 0; i < group.count; ++i) {
          const auto at = static_cast<std::size_t>(index_at(program, group, shape, shape.indices[instruction.a], i));
          if (instruction.op == Op::Variable)
            ASSERT_LT(at, tape.inputs);
          else
            ASSERT_TRUE(at < program.work && kept[at]);
        }
      }
      for (std::size_t r = 0; r < shape.results.size(); ++r)
        for (std::int32_t i = 0; i < group.count; ++i) {
          const auto at =
              static_cast<std::size_t>(index_at(program, group, shape, shape.indices[shape.index_leaves() + r], i));
          std::vector<bool>& written = shape.results[r].to_output ? output : kept;
          ASSERT_LT(at, written.size());
          ASSERT_FALSE(written[at]);
          written[at] = true;
        }
    }
    EXPECT_TRUE(std::all_of(output.begin(), output.end(), [](bool written) { return written; }));
  }
}

NodeId x(Pool& pool, int i) { return pool.variable(VarId{i}); }

// m x_i'' = k (x_{i-1} - 2 x_i + x_{i+1}) - d sin(x_i) |x_i| as residuals, with free ends.
std::vector<NodeId> chain(Pool& pool, int n) {
  std::vector<NodeId> residuals;
  for (int i = 0; i < n; ++i) {
    const NodeId left = i > 0 ? pool.sub(x(pool, i - 1), x(pool, i)) : pool.zero();
    const NodeId right = i + 1 < n ? pool.sub(x(pool, i + 1), x(pool, i)) : pool.zero();
    const NodeId drag = pool.mul(pool.unary(Op::Sin, x(pool, i)), pool.unary(Op::Abs, x(pool, i)));
    residuals.push_back(pool.sub(pool.mul(pool.parameter(ParamId{0}), pool.add(left, right)), drag));
  }
  return residuals;
}

TEST(Tape, ManyEquationsFewShapes) {
  constexpr int n = 100000;
  const auto pool = std::make_shared<Pool>();
  const std::vector<NodeId> residuals = chain(*pool, n);
  std::vector<NodeId> jacobian;
  for (const NodeId residual : residuals)
    for (const Partial& entry : gradient(*pool, residual)) jacobian.push_back(entry.derivative);
  const std::vector<KernelSource> sources{{"residual", residuals}, {"jacobian", jacobian}};
  const Tape tape = make_tape(pool, sources, test_layout(n));
  expect_valid(tape);
  EXPECT_LE(tape.shapes.size(), 12u);
  std::size_t instructions = 0;
  for (const Shape& shape : tape.shapes) instructions += shape.code.size();
  EXPECT_LE(instructions, 150u);
  // Rows in a regular order need no index table at all.
  EXPECT_LE(tape.programs[0].indices.size(), 20u);
}

TEST(Tape, SharedPartsAreComputedOnce) {
  for (const int n : {2, 500}) {  // straight code, loops
    const auto pool = std::make_shared<Pool>();
    std::vector<NodeId> outputs;
    for (int i = 0; i < n; ++i) {
      const NodeId shared = pool->unary(Op::Sin, pool->mul(x(*pool, i), x(*pool, i + 1)));
      outputs.push_back(pool->add(shared, x(*pool, i)));
      outputs.push_back(pool->mul(shared, shared));
      outputs.push_back(pool->unary(Op::Exp, shared));
      outputs.push_back(shared);
    }
    const Tape tape = tape_of(pool, outputs, n + 1);
    expect_valid(tape);
    EXPECT_EQ(executed(tape, Op::Sin), static_cast<std::size_t>(n));
    EXPECT_EQ(executed(tape, Op::Exp), static_cast<std::size_t>(n));
  }
}

// a b + c and c + b a have the same shape, in either order.
TEST(Tape, OrderOfOperandsDoesNotMatter) {
  const auto pool = std::make_shared<Pool>();
  std::mt19937 generator(3);
  constexpr int n = 400;
  std::vector<NodeId> outputs;
  for (int i = 0; i < n; ++i) {
    const auto either = [&](Op op, NodeId a, NodeId b) {
      return generator() % 2 ? pool->binary(op, a, b) : pool->binary(op, b, a);
    };
    const NodeId sine = pool->unary(Op::Sin, x(*pool, 3 * i));
    outputs.push_back(either(Op::Add, either(Op::Mul, sine, x(*pool, 3 * i + 1)), x(*pool, 3 * i + 2)));
  }
  EXPECT_EQ(tape_of(pool, outputs, 3 * n).shapes.size(), 1u);
}

TEST(Tape, SmallKernelsAreOneStraightPiece) {
  const auto pool = std::make_shared<Pool>();
  const Tape tape = tape_of(pool, chain(*pool, 6), 6);
  expect_valid(tape);
  ASSERT_EQ(tape.programs[0].groups.size(), 1u);
  EXPECT_EQ(tape.programs[0].work, 0u);
  EXPECT_TRUE(tape.programs[0].indices.empty());
}

TEST(Tape, ShapesAreSharedBetweenKernels) {
  const auto pool = std::make_shared<Pool>();
  const std::vector<NodeId> residuals = chain(*pool, 1000);
  const std::vector<KernelSource> two{{"a", residuals}, {"b", residuals}};
  EXPECT_EQ(make_tape(pool, two, test_layout(1000)).shapes.size(), tape_of(pool, residuals, 1000).shapes.size());
}

TEST(Tape, NoPieceIsLong) {
  const auto pool = std::make_shared<Pool>();
  NodeId sum = pool->zero(), nested = x(*pool, 0);
  for (int i = 0; i < 20000; ++i) {
    sum = pool->add(sum, pool->mul(x(*pool, i), x(*pool, i + 1)));
    // Every result is used twice by the next: as a tree it would have 2^20000 nodes.
    nested = pool->mul(pool->add(nested, x(*pool, i)), pool->unary(Op::Sin, nested));
  }
  const Tape tape = tape_of(pool, {sum, nested}, 20001);
  expect_valid(tape);
  EXPECT_EQ(executed(tape, Op::Sin), 20000u);
  EXPECT_LE(longest_shape(tape), 600u);
  EXPECT_LE(tape.shapes.size(), 20u);
}

// Unlike equations have nothing in common: straight runs of bounded length.
TEST(Tape, UnlikeEquationsRunStraight) {
  std::mt19937 generator(11);
  const auto pool = std::make_shared<Pool>();
  std::vector<NodeId> outputs;
  for (int i = 0; i < 300; ++i) {
    NodeId e = x(*pool, static_cast<int>(generator() % 50));
    for (int k = 0; k < 12; ++k) {
      const NodeId other = x(*pool, static_cast<int>(generator() % 50));
      const auto op = static_cast<Op>(static_cast<unsigned>(Op::Add) + generator() % 4);
      e = generator() % 3 ? pool->binary(op, e, other) : pool->unary(Op::Sin, e);
    }
    outputs.push_back(e);
  }
  const Tape tape = tape_of(pool, outputs, 50);
  expect_valid(tape);
  EXPECT_LE(longest_shape(tape), 600u);
  EXPECT_LE(tape.programs[0].groups.size(), 60u);
}

TEST(Tape, IsTheSameEveryTime) {
  const auto make = [] {
    const auto pool = std::make_shared<Pool>();
    return tape_of(pool, chain(*pool, 2000), 2000);
  };
  const Tape a = make(), b = make();
  ASSERT_EQ(a.shapes.size(), b.shapes.size());
  for (std::size_t s = 0; s < a.shapes.size(); ++s) EXPECT_EQ(a.shapes[s].code, b.shapes[s].code);
  EXPECT_EQ(a.programs[0].indices, b.programs[0].indices);
  EXPECT_EQ(a.programs[0].constants, b.programs[0].constants);
}

// Pieces of a few hundred instructions are one run, whatever their parts have in common: what they share stays in
// registers. The sum of their own lengths would be 500.
TEST(Tape, UnlikePiecesOfASmallKernelAreOneRun) {
  const auto pool = std::make_shared<Pool>();
  const NodeId x = pool->variable(VarId{0}), y = pool->variable(VarId{1});
  std::vector<NodeId> outputs;
  NodeId grown = pool->add(x, y);
  for (int k = 0; k < 90; ++k) {  // of each form too few for a loop
    const NodeId product = pool->mul(grown, k % 2 == 0 ? x : y);
    grown = k % 3 == 0 ? pool->unary(Op::Sin, product) : k % 3 == 1 ? pool->add(product, x) : pool->sub(y, product);
    outputs.push_back(grown);
  }
  const Tape tape = tape_of(pool, outputs, 2);
  ASSERT_EQ(tape.programs[0].groups.size(), 1u);
  EXPECT_EQ(tape.programs[0].work, 0u) << "nothing is stored to be loaded again";
  expect_valid(tape);
}

}  // namespace
}  // namespace driftless
