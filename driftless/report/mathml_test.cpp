#include "driftless/report/mathml.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driftless/language/read.hpp"

namespace driftless::reporting {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// The right side of the equation z = ... typeset, among variables x, y, lambda1 and parameters L, mass, r[2].
std::string set(const std::string& expression) {
  const Model model = read_model_text("m.mo",
                                      "model M parameter Real L = 1, mass = 2, r[2] = {1, 2}; Real x, y, lambda1, z;\n"
                                      "equation der(x) = y; der(y) = -x; lambda1 = 2*x;\n z = " +
                                          expression + ";\nend M;");
  const Node& root = (*model.pool)[model.equations.back().residual];
  return mathml(*model.pool, root.operand(1), names_of(model)).value();
}

TEST(MathMl, FractionsRootsAndPowers) {
  EXPECT_EQ(set("x/y"), "<mfrac><mrow><mi>x</mi></mrow><mrow><mi>y</mi></mrow></mfrac>");
  EXPECT_EQ(set("sqrt(x + y)"), "<msqrt><mi>x</mi><mo>+</mo><mi>y</mi></msqrt>");
  EXPECT_EQ(set("(x + y)^2"),
            "<msup><mrow><mrow><mo stretchy=\"false\">(</mo><mi>x</mi><mo>+</mo><mi>y</mi><mo "
            "stretchy=\"false\">)</mo></mrow></mrow>"
            "<mrow><mn>2</mn></mrow></msup>");
  EXPECT_EQ(set("sin(x)^2"),
            "<msup><mi>sin</mi><mrow><mn>2</mn></mrow></msup><mrow><mo stretchy=\"false\">(</mo><mi>x</mi><mo "
            "stretchy=\"false\">)</mo></mrow>");
  EXPECT_EQ(set("exp(-x)"), "<msup><mi>e</mi><mrow><mo form=\"prefix\">−</mo><mi>x</mi></mrow></msup>");
  EXPECT_EQ(set("abs(x)"), "<mrow><mo stretchy=\"false\">|</mo><mi>x</mi><mo stretchy=\"false\">|</mo></mrow>");
}

TEST(MathMl, ParenthesesOnlyWhereTheyAreNeeded) {
  EXPECT_THAT(set("x*(y - L)"), HasSubstr(">(</mo><mi>y</mi><mo>−</mo><mi>L</mi>"));
  EXPECT_THAT(set("x*y + L*y"), Not(HasSubstr(">(</mo>")));
  EXPECT_THAT(set("x - (y - L)"), HasSubstr(">(</mo>"));
  EXPECT_THAT(set("x + (y - L)"), Not(HasSubstr(">(</mo>"))) << "the same without them";
  EXPECT_THAT(set("(x + y)/L"), Not(HasSubstr(">(</mo>"))) << "a fraction has its own bounds";
  EXPECT_THAT(set("(x + y/L)^3"), HasSubstr("<mo>(</mo>")) << "around a fraction they grow";
}

TEST(MathMl, ProductsAreCollected) {
  EXPECT_EQ(set("y*(2*y)"),
            "<mn>2</mn><mspace width=\"0.14em\"/><msup><mrow><mi>y</mi></mrow><mrow><mn>2</mn></mrow></msup>");
  Pool pool;
  const Names names{[](VarId id) { return index(id) == 0 ? "x" : "y"; }, [](ParamId) { return "p"; }};
  const NodeId x = pool.variable(VarId{0}), y = pool.variable(VarId{1});
  EXPECT_EQ(
      mathml(pool, pool.mul(pool.mul(x, pool.constant(-3.0)), y), names),
      "<mo form=\"prefix\">−</mo><mn>3</mn><mspace width=\"0.14em\"/><mi>x</mi><mspace width=\"0.14em\"/><mi>y</mi>");
}

TEST(MathMl, NamesBecomeLettersWithSubscripts) {
  EXPECT_EQ(mathml_name("lambda"), "<mi>λ</mi>");
  EXPECT_EQ(mathml_name("lambda1"), "<msub><mi>λ</mi><mtext>1</mtext></msub>");
  EXPECT_EQ(mathml_name("Omega"), "<mi>Ω</mi>");
  EXPECT_EQ(mathml_name("x12"), "<msub><mi>x</mi><mtext>12</mtext></msub>");
  EXPECT_EQ(mathml_name("v_max"), "<msub><mi>v</mi><mtext>max</mtext></msub>");
  EXPECT_EQ(mathml_name("r[2]"), "<msub><mi>r</mi><mtext>2</mtext></msub>");
  EXPECT_EQ(mathml_name("r1[2,3]"), "<msub><mi>r</mi><mtext>1,2,3</mtext></msub>");
  EXPECT_EQ(mathml_name("body.phi"), "<mrow><mtext>body.</mtext><mi>φ</mi></mrow>");
  EXPECT_EQ(mathml_name("speed2"), "<mi>speed2</mi>") << "the number is part of the word";
  EXPECT_EQ(mathml_name("_"), "<mi>_</mi>");
}

TEST(MathMl, DotsAreTimeDerivatives) {
  EXPECT_EQ(mathml_name("x", 1), "<mover accent=\"true\"><mi>x</mi><mo>˙</mo></mover>");
  EXPECT_EQ(mathml_name("x1", 2), "<msub><mover accent=\"true\"><mi>x</mi><mo>¨</mo></mover><mtext>1</mtext></msub>");
  EXPECT_EQ(mathml_name("x", 5), "<msup><mi>x</mi><mrow><mo>(</mo><mn>5</mn><mo>)</mo></mrow></msup>");
}

TEST(MathMl, NumbersAndProducts) {
  EXPECT_EQ(set("1.5e-9*x"),
            "<mn>1.5</mn><mo>·</mo><msup><mn>10</mn><mrow><mo>−</mo><mn>9</mn></mrow></msup>"
            "<mspace width=\"0.14em\"/><mi>x</mi>");
  EXPECT_EQ(set("mass*x"), "<mi>mass</mi><mo>·</mo><mi>x</mi>") << "a word and a letter do not run together";
  EXPECT_EQ(set("x*y"), "<mi>x</mi><mspace width=\"0.14em\"/><mi>y</mi>");
  EXPECT_EQ(set("lambda1*x"), "<msub><mi>λ</mi><mtext>1</mtext></msub><mspace width=\"0.14em\"/><mi>x</mi>");
}

TEST(MathMl, HostileNamesStayText) {
  EXPECT_EQ(mathml_name("<script>"), "<mi>&lt;script&gt;</mi>");
  EXPECT_EQ(mathml_name("a\"&b"), "<mi>a&quot;&amp;b</mi>");
}

TEST(MathMl, ADifferenceIsAnEquationAndLongOnesAreRefused) {
  Pool pool;
  const Names names{[](VarId) { return "x"; }, [](ParamId) { return "p"; }};
  const NodeId x = pool.variable(VarId{0}), y = pool.variable(VarId{1});
  EXPECT_EQ(mathml_equation(pool, pool.sub(x, y), names), "<mi>x</mi><mo>=</mo><mi>x</mi>");
  EXPECT_EQ(mathml_equation(pool, pool.add(x, y), names), "<mi>x</mi><mo>+</mo><mi>x</mi><mo>=</mo><mn>0</mn>");
  NodeId doubled = x;
  for (int k = 0; k < 60; ++k) doubled = pool.unary(Op::Sin, pool.mul(doubled, pool.unary(Op::Cos, doubled)));
  EXPECT_EQ(mathml(pool, doubled, names), std::nullopt) << "2^60 terms";
}

}  // namespace
}  // namespace driftless::reporting
