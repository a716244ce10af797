// If-equations whose conditions change during the run.
#include <gmock/gmock.h>

#include "driftless/language/reading_events.hpp"

namespace driftless {
namespace {

using ::testing::ElementsAre;
using testing::held;
using ::testing::IsEmpty;
using testing::next_value;
using testing::read_clean;
using testing::Values;

// The residual of the k-th equation where the leaves have these values.
double residual(const Model& model, std::size_t k, const Values& values) {
  return testing::value_at(model, model.equations[k].residual, values);
}

TEST(SwitchingIfEquation, BecomesOneEquationForEachPair) {
  const Model model = read_clean(R"(model M
  Real x(start = 1, fixed = true), y, z;
equation
  der(x) = -1;
  if x > 0.5 then
    y = 2*x;
    z = y;
  elseif x > 0.25 then
    y = 3;
    z = 4;
  else
    y = z + 1;
    z = 5;
  end if;
end M;)");
  ASSERT_EQ(model.equations.size(), 3u);
  EXPECT_EQ(model.equations[1].label, "line 6");
  EXPECT_EQ(model.equations[1].text, "if x > 0.5 then y = 2*x else if x > 0.25 then y = 3 else y = z + 1");
  EXPECT_EQ(residual(model, 1, {{"x", 1}, {"y", 10}, {"z", 100}}), 8);
  EXPECT_EQ(residual(model, 1, {{"x", 0.3}, {"y", 10}, {"z", 100}}), 7);
  EXPECT_EQ(residual(model, 1, {{"x", 0}, {"y", 10}, {"z", 100}}), -91);
  EXPECT_EQ(residual(model, 2, {{"x", 1}, {"y", 10}, {"z", 100}}), 90);
  EXPECT_EQ(residual(model, 2, {{"x", 0.3}, {"y", 10}, {"z", 100}}), 96);
  EXPECT_EQ(residual(model, 2, {{"x", 0}, {"y", 10}, {"z", 100}}), 95);
  EXPECT_THAT(held(model), ElementsAre("0.5 < x", "0.25 < x"));
}

TEST(SwitchingIfEquation, DiscreteConditionsAndRelationsAreHeld) {
  const Model model = read_clean(R"(model M
  Real x(start = 1, fixed = true), y;
  Boolean on(start = true);
equation
  if on then
    der(x) = -1;
  else
    der(x) = 1;
  end if;
  if x > 0.7 then
    y = 1;
  else
    y = 2;
  end if;
  when x < 0.5 then
    on = false;
  end when;
end M;)");
  EXPECT_THAT(held(model), ElementsAre("x < 0.5", "0.7 < x"));
  EXPECT_EQ(residual(model, 0, {{"der(x)", 4}, {"on", 1}}), 5);
  EXPECT_EQ(residual(model, 0, {{"der(x)", 4}, {"on", 0}}), 3);
  EXPECT_EQ(residual(model, 1, {{"y", 4}, {"0.7 < x", 1}}), 3);
}

TEST(SwitchingIfEquation, OfDiscreteVariablesInAnyOrder) {
  const Model model = read_clean(R"(model M
  Integer n;
  Boolean b;
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  if x > 1 then
    n = 3;
    b = x > 2;
  else
    not b = true;
    n = pre(n);
  end if;
end M;)");
  EXPECT_EQ(model.equations.size(), 1u);
  EXPECT_EQ(next_value(model, "n", {{"1 < x", 1}, {"pre(n)", 7}}), 3);
  EXPECT_EQ(next_value(model, "n", {{"1 < x", 0}, {"pre(n)", 7}}), 7);
  EXPECT_EQ(next_value(model, "b", {{"1 < x", 0}, {"2 < x", 1}}), 0);
  EXPECT_EQ(next_value(model, "b", {{"1 < x", 1}, {"2 < x", 1}}), 1);
}

// Parameters choose a branch before the run; branches after an undecided condition switch.
TEST(SwitchingIfEquation, BesidesParameters) {
  const Model model = read_clean(R"(model M
  parameter Boolean fast = false;
  parameter Integer n = 2;
  Real x(start = 1, fixed = true), y[2];
equation
  der(x) = -1;
  if fast then
    y = {1, 2};
  elseif x > 0.5 then
    for i in 1:n loop
      y[i] = i*x;
    end for;
  elseif n > 1 then
    y[2] = 8;
    y[1] = 7;
  else
    y = {0, 0};
  end if;
end M;)");
  ASSERT_EQ(model.equations.size(), 3u);
  EXPECT_EQ(model.equations[2].label, "line 11 [i=2]");
  EXPECT_EQ(residual(model, 2, {{"x", 2}, {"y[1]", 0}, {"y[2]", 0}}), -4);
  EXPECT_EQ(residual(model, 2, {{"x", 0}, {"y[1]", 0}, {"y[2]", 0}}), -7) << "pairs go by their order";
}

TEST(SwitchingIfEquation, NestedAndWithAssertions) {
  const Model model = read_clean(R"(model M
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -1;
  if x > 0.5 then
    if x > 0.7 then
      y = 1;
    else
      y = 2;
    end if;
    assert(y < 5, "too large");
  else
    y = 3;
  end if;
end M;)");
  EXPECT_EQ(residual(model, 1, {{"x", 0.8}, {"y", 0}}), -1);
  EXPECT_EQ(residual(model, 1, {{"x", 0.6}, {"y", 0}}), -2);
  EXPECT_EQ(residual(model, 1, {{"x", 0.4}, {"y", 0}}), -3);
  ASSERT_EQ(model.assertions.size(), 1u);
  EXPECT_EQ(testing::value_at(model, model.assertions[0].condition, {{"x", 0.6}, {"y", 9}}), 0);
  EXPECT_EQ(testing::value_at(model, model.assertions[0].condition, {{"x", 0.4}, {"y", 9}}), 1);
}

TEST(SwitchingIfEquation, OfTheStart) {
  const Model model = read_clean(R"(model M
  Real x;
initial equation
  if x > 0 then
    x = 1;
  else
    x = -1;
  end if;
equation
  der(x) = -x;
end M;)");
  ASSERT_EQ(model.initial_equations.size(), 1u);
  EXPECT_EQ(testing::value_at(model, model.initial_equations[0].residual, {{"x", 3}}), 2);
}

}  // namespace
}  // namespace driftless
