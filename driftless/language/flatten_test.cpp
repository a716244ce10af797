#include "driftless/language/flatten.hpp"

#include <gtest/gtest.h>

#include "driftless/language/reading_flat.hpp"

namespace driftless {
namespace {

using testing::read_clean;
using testing::text_of;

std::string flat_text(const Model& model) {
  Diagnostics diagnostics;
  const auto text = flatten(model, diagnostics);
  EXPECT_EQ(render(diagnostics, *model.sources), "");
  return text.value_or("");
}

TEST(Flatten, WritesOneLineForEachVariableAndEquation) {
  EXPECT_EQ(
      flat_text(read_clean("model A parameter Real k = 2 \"rate\"; Real x(start = k, fixed = true, unit = \"m\");\n"
                           "equation der(x) = -k*x; end A;\n"
                           "model M A a[2](k = {1, q}); parameter Real q = 5; Real s; equation 0 = s + a[1].x;\n"
                           "annotation(experiment(StopTime = 3)); end M;")),
      R"(//! base 0.1.0
package 'M'
  model 'M'
    parameter Real 'a[1].k' = 1 "rate";
    parameter Real 'a[2].k' = 'q' "rate";
    parameter Real 'q' = 5;
    Real 'a[1].x'(unit = "m", start = 'a[1].k', fixed = true);
    Real 'a[2].x'(unit = "m", start = 'a[2].k', fixed = true);
    Real 's';
  equation
    -('s' + 'a[1].x') = 0;
    der('a[1].x') + 'a[1].k'*'a[1].x' = 0;
    der('a[2].x') + 'a[2].k'*'a[2].x' = 0;
    annotation(experiment(StartTime = 0, StopTime = 3));
  end 'M';
end 'M';
)");
}

// Read again, the text gives the same names, numbers and equations.
TEST(Flatten, IsReadBackAsTheSameModel) {
  const Model model = read_clean(R"(connector Pin Real v; flow Real i; end Pin;
model R Pin p, n; parameter Real R(unit = "Ohm") = 1; equation p.v - n.v = R*p.i; p.i + n.i = 0; end R;
model C Pin p, n; parameter Real C = 1; Real u(start = 3, fixed = true, nominal = 10, min = -5, stateSelect = StateSelect.prefer);
equation u = p.v - n.v; C*der(u) = p.i; p.i + n.i = 0; assert(u < 9, "too \"high\"", AssertionLevel.warning); end C;
model G Pin p; equation p.v = 0; end G;
model M parameter Integer n = 2; R r[n](R = {k, 3}); parameter Real k = 4; C c; G g;
Real x = if time > 1 then sin(c.u)^2 else max(c.u, 1); Real q; equation
connect(c.p, r[1].p); connect(r[1].n, r[2].p); connect(r[2].n, c.n); connect(c.n, g.p); der(q) = x; initial equation q = k;
annotation(experiment(StopTime = k, Tolerance = 1e-7)); end M;)");
  const std::string text = flat_text(model);
  const Model again = read_clean(text);
  EXPECT_EQ(testing::names(again), testing::names(model));
  ASSERT_EQ(again.equations.size(), model.equations.size());
  for (std::size_t k = 0; k < model.equations.size(); ++k)
    EXPECT_EQ(text_of(again, again.equations[k].residual), text_of(model, model.equations[k].residual));
  ASSERT_EQ(again.parameters.size(), model.parameters.size());
  for (std::size_t k = 0; k < model.parameters.size(); ++k) {
    EXPECT_EQ(again.parameters[k].name, model.parameters[k].name);
    EXPECT_EQ(again.parameters[k].value, model.parameters[k].value);
    EXPECT_EQ(again.parameters[k].unit, model.parameters[k].unit);
  }
  for (std::size_t k = 0; k < model.variables.size(); ++k) {
    EXPECT_EQ(again.variables[k].start, model.variables[k].start);
    EXPECT_EQ(again.variables[k].fixed, model.variables[k].fixed);
    EXPECT_EQ(again.variables[k].nominal, model.variables[k].nominal);
    EXPECT_EQ(again.variables[k].min, model.variables[k].min);
    EXPECT_EQ(again.variables[k].state_select, model.variables[k].state_select);
  }
  EXPECT_EQ(again.experiment.stop, 4);
  EXPECT_EQ(again.experiment.tolerance, 1e-7);
  ASSERT_EQ(again.assertions.size(), 1U);
  EXPECT_EQ(again.assertions[0].message, "too \"high\"");
  EXPECT_EQ(again.bindings.size(), model.bindings.size());
  EXPECT_EQ(again.initial_equations.size(), 1U);
}

// Read again, the text has the same variables and as many equations.
void expect_readable(const std::string& text, std::size_t variables, std::size_t equations) {
  const Model again = read_clean(text);
  EXPECT_EQ(again.variables.size(), variables) << text;
  EXPECT_EQ(again.equations.size(), equations) << text;
}

TEST(Flatten, WritesEventsAsWhenClauses) {
  const std::string text = flat_text(read_clean(R"(model M
Real h(start = 1, fixed = true), v(fixed = true, start = 0); Integer n(start = 0, fixed = true); Boolean up(start = true);
discrete Real last(start = 2); type C = enumeration(a, b); C c(start = C.b);
equation
der(h) = v; der(v) = -9.81;
when h < 0 then reinit(v, -0.8*v); n = pre(n) + 1; last = time; if n > 3 then terminate("enough"); end if; end when;
up = v > 0; c = if up then C.a else C.b;
assert(h > -1, "fell"); end M;)"));
  expect_readable(text, 2, 2);
  for (const char* line : {"Integer 'n'(start = 0, fixed = true);", "Boolean 'up'(start = true);",
                           "discrete Real 'last'(start = 2);", "Integer 'c'(start = 2);", "'up' = (0 < 'v');",
                           "when 'when_1' then", "reinit('v', -0.8*'v');", "terminate(\"enough\");"})
    EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
}

TEST(Flatten, WritesInputsFunctionsAndSwitches) {
  const std::string text = flat_text(read_clean(R"(model M
input Real u(start = 1); input Real w = 2*time; input Boolean b; Real x(start = 1, fixed = true); Real y; parameter Real q = 3;
function root input Real a; output Real x; algorithm x := a; while abs(x^2 - a) > 1e-9 loop x := (x + a/x)/2; end while; end root;
equation der(x) = -x*u + w; y = root(x + q) + (if noEvent(x > 2) then 1 else 0) + (if b then 1 else 2) + floor(3*x);
end M;)"));
  expect_readable(text, 4, 4);
}

TEST(Flatten, WritesInvariantsHomotopyAndPromises) {
  const std::string text = flat_text(read_clean(R"(model M
Real x(start = 1, fixed = true), y, z; equation der(x) = y; y = homotopy(-x^3, -x); z = smooth(1, if x > 0 then x^2 else 0);
annotation(__Driftless(invariants(energy = x^4 + y))); end M;)"));
  expect_readable(text, 3, 3);
  EXPECT_NE(text.find("homotopy("), std::string::npos);
  EXPECT_NE(text.find("invariants(energy = "), std::string::npos);
  EXPECT_NE(text.find("smooth(1, "), std::string::npos);
}

TEST(Flatten, SaysWhatItCannotWrite) {
  const auto reason = [](const std::string& text) {
    Diagnostics diagnostics;
    const Model model = read_clean(text);
    EXPECT_FALSE(flatten(model, diagnostics));
    return diagnostics.all().front().message;
  };
  EXPECT_EQ(reason("model M Real x = delay(time, 1); end M;"),
            "not supported yet: flat text of a model with delay(...)");
}

}  // namespace
}  // namespace driftless
