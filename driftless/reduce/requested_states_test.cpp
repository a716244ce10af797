#include "driftless/reduce/requested_states.hpp"

#include <gtest/gtest.h>

#include "driftless/model/builder.hpp"

namespace driftless {
namespace {

std::shared_ptr<const Model> decay(StateSelect select) {
  ModelBuilder m("Decay");
  const Expr x = m.variable("x", {.start = 1.0}), y = m.variable("y", {.state_select = select});
  m.equation(der(x) == -x);
  m.equation(y == x * x);
  return std::make_shared<const Model>(m.build());
}

TEST(RequestedStates, GetADerivativeOfTheirOwn) {
  const auto model = decay(StateSelect::Always);
  const auto more = with_requested_states(model, {1, 0});
  ASSERT_EQ(more->equations.size(), 3U);
  EXPECT_EQ(more->equations[2].label, "der(y)");
  EXPECT_TRUE(more->variables[2].auxiliary);
}

TEST(RequestedStates, NothingIsAddedWhereNothingIsMissing) {
  const auto asked = decay(StateSelect::Always), other = decay(StateSelect::Prefer);
  EXPECT_EQ(with_requested_states(asked, {1, 1}), asked);
  EXPECT_EQ(with_requested_states(other, {1, 0}), other);
}

}  // namespace
}  // namespace driftless
