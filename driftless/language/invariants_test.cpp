#include <gmock/gmock.h>

#include "driftless/expr/print.hpp"
#include "driftless/language/reading.hpp"

namespace driftless {
namespace {

using ::testing::ElementsAre;
using testing::read;
using testing::read_clean;

Model model_with(const std::string& annotation) {
  return read_clean("model M\n  parameter Real g = 10;\n  Real x, v, r[2];\nequation\n  der(x) = v;\n  der(v) = -g;\n" +
                    std::string("  r = {x, v};\n  annotation(") + annotation + ");\nend M;");
}

std::string messages(const std::string& invariants) {
  return read(
             "model M\n  parameter Real g = 10;\n  Real x, v;\nequation\n  der(x) = v;\n  der(v) = -g;\n  annotation(" +
             invariants + ");\nend M;")
      .messages();
}

std::vector<std::string> invariants_of(const Model& model) {
  std::vector<std::string> texts;
  for (const InvariantOfModel& invariant : model.invariants)
    texts.push_back(invariant.name + " = " + to_string(*model.pool, invariant.value, names_of(model)));
  return texts;
}

TEST(Invariants, AreReadInTheScopeOfTheModel) {
  const Model model = model_with("__Driftless(invariants(energy = v^2/2 + g*x, rate = der(x) - v))");
  EXPECT_THAT(invariants_of(model), ElementsAre("energy = v^2/2 + g*x", "rate = der(x) - v"));
  EXPECT_EQ(model.sources->line_of(model.invariants[0].range), 8);
  EXPECT_EQ(model.equations.size(), 4u) << "an invariant is no equation";
}

TEST(Invariants, OfAnArrayAreAsManyAsItsElements) {
  EXPECT_THAT(invariants_of(model_with("__Driftless(invariants(both = 2*r, all = sum(r)))")),
              ElementsAre("both[1] = 2*r[1]", "both[2] = 2*r[2]", "all = r[1] + r[2]"));
}

TEST(Invariants, OtherVendorsAreNotAskedAndOtherAnnotationsStay) {
  const Model model = model_with("__Other(invariants(a = unknown)), Icon(b = c), experiment(StopTime = 3)");
  EXPECT_TRUE(model.invariants.empty());
  EXPECT_EQ(model.experiment.stop, 3.0);
}

TEST(Invariants, ErrorsPointAtTheirPlace) {
  EXPECT_EQ(messages("__Driftless(invariants(energy = w^2))"), "7:46: error: unknown variable 'w'\n");
  EXPECT_EQ(messages("__Driftless(invariant(energy = x))"),
            "7:26: error: __Driftless has no setting 'invariant': did you mean 'invariants'?\n");
  EXPECT_EQ(messages("__Driftless(invariants(energy))"), "7:37: error: an invariant is written energy = expression\n");
  EXPECT_EQ(messages("__Driftless(invariants(energy = x > 0))"),
            "7:46: error: an invariant is a number, but this is Boolean\n");
  EXPECT_EQ(messages("__Driftless(invariants(energy = 2*g))"),
            "7:37: error: the invariant 'energy' contains no variable\n");
  EXPECT_EQ(messages("__Driftless(invariants(x = v))"),
            "7:37: error: the invariant 'x' has the name of a variable: its values would not be told apart\n");
  EXPECT_EQ(messages("__Driftless(invariants(a = v, a = x))"), "7:44: error: there are two invariants 'a'\n");
}

}  // namespace
}  // namespace driftless
