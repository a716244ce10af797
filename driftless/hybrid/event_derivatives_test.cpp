#include "driftless/hybrid/event_derivatives.hpp"

#include <gtest/gtest.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/language/read.hpp"

namespace driftless {
namespace {

std::shared_ptr<const Model> model_with(const std::string& condition) {
  return std::make_shared<const Model>(read_model_text("test.mo", R"(model M
  Real x(start = 0, fixed = true), y(nominal = 5), z;
equation
  der(x) = if )" + condition + R"( then 1 else 2;
  y = sin(x);
  z = cos(x);
end M;)"));
}

TEST(EventDerivatives, ThatTheEquationsDetermineNeedNothing) {
  const auto model = model_with("der(x) > 1");
  EXPECT_EQ(with_event_derivatives(model, {1, 0, 0}), model);
}

TEST(EventDerivatives, OfAlgebraicVariablesGetAVariableAndAnEquation) {
  const auto model = model_with("der(y) > 1 and der(der(z)) > 0 and x > 0");
  const auto more = with_event_derivatives(model, {1, 0, 0});
  ASSERT_EQ(more->variables.size(), 5u);
  ASSERT_EQ(more->equations.size(), 5u);
  EXPECT_TRUE(more->variables[3].auxiliary);
  EXPECT_EQ(more->variables[3].name, "der(y) at events");
  EXPECT_EQ(more->variables[3].nominal, 5.0);
  EXPECT_EQ(more->variables[4].name, "der(der(z)) at events");
  Pool& pool = *more->pool;
  EXPECT_EQ(more->equations[3].residual, pool.sub(pool.variable(VarId{3}), pool.variable(VarId{1}, 1)));
  EXPECT_EQ(more->equations[4].residual, pool.sub(pool.variable(VarId{4}), pool.variable(VarId{2}, 2)));
  EXPECT_EQ(with_event_derivatives(more, {1, 1, 2, 0, 0}), more) << "now the equations determine them";
}

}  // namespace
}  // namespace driftless
