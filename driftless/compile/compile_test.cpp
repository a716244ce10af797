#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "driftless/compile/kernel_testing.hpp"
#include "driftless/expr/apply.hpp"
#include "driftless/expr/calculus.hpp"
#include "driftless/expr/function.hpp"
#include "driftless/expr/random_kinks.hpp"

namespace driftless {
namespace {

const std::vector<double> special_values = {0.0,
                                            -0.0,
                                            1.0,
                                            -1.0,
                                            0.5,
                                            -0.5,
                                            2.0,
                                            -3.0,
                                            2.5,
                                            1e-300,
                                            -5e-324,
                                            1e300,
                                            709.9,
                                            -745.2,
                                            1e17,
                                            std::numeric_limits<double>::infinity(),
                                            -std::numeric_limits<double>::infinity(),
                                            std::numeric_limits<double>::quiet_NaN()};

std::vector<double> with_header(const std::vector<double>& variables) {
  std::vector<double> inputs{0.7, 1.5, -0.25};
  inputs.insert(inputs.end(), variables.begin(), variables.end());
  return inputs;
}

class EveryBackend : public ::testing::TestWithParam<Backend> {};
INSTANTIATE_TEST_SUITE_P(Kernels, EveryBackend, ::testing::ValuesIn(available_backends()),
                         [](const auto& test) { return test.param == Backend::Interpreter ? "Interpreter" : "Llvm"; });

// All pairs of special values through one operation: as a loop over all pairs, and as straight code for a few. Each
// operand has separate variables, so that the pool cannot simplify.
TEST_P(EveryBackend, OperationsMeanWhatApplySays) {
  const std::size_t n = special_values.size();
  std::vector<double> inputs = with_header({});
  for (int operand = 0; operand < 3; ++operand)
    inputs.insert(inputs.end(), special_values.begin(), special_values.end());
  for (auto op = Op::Neg; op < Op::Call; op = static_cast<Op>(static_cast<int>(op) + 1)) {
    const auto pool = std::make_shared<Pool>();
    std::vector<NodeId> outputs;
    std::vector<double> expected;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const std::size_t k = (i + j + 1) % n;
        const auto x = [&](std::size_t position) { return pool->variable(VarId{static_cast<std::int32_t>(position)}); };
        outputs.push_back(arity(op) == 1   ? pool->unary(op, x(i))
                          : arity(op) == 2 ? pool->binary(op, x(i), x(n + j))
                                           : pool->if_else(x(i), x(n + j), x(2 * n + k)));
        expected.push_back(apply(op, special_values[i], special_values[j], special_values[k]));
      }
    const auto compare = [&](std::size_t first, std::size_t count) {
      const std::vector<NodeId> some(outputs.begin() + static_cast<std::ptrdiff_t>(first),
                                     outputs.begin() + static_cast<std::ptrdiff_t>(first + count));
      const std::vector<double> values = run(pool, some, inputs, GetParam());
      for (std::size_t k = 0; k < count; ++k)
        EXPECT_TRUE(same(values[k], expected[first + k]))
            << "operation " << static_cast<int>(op) << ", pair " << first + k << ": " << values[k] << " instead of "
            << expected[first + k];
    };
    compare(0, outputs.size());
    compare(17, 23);
  }
}

// Within a rounding error per multiplication of the exact power, also where the result is infinite or zero.
TEST_P(EveryBackend, IntegerPowers) {
  const auto pool = std::make_shared<Pool>();
  const NodeId x = pool->variable(VarId{0});
  std::vector<NodeId> outputs;
  std::vector<int> exponents;
  for (int n = -9; n <= 9; ++n) {
    outputs.push_back(pool->pow(x, pool->constant(n)));
    exponents.push_back(n);
  }
  for (const double base : {1.7, -1.3, 0.0, 3.0, -2.0, 1e60, -1e-60, std::numeric_limits<double>::infinity()}) {
    const std::vector<double> values = run(pool, outputs, with_header({base}), GetParam());
    for (std::size_t k = 0; k < values.size(); ++k) {
      const double exact = std::pow(base, exponents[k]);
      if (std::isfinite(exact))
        EXPECT_NEAR(values[k], exact, 4e-16 * 4 * std::fabs(exact)) << base << "^" << exponents[k];
      else
        EXPECT_EQ(values[k], exact) << base << "^" << exponents[k];
    }
    EXPECT_EQ(values[9 + 2], base * base);
    EXPECT_EQ(values[9 + 3], base * base * base);
  }
}

// Alone, next to each other, and many at once: identical results.
TEST_P(EveryBackend, SinesAndCosinesOfOneAngle) {
  constexpr int angles = 100;
  const auto pool = std::make_shared<Pool>();
  std::vector<NodeId> outputs;
  for (int k = 0; k < angles; ++k) {
    const NodeId x = pool->variable(VarId{k});
    outputs.push_back(pool->add(pool->unary(Op::Sin, x), pool->mul(pool->unary(Op::Cos, x), x)));
  }
  const NodeId first = pool->variable(VarId{0}), second = pool->variable(VarId{1});
  outputs.push_back(pool->mul(pool->unary(Op::Cos, first), pool->unary(Op::Sin, first)));
  outputs.push_back(pool->unary(Op::Cos, second));
  std::mt19937 random(17);
  std::uniform_real_distribution<double> exponent(-9.0, 6.0);
  for (int round = 0; round < 50; ++round) {
    std::vector<double> inputs(1 + test_parameters + angles);
    for (double& input : inputs) input = std::copysign(std::pow(10.0, exponent(random)), exponent(random));
    const std::vector<double> values = run(pool, outputs, inputs, GetParam());
    for (std::size_t k = 0; k < outputs.size(); ++k)
      ASSERT_TRUE(same(values[k], value_at(*pool, outputs[k], inputs))) << k;
  }
}

TEST_P(EveryBackend, ABranchNotTakenDoesNotPoison) {
  const auto pool = std::make_shared<Pool>();
  const NodeId x = pool->variable(VarId{0});
  const NodeId root = pool->unary(Op::Sqrt, x);
  const NodeId guarded = pool->if_else(pool->binary(Op::Less, pool->zero(), x), root, pool->zero());
  EXPECT_EQ(run(pool, {guarded}, with_header({-1.0}), GetParam())[0], 0.0);
  EXPECT_EQ(run(pool, {guarded}, with_header({4.0}), GetParam())[0], 2.0);
}

TEST_P(EveryBackend, TrivialKernels) {
  const auto pool = std::make_shared<Pool>();
  const NodeId x = pool->variable(VarId{0}), y = pool->variable(VarId{1});
  const std::vector<double> inputs = with_header({3.0, -4.0});
  EXPECT_TRUE(compile(pool, {}, test_layout(2), GetParam()).kernels.empty());
  EXPECT_TRUE(run(pool, {}, inputs, GetParam()).empty());
  EXPECT_EQ(run(pool, {pool->constant(2.5), pool->zero()}, inputs, GetParam()), (std::vector<double>{2.5, 0.0}));
  EXPECT_EQ(run(pool, {y, x, pool->time(), pool->parameter(ParamId{1}), x}, inputs, GetParam()),
            (std::vector<double>{-4.0, 3.0, 0.7, -0.25, 3.0}));
  // An output that is repeated and is also part of another output.
  const NodeId product = pool->mul(x, pool->unary(Op::Sin, y));
  EXPECT_EQ(run(pool, {product, pool->unary(Op::Exp, product), product}, inputs, GetParam()),
            (std::vector<double>{3.0 * std::sin(-4.0), std::exp(3.0 * std::sin(-4.0)), 3.0 * std::sin(-4.0)}));
}

TEST_P(EveryBackend, SeveralKernelsFromOneCall) {
  const auto pool = std::make_shared<Pool>();
  const NodeId x = pool->variable(VarId{0}), y = pool->variable(VarId{1});
  const std::vector<KernelSource> sources{{"sum", {pool->add(x, y)}}, {"none", {}}, {"both", {pool->mul(x, y), x}}};
  const CompiledKernels compiled = compile(pool, sources, test_layout(2), GetParam());
  ASSERT_EQ(compiled.kernels.size(), 3u);
  const std::vector<double> inputs = with_header({3.0, 5.0});
  EXPECT_EQ(run(*compiled.kernels[0], inputs), (std::vector<double>{8.0}));
  EXPECT_EQ(run(*compiled.kernels[1], inputs), std::vector<double>{});
  EXPECT_EQ(run(*compiled.kernels[2], inputs), (std::vector<double>{15.0, 3.0}));
  EXPECT_EQ(compiled.kernels[2]->inputs(), 5u);
  EXPECT_GT(compiled.statistics.instructions, 0u);
  EXPECT_GT(compiled.statistics.seconds, 0.0);
}

// Kernels keep what they need: neither the pool nor the other kernels.
TEST_P(EveryBackend, KernelsOutliveThePool) {
  CompiledKernels compiled;
  {
    const auto pool = std::make_shared<Pool>();
    const std::vector<KernelSource> sources{{"one", {pool->unary(Op::Cos, pool->variable(VarId{0}))}},
                                            {"two", {pool->unary(Op::Sin, pool->variable(VarId{0}))}}};
    compiled = compile(pool, sources, test_layout(1), GetParam());
  }
  compiled.kernels.erase(compiled.kernels.begin());
  EXPECT_EQ(run(*compiled.kernels[0], with_header({0.5})), (std::vector<double>{std::sin(0.5)}));
}

// Random operations on earlier results, the whole of Op except integer powers, which `apply` computes differently.
std::vector<NodeId> random_graph(Pool& pool, std::mt19937& generator, int variables, int operations) {
  std::vector<NodeId> made{pool.time(), pool.parameter(ParamId{0}), pool.parameter(ParamId{1}), pool.constant(0.75),
                           pool.constant(-2.0)};
  for (int v = 0; v < variables; ++v) made.push_back(pool.variable(VarId{v}));
  const auto pick = [&] {
    const std::size_t recent = generator() % 2 ? std::min<std::size_t>(made.size(), 6) : made.size();
    return made[made.size() - 1 - generator() % recent];
  };
  for (int k = 0; k < operations; ++k) {
    constexpr auto first = static_cast<unsigned>(Op::Neg), last = static_cast<unsigned>(Op::IfElse);
    const auto op = generator() % 2 ? static_cast<Op>(first + generator() % (last - first + 1))
                                    : static_cast<Op>(static_cast<unsigned>(Op::Add) + generator() % 3);
    const NodeId a = pick();
    const NodeId b = op == Op::Pow ? pool.variable(VarId{0}) : pick();
    made.push_back(arity(op) == 1   ? pool.unary(op, a)
                   : arity(op) == 2 ? pool.binary(op, a, b)
                                    : pool.if_else(a, b, pick()));
  }
  return made;
}

TEST_P(EveryBackend, RandomGraphsHaveTheirValues) {
  std::mt19937 generator(20240501);
  for (int round = 0; round < 60; ++round) {
    const auto pool = std::make_shared<Pool>();
    std::vector<KernelSource> sources;
    for (int k = 0; k < 30; ++k) {
      const std::vector<NodeId> made = random_graph(*pool, generator, 6, 5 + static_cast<int>(generator() % 60));
      KernelSource& source = sources.emplace_back();
      for (int output = 0; output < 8; ++output) source.outputs.push_back(made[generator() % made.size()]);
      source.outputs.push_back(made.back());
    }
    const CompiledKernels compiled = compile(pool, sources, test_layout(6), GetParam());
    const std::vector<double> inputs = random_inputs(9, static_cast<std::uint32_t>(round));
    for (std::size_t k = 0; k < sources.size(); ++k) {
      const std::vector<double> values = run(*compiled.kernels[k], inputs);
      for (std::size_t i = 0; i < values.size(); ++i)
        ASSERT_TRUE(same(values[i], value_at(*pool, sources[k].outputs[i], inputs)))
            << "round " << round << " kernel " << k << " output " << i;
    }
  }
}

// Derivatives at kinks and at the edges of domains contain many choices between undefined values.
TEST_P(EveryBackend, DerivativesAtKinksHaveTheirValues) {
  const auto pool = std::make_shared<Pool>();
  std::vector<NodeId> outputs;
  TimeDerivative derivative(*pool);
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    const NodeId e = RandomKinks(*pool, seed)();
    outputs.push_back(e);
    for (const Partial& g : gradient(*pool, e)) outputs.push_back(g.derivative);
    outputs.push_back(derivative(e));
  }
  InputLayout layout = test_layout(2);
  layout.variable = [first = 1 + layout.parameters](VarId, int order) { return first + order; };
  const std::vector<KernelSource> sources{{"kinks", outputs}};
  const CompiledKernels compiled = compile(pool, sources, layout, GetParam());
  for (const double x : {-1.0, -1e-300, 0.0, 1e-300, 0.5, 1.0}) {
    const std::vector<double> inputs = with_header({x, -2.0});
    const std::vector<double> values = run(*compiled.kernels[0], inputs);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double expected = evaluate(*pool, outputs[i], [&](NodeId leaf) {
        const Node& node = (*pool)[leaf];
        return node.op == Op::Parameter ? inputs[1 + node.a] : node.b == 0 ? x : -2.0;
      });
      ASSERT_TRUE(same(values[i], expected)) << "output " << i << " at " << x;
    }
  }
}

// The same random forms at many places: loops with every kind of column, of every length around the block sizes.
TEST_P(EveryBackend, RandomFormsAtManyPlaces) {
  std::mt19937 generator(77);
  for (int round = 0; round < 60; ++round) {
    const auto pool = std::make_shared<Pool>();
    const int places = 20 + static_cast<int>(generator() % 60);
    const int variables = 4 * places;
    const std::vector<NodeId> form = random_graph(*pool, generator, 4, 30);
    std::vector<NodeId> outputs;
    for (int place = 0; place < places; ++place) {
      const bool in_order = generator() % 8 != 0;
      Substitution move(*pool, [&](NodeId leaf) -> std::optional<NodeId> {
        const Node& node = (*pool)[leaf];
        if (node.op == Op::Variable) {
          const auto anywhere = static_cast<int>(generator() % static_cast<unsigned>(variables));
          return pool->variable(VarId{in_order ? static_cast<int>(node.a) * places + place : anywhere});
        }
        if (node.op == Op::Constant && pool->constant_value(leaf) == 0.75) return pool->constant(0.5 + place);
        return std::nullopt;
      });
      for (std::size_t k = form.size() - 6; k < form.size(); ++k) outputs.push_back(move(form[k]));
    }
    const std::vector<double> inputs =
        random_inputs(static_cast<std::size_t>(3 + variables), static_cast<std::uint32_t>(round));
    const std::vector<double> values = run(pool, outputs, inputs, GetParam());
    for (std::size_t i = 0; i < outputs.size(); ++i)
      ASSERT_TRUE(same(values[i], value_at(*pool, outputs[i], inputs))) << "round " << round << " output " << i;

    std::vector<std::size_t> order(outputs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), generator);
    std::vector<NodeId> shuffled;
    for (const std::size_t i : order) shuffled.push_back(outputs[i]);
    const std::vector<double> again = run(pool, shuffled, inputs, GetParam());
    for (std::size_t i = 0; i < order.size(); ++i)
      ASSERT_TRUE(same(again[i], values[order[i]])) << "round " << round << " output " << i;
  }
}

// Depth and length without bounds: a sum of 10^5 products and a tower of 10^5 sines.
TEST_P(EveryBackend, LongExpressions) {
  constexpr int n = 100000;
  const auto pool = std::make_shared<Pool>();
  NodeId sum = pool->zero(), tower = pool->variable(VarId{0});
  std::vector<double> inputs = random_inputs(3 + n + 1, 5);
  double expected_sum = 0.0, expected_tower = inputs[3];
  for (int i = 0; i < n; ++i) {
    const NodeId x = pool->variable(VarId{i});
    sum = pool->add(sum, pool->mul(x, pool->variable(VarId{i + 1})));
    tower = pool->unary(Op::Sin, tower);
    expected_sum += inputs[static_cast<std::size_t>(i) + 3] * inputs[static_cast<std::size_t>(i) + 4];
    expected_tower = std::sin(expected_tower);
  }
  const std::vector<KernelSource> sources{{"long", {sum, tower}}};
  const CompiledKernels compiled = compile(pool, sources, test_layout(n + 1), GetParam());
  EXPECT_EQ(run(*compiled.kernels[0], inputs), (std::vector<double>{expected_sum, expected_tower}));
  EXPECT_LT(compiled.statistics.instructions, 2000u);
}

// sqrt(p0 * x) by Newton's method until the iterates repeat: a loop that depends on values.
FunctionId newton_root(Pool& pool) {
  const NodeId x = pool.local(0), guess = pool.local(1), old = pool.local(2);
  const auto assign = [](int target, NodeId value) {
    Statement s;
    s.target = target;
    s.expression = value;
    return s;
  };
  Statement loop;
  loop.kind = Statement::Kind::While;
  loop.expression = pool.binary(Op::Less, pool.constant(1e-15), pool.unary(Op::Abs, pool.sub(guess, old)));
  loop.body = {assign(2, guess), assign(1, pool.mul(pool.constant(0.5), pool.add(guess, pool.div(x, guess))))};
  Function function;
  function.name = "newton_root";
  function.inputs = 1;
  function.locals = 3;
  function.outputs = {1};
  function.body = {assign(0, pool.mul(pool.parameter(ParamId{0}), x)), assign(1, x), assign(2, pool.zero()), loop};
  return pool.add_function(std::move(function));
}

TEST_P(EveryBackend, FunctionsWithLoops) {
  const auto pool = std::make_shared<Pool>();
  const FunctionId root = newton_root(*pool);
  std::vector<NodeId> outputs;
  std::vector<double> variables;
  for (int i = 0; i < 150; ++i) {
    const NodeId x = pool->variable(VarId{i});
    const NodeId value = pool->call(root, 0, std::vector<NodeId>{pool->add(x, pool->one())});
    outputs.push_back(pool->mul(pool->constant(2.0), value));
    outputs.push_back(partial(*pool, value, x));
    variables.push_back(0.1 * i + 0.3);
  }
  const auto check = [&](std::size_t count) {
    const std::vector<NodeId> some(outputs.begin(), outputs.begin() + static_cast<std::ptrdiff_t>(count));
    const std::vector<double> values = run(pool, some, with_header(variables), GetParam());
    for (std::size_t k = 0; k < count; ++k) {
      const double exact = std::sqrt(1.5 * (variables[k / 2] + 1.0));
      EXPECT_NEAR(values[k], k % 2 == 0 ? 2.0 * exact : 0.75 / exact, 1e-14 * exact);
    }
  };
  check(outputs.size());
  check(6);
}

}  // namespace
}  // namespace driftless
