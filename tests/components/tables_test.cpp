// Tables, strings and left limits of the start, against formulas solved by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "driftless/language/read.hpp"
#include "driftless/simulate.hpp"

namespace driftless {
namespace {

Model read_text(const std::string& text) {
  auto sources = std::make_shared<Sources>();
  Diagnostics diagnostics;
  auto model = read_model_text("test.mo", text, {}, sources, diagnostics);
  EXPECT_TRUE(model) << render(diagnostics, *sources);
  return model ? std::move(*model) : Model();
}

Solution run(const Model& model) {
  Solution solution = simulate(model, {.tolerance = 1e-8, .intervals = 100});
  EXPECT_EQ(solution.outcome, Outcome::Success) << solution.message;
  return solution;
}

double last(const Solution& solution, const std::string& name) { return solution.column(name).back(); }

const std::string time_table = R"(
class T
  extends ExternalObject;
  function constructor
    input Real table[:, :];
    input Integer smoothness;
    input Integer extrapolation;
    input Real startTime = 0;
    input Real shiftTime = 0;
    output T made;
  external "C" made = ModelicaStandardTables_CombiTimeTable_init3("NoName", "NoName", table, size(table, 1),
    size(table, 2), startTime, {2}, 1, smoothness, extrapolation, shiftTime, 1, false, ",", 0);
  end constructor;
end T;
function next
  input T t;
  input Real at;
  output Real y;
external "C" y = ModelicaStandardTables_CombiTimeTable_nextTimeEvent(t, at);
end next;
function value
  input T t;
  input Real at;
  input Real next;
  output Real y;
external "C" y = ModelicaStandardTables_CombiTimeTable_getValue(t, 1, at, next, next);
end value;
)";

// der(x) is the table, so x is its integral.
Model integral(const std::string& arguments, double stop) {
  return read_text(time_table + "model M\n  T t = T(" + arguments + R"();
  discrete Real event(start = 0, fixed = true);
  Real x(start = 0, fixed = true), y;
equation
  when {time >= pre(event), initial()} then
    event = next(t, time);
  end when;
  y = value(t, time, event);
  der(x) = y;
  annotation(experiment(StopTime = )" +
                   std::to_string(stop) + "));\nend M;");
}

TEST(Tables, TimeTableIsIntegratedExactly) {
  // A ramp to 2, a jump to 5 at t = 1, and 5 held until 3, then held for ever.
  const Solution solution = run(integral("[0, 0; 1, 2; 1, 5; 3, 5], 1, 1", 4));
  EXPECT_NEAR(last(solution, "x"), 1 + 10 + 5, 1e-9);
}

TEST(Tables, ConstantSegmentsJumpAtTheirPoints) {
  const Solution solution = run(integral("[0, 1; 0.3, -2; 0.7, 4; 1, 0], 3, 1", 2));
  EXPECT_NEAR(last(solution, "x"), 0.3 - 2 * 0.4 + 4 * 0.3, 1e-9);
}

TEST(Tables, PeriodicTableRepeats) {
  // A saw tooth from 0 to 1 with period 0.25, over 10 and a half periods.
  const Solution solution = run(integral("[0, 0; 0.25, 1], 1, 3", 2.625));
  EXPECT_NEAR(last(solution, "x"), 10 * 0.125 + 0.125 * 0.5 / 2, 1e-8);
}

TEST(Tables, NothingBeforeTheStartTime) {
  const Solution solution = run(integral("[0, 1; 1, 3], 1, 2, 0.5, 0.25", 1.25));
  // From 0.5 on 1 + 2 (t - 0.25): the integral of it to 1.25.
  EXPECT_NEAR(last(solution, "x"), 0.75 + (1.0 - 0.0625), 1e-9);
}

TEST(Tables, SpringOfATableKeepsItsEnergy) {
  const Model model = read_model_file(std::string(DRIFTLESS_SOURCE_DIR) + "/models/components/tabulated_spring.mo");
  const Solution solution = simulate(model, {.tolerance = 1e-9, .intervals = 200});
  ASSERT_EQ(solution.outcome, Outcome::Success) << solution.message;
  const std::vector<double> x = solution.column("x"), v = solution.column("v");
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double beyond = std::max(std::abs(x[k]) - 1, 0.0);
    const double inner = std::min(std::abs(x[k]), 1.0);
    EXPECT_NEAR(v[k] * v[k] / 2 + inner * inner / 2 + beyond + 2 * beyond * beyond, 3.5, 1e-6);
  }
}

const std::string table_1d = R"(
class T
  extends ExternalObject;
  function constructor
    input Real table[:, :];
    input Integer smoothness;
    output T made;
  external "C" made = ModelicaStandardTables_CombiTable1D_init3("NoName", "NoName", table, size(table, 1),
    size(table, 2), {2}, 1, smoothness, 2, false, ",", 0);
  end constructor;
end T;
function value
  input T t;
  input Real u;
  output Real y;
external "C" y = ModelicaStandardTables_CombiTable1D_getValue(t, 1, u);
end value;
)";

TEST(Tables, LargeTableOfASineIsASine) {
  // 200 intervals become a program; the Akima spline of sin has an error below 1e-6.
  const Model model = read_text(table_1d + R"(
model M
  parameter Integer n = 200;
  T t = T({{10*i/n, sin(10*i/n)} for i in 0:n}, 2);
  Real x(start = 0, fixed = true);
equation
  der(x) = value(t, time);
  annotation(experiment(StopTime = 10));
end M;)");
  EXPECT_NEAR(last(run(model), "x"), 1 - std::cos(10), 1e-6);
}

TEST(Tables, ATableMayBeDifferentiated) {
  // Index 3: the position follows the table, whose second derivative is the force.
  const Model model = read_text(table_1d + R"(
model M
  T t = T([0, 0; 1, 1; 2, 4; 3, 9; 4, 16], 2);
  Real x, v, F;
equation
  x = value(t, time + 1);
  der(x) = v;
  der(v) = F;
  annotation(experiment(StopTime = 0.9));
end M;)");
  const Solution solution = run(model);
  EXPECT_NEAR(last(solution, "v"), 2 * 1.9, 1e-7) << "Akima's spline of a parabola is that parabola";
  EXPECT_NEAR(last(solution, "F"), 2, 1e-7);
}

TEST(Strings, ChooseAndConvert) {
  const Model model = read_text(R"(
model M
  type Color = enumeration(red, green);
  function number "1 if the text is the one wanted"
    input String text;
    input String wanted;
    output Integer n;
  algorithm
    n := if text == wanted then 1 else 0;
  end number;
  parameter Real k = 2.5;
  parameter String s[2] = {"a" + String(k), String(3, minimumLength = 4) + "|"};
  parameter Integer right = number(s[1], "a2.5") + number(s[2], "3   |") + number(String(true), "true")
    + number(String(Color.green), "green") + number(String(1/3, significantDigits = 3), "0.333")
    + number(String(2, format = "05.1f"), "002.0") + (if "abc" < "abd" then 1 else 0);
  Real x(start = 0, fixed = true);
equation
  der(x) = right;
end M;)");
  EXPECT_NEAR(last(run(model), "x"), 7, 1e-9);
}

const std::string complex_record = R"(
operator record Complex
  Real re;
  Real im;
  encapsulated operator 'constructor'
    function fromReal
      import Complex;
      input Real re;
      input Real im = 0;
      output Complex result(re = re, im = im);
    algorithm
    end fromReal;
  end 'constructor';
  encapsulated operator function '0'
    import Complex;
    output Complex c;
  algorithm
    c := Complex(0);
  end '0';
  encapsulated operator '-'
    function negate
      import Complex;
      input Complex a;
      output Complex c;
    algorithm
      c := Complex(-a.re, -a.im);
    end negate;
    function subtract
      import Complex;
      input Complex a;
      input Complex b;
      output Complex c;
    algorithm
      c := Complex(a.re - b.re, a.im - b.im);
    end subtract;
  end '-';
  encapsulated operator function '+'
    import Complex;
    input Complex a;
    input Complex b;
    output Complex c;
  algorithm
    c := Complex(a.re + b.re, a.im + b.im);
  end '+';
  encapsulated operator '*'
    function multiply
      import Complex;
      input Complex a;
      input Complex b;
      output Complex c;
    algorithm
      c := Complex(a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re);
    end multiply;
  end '*';
end Complex;
)";

TEST(OperatorRecords, ComplexNumbersAreComputedByTheirFunctions) {
  const Model model = read_text(complex_record + R"(
model M
  Complex z, w[2], s;
  Real x(start = 0, fixed = true);
equation
  z = (Complex(1, 2) - 3)*Complex(x, 1) + 2*(-Complex(0, x));
  w = {z, Complex(1)}*Complex(0, 1);
  s = sum(w);
  der(x) = 1;
end M;)");
  // At x = 1: (-2 + 2i)(1 + i) - 2i = -4 - 2i; times i: 2 - 4i; plus i: 2 - 3i.
  const Solution solution = run(model);
  EXPECT_NEAR(last(solution, "z.re"), -4, 1e-8);
  EXPECT_NEAR(last(solution, "z.im"), -2, 1e-8);
  EXPECT_NEAR(last(solution, "s.re"), 2, 1e-8);
  EXPECT_NEAR(last(solution, "s.im"), -3, 1e-8);
}

TEST(Components, InnerOuterIsSeenByPartsAndMeansTheOuterOneInItsOwnText) {
  const Model model = read_text(R"(
model Signal
  parameter Real k = 1;
  Real y = k;
end Signal;
model Part
  outer Signal s;
  Real seen = s.y;
end Part;
model Middle
  inner outer Signal s(k = 10);
  Part part;
  Real seen = s.y;
end Middle;
model M
  inner Signal s(k = 3);
  Middle middle;
  Part part;
end M;)");
  const Solution solution = run(model);
  EXPECT_NEAR(last(solution, "part.seen"), 3, 1e-12);
  EXPECT_NEAR(last(solution, "middle.seen"), 3, 1e-12);
  EXPECT_NEAR(last(solution, "middle.part.seen"), 10, 1e-12);
}

TEST(Events, InitialEquationsImplyLeftLimits) {
  // active = true at the start and active = pre(next) at every event: pre(next) is true at the start.
  const Model model = read_text(R"(
model Steps
  Boolean active, next;
  Real x(start = 0, fixed = true);
initial equation
  active = true;
equation
  active = pre(next);
  next = active and x < 0.5;
  der(x) = if active then 1 else 0;
  annotation(experiment(StopTime = 2));
end Steps;)");
  EXPECT_NEAR(last(run(model), "x"), 0.5, 1e-8);
}

}  // namespace
}  // namespace driftless
