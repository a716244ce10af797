#include "driftless/language/ast.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "driftless/language/parse_text.hpp"

namespace driftless {
namespace {

using ast::Expression;

std::string printed(const std::string& text) { return to_string(parse_expression(text)); }

// Every operation in parentheses: shows how a text was understood, independently of the printer's own precedences.
std::string grouped(const Expression& expression) {
  if (const auto* binary = expression.as<ast::Binary>()) {
    std::string text = grouped(*binary->first);
    for (const ast::Operand& operand : binary->rest) {
      text = "(" + text + to_string(operand.op) + grouped(operand.value) + ")";
    }
    return text;
  }
  if (const auto* unary = expression.as<ast::Unary>()) {
    return "(" + to_string(unary->op) + " " + grouped(*unary->operand) + ")";
  }
  if (const auto* range = expression.as<ast::Range>()) {
    return "(" + grouped(*range->first) + ":" + (range->step ? grouped(*range->step) + ":" : "") +
           grouped(*range->last) + ")";
  }
  if (const auto* choice = expression.as<ast::IfExpression>()) {
    std::string text;
    for (const auto& branch : choice->branches) text += grouped(*branch.condition) + "?" + grouped(*branch.value) + "|";
    return "(" + text + grouped(*choice->otherwise) + ")";
  }
  return to_string(expression);
}

std::string grouping(const std::string& text) { return grouped(parse_expression(text)); }

TEST(Precedence, FollowsTheTableOfTheSpecification) {
  EXPECT_EQ(grouping("a or b and not c == d + e * f ^ g"), "(aor(band(not (c==(d+(e*(f^g)))))))");
  EXPECT_EQ(grouping("a ^ b * c + d < e and f or g"), "((((((a^b)*c)+d)<e)andf)org)");
  EXPECT_EQ(grouping("1 + 2 : 3 * 4 : 5"), "((1+2):(3*4):5)");
  EXPECT_EQ(grouping("a or b : c"), "((aorb):c)");
  EXPECT_EQ(grouping("a .^ b ./ c .- d .+ e .* f"), "((((a.^b)./c).-d).+(e.*f))");
  EXPECT_EQ(grouping("if a then b else c + d"), "(a?b|(c+d))");
}

TEST(Precedence, OperatorsOfOneLevelAssociateToTheLeft) {
  EXPECT_EQ(grouping("a - b + c - d"), "(((a-b)+c)-d)");
  EXPECT_EQ(grouping("a / b * c / d"), "(((a/b)*c)/d)");
  EXPECT_EQ(grouping("a - (b - c)"), "(a-(b-c))");
}

TEST(Precedence, ASignAppliesToTheFirstTerm) {
  EXPECT_EQ(grouping("-a * b + c"), "((- (a*b))+c)");
  EXPECT_EQ(grouping("-a ^ b"), "(- (a^b))");
  EXPECT_EQ(grouping("a * (-b)"), "(a*(- b))");
  EXPECT_EQ(grouping("not -a < b"), "(not ((- a)<b))");
}

TEST(Precedence, ElseIfInExpressionsIsOneChain) {
  EXPECT_EQ(grouping("if a then 1 elseif b then 2 else 3"), "(a?1|b?2|3)");
  EXPECT_EQ(grouping("if a then 1 else if b then 2 else 3"), "(a?1|b?2|3)");
  EXPECT_EQ(grouping("if a then 1 else (if b then 2 else 3)"), "(a?1|(b?2|3))");
}

TEST(Printing, KeepsOnlyTheNeededParentheses) {
  EXPECT_EQ(printed("((a)) + (b * c) - ((d + e))"), "a + b * c - (d + e)");
  EXPECT_EQ(printed("(-a)*b"), "(-a) * b");
  EXPECT_EQ(printed("(-a)+b"), "-a + b");
  EXPECT_EQ(printed("-(a+b)"), "-(a + b)");
  EXPECT_EQ(printed("(a^b)^c"), "(a^b)^c");
  EXPECT_EQ(printed("(a<b)==(c<d)"), "(a < b) == (c < d)");
  EXPECT_EQ(printed("not (a and b)"), "not (a and b)");
  EXPECT_EQ(printed("(if a then b else c)+1"), "(if a then b else c) + 1");
}

TEST(Printing, EveryKindOfPrimary) {
  for (const char* text : {"1",
                           "1.0",
                           "0.1",
                           "1e-30",
                           "12345678901",
                           "\"a\\n\\\"b\\\\\"",
                           "true",
                           "false",
                           "x[end, :, 1:2:end - 1].y[2]",
                           ".A.b",
                           "'a b'.c",
                           "der(x)",
                           "initial()",
                           "pure(f(x))",
                           "f(a, b, n = c)",
                           "sum(i^2 for i in 1:n, j in 1:m)",
                           "f(function g.h(a = 1, b = 2), 3)",
                           "{a, b}",
                           "{i * j for i in 1:n, j in {1, 2}}",
                           "{i for i}",
                           "[a, b; c, d]",
                           "(a, , b)",
                           "(, a)",
                           "()",
                           "(a + b)[1, :]",
                           "(f(x)).re"}) {
    EXPECT_EQ(printed(text), text);
  }
}

TEST(Printing, UnquotesNames) {
  EXPECT_EQ(unquoted(ast::Identifier{"'body.r[1]'", {}}), "body.r[1]");
  EXPECT_EQ(unquoted(ast::Identifier{"'it\\'s'", {}}), "it's");
  EXPECT_EQ(unquoted(ast::Identifier{"x", {}}), "x");
}

// Random text from the grammar itself, with and without parentheses.
class RandomExpression {
 public:
  explicit RandomExpression(unsigned seed) : random_(seed) {}

  std::string text(int depth) {
    if (depth <= 0) return leaf();
    switch (pick(14)) {
      case 0: return "if " + text(depth - 1) + " then " + text(depth - 1) + " else " + text(depth - 1);
      case 1: return "if a then b elseif " + text(depth - 1) + " then " + text(depth - 1) + " else " + text(depth - 1);
      case 2: return operand(depth) + ":" + operand(depth);
      case 3: return "not " + operand(depth);
      case 4: return "-" + operand(depth) + one_of({" * ", " + ", "^"}) + operand(depth);
      case 5: return operand(depth) + one_of({" < ", " <> ", " == ", " >= "}) + operand(depth);
      case 6: return operand(depth) + one_of({"^", ".^"}) + operand(depth);
      case 7: return "f(" + text(depth - 1) + ", n = " + text(depth - 1) + ")";
      case 8: return "{" + text(depth - 1) + " for i in " + text(depth - 1) + "}";
      case 9: return "[" + text(depth - 1) + ", " + text(depth - 1) + "; " + text(depth - 1) + "]";
      case 10: return "x[" + text(depth - 1) + ", :]";
      default: {
        std::string sum = operand(depth);
        const std::vector<std::string> operators =
            pick(2) ? std::vector<std::string>{" + ", " - ", " .+ "} : std::vector<std::string>{" * ", " / ", " ./ "};
        for (int k = pick(3); k >= 0; --k) sum += operators[static_cast<std::size_t>(pick(3))] + operand(depth);
        return sum;
      }
    }
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  std::string one_of(std::vector<std::string> choices) {
    return choices[static_cast<std::size_t>(pick(static_cast<int>(choices.size())))];
  }
  std::string leaf() { return one_of({"a", "b.c[2]", "1", "2.5", "true", "\"s\"", "der(x)", ".g"}); }
  std::string operand(int depth) {
    if (pick(4) == 0) return leaf();
    std::string result = "(";
    result += text(depth - 1);
    return result += ')';
  }

  std::mt19937 random_;
};

TEST(Printing, PrintedTextParsesToTheSameTree) {
  RandomExpression random(20240601);
  for (int k = 0; k < 2000; ++k) {
    const std::string text = random.text(1 + k % 5);
    const Expression first = parse_expression(text);
    const Expression second = parse_expression(to_string(first));
    ASSERT_EQ(grouped(first), grouped(second)) << text;
    ASSERT_EQ(to_string(first), to_string(second)) << text;
  }
}

}  // namespace
}  // namespace driftless
