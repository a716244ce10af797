#include <gtest/gtest.h>

#include "driftless/language/reading.hpp"

namespace driftless {
namespace {

using testing::read;

std::string declarations(const std::string& text) { return read("model M\n" + text + "\nequation\nend M;").messages(); }

std::string equations(const std::string& text) {
  return read("model M\nparameter Real p = 1; parameter Integer n = 2; Real x, y, z[3]; \nequation\n" + text +
              "\nend M;")
      .messages();
}

TEST(ElaborateErrors, RenderedInFull) {
  EXPECT_EQ(read("model M\n  Real length, width;\nequation\n  lenght = 1;\n  width = 2;\nend M;").report(),
            "test.mo:4:3: error D0201: unknown variable 'lenght': did you mean 'length'?\n"
            "    4 |   lenght = 1;\n"
            "      |   ^^^^^^\n");
}

TEST(ElaborateErrors, Names) {
  EXPECT_EQ(declarations("Real x;\nReal y;\nparameter Real x = 1;"),
            "4:16: error: 'x' is declared twice\n  the first declaration is here\n");
  EXPECT_EQ(declarations("Reel x;"), "2:1: error: unknown type 'Reel': did you mean 'Real'?\n");
  EXPECT_EQ(equations("x = sine(y);"), "4:5: error: unknown function 'sine': did you mean 'sin'?\n");
  EXPECT_EQ(equations("x = qqq + Modelica.Constants.pie + M.x;"),
            "4:5: error: unknown variable 'qqq'\n"
            "4:11: error: unknown variable 'Modelica.Constants.pie'\n"
            "4:36: error: 'M.x' is not a constant, so the class M has no value of it: write x for the own one\n");
  EXPECT_EQ(equations("x = y.a + x(1) + sin + M + Real;"),
            "4:5: error: 'y' has no member 'a'\n"
            "4:11: error: 'x' is not a function\n  declared here\n"
            "4:18: error: 'sin' is a function, not a value\n"
            "4:24: error: 'M' is a model, not a value\n"
            "4:28: error: 'Real' is a type, not a value\n");
  EXPECT_EQ(read("package P constant Real c = 1;\nmodel M Real x = P.d;\nReal y = P.C; end M; end P;").messages(),
            "2:20: error: P has no element 'd'\n"
            "3:12: error: P has no element 'C': did you mean 'c'?\n");
}

TEST(ElaborateErrors, ValuesOfParameters) {
  EXPECT_EQ(declarations("parameter Real a = b;\nparameter Real b = 2*c;\nparameter Real c = a + 1;"),
            "3:22: error: 'c' depends on itself: c -> a -> b -> c\n");
  EXPECT_EQ(declarations("parameter Real a = b*c;\nparameter Real b = a*c;\nparameter Real c = 2*b;"),
            "3:20: error: 'a' depends on itself: a -> b -> a\n"
            "3:22: error: 'c' depends on itself: c -> b -> c\n");
  EXPECT_EQ(declarations("parameter Real a = a;"), "2:20: error: 'a' depends on itself: a -> a\n");
  EXPECT_EQ(declarations("parameter Real a;\nconstant Real c;"),
            "2:16: warning: the parameter 'a' has no value: 0 is taken\n"
            "  write a = ... in its declaration, or give one from outside\n"
            "3:15: error: the constant 'c' has no value\n  write c = ... in its declaration\n");
  EXPECT_EQ(
      declarations(
          "parameter Real a = time;\nReal x;\nparameter Real b = x;\nparameter Real c = 1;\nconstant Real d = c;"),
      "2:20: error: 'time' changes during the run, but the value of a parameter must be known before it\n"
      "4:20: error: 'x' changes during the run, but the value of a parameter must be known before it\n"
      "6:19: error: 'c' is a parameter, but the value of a constant may depend only on constants\n");
  EXPECT_EQ(declarations("parameter Integer n = 2.5;\nparameter Boolean b = 1;\nparameter Real r = true;"),
            "2:23: error: the value of 'n' must be Integer, but this is Real\n"
            "3:23: error: the value of 'b' must be Boolean, but this is Integer\n"
            "4:20: error: the value of 'r' must be Real, but this is Boolean\n");
  EXPECT_EQ(declarations("parameter Real a = 1/0;\nparameter Real b = sqrt(-1);\nparameter Real c[2] = {1, log(0)};"),
            "2:20: error: the value of 'a' is not a finite number\n"
            "3:20: error: the value of 'b' is not a finite number\n"
            "4:23: error: the value of 'c[2]' is not a finite number\n");
  EXPECT_EQ(declarations("parameter Real a[3] = {1, 2};\nparameter Real b = {1, 2};\nparameter Real c[:];"),
            "2:23: error: 'a' is [3], but its value is [2]\n"
            "3:20: error: 'b' is a scalar, but its value is [2]\n"
            "4:16: error: the parameter 'c' has no value\n"
            "  write c = ... in its declaration, or give one from outside\n");
  EXPECT_EQ(declarations("parameter Real a(min = 2) = 1;"),
            "2:16: warning: the value of 'a', 1, is outside [2, inf]\n");
}

TEST(ElaborateErrors, Sizes) {
  EXPECT_EQ(declarations("Real x[n];\nReal y[2.5];\nReal z[-1];\nReal w[z[1]];\nReal u[:];"),
            "2:8: error: unknown variable 'n'\n"
            "3:8: error: an Integer is needed, but this is Real\n"
            "4:8: error: a size must not be negative, but this is -1\n"
            "6:6: error: the size of 'u' cannot be taken from its value, because it has none\n");
  EXPECT_EQ(declarations("Real z;\nReal w[integer(z)];"),
            "3:16: error: 'z' changes during the run, but a size must be known before it\n");
}

TEST(ElaborateErrors, Attributes) {
  EXPECT_EQ(declarations("Real x(strat = 1);\nReal y(start = x);\nReal z(nominal = -1);\nReal w(min = 2, max = 1);"),
            "2:8: error: 'x' has no attribute 'strat': did you mean 'start'?\n"
            "3:16: error: 'x' changes during the run, but an attribute (start, min, ...) must be known before it\n"
            "4:8: error: nominal of 'z' must be positive, but is -1\n"
            "5:17: error: 'w' has min = 2 above max = 1\n");
  EXPECT_EQ(
      declarations(
          "Real x(start = 5, max = 3);\nReal y[3](start = 1);\nReal z[2](start = {1, 2, 3});\nReal w(fixed = 1);"),
      "2:8: warning: the start value of 'x', 5, is outside [-inf, 3]\n"
      "3:11: warning: start = 1 is taken for every element of 'y': write each start = 1\n"
      "4:19: error: start of 'z' is [3], but 'z' is [2]\n"
      "5:16: error: fixed of 'w' must be Boolean, but this is Integer\n");
  EXPECT_EQ(declarations("Real x(start = 1/0);\nReal y(unit = 3);\nReal z(start);"),
            "2:16: error: start of 'x' is not a finite number\n"
            "3:15: error: unit of 'y' must be a String, but this is Integer\n"
            "4:8: error: the attribute 'start' needs a value: start = ...\n");
}

TEST(ElaborateErrors, TypesInExpressions) {
  EXPECT_EQ(
      equations("x + (y > 1) = 2;\nx = if y then 1 else 2;\nx = true;\nx = -(x < y);\nx = if not x then 1 else 0;"),
      "4:1: error: '+' needs numbers, but its right operand is Boolean\n"
      "5:8: error: a condition must be Boolean, but this is Real\n"
      "6:1: error: the two sides have different types: Real and Boolean\n"
      "7:5: error: '-' needs a number, but its operand is Boolean\n"
      "8:8: error: 'not' needs a Boolean, but its operand is Real\n");
  EXPECT_EQ(
      equations("x = sin(1, 2);\nx = atan2(1);\nx = max();\nx = zeros();\nx = sin(true);\nx = smooth(1, expr = 2);"),
      "4:5: error: sin takes 1 argument, but 2 are given\n"
      "5:5: error: atan2 takes 2 arguments, but 1 is given\n"
      "6:5: error: max takes 1 or 2 arguments, but 0 are given\n"
      "7:5: error: zeros takes at least 1 argument, but 0 are given\n"
      "8:9: error: the argument of sin must be a number, but is Boolean\n"
      "9:15: error: smooth has no argument 'expr'\n");
  EXPECT_EQ(equations("x = z[1.5];\nx = z[x > 1];\nx = if x > 1 then {1, 2} else 3;\nx = mod(n, 0);"),
            "4:7: error: a subscript must be Integer, but this is Real\n"
            "5:7: error: a subscript must be Integer, but this is Boolean\n"
            "6:5: error: the branches have different shapes: [2] and a scalar\n"
            "7:12: error: the second argument of mod must not be 0\n");
}

TEST(ElaborateErrors, Derivatives) {
  EXPECT_EQ(equations("der(p) = 1;\nder(n) = x;\nder(x < 1) = 1;"),
            "5:5: error: the argument of der must be Real, but is Integer\n"
            "6:5: error: the argument of der must be Real, but is Boolean\n");
}

TEST(ElaborateErrors, Loops) {
  EXPECT_EQ(
      equations("for i in 1:x loop y = 1; end for;\nfor i loop y = 1; end for;\nfor i in 1:0:3 loop y = 1; end for;\n"
                "for i in 3 loop y = 1; end for;\nx = sin(i for i in 1:2);"),
      "4:12: error: 'x' changes during the run, but the range of a loop must be known before it\n"
      "5:5: error: 'i' has no range, and is nowhere a subscript alone, as in x[i]\n  write for i in 1:n\n"
      "6:10: error: the step of a range must not be 0\n"
      "7:10: error: 'i' must run over a vector, but this is a scalar\n"
      "8:5: error: 'sin' cannot be applied to a list of iterators: sum, product, min and max can\n");
  // One error in a loop is reported once.
  EXPECT_EQ(equations("for i in 1:1000 loop x = i + q; end for;"), "4:30: error: unknown variable 'q'\n  for i = 1\n");
}

TEST(ElaborateErrors, NotSupportedYet) {
  EXPECT_EQ(declarations("discrete Real d;\nInteger i;\nString b;\nstream Real f;\ninput Real u;\nReal c if true;\n"
                         "inner Real o;\nreplaceable Real r;\nparameter Integer p(fixed = false) = 1;\nN n;\n"
                         "model N end N;\nextends N;"),
            "5:13: error: the stream variable 'f' is in no connector\n"
            "  stream variables are carried by the flow of a connector (Modelica 3.6, Section 15.1)\n"
            "10:21: error: not supported yet: the Integer 'p' with fixed = false\n");
  EXPECT_EQ(
      equations("when x > 1 then y = 1; end when;\n\n\n\nx = delay(y, y);"),
      "8:14: error: the second argument of delay changes during the run: give the longest delay as third argument\n");
}

TEST(ElaborateErrors, SettingsOfTheExperiment) {
  const auto message = [](const std::string& settings) {
    return read("model M Real x = 1;\nannotation(experiment(" + settings + "));\nend M;").messages();
  };
  EXPECT_EQ(message("StartTime = 2, StopTime = 1"), "2:12: error: StopTime = 1 is before StartTime = 2\n");
  EXPECT_EQ(message("Tolerance = 0, Interval = -1"),
            "2:35: error: Tolerance must be positive, but is 0\n"
            "2:49: error: Interval must be positive, but is -1\n");
  EXPECT_EQ(message("Tolerance = 1e10"), "2:35: error: Tolerance must be at most 0.1, but is 10000000000\n");
  EXPECT_EQ(message("StopTime = x"),
            "2:34: error: 'x' changes during the run, but a setting of the experiment must be known before it\n");
}

TEST(ElaborateErrors, InputThatCannotBeRead) {
  const auto sources = std::make_shared<Sources>();
  Diagnostics diagnostics;
  EXPECT_FALSE(read_model_file("/nowhere/at all.mo", {}, sources, diagnostics));
  EXPECT_EQ(render(diagnostics, *sources),
            "error D0801: cannot read '/nowhere/at all.mo': No such file or directory\n");
}

}  // namespace
}  // namespace driftless
