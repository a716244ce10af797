#include <gtest/gtest.h>

#include "driftless/language/reading_flat.hpp"

namespace driftless {
namespace {

using testing::flat;
using testing::Lines;
using testing::parameter;
using testing::read;
using testing::read_clean;

const std::string point = "record Point Real x; Real y[2]; end Point;\n";

TEST(Records, AreEqualMemberByMember) {
  EXPECT_EQ(flat(point + "model M Point a; Point b; equation\na = Point(time, {1, 2});\nb = a; end M;"),
            (Lines{"line 3 [x]: a.x - time", "line 3 [y][1]: a.y[1] - 1", "line 3 [y][2]: a.y[2] - 2",
                   "line 4 [x]: b.x - a.x", "line 4 [y][1]: b.y[1] - a.y[1]", "line 4 [y][2]: b.y[2] - a.y[2]"}));
}

TEST(Records, HoldParametersWithDefaultsOfEachOther) {
  const Model model = read_clean(
      "record D parameter Real a = 1; parameter Real b = 2*a; end D;\n"
      "model Part parameter D d; Real z = d.b; end Part;\n"
      "model M parameter D p = D(a = 4); parameter D q(a = 7); Part u(d = q); Part v(d(a = 3));\n"
      "parameter D list[2] = {D(1), D(b = 9, a = 2)}; Part w[2](d = list); end M;");
  EXPECT_EQ(parameter(model, "p.b"), 8);
  EXPECT_EQ(parameter(model, "q.b"), 14);
  EXPECT_EQ(parameter(model, "u.d.b"), 14);
  EXPECT_EQ(parameter(model, "v.d.b"), 6);
  EXPECT_EQ(parameter(model, "list[2].b"), 9);
  EXPECT_EQ(parameter(model, "w[1].d.b"), 2);
  EXPECT_EQ(parameter(model, "w[2].d.a"), 2);
}

TEST(Records, AValueFromOutsideIsStrongerThanTheModifiersOfTheDeclaration) {
  const Model model = read_clean(
      "record A parameter Real a = 1; parameter Real b = 2; end A;\n"
      "model P parameter A x(a = 5); end P;\n"
      "model M parameter A y(a = 3); P p(x = y); P q(x(b = 8)); P r; end M;\n");
  EXPECT_EQ(parameter(model, "p.x.a"), 3);
  EXPECT_EQ(parameter(model, "q.x.a"), 5);
  EXPECT_EQ(parameter(model, "q.x.b"), 8);
  EXPECT_EQ(parameter(model, "r.x.a"), 5);
}

TEST(Records, InFunctions) {
  EXPECT_EQ(flat(point + "function f input Point p; input Real s; output Point q; protected Point w;\n"
                         "algorithm w := p; w.x := s*p.x; w.y[2] := p.y[1]; q := w; end f;\n"
                         "function total input Point p[:]; output Real t; algorithm t := 0;\n"
                         "for i in 1:size(p, 1) loop t := t + p[i].x; end for; end total;\n"
                         "model M Point a, b; Real t = total({a, b}); Point c[2]; Real u = total(c); equation\n"
                         "a = Point(time, {1, 2});\nb = f(a, 3);\nc = {a, b}; end M;"),
            (Lines{"line 6: t - (a.x + b.x)", "line 6 (2): u - (c[1].x + c[2].x)", "line 7 [x]: a.x - time",
                   "line 7 [y][1]: a.y[1] - 1", "line 7 [y][2]: a.y[2] - 2", "line 8 [x]: b.x - 3*a.x",
                   "line 8 [y][1]: b.y[1] - a.y[1]", "line 8 [y][2]: b.y[2] - a.y[1]", "line 9 [x][1]: c[1].x - a.x",
                   "line 9 [x][2]: c[2].x - b.x", "line 9 [y][1,1]: c[1].y[1] - a.y[1]",
                   "line 9 [y][1,2]: c[1].y[2] - a.y[2]", "line 9 [y][2,1]: c[2].y[1] - b.y[1]",
                   "line 9 [y][2,2]: c[2].y[2] - b.y[2]"}));
}

TEST(Records, MembersOfResultsAndChoices) {
  EXPECT_EQ(flat(point +
                 "function f input Real s; output Point q = Point(s, {s, 2*s}); end f;\n"
                 "model M parameter Boolean b = true; Real r = ((f(time)).y)[2]; Point p = if b then f(1) else f(2);\n"
                 "Point n = if time > 1 then f(1) else f(2); end M;"),
            (Lines{"line 3: r - 2*time", "p: line 1: p.x - 1", "p: line 1 (2) [1]: p.y[1] - 1",
                   "p: line 1 (2) [2]: p.y[2] - 2", "n: line 1: n.x - (if 1 < time then 1 else 2)",
                   "n: line 1 (2) [1]: n.y[1] - (if 1 < time then 1 else 2)",
                   "n: line 1 (2) [2]: n.y[2] - (if 1 < time then 2 else 4)"}));
}

TEST(Records, LoopsThatDependOnValues) {
  // The function becomes a program; members are slots of it.
  const Model model =
      read_clean(point +
                 "function f input Real s; output Real r; protected Point p; algorithm\n"
                 "p := Point(s, {1, 1}); while p.x > 1 loop p.x := p.x/2; p.y[1] := p.y[1] + 1; end while;\n"
                 "r := p.y[1]; end f; model M Real a; equation a = f(time); end M;");
  const NodeId residual = model.equations.front().residual;
  EXPECT_EQ(testing::value_at(model, residual, {{"a", 0}, {"time", 9}}), -5);  // 9 -> 4.5 -> 2.25 -> 1.125 -> 0.5625
}

TEST(Records, Mistakes) {
  EXPECT_EQ(read(point + "model M Point a = Point(1); end M;").messages(),
            "2:19: error: the record Point needs a value for its member 'y'\n  in a (class Point)\n  declared here\n");
  EXPECT_EQ(read(point + "model M Point a; equation a = 3; end M;").messages(),
            "2:27: error: the two sides have different types: record and Integer\n");
  EXPECT_EQ(read(point + "model M Point a = Point(1, {1, 2}, 3); end M;").messages(),
            "2:19: error: the record Point has 2 members, but more values are given\n  in a (class Point)\n  declared "
            "here\n");
  EXPECT_EQ(read(point + "model M Point a = Point(x = 1, z = 2); end M;").messages(),
            "2:32: error: the record Point has no member 'z'\n  in a (class Point)\n");
  EXPECT_EQ(read(point + "model M Point a = Point(1, {1, 2, 3}); end M;").messages(),
            "2:28: error: 'y' of Point is [2], but this is [3]\n  in a (class Point)\n");
  EXPECT_EQ(read(point + "record Other Real x; end Other; model M Point a; Other b = Other(1); equation a = b; end M;")
                .messages(),
            "2:79: error: the right side needs the member 'y'\n");
}

}  // namespace
}  // namespace driftless
