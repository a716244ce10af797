#include <gmock/gmock.h>

#include "driftless/expr/print.hpp"
#include "driftless/language/reading.hpp"

namespace driftless {
namespace {

using ::testing::ElementsAre;
using testing::read;
using testing::read_clean;

std::string text_with(const std::string& annotation) {
  return "model M\n  parameter Real g = 10;\n  Real x, v, r[2];\nequation\n  der(x) = v;\n  der(v) = -g;\n"
         "  r = {x, v};\n  annotation(__Driftless(" +
         annotation + "));\nend M;";
}
Model model_with(const std::string& annotation) { return read_clean(text_with(annotation)); }
std::string messages(const std::string& annotation) { return read(text_with(annotation)).messages(); }

std::vector<std::string> final_equations_of(const Model& model) {
  std::vector<std::string> texts;
  for (const Equation& equation : model.final_equations)
    texts.push_back(equation.label + " | " + equation.text +
                    " | 0 = " + to_string(*model.pool, equation.residual, names_of(model)));
  return texts;
}

TEST(FinalEquations, AreReadInTheScopeOfTheModel) {
  const Model model = model_with("finalEquations = {v == 0, x + der(x) == g}");
  EXPECT_THAT(final_equations_of(model),
              ElementsAre("line 8 | v = 0 | 0 = v", "line 8 (2) | x + der(x) = g | 0 = x + der(x) - g"));
  EXPECT_EQ(model.equations.size(), 4u);
  EXPECT_TRUE(model.initial_equations.empty());
  EXPECT_EQ(model.sources->line_of(model.final_equations[1].range), 8);
}

TEST(FinalEquations, OfArraysHoldForTheirElements) {
  EXPECT_THAT(final_equations_of(model_with("finalEquations = {r == {1, 2}}")),
              ElementsAre("line 8 [1] | r = {1, 2} | 0 = r[1] - 1", "line 8 [2] | r = {1, 2} | 0 = r[2] - 2"));
}

TEST(FinalEquations, MayBeOneWithoutBraces) {
  EXPECT_THAT(final_equations_of(model_with("finalEquations = v == 3")), ElementsAre("line 8 | v = 3 | 0 = v - 3"));
}

TEST(FinalEquations, ErrorsPointAtTheirPlace) {
  EXPECT_EQ(messages("finalEquations = {w == 0}"), "8:44: error: unknown variable 'w'\n");
  EXPECT_EQ(messages("finalEquations = {v}"),
            "8:44: error: a final equation is written with two equal signs: x == 1\n");
  EXPECT_EQ(messages("finalEquations = {v < 0}"),
            "8:44: error: a final equation is written with two equal signs: x == 1\n");
  EXPECT_EQ(messages("finalEquations = {r == 0}"),
            "8:44: error: the two sides have different shapes: [2] and a scalar\n");
  EXPECT_EQ(messages("finalEquations(v = 0)"),
            "8:26: error: final equations are written finalEquations = {x == 1, ...}\n");
  EXPECT_EQ(messages("finalEquation = {v == 0}"),
            "8:26: error: __Driftless has no setting 'finalEquation': did you mean 'finalEquations'?\n");
}

TEST(Guesses, AreFunctionsOfTimeAndParameters) {
  const Model model = model_with("guess(x = g*time, r = {1, time^2})");
  std::vector<std::string> texts;
  for (const Guess& guess : model.guesses)
    texts.push_back(model[guess.variable].name + " = " + to_string(*model.pool, guess.value, names_of(model)));
  EXPECT_THAT(texts, ElementsAre("x = g*time", "r[1] = 1", "r[2] = time^2"));
}

TEST(Guesses, ErrorsPointAtTheirPlace) {
  EXPECT_EQ(messages("guess(x = v)"),
            "8:32: error: the guess of 'x' contains a variable; it may contain time and parameters\n");
  EXPECT_EQ(messages("guess(z = 1)"), "8:32: error: the guess is for 'z', which is no variable of the model\n");
  EXPECT_EQ(messages("guess(x = 1, x = 2)"), "8:39: error: there are two guesses of 'x'\n");
  EXPECT_EQ(messages("guess(x)"), "8:32: error: a guess is written x = expression\n");
  EXPECT_EQ(messages("guess(x = true)"), "8:36: error: a guess is a number, but this is Boolean\n");
}

}  // namespace
}  // namespace driftless
