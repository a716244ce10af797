// Top-level inputs in the text.
#include <gmock/gmock.h>

#include "driftless/language/reading.hpp"
#include "driftless/model/drive.hpp"

namespace driftless {
namespace {

using ::testing::ElementsAre;
using testing::expect_residual;
using testing::labels;
using testing::Point;
using testing::read_clean;

TEST(InputsInText, HaveAnEquationOfTheirOwn) {
  const Model model = read_clean("model M\n  input Real u(start = 2);\n  Real x;\nequation\n  x = u;\nend M;");
  EXPECT_THAT(labels(model.equations), ElementsAre("input u", "line 5"));
  ASSERT_EQ(model.discrete.inputs.size(), 1u);
  const ModelInput& input = model.discrete.inputs[0];
  EXPECT_EQ(input.name, "u");
  EXPECT_FALSE(input.declared);
  EXPECT_EQ(model[input.c[0]].value, 2.0);
  expect_residual(model, "input u", [](const Point& p) {
    const double s = p.time() - p.parameter("origin(u)");
    const auto c = [&](int k) { return p.parameter("coefficient" + std::to_string(k) + "(u)"); };
    return p.variable("u") - (c(0) + c(1) * s + c(2) * s * s + c(3) * s * s * s);
  });
}

TEST(InputsInText, ArraysAreAsManyInputsAsTheyHaveElements) {
  const Model model = read_clean("model M\n  input Real u[2](start = {3, 4});\nend M;");
  EXPECT_THAT(labels(model.equations), ElementsAre("input u[1]", "input u[2]"));
  EXPECT_EQ(model[model.discrete.inputs[1].c[0]].value, 4.0);
}

TEST(InputsInText, OverridesAreTheirStarts) {
  const Model model = read_clean("model M\n  input Real u(start = 2);\nend M;", {.overrides = {{"u", "5"}}});
  EXPECT_EQ(model[model.discrete.inputs[0].c[0]].value, 5.0);
}

TEST(InputsInText, ADeclarationKeepsItsEquation) {
  const Model model = read_clean("model M\n  input Real u = 2*time;\nend M;");
  EXPECT_THAT(labels(model.equations), ElementsAre("line 2"));
  ASSERT_EQ(model.discrete.inputs.size(), 1u);
  EXPECT_EQ(model.discrete.inputs[0].declared, 0u);
  const auto replaced = replace_declared(std::make_shared<const Model>(model), {{"u", InputTable{{0}, {1}}}});
  EXPECT_THAT(labels(replaced->equations), ElementsAre("input u"));
  EXPECT_FALSE(replaced->discrete.inputs[0].declared);
}

// Equations are written twice for homotopy; inputs are not.
TEST(InputsInText, AreMadeOnceBesideHomotopy) {
  const Model model =
      read_clean("model M\n  input Real u(start = 1);\n  Real x;\nequation\n  homotopy(x^3, x) = u;\nend M;");
  EXPECT_EQ(model.discrete.inputs.size(), 1u);
  EXPECT_FALSE(model.equations[0].simplified);
  EXPECT_TRUE(model.equations[1].simplified);
}

TEST(InputsInText, AreDrivenByPieces) {
  const auto model = std::make_shared<const Model>(read_clean("model M\n  input Real u(start = 7);\nend M;"));
  const NamedPieces signals = pieces_of(*model, {{"u", InputTable{{0, 1, 2}, {5, 6, 8}}}}, 0.0, 3.0, 1e-6);
  const auto run = driven(model, signals, 0.5);
  const ModelInput& input = run->discrete.inputs[0];
  EXPECT_EQ((*run)[input.origin].value, 0.0);
  EXPECT_EQ((*run)[input.c[0]].value, 5.0);
  EXPECT_EQ((*run)[input.c[1]].value, 1.0);
  EXPECT_EQ(next_input_event(*run, 0.5), 1.0);
  EXPECT_EQ(next_input_event(*run, 1.0), 2.0);
  EXPECT_GT(next_input_event(*run, 2.0), 1e300);
  std::vector<double> numbers(run->parameters.size());
  set_inputs(*run, 1.0, numbers);
  const auto number = [&](ParamId id) { return numbers[static_cast<std::size_t>(index(id))]; };
  EXPECT_EQ(number(input.origin), 1.0);
  EXPECT_EQ(number(input.c[0]), 6.0);
  EXPECT_EQ(number(input.c[1]), 2.0);
  EXPECT_EQ((*model)[input.c[0]].value, 7.0);
}

TEST(InputsInText, ThatAreDiscreteTakeTheValuesOfRows) {
  const Model model = read_clean("model M\n  input Boolean open(start = true);\n  input Integer n;\nend M;");
  ASSERT_EQ(model.discrete.inputs.size(), 2u);
  EXPECT_EQ(model.discrete.inputs[0].name, "open");
  EXPECT_EQ(model[model.discrete.inputs[0].c[0]].value, 1.0);
  EXPECT_EQ(model.discrete.equations.size(), 2u);
}

}  // namespace
}  // namespace driftless
