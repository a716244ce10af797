#include "driftless/language/functions.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/function.hpp"
#include "driftless/language/reading.hpp"

namespace driftless {
namespace {

using testing::expect_residual;
using testing::Point;
using testing::read;
using testing::read_clean;

// A model with the functions and one equation r = call, r being the residual without the left side.
Model with_functions(const std::string& functions, const std::string& equations, const std::string& variables = "") {
  return read_clean("model M\n" + functions + "\n  Real x, y, r" + variables + ";\nequation\n" + equations +
                    "\nend M;");
}

void expect_value(const std::string& functions, const std::string& call, double (*formula)(double x, double y),
                  bool with_signs = true) {
  const Model model = with_functions(functions, "r = " + call + "; x = 1; y = 1;");
  const std::string label = model.equations.front().label;
  expect_residual(
      model, label, [&](const Point& p) { return p.variable("r") - formula(p.variable("x"), p.variable("y")); },
      with_signs);
}

bool has_calls(const Model& model) {
  const Pool& pool = *model.pool;
  for (const Equation& equation : model.equations)
    if (any_node(pool, equation.residual, [&](NodeId node) { return pool[node].op == Op::Call; })) return true;
  return false;
}

TEST(Functions, AssignmentsAndDefaults) {
  const std::string f = R"(
  function f
    input Real x;
    input Real k = 2*c;
    output Real y;
  protected
    constant Real c = 1.5;
    Real t = k*x;
  algorithm
    t := t + 1;
    y := t^2;
  end f;)";
  expect_value(f, "f(x)", [](double x, double) { return (3 * x + 1) * (3 * x + 1); });
  expect_value(f, "f(x, y)", [](double x, double y) { return (y * x + 1) * (y * x + 1); });
  expect_value(f, "f(k = y, x = x)", [](double x, double y) { return (y * x + 1) * (y * x + 1); });
}

TEST(Functions, BranchesAreMerged) {
  const std::string f = R"(
  function f
    input Real x;
    input Real y;
    output Real z;
  algorithm
    z := x;
    if x > 1 then
      z := z + 1;
    elseif x > 0 and y < 0 then
      z := z*y;
      if y < -1 then
        z := z - 5;
      end if;
    else
      z := -z;
    end if;
    z := 2*z;
  end f;)";
  expect_value(f, "f(x, y)", [](double x, double y) {
    double z = x;
    if (x > 1)
      z = z + 1;
    else if (x > 0 && y < 0) {
      z = z * y;
      if (y < -1) z = z - 5;
    } else
      z = -z;
    return 2 * z;
  });
}

TEST(Functions, EarlyReturns) {
  const std::string f = R"(
  function f
    input Real x;
    input Real y;
    output Real z;
  algorithm
    if x < 0 then
      z := -1;
      return;
    end if;
    for i in 1:3 loop
      if y > 1.5 - 0.5*i then
        z := 10*i + x;
        return;
      end if;
    end for;
    z := x*y;
  end f;)";
  expect_value(f, "f(x, y)", [](double x, double y) {
    if (x < 0) return -1.0;
    for (int i = 1; i <= 3; ++i)
      if (y > 1.5 - 0.5 * i) return 10 * i + x;
    return x * y;
  });
  EXPECT_FALSE(has_calls(with_functions(f, "r = f(x, y); x = 1; y = 1;")));
}

TEST(Functions, BreaksOfForLoops) {
  const std::string f = R"(
  function f
    input Real x;
    input Real y;
    output Real z;
  algorithm
    z := 0;
    for i in 1:4 loop
      for j in i:4 loop
        if x*j > 2 then
          break;
        end if;
        z := z + j;
      end for;
      if z > 6*y then
        z := z + 100;
        break;
      end if;
    end for;
    z := z + 1;
  end f;)";
  expect_value(f, "f(x, y)", [](double x, double y) {
    double z = 0;
    for (int i = 1; i <= 4; ++i) {
      for (int j = i; j <= 4; ++j) {
        if (x * j > 2) break;
        z = z + j;
      }
      if (z > 6 * y) {
        z = z + 100;
        break;
      }
    }
    return z + 1;
  });
}

TEST(Functions, ArraysOfAnySize) {
  const std::string f = R"(
  function horner
    input Real c[:];
    input Real x;
    output Real y;
  algorithm
    y := 0;
    for i in size(c, 1):-1:1 loop
      y := y*x + c[i];
    end for;
  end horner;
  function powers
    input Real x;
    input Integer n;
    output Real p[n];
  protected
    Integer k = n - 1;
  algorithm
    p[1] := 1;
    for i in 1:k loop
      p[i + 1] := p[i]*x;
    end for;
    p[1:2] := p[{2, 1}];
  end powers;)";
  expect_value(f, "horner({1, 2, y}, x)", [](double x, double y) { return 1 + 2 * x + y * x * x; });
  expect_value(f, "powers(x, 4)*{1, 10, 100, y}",
               [](double x, double y) { return x + 10 + 100 * x * x + y * x * x * x; });
}

TEST(Functions, SeveralOutputs) {
  const Model model = with_functions(R"(
  function polar
    input Real r;
    input Real phi;
    output Real x;
    output Real y;
    output Real J[2, 2];
  algorithm
    x := r*cos(phi);
    y := r*sin(phi);
    J := [cos(phi), -y; sin(phi), x];
  end polar;
  function first
    input Real r;
    output Real x;
  protected
    Real y;
  algorithm
    (x, y) := polar(r, 1);
    (, x) := polar(r, y);
  end first;)",
                                     "(x, y) = polar(r, 2);\n(, , J) = polar(x, y);\nr = first(x);", ", J[2, 2]");
  const auto label = [&](std::size_t k) { return model.equations[k].label; };
  ASSERT_EQ(model.equations.size(), 7U);
  EXPECT_TRUE(label(1).ends_with(" [2]")) << label(1);
  EXPECT_TRUE(label(3).ends_with(" [3,1,2]")) << label(3);
  expect_residual(model, label(1), [](const Point& p) { return p.variable("y") - p.variable("r") * std::sin(2); });
  expect_residual(model, label(3),
                  [](const Point& p) { return p.variable("J[1,2]") + p.variable("x") * std::sin(p.variable("y")); });
  expect_residual(model, label(6), [](const Point& p) {
    const double x = p.variable("x");
    return p.variable("r") - x * std::sin(x * std::sin(1));
  });
}

TEST(Functions, RecursionWithAKnownEnd) {
  const std::string f = R"(
  function power
    input Real x;
    input Integer n;
    output Real y;
  algorithm
    if n == 0 then
      y := 1;
    elseif mod(n, 2) == 0 then
      y := power(x*x, div(n, 2));
    else
      y := x*power(x, n - 1);
    end if;
  end power;)";
  expect_value(f, "power(x, 13)", [](double x, double) { return std::pow(x, 13); });
}

TEST(Functions, WhileLoopsWithKnownConditionsAreUnrolled) {
  const std::string f = R"(
  function f
    input Real x;
    output Real y;
  protected
    Integer k = 1;
  algorithm
    y := 0;
    while true loop
      y := y + x^k;
      k := k + 1;
      if k > 3 then
        break;
      end if;
    end while;
    while k > 0 loop
      y := 2*y;
      k := k - 2;
    end while;
  end f;)";
  expect_value(f, "f(x)", [](double x, double) { return 4 * (x + x * x + x * x * x); });
  EXPECT_FALSE(has_calls(with_functions(f, "r = f(x); x = 1; y = 1;")));
}

const char* const newton = R"(
  function root "x^3 = a, by Newton's method"
    input Real a;
    output Real x;
  protected
    Real step = 1;
    Integer n = 0;
  algorithm
    x := 1 + a;
    while abs(step) > 1e-14*x loop
      step := (x^3 - a)/(3*x^2);
      x := x - step;
      n := n + 1;
      if n > 200 then
        return;
      end if;
    end while;
  end root;)";

TEST(Functions, LoopsThatDependOnValuesBecomePrograms) {
  expect_value(
      newton, "root(x) + root(x*y)", [](double x, double y) { return std::cbrt(x) + std::cbrt(x * y); }, false);
  const Model model = with_functions(newton, "r = root(x); x = 1; y = root(8);");
  EXPECT_TRUE(has_calls(model));
  EXPECT_EQ(model.pool->function(FunctionId{0}).name, "M.root");
  expect_value(R"(
  function f "sums of squares, over a number of terms that x decides, with elements chosen by values"
    input Real x;
    input Real v[:];
    output Real s;
  protected
    Real w[2] = {0, 0};
    Integer n = integer(abs(x)*2);
    Real t;
  algorithm
    s := 0;
    for i in 1:n loop
      w[1 + mod(i, 2)] := w[1 + mod(i, 2)] + i*v[min(i, size(v, 1))];
    end for;
    for k in 1:2, j in 1:2 loop
      if j > k then
        break;
      end if;
      s := s + k*w[j];
    end for;
    t := w[1];
    (w[1], w[2]) := swap(w[1], w[2]);
    w := w[{2, 1}] + w;
    s := s + 0.1*w[1] - t;
  end f;
  function swap
    input Real a;
    input Real b;
    output Real c = b;
    output Real d = a;
  algorithm
  end swap;)",
               "f(x, {1, y, 3})", [](double x, double y) {
                 const double v[] = {1, y, 3};
                 double w[] = {0, 0}, s = 0;
                 const int n = static_cast<int>(std::floor(std::abs(x) * 2));
                 for (int i = 1; i <= n; ++i) w[i % 2] += i * v[std::min(i, 3) - 1];
                 s = w[0] + 2 * (w[0] + w[1]);
                 return s + 0.1 * (w[0] + w[1]) - w[0];
               });
}

// Where the branch is not taken its loop might have no end: the call is told the condition.
TEST(Functions, AProgramInABranchIsExecutedWhereTheBranchIsTaken) {
  const std::string either = std::string(newton) + R"(
  function either
    input Real x;
    output Real y;
  algorithm
    if x > 1 then
      y := root(x);
    else
      y := -x;
    end if;
  end either;)";
  expect_value(
      either, "either(x) + (if y > 3 then y else root(y + 10))",
      [](double x, double y) { return (x > 1 ? std::cbrt(x) : -x) + (y > 3 ? y : std::cbrt(y + 10)); }, false);
  const Model model = with_functions(either, "r = either(x); x = 1; y = 1;");
  const Pool& pool = *model.pool;
  EXPECT_TRUE(any_node(pool, model.equations.front().residual, [&](NodeId node) {
    if (pool[node].op != Op::Call) return false;
    const auto& arguments = pool.call_site(pool[node]).arguments;
    return arguments.size() == 2 && pool[arguments[1]].op == Op::Less;
  }));
}

TEST(Functions, ProgramsAreDifferentiated) {
  const Model model = with_functions(newton, "der(root(x)) = r; x = 1; y = 1;");
  expect_residual(model, model.equations.front().label, [](const Point& p) {
    return p.der("x") / (3 * std::pow(p.variable("x"), 2.0 / 3)) - p.variable("r");
  });
}

TEST(Functions, ParametersAndStartValuesAreComputed) {
  const Model model = read_clean(std::string("model M\n") + newton + R"(
  parameter Real a = 27;
  parameter Real b = root(a);
  Real x(start = root(8*a)) = b;
end M;)");
  EXPECT_NEAR(model.parameters[1].value, 3, 1e-14);
  EXPECT_NEAR(model.variables[0].start.value_or(0), 6, 1e-13);
}

TEST(Functions, MistakesInBodies) {
  const auto message = [](const std::string& function, const std::string& call) {
    return read("model M\nfunction f " + function + " end f;\nReal x = time;\nReal y = " + call + ";\nend M;")
        .messages();
  };
  const std::string one = "input Real a; output Real b; ";
  EXPECT_EQ(message(one + "algorithm a := 1; b := 1;", "f(x)"),
            "2:51: error: 'a' is an input and cannot be assigned\n");
  EXPECT_EQ(message(one + "algorithm c := 1;", "f(x)"), "2:51: error: 'c' is not a variable of M.f\n");
  EXPECT_EQ(message(one + "algorithm", "f(x)"),
            "2:38: error: the output 'b' of M.f is not assigned on every way through it\n  called here\n");
  EXPECT_EQ(message(one + "algorithm if a > 0 then b := 1; end if;", "f(x)"),
            "2:38: error: the output 'b' of M.f is not assigned on every way through it\n  called here\n");
  EXPECT_EQ(message(one + "algorithm b := b + a;", "f(x)"),
            "2:56: error: 'b' is used before it is assigned on every way to this place\n");
  EXPECT_EQ(message(one + "algorithm b := f(a - 1);", "f(x)"),
            "2:56: error: recursion deeper than 200: 'M.f' calls itself without an end that is known before the run\n");
  EXPECT_EQ(message(one + "algorithm b := a > 1;", "f(x)"),
            "2:56: error: the value of 'b' must be Real, but this is Boolean\n");
  EXPECT_EQ(message(one + "algorithm b := 0; while true loop b := b + 1; end while;", "f(x)"),
            "2:59: error: this loop does not end within 1000000 turns\n");
  EXPECT_EQ(message(one + "algorithm break; b := 1;", "f(x)"), "2:51: error: 'break' stands outside of a loop\n");
  EXPECT_EQ(message(one + "external \"C\" b = g(a);", "f(x)"),
            "4:10: error: 'M.f' calls the C function 'g', and calls of C functions are not allowed\n  declared here\n"
            "  --allow-external allows them: the code of their libraries then runs with your rights\n");
  EXPECT_EQ(message(one, "f(x)"), "4:10: error: the function 'M.f' has no algorithm\n  declared here\n");
  EXPECT_EQ(message(one + "algorithm b := a;", "f()"),
            "4:10: error: M.f needs a value for its input 'a'\n  declared here\n");
  EXPECT_EQ(message(one + "algorithm b := a;", "f(x, 2)"),
            "4:10: error: M.f takes 1 argument, but 2 are given\n  declared here\n");
  EXPECT_EQ(message(one + "algorithm b := a;", "f(aa = x)"), "4:12: error: M.f has no input 'aa': did you mean 'a'?\n");
  EXPECT_EQ(message(one + "algorithm b := a;", "sum(f({x, x}))"), "") << "by elements";
  EXPECT_EQ(message("input Real a, c; output Real b; algorithm b := a*c;", "sum(f({x, x}, {x, x, x}))"),
            "4:24: error: M.f is applied to every element, but this has the shape [3], and another argument [2]\n");
  EXPECT_EQ(message("input Real a[3]; output Real b; algorithm b := a[1];", "f({x, x})"),
            "4:12: error: 'a' of M.f is [3], but this is [2]\n");
  EXPECT_EQ(message("input Integer a; output Real b; algorithm b := a;", "f(1.5)"),
            "4:12: error: 'a' of M.f must be Integer, but this is Real\n");
  EXPECT_EQ(message(one + "algorithm b := x;", "f(1.5)"),
            "2:56: error: 'x' belongs to M and is not a constant: it cannot be used in M.f\n  declared here\n");
}

// The argument is a parameter, whose number decides.
TEST(Functions, AssertionsAboutArguments) {
  const auto model = [](const std::string& value) {
    return "model M\n  function f\n    input Real c;\n    output Real y;\n  algorithm\n    assert(c > 0, \"c\");\n"
           "    y := 2*c;\n  end f;\n  parameter Real c = " +
           value + ";\n  Real y = f(c);\nend M;";
  };
  read_clean(model("2"));
  EXPECT_EQ(read(model("-2")).messages(), "6:5: error: assertion violated: c\n");
}

}  // namespace
}  // namespace driftless
