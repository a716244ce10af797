// Messages about text that is not Modelica: one per error, at the right place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driftless/language/parse_text.hpp"

namespace driftless {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// "line:column message" of every diagnostic, each note behind it as " | note".
std::vector<std::string> errors_in(const std::string& text) {
  const Parsed parsed = parse_any(text);
  std::vector<std::string> lines;
  for (const Diagnostic& diagnostic : parsed.diagnostics.all()) {
    const Position at = parsed.sources.position(diagnostic.range.file, diagnostic.range.begin);
    std::string line = std::to_string(at.line) + ":" + std::to_string(at.column) + " " + diagnostic.message;
    for (const Note& note : diagnostic.notes) {
      line += " | " + note.message;
      if (note.range.known()) line += " @" + std::to_string(parsed.sources.line_of(note.range));
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<std::string> in_equations(const std::string& text) {
  return errors_in("model M\nequation\n" + text + "\nend M;\n");
}

std::vector<std::string> in_algorithm(const std::string& text) {
  return errors_in("model M\nalgorithm\n" + text + "\nend M;\n");
}

std::vector<std::string> in_declarations(const std::string& text) {
  return errors_in("model M\n" + text + "\nend M;\n");
}

TEST(SyntaxErrors, MissingSemicolon) {
  EXPECT_THAT(in_equations("x = 1\ny = 2;"), ElementsAre("3:6 missing ';' after this equation"));
  EXPECT_THAT(in_declarations("Real x\nReal y;"), ElementsAre("2:7 missing ';' after this declaration"));
  EXPECT_THAT(errors_in("model M Real x; end M"), ElementsAre("1:22 missing ';' after the end of this class"));
  EXPECT_THAT(in_equations("x = 1 y = 2;"), ElementsAre("3:7 expected ';' after this equation, found 'y'"));
}

TEST(SyntaxErrors, AContinuationAfterAMissingOperatorIsNotASecondError) {
  EXPECT_THAT(in_equations("x = a\nb;\ny = 1;"), ElementsAre("3:6 missing ';' after this equation"));
}

TEST(SyntaxErrors, TheWrongKindOfEquals) {
  EXPECT_THAT(in_equations("x := 1;\ny == 2;"), ElementsAre("3:3 an equation is written with '=', not with ':='",
                                                            "4:1 an equation is written with '=', not with '=='"));
  EXPECT_THAT(in_algorithm("x = 1;"),
              ElementsAre("3:3 an assignment in an algorithm is written with ':=', not with '='"));
  EXPECT_THAT(in_equations("if a = b then x = 1; end if;"),
              ElementsAre("3:6 expected 'then', found '=' | a comparison is written =="));
  EXPECT_THAT(in_declarations("Real x == 1;"), ElementsAre("2:8 a value is given with '=', not with '=='"));
}

TEST(SyntaxErrors, UnclosedBracketsShowWhereTheyWereOpened) {
  EXPECT_THAT(in_equations("x = (a + b;"),
              ElementsAre("3:11 expected an operator or ')', found ';' | '(' was opened here @3"));
  EXPECT_THAT(in_equations("x = f(a,\n b;"),
              ElementsAre("4:3 expected ',' or ')', found ';' | '(' was opened here @3"));
  EXPECT_THAT(in_equations("x[1 = 2;"), ElementsAre("3:5 expected ',' or ']', found '=' | '[' was opened here @3"));
  EXPECT_THAT(in_equations("x = {1, 2;"), ElementsAre("3:10 expected ',' or '}', found ';' | '{' was opened here @3"));
  EXPECT_THAT(in_declarations("Real x(start = 1;"),
              ElementsAre("2:17 expected ',' or ')', found ';' | '(' was opened here @2"));
}

TEST(SyntaxErrors, TheEndOfAClass) {
  EXPECT_THAT(errors_in("model A\nend B;"),
              ElementsAre("2:5 expected 'end A', found 'end B' | model 'A' begins here @1"));
  EXPECT_THAT(errors_in("model A\n model B\n Real x;\nend A;"),
              ElementsAre("4:5 expected 'end B', found 'end A' | model 'B' begins here @2"));
  EXPECT_THAT(errors_in("package A\n model B\n"),
              ElementsAre("3:1 the text ends without 'end B;' | model 'B' begins here @2"));
  EXPECT_THAT(errors_in("model A\nend;"),
              ElementsAre("2:4 expected 'end A;' with the name of the class | model 'A' begins here @1"));
  EXPECT_THAT(errors_in("model A\nend A;\nend B;\nmodel C end C;"),
              ElementsAre("3:5 'end B' ends no class that is open here"));
}

TEST(SyntaxErrors, TheEndOfABlock) {
  EXPECT_THAT(in_equations("for i in 1:3 loop\n x = 1;\ny = 2;"),
              ElementsAre("6:1 expected 'end for', found 'end M' | this 'for' is not ended @3"));
  EXPECT_THAT(in_equations("for i in 1:3 loop\n x = 1;\nend if;\ny = ;"),
              ElementsAre("5:1 expected 'end for', found 'end if' | this 'for' is not ended @3",
                          "6:5 expected an expression, found ';'"));
  EXPECT_THAT(in_equations("if a then\n for i in 1:3 loop\n x = 1;\nend if;"),
              ElementsAre("6:1 expected 'end for', found 'end if' | this 'for' is not ended @4"));
  EXPECT_THAT(in_equations("end if;\nelse\n x = 1;"), testing::SizeIs(1));
}

TEST(SyntaxErrors, ElseIfInTwoWords) {
  EXPECT_THAT(in_equations("if a then\n x = 1;\nelse if b then\n x = 2;\nend if;"),
              ElementsAre("8:1 expected 'end if', found 'end M' | this 'if' is not ended @3 | 'else if' begins a "
                          "second if that needs its own 'end if': was 'elseif' meant? @5"));
  EXPECT_THAT(in_equations("if a then\n x = 1;\nelsif b then\n x = 2;\nend if;"),
              ElementsAre("5:7 expected '=', found 'b' | 'elseif' is one word"));
}

TEST(SyntaxErrors, WordsThatAreNotNames) {
  EXPECT_THAT(in_declarations("Real block;"),
              ElementsAre("2:6 expected the name of a component, found the keyword 'block' | a keyword is no name; in "
                          "quotes it is one: 'block'"));
  EXPECT_THAT(in_declarations("Parameter Real x = 1;"),
              ElementsAre("2:1 keywords are written in small letters: parameter"));
  EXPECT_THAT(errors_in("Model A end A;"),
              ElementsAre("1:1 expected a class definition (model, package, function, ...), found 'Model' | keywords "
                          "are written in small letters: model"));
}

TEST(SyntaxErrors, ThingsInTheWrongPlace) {
  EXPECT_THAT(in_declarations("x = 1;"), ElementsAre(HasSubstr("an equation belongs behind the keyword 'equation'")));
  EXPECT_THAT(in_declarations("der(x) = 1;"), ElementsAre(HasSubstr("is it missing?")));
  EXPECT_THAT(in_declarations("input parameter Real x;"), ElementsAre(HasSubstr("prefixes come in this order")));
  EXPECT_THAT(in_equations("Real x;"), ElementsAre(HasSubstr("a declaration belongs before the first")));
  EXPECT_THAT(in_equations("parameter Real x;"), ElementsAre("3:1 a declaration belongs before 'equation'"));
  EXPECT_THAT(in_equations("while a loop"), ElementsAre(HasSubstr("'while' belongs into an algorithm")));
  EXPECT_THAT(in_algorithm("connect(a, b);"), ElementsAre("3:1 'connect' belongs into an equation section"));
  EXPECT_THAT(in_algorithm("a + b := 1;"), ElementsAre(HasSubstr("can be assigned to")));
  EXPECT_THAT(in_algorithm("(a, b) := c;"), ElementsAre(HasSubstr("only from the call of a function")));
  EXPECT_THAT(in_equations("x = end;"), ElementsAre("3:5 expected an expression, found the keyword 'end'"));
}

TEST(SyntaxErrors, ForeignCharacters) {
  EXPECT_THAT(in_equations("x = a != b;\ny = c;"),
              ElementsAre("3:7 unexpected character '!' | 'not equal' is written <>, negation is written not"));
  EXPECT_THAT(in_equations("x = 3 $ 4 # 5;"), ElementsAre("3:7 unexpected character '$'"));
  EXPECT_THAT(in_equations("x = a \xE2\x88\x92 b;"),
              ElementsAre("3:7 unexpected character '\xE2\x88\x92' | this is a typographic minus sign: write -"));
  EXPECT_THAT(in_equations("x = 2y;"), ElementsAre(HasSubstr("a product is written 2*y")));
  EXPECT_THAT(in_equations("x = .5;"), ElementsAre(HasSubstr("a number begins with a digit")));
}

TEST(SyntaxErrors, UnterminatedTextsAreTheOnlyError) {
  EXPECT_THAT(errors_in("model M\n Real x \"abc;\nend M;\n"), ElementsAre("2:9 this string has no closing '\"'"));
  EXPECT_THAT(errors_in("model M\n /* Real x;\nend M;\n"), ElementsAre("2:2 this comment has no closing '*/'"));
  EXPECT_THAT(in_equations("'x = 1;\ny = 2;"), ElementsAre("3:1 this quoted name has no closing ' on its line"));
  EXPECT_THAT(in_declarations("Real x \"abc;\nReal y \"def\";"),
              ElementsAre(HasSubstr("is a closing '\"' missing there? @2")));
}

TEST(SyntaxErrors, OperatorsThatDoNotChain) {
  EXPECT_THAT(in_equations("x = if a < b < c then 1 else 2;"), ElementsAre(HasSubstr("relations do not chain")));
  EXPECT_THAT(in_equations("x = a^b^c;"), ElementsAre(HasSubstr("powers do not chain")));
  EXPECT_THAT(in_equations("x = if a then b;"), ElementsAre(HasSubstr("needs an else")));
  EXPECT_THAT(in_equations("x = f(n = 1, 2);"), ElementsAre(HasSubstr("cannot follow one with a name")));
  EXPECT_THAT(in_equations("x = 1e999;"), ElementsAre("3:5 1e999 is too large for a Real"));
}

TEST(SyntaxErrors, ASignBehindAnOperatorIsAWarning) {
  const Parsed parsed = parse_any("model M equation x = a * -b + c^-2; end M;");
  EXPECT_FALSE(parsed.diagnostics.has_errors());
  EXPECT_EQ(parsed.diagnostics.all().size(), 2U);
  const auto& equality = std::get<ast::Equality>(parsed.body().equations.at(0).equations.at(0).node);
  EXPECT_EQ(to_string(equality.right), "a * (-b) + c^(-2)");
}

TEST(Recovery, FindsEveryIndependentErrorAndKeepsTheRest) {
  const std::string text = R"(model M
  Real x = ;
  Real y[2;
  Real z;
equation
  x = (1;
  y = 2;
  if a b then
    x = ;
    y = 3;
  else
    z = [1, 2; 3, ; 4];
  end if;
  for i in 1:3 loop
    x = ) 1;
  end for;
  z = 3;
algorithm
  x = 1;
  y := ;
end M;
model N
  Real = 1;
end N;
)";
  const Parsed parsed = parse_any(text);
  std::vector<int> lines;
  for (const Diagnostic& diagnostic : parsed.diagnostics.all())
    lines.push_back(parsed.sources.line_of(diagnostic.range));
  EXPECT_THAT(lines, ElementsAre(2, 3, 6, 8, 9, 12, 15, 19, 20, 23)) << parsed.messages();
  ASSERT_EQ(parsed.tree.classes.size(), 2U);
  EXPECT_EQ(parsed.body().elements.size(), 1U);
  const auto& equations = parsed.body().equations.at(0).equations;
  ASSERT_EQ(equations.size(), 4U);
  EXPECT_EQ(std::get<ast::IfEquation>(equations[1].node).branches.at(0).body.size(), 1U);
  EXPECT_EQ(parsed.body().algorithms.at(0).statements.size(), 1U);
}

TEST(Recovery, StopsAfterAHundredErrors) {
  std::string text = "model M equation\n";
  for (int k = 0; k < 1000; ++k) text += "x = ;\n";
  const std::vector<std::string> errors = errors_in(text + "end M;");
  ASSERT_EQ(errors.size(), 101U);
  EXPECT_THAT(errors.back(), HasSubstr("more than 100 syntax errors"));
}

// Cutting a correct text anywhere gives at most one error, and never one before the cut.
TEST(Recovery, ATruncatedTextHasOneError) {
  const std::string text = R"(package P "p"
  model Inner
    parameter Real a[3](each min = 0) = {1, 2, 3} "a";
  equation
    if a[1] > 0 then x = sum(i for i in 1:3); else for i in 1:2 loop y[i] = [1, 2; 3, 4]; end for; end if;
  end Inner;
end P;
)";
  ASSERT_THAT(errors_in(text), IsEmpty());
  for (std::size_t length = 1; length < text.size() - 2; ++length) {
    EXPECT_LE(errors_in(text.substr(0, length)).size(), 1U) << text.substr(0, length) << "\n"
                                                            << parse_any(text.substr(0, length)).messages();
  }
}

}  // namespace
}  // namespace driftless
