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

const std::string decay = R"(model Decay
  parameter Real k = 1;
  Real x(start = 1, fixed = true);
equation
  der(x) = -k*x;
end Decay;
)";

TEST(Parts, EachHasItsOwnVariablesAndEquations) {
  const Model model = read_clean(decay + "model M Decay a; Decay b; Real s = a.x + b.x; end M;");
  EXPECT_EQ(names(model), (Lines{"a.x", "b.x", "s"}));
  EXPECT_EQ(flat(model),
            (Lines{"line 7: s - (a.x + b.x)", "a: line 5: der(a.x) + a.k*a.x", "b: line 5: der(b.x) + b.k*b.x"}));
  EXPECT_EQ(model.equations[1].text, "der(x) = -k*x");
}

TEST(Parts, ModifiersReachValuesAndAttributesAtAnyDepth) {
  const Model model = read_clean(decay +
                                 "model Two Decay a(k = 2); Decay b(k = q); parameter Real q = 7; end Two;\n"
                                 "model M parameter Real z = 5; Two t(a(x(start = z, fixed = false)), b.k = 2*z);\n"
                                 "Two u(b(x.start = 9), q = 11); end M;");
  EXPECT_EQ(parameter(model, "t.a.k"), 2);
  EXPECT_EQ(parameter(model, "t.b.k"), 10);
  EXPECT_EQ(parameter(model, "u.b.k"), 11);
  EXPECT_EQ(variable(model, "t.a.x").start, 5);
  EXPECT_FALSE(variable(model, "t.a.x").fixed);
  EXPECT_TRUE(variable(model, "t.b.x").fixed);
  EXPECT_EQ(variable(model, "u.b.x").start, 9);
}

TEST(Parts, AModifierIsEvaluatedWhereItIsWritten) {
  const Model model = read_clean(decay +
                                 "model Host parameter Real k = 3; Decay d(k = k + 1); end Host;\n"
                                 "model M parameter Real k = 10; Host h(k = k + 1); end M;");
  EXPECT_EQ(parameter(model, "h.k"), 11);
  EXPECT_EQ(parameter(model, "h.d.k"), 12);
}

TEST(Parts, ArraysTakeOneValueEachOrTheSameForAll) {
  const Model model = read_clean(decay +
                                 "model Pair parameter Integer n = 2; Decay d[n](k = {10*i for i in 1:n}); end Pair;\n"
                                 "model M parameter Real v[3] = {4, 5, 6}; Decay a[3](k = v, each x(start = 8));\n"
                                 "Decay b[2](x(start = {1, 2})); Pair p[2](d(k = {{1, 2}, {3, 4}}));\n"
                                 "Pair q[2](each n = 1, d(each k = 9)); Real s = sum(a.x) + p[2].d[1].x; end M;");
  EXPECT_EQ(parameter(model, "a[2].k"), 5);
  EXPECT_EQ(variable(model, "a[3].x").start, 8);
  EXPECT_EQ(variable(model, "b[2].x").start, 2);
  EXPECT_EQ(parameter(model, "p[2].d[1].k"), 3);
  EXPECT_EQ(parameter(model, "q[2].d[1].k"), 9);
  EXPECT_EQ(flat(model).front(), "line 10: s - (a[1].x + a[2].x + a[3].x + p[2].d[1].x)");
}

TEST(Parts, SizesFollowParametersOfOtherParts) {
  const Model model = read_clean(
      "model A parameter Integer n = 2; Real y[n] = {i for i in 1:n}; end A;\n"
      "model M A a(n = b.n + 1); A b(n = c.n); A c(n = 1); A d[a.n]; end M;");
  EXPECT_EQ(model.variables.size(), 2U + 1U + 1U + 2U * 2U);
  EXPECT_EQ(names(model)[4], "d[1].y[1]");
}

TEST(Parts, OverridesNameTheInstance) {
  const std::string text = decay + "model M Decay d[2]; final parameter Real f = 1; end M;";
  const Model model = read_clean(text, {"", {{"d[2].k", "6"}, {"d[1].x.start", "3"}}});
  EXPECT_EQ(parameter(model, "d[2].k"), 6);
  EXPECT_EQ(parameter(model, "d[1].k"), 1);
  EXPECT_EQ(variable(model, "d[1].x").start, 3);
  EXPECT_EQ(read(text, {"", {{"d[2].kk", "6"}}}).messages(),
            "error: --override d[2].kk=6: M has no parameter or variable 'd[2].kk': did you mean 'd[2].k'?\n");
}

TEST(Parts, ParametersOfPartsStayLeaves) {
  // A parameter that is bound to one of the model follows it when that one is changed.
  const Model model = read_clean(decay + "model M parameter Real q = 2; Decay d(k = 3*q); end M;");
  ASSERT_EQ(model.bindings.size(), 1U);
  EXPECT_EQ(testing::text_of(model, model.bindings[0].value), "3*q");
}

TEST(Parts, ConditionalPartsVanish) {
  const std::string text = decay + "model M parameter Boolean b = false; Decay d if b; Decay e if not b; end M;";
  EXPECT_EQ(names(read_clean(text)), (Lines{"e.x"}));
  EXPECT_EQ(names(read_clean(text, {"", {{"b", "true"}}})), (Lines{"d.x"}));
  EXPECT_EQ(
      read(decay + "model M Decay d if false; Real y = d.x; end M;").messages(),
      "7:36: error: 'd' exists only under a condition: it can be connected, but not used in expressions\n  declared "
      "here\n");
}

TEST(Parts, OuterMeansTheInnerOfTheNearestInstanceAround) {
  const std::string text = R"(model World parameter Real g = 9; end World;
model Body outer World world; Real y = world.g; end Body;
model Planet inner World world(g = 2); Body b; end Planet;
model M inner World world(g = 5); Body b; Planet p; end M;)";
  EXPECT_EQ(flat(text), (Lines{"b: line 2: b.y - world.g", "p.b: line 2: p.b.y - p.world.g"}));
}

TEST(Parts, EventsBelongToTheInstance) {
  const Model model = read_clean(R"(model Counter
  parameter Real T = 1;
  discrete Real c(start = 0, fixed = true);
  Boolean high;
equation
  when sample(0, T) then
    c = pre(c) + 1;
  end when;
algorithm
  high := c > 2;
end Counter;
model M Counter a; Counter b(T = 2); end M;)");
  ASSERT_EQ(model.discrete.samplings.size(), 2U);
  EXPECT_EQ(testing::text_of(model, model.discrete.samplings[1].interval), "b.T");
  const testing::Values now{{"b: sample(0, T)", 1}, {"pre(b: sample(0, T))", 0}, {"pre(b.c)", 4}};
  EXPECT_EQ(testing::next_value(model, "b.c", now), 5);
  EXPECT_EQ(testing::next_value(model, "a.high", {{"a.c", 3}}), 1);
  EXPECT_EQ(testing::next_value(model, "b.high", {{"b.c", 2}}), 0);
}

TEST(Parts, MessagesNameTheInstanceAndTheLineOfTheClass) {
  EXPECT_EQ(read("model A\nReal x;\nequation\nx = qq;\nend A;\nmodel M A a, b; end M;").messages(),
            "4:5: error: unknown variable 'qq'\n  in a (class A)\n");
  EXPECT_EQ(read(decay + "model M Decay d(kk = 2); end M;").messages(),
            "7:17: error: Decay has no element 'kk': did you mean 'k'?\n");
  EXPECT_EQ(read(decay + "model M Decay d(x(stat = 2)); end M;").messages(),
            "7:19: error: 'd.x' has no attribute 'stat': did you mean 'start'?\n  in d (class Decay)\n");
  EXPECT_EQ(read(decay + "model M Decay d; Real y = d.z; end M;").messages(),
            "7:29: error: d has no element 'z'\n  d is of the class Decay\n");
  EXPECT_EQ(read("model A protected Real x = 1; end A; model M A a; Real y = a.x; end M;").messages(),
            "1:62: error: 'x' is protected in A: it can be used only there\n");
  EXPECT_EQ(read(decay + "model M Decay d[2](k = 3); end M;").messages(),
            "7:24: warning: one value is given to an array of components: every one takes it\n"
            "  in d[1] (class Decay)\n  write 'each' before the modifier\n");
  EXPECT_EQ(read(decay + "model M Decay d[2](k = {3}); end M;").messages(),
            "7:24: error: there are at least 2 components, but their values have the shape [1]\n"
            "  in d[2] (class Decay)\n");
  EXPECT_EQ(read("model A A a; end A;").messages().substr(0, 51),
            "1:11: error: A contains itself, without an end\n  in");
  EXPECT_EQ(read("partial model A end A; model M A a; end M;").messages(),
            "1:34: error: 'a' cannot be a component of A, which is partial\n"
            "  a class that extends it and is not partial can be used\n");
  EXPECT_EQ(read("model A outer Real w; end A; model M A a; end M;").messages(),
            "1:20: warning: there is no 'inner w' around a: M gets one with the defaults of Real\n"
            "  declare it in a model that contains a: inner ... w;\n");
}

TEST(Parts, FinalCannotBeModified) {
  EXPECT_EQ(read("model A final parameter Real f = 1; end A; model M A a(f = 2); end M;").messages(),
            "1:56: error: 'a.f' is final and cannot be modified\n  it is made final here\n");
  EXPECT_EQ(read(decay + "model B Decay d(final k = 2); end B; model M B b(d(k = 3)); end M;").messages(),
            "7:52: error: 'b.d.k' is final and cannot be modified\n  in b (class B)\n  it is made final here\n");
}

TEST(Balance, NamesThePartThatIsToBlame) {
  const std::string text =
      "connector Pin Real v; flow Real i; end Pin;\n"
      "model Good Pin p; equation p.v = p.i; end Good;\n"
      "model Few Pin p; Real w; equation p.v = p.i; end Few;\n"
      "model Many Pin p; equation p.v = p.i; p.v = 1; end Many;\n"
      "block Gain input Real u; output Real y = 2*u; end Gain;\n";
  EXPECT_EQ(read(text + "model M Good g; Few f; equation connect(g.p, f.p); end M;").messages(),
            "3:7: error: f has 1 equation too few: Few has 1 for 2 unknowns\n"
            "  flows of its connectors are left to the model around it, and so are its inputs\n"
            "  f is declared here\n");
  EXPECT_EQ(read(text + "model Box Pin p; Many m; equation connect(p, m.p); end Box; model M Box b; end M;").messages(),
            "4:7: error: b.m has 1 equation too many: Many has 2 for 1 unknown\n"
            "  flows of its connectors are left to the model around it, and so are its inputs\n"
            "  b.m is declared here\n");
  // The error is in the model itself, which its structural analysis explains.
  EXPECT_EQ(read(text + "model M Good g; Gain k; end M;").messages(), "");
}

}  // namespace
}  // namespace driftless
