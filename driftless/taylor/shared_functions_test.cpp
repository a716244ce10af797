#include "driftless/taylor/shared_functions.hpp"

#include <set>

#include "driftless/reduce/sample_models.hpp"
#include "driftless/taylor/homes.hpp"

namespace driftless::taylor {
namespace {

Recurrences of_text(const std::string& text) {
  Diagnostics diagnostics;
  auto sources = std::make_shared<Sources>();
  std::optional<Model> model = read_model_text("test.mo", text, {}, sources, diagnostics);
  if (!model) throw std::runtime_error(render(diagnostics, *sources));
  return recurrences_of(std::get<NaturalSystem>(natural_system(*samples::reduced(std::move(*model)))));
}

int calls_of(const Recurrences& recurrences, Op op) {
  const Pool& pool = *recurrences.system.model->pool;
  int calls = 0;
  for (const KernelSource& source : recurrences.sources) {
    std::set<NodeId> seen;
    for (const NodeId output : source.outputs)
      for (const NodeId node : nodes_of(pool, output))
        if (pool[node].op == op && seen.insert(node).second) ++calls;
  }
  return calls;
}

// The value, the factors and the Jacobian all need it.
TEST(SharedFunctions, AreCalledByOneKernel) {
  const Recurrences recurrences =
      of_text("model M Real x(start=1), y; equation der(x) = -y * exp(x); y = exp(x) + y ^ 3 * exp(x) * time; end M;");
  EXPECT_EQ(calls_of(recurrences, Op::Exp), 1);
}

TEST(SharedFunctions, BelongToTheStageThatFindsTheLastArgument) {
  const Recurrences recurrences =
      of_text("model M Real x(start=1), v(start=0); equation der(x) = v; der(v) = -sin(x) - sin(v); end M;");
  ASSERT_EQ(recurrences.functions.size(), 2u);  // x is found at stage -2, der(x) at stage -1
  EXPECT_EQ(recurrences.functions[0].stage, -2);
  EXPECT_EQ(recurrences.functions[1].stage, -1);
}

TEST(SharedFunctions, SmallPowersAreOperations) {
  const Recurrences recurrences = of_text("model M Real x(start=1); equation der(x) = -x ^ 3; end M;");
  EXPECT_TRUE(recurrences.functions.empty());
}

struct TwoProducts {
  Model model;
  Pool pool;
  NodeId x = pool.variable(VarId{0}, 0), y = pool.variable(VarId{1}, 0);
  NodeId product = pool.mul(x, y), square = pool.mul(product, product);
  Operations operations{pool, model};
};

TEST(Homes, ANonlinearOperationIsAtHomeInTheHighestClassThatNeedsIt) {
  TwoProducts p;
  Homes homes(p.operations, 3);
  homes.need(p.product, 2);
  EXPECT_EQ(homes.at(p.product), 2);
  homes.need(p.product, 1);
  EXPECT_EQ(homes.at(p.product), 1);
  homes.need(p.product, 2);
  EXPECT_EQ(homes.at(p.product), 1);
}

TEST(Homes, WhatAnOperationIsMadeOfIsNeededWithIt) {
  TwoProducts p;
  Homes homes(p.operations, 3);
  homes.need(p.pool.add(p.square, p.x), 1);
  EXPECT_EQ(homes.at(p.square), 1);
  EXPECT_EQ(homes.at(p.product), 1);
  homes.need(p.product, 0);  // a class that computes it before
  EXPECT_EQ(homes.at(p.product), 0);
  EXPECT_EQ(homes.at(p.square), 1);
}

}  // namespace
}  // namespace driftless::taylor
