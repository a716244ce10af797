// Machine code depends on the equations, not on their addresses in this process.
#include "driftless/compile/object_code.hpp"

#include <gtest/gtest.h>

#include "driftless/compile/kernel_testing.hpp"
#include "driftless/expr/function.hpp"

namespace driftless {
namespace {

// f(x) = p0 x, by a loop that ends by a value: it is called, not inlined.
FunctionId called_function(Pool& pool) {
  const auto assign = [](int target, NodeId value) {
    Statement s;
    s.target = target;
    s.expression = value;
    return s;
  };
  Statement loop;
  loop.kind = Statement::Kind::While;
  loop.expression = pool.binary(Op::Less, pool.local(1), pool.one());
  loop.body = {assign(1, pool.add(pool.local(1), pool.one()))};
  Function function;
  function.name = "f";
  function.inputs = 1;
  function.locals = 2;
  function.outputs = {0};
  function.body = {assign(0, pool.mul(pool.parameter(ParamId{0}), pool.local(0))), assign(1, pool.zero()), loop};
  return pool.add_function(std::move(function));
}

// Straight code and a loop; elementary functions, constants that differ between instances, and calls.
std::shared_ptr<const Tape> sample_tape(double constant) {
  const auto pool = std::make_shared<Pool>();
  const FunctionId f = called_function(*pool);
  const auto x = [&](int i) { return pool->variable(VarId{i}); };
  KernelSource many{.name = "many", .outputs = {}};
  for (int i = 0; i < 150; ++i)
    many.outputs.push_back(pool->mul(pool->constant(constant + i), pool->call(f, 0, std::vector<NodeId>{x(i)})));
  const KernelSource one{.name = "one",
                         .outputs = {pool->add(pool->unary(Op::Sin, x(0)), pool->call(f, 0, std::vector{x(1)})),
                                     pool->unary(Op::Cos, x(0)), pool->binary(Op::Pow, x(2), x(3))}};
  const std::vector<KernelSource> sources{many, one};
  return std::make_shared<const Tape>(make_tape(pool, sources, test_layout(151)));
}

TEST(ObjectCode, IsTheSameForEqualTapesAtOtherAddresses) {
  if (!backend_available(Backend::Llvm)) GTEST_SKIP() << "built without LLVM";
  const auto first = sample_tape(2.0), second = sample_tape(2.0);
  ASSERT_NE(first.get(), second.get());
  const std::vector<std::string> objects = object_code(*first);
  ASSERT_EQ(objects.size(), 2u);
  EXPECT_EQ(objects, object_code(*second));
}

TEST(ObjectCode, HoldsNoAddressOfTheTape) {
  if (!backend_available(Backend::Llvm)) GTEST_SKIP() << "built without LLVM";
  const auto tape = sample_tape(2.0);
  const Tape* const address = tape.get();
  const std::string bytes(reinterpret_cast<const char*>(&address), sizeof address);
  for (const std::string& object : object_code(*tape)) {
    EXPECT_EQ(object.find(bytes), std::string::npos);
    EXPECT_NE(object.find("driftless.tape"), std::string::npos);  // the name is used instead
  }
}

// Numbers of the equations are in tables that the code is given, so they do not change it; operations do.
TEST(ObjectCode, DependsOnOperations) {
  if (!backend_available(Backend::Llvm)) GTEST_SKIP() << "built without LLVM";
  const auto pool = std::make_shared<Pool>();
  const std::vector<KernelSource> sources{{.name = "one", .outputs = {pool->unary(Op::Exp, pool->variable(VarId{0}))}}};
  EXPECT_NE(object_code(make_tape(pool, sources, test_layout(151))), object_code(*sample_tape(2.0)));
}

}  // namespace
}  // namespace driftless
