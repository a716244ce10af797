#include <gtest/gtest.h>

#include "driftless/language/reading_flat.hpp"

namespace driftless {
namespace {

using testing::flat;
using testing::Lines;
using testing::names;
using testing::parameter;
using testing::read;
using testing::read_clean;
using testing::variable;

TEST(Extends, BringsComponentsAndEquations) {
  EXPECT_EQ(flat("partial model A Real x; parameter Real k = 2; end A;\n"
                 "model B extends A(k = 3); Real y; equation y = k*x; x = time; end B;"),
            (Lines{"line 2: y - k*x", "line 2 (2): x - time"}));
  EXPECT_EQ(flat("model A Real x; equation\nx = 1; end A; model B extends A; Real y; equation\ny = 2*x; end B;"),
            (Lines{"line 2: x - 1", "line 3: y - 2*x"}));
}

TEST(Extends, OuterModifiersWin) {
  const Model model = read_clean(
      "model A parameter Real k = 1; Real x(start = k) = k; end A;\n"
      "model B extends A(k = 2, x(start = 5)); end B; model C extends B(k = 3); end C;\n"
      "model M C c; C d(k = 4, x(start = 6)); end M;");
  EXPECT_EQ(parameter(model, "c.k"), 3);
  EXPECT_EQ(parameter(model, "d.k"), 4);
  EXPECT_EQ(variable(model, "c.x").start, 5);
  EXPECT_EQ(variable(model, "d.x").start, 6);
}

TEST(Extends, WhatIsInheritedOnTwoWaysCountsOnce) {
  EXPECT_EQ(flat("model A Real x; equation x = 1; end A; model B extends A; end B; model C extends A; end C;\n"
                 "model M extends B; extends C; end M;"),
            (Lines{"line 1: x - 1"}));
}

TEST(Extends, NamesOfABaseAreLookedUpWhereItIsWritten) {
  EXPECT_EQ(flat("package P constant Real c = 3; function f input Real u; output Real y = c*u; end f;\n"
                 "model A Real x; equation x = f(c); end A; end P;\n"
                 "package Q constant Real c = 50; model M extends P.A; Real y = c; end M; end Q;"),
            (Lines{"line 3: y - 50", "line 2: x - 9"}));
}

TEST(Extends, ShortClassesModify) {
  const Model model = read_clean(
      "model A parameter Real k = 1; Real x = k; end A; model B = A(k = 2);\n"
      "model C = B(x(start = 4)); model M C c; B b(k = 7); B bs[2]; end M;");
  EXPECT_EQ(parameter(model, "c.k"), 2);
  EXPECT_EQ(parameter(model, "b.k"), 7);
  EXPECT_EQ(parameter(model, "bs[2].k"), 2);
  EXPECT_EQ(variable(model, "c.x").start, 4);
  EXPECT_EQ(names(read_clean("model A Real x = 1; end A; model M = A;")), (Lines{"x"}));
}

TEST(Extends, TypesWithAttributes) {
  const Model model = read_clean(
      "type Angle extends Real(unit = \"rad\", start = 2); end Angle; type Small = Angle(max = 9);\n"
      "model M Small a = 1; end M;");
  EXPECT_EQ(variable(model, "a").unit, "rad");
  EXPECT_EQ(variable(model, "a").start, 2);
}

TEST(Extends, PackagesCanBeExtendedAndRedeclared) {
  const std::string text = R"(package Base
  replaceable constant Real z = 1;
  constant Real w = z + 1;
  replaceable function f input Real u; output Real y = u + w; end f;
  model A Real x = f(z); end A;
end Base;
package Derived
  extends Base(z = 10);
  redeclare function extends f algorithm y := u*w; end f;
end Derived;
)";
  EXPECT_EQ(flat(text + "model M Base.A a; end M;"), (Lines{"a: line 5: a.x - 3"}));
  EXPECT_EQ(flat(text + "model M Derived.A a; Real y = Derived.w; end M;"),
            (Lines{"a: line 5: a.x - 110", "line 11: y - 11"}));
  EXPECT_EQ(flat(text + "model User replaceable package P = Base; P.A a; Real y = P.w; end User;\n"
                        "model M User u(redeclare package P = Base(z = 4)); end M;"),
            (Lines{"u.a: line 5: u.a.x - 9", "u: line 11: u.y - 5"}));
}

TEST(Extends, FunctionsInheritTheirInterface) {
  EXPECT_EQ(flat("partial function I input Real u; output Real y; end I;\n"
                 "function f extends I; input Real k = 2; algorithm y := k*u; end f; function g = f(k = 5);\n"
                 "model M Real a = f(time); Real b = g(time); end M;"),
            (Lines{"line 3: a - 2*time", "line 3 (2): b - 5*time"}));
}

TEST(Extends, FunctionsOfAPartSeeItsParameters) {
  EXPECT_EQ(flat("function weight input Real m; input Real g; output Real f = m*g; end weight;\n"
                 "model World parameter Real g = 9; function force = weight(g = g); end World;\n"
                 "model M World a; World b(g = 2); Real x = a.force(time) + b.force(3); end M;"),
            (Lines{"line 3: x - (time*a.g + 3*b.g)"}));
}

TEST(Extends, OnlyClassesOfAFittingKind) {
  EXPECT_EQ(read("function f output Real y = 1; end f; model M extends f; end M;").messages(),
            "1:44: error: a model cannot extend the function f\n  declared here\n");
  EXPECT_EQ(read("record R Real x; equation x = 1; end R; model M R r; end M;").messages(),
            "1:18: error: a record cannot have equations\n");
  EXPECT_EQ(read("package P Real x = 1; end P; model M Real y = P.x; end M;").messages().substr(0, 48),
            "1:16: error: a package cannot have variables\n1:4");
  EXPECT_EQ(flat("record Data parameter Real k = 2; end Data; model M extends Data; Real y = k; end M;"),
            (Lines{"line 1: y - k"}));
}

TEST(Redeclare, ComponentsAndClasses) {
  const std::string text = R"(partial model I parameter Real a = 1; Real z; end I;
model P extends I; equation z = a; end P;
model Q extends I; parameter Real b = 5; equation z = a*b; end Q;
model Host replaceable model T = P constrainedby I; T m(a = 2); replaceable P n(a = 3) constrainedby I(a = 4); end Host;
)";
  EXPECT_EQ(flat(text + "model M Host h; end M;"), (Lines{"h.m: line 2: h.m.z - h.m.a", "h.n: line 2: h.n.z - h.n.a"}));
  const Model model = read_clean(text + "model M Host h(redeclare model T = Q(b = 7), redeclare Q n(b = 8)); end M;");
  EXPECT_EQ(flat(model), (Lines{"h.m: line 3: h.m.z - h.m.a*h.m.b", "h.n: line 3: h.n.z - h.n.a*h.n.b"}));
  EXPECT_EQ(parameter(model, "h.m.a"), 2);
  EXPECT_EQ(parameter(model, "h.m.b"), 7);
  EXPECT_EQ(parameter(model, "h.n.a"), 4);
  EXPECT_EQ(parameter(model, "h.n.b"), 8);
  EXPECT_EQ(flat(text + "model M extends Host; redeclare Q n(b = 6); redeclare model T = Q; end M;"),
            (Lines{"m: line 3: m.z - m.a*m.b", "n: line 3: n.z - n.a*n.b"}));
}

TEST(Redeclare, OnlyWhatIsReplaceable) {
  EXPECT_EQ(read("model A Real x = 1; end A; model M A a(redeclare Real x = 2); end M;").messages(),
            "1:55: error: 'a.x' is not replaceable and cannot be redeclared\n  declared here\n");
  EXPECT_EQ(
      read("model A model T end T; T t; end A; model U end U; model M A a(redeclare model T = U); end M;").messages(),
      "1:79: error: the class 'A.T' is not replaceable and cannot be redeclared\n  declared here\n");
  EXPECT_EQ(read("model A end A; model M extends A; redeclare Real x = 1; end M;").messages(),
            "1:50: error: no class that M extends has a component 'x' that could be redeclared\n");
}

TEST(Extends, Mistakes) {
  EXPECT_EQ(read("model A extends A; end A;").messages(), "1:7: error: A extends itself\n");
  EXPECT_EQ(read("model A extends B; end A; model B extends A; end B;").messages(), "1:33: error: B extends itself\n");
  EXPECT_EQ(read("model A extends Nothing; end A;").messages(), "1:17: error: unknown class 'Nothing'\n");
  EXPECT_EQ(read("model A Real x = 1; end A; model B extends A; Real x = 2; end B;").messages(),
            "1:52: error: 'x' is inherited, but another element of B has its name\n  the other one is here\n");
  EXPECT_EQ(read("model A Real x = 1; end A; model B extends A(y = 2); end B;").messages(),
            "1:46: error: A has no element 'y'\n");
}

}  // namespace
}  // namespace driftless
