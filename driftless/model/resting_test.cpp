#include "driftless/model/resting.hpp"

#include <gmock/gmock.h>

#include "driftless/model/builder.hpp"

namespace driftless {
namespace {

TEST(Resting, FollowsFromParametersAlone) {
  ModelBuilder m("M");
  const Expr p = m.parameter("p", 2.0);
  const Expr a = m.variable("a"), b = m.variable("b"), x = m.variable("x"), y = m.variable("y"), z = m.variable("z");
  m.equation(b * b == a + p);
  m.equation(a == 2 * p);
  m.equation(der(x) == -x);
  m.equation(y == x + b);
  m.equation(z == b * m.time());
  EXPECT_THAT(resting_variables(m.build()), testing::ElementsAre(true, true, false, false, false));
}

}  // namespace
}  // namespace driftless
