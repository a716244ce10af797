#include "driftless/reduce/undefined.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace driftless {
namespace {

// Two variables p and q, and a parameter k.
class UndefinedOperation : public testing::Test {
 protected:
  UndefinedOperation() {
    model_.variables.resize(2);
    model_.variables[0].name = "p";
    model_.variables[1].name = "q";
    model_.parameters.resize(1);
    model_.parameters[0].name = "k";
  }

  std::string at(NodeId expression, double p, double q, double k = 0.0) const {
    return undefined_operation(model_, expression, [&](NodeId leaf) {
      const Node& node = pool_[leaf];
      return node.op == Op::Time ? 7.0 : node.op == Op::Parameter ? k : node.a == 0 ? p : q;
    });
  }

  Model model_;
  Pool& pool_ = *model_.pool;
  NodeId p_ = pool_.variable(VarId{0}, 0), q_ = pool_.variable(VarId{1}, 0), k_ = pool_.parameter(ParamId{0});
};

TEST_F(UndefinedOperation, IsTheInnermost) {
  const NodeId expression = pool_.mul(pool_.unary(Op::Sin, pool_.unary(Op::Log, p_)), q_);
  EXPECT_EQ(at(expression, -1.0, 2.0), "log(p) has no value at p = -1");
  EXPECT_EQ(at(expression, 0.0, 2.0), "log(p) is infinite at p = 0");
  EXPECT_EQ(at(expression, 1.0, 2.0), "");
}

TEST_F(UndefinedOperation, NamesEverythingItDependsOn) {
  EXPECT_EQ(at(pool_.div(q_, pool_.sub(p_, k_)), 3.0, 2.0, 3.0), "q/(p - k) divides by zero at p = 3, q = 2, k = 3");
  EXPECT_EQ(at(pool_.div(pool_.constant(1.0), pool_.sub(pool_.time(), pool_.constant(7.0))), 0.0, 0.0),
            "1/(time - 7) divides by zero at time = 7");
}

TEST_F(UndefinedOperation, BranchesNotTakenDoNotCount) {
  const NodeId positive = pool_.binary(Op::Less, pool_.constant(0.0), p_);
  const NodeId expression = pool_.if_else(positive, pool_.unary(Op::Sqrt, p_), pool_.div(q_, p_));
  EXPECT_EQ(at(expression, 4.0, 1.0), "");
  EXPECT_EQ(at(expression, -4.0, 1.0), "");
  EXPECT_EQ(at(expression, 0.0, 1.0), "q/p divides by zero at p = 0, q = 1");
}

TEST_F(UndefinedOperation, ALeafWithoutValueIsNoOperation) { EXPECT_EQ(at(pool_.add(p_, q_), std::nan(""), 1.0), ""); }

}  // namespace
}  // namespace driftless
