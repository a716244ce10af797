#include "driftless/language/overconstrained.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "driftless/language/reading_flat.hpp"

namespace driftless {
namespace {

using testing::flat;
using testing::Lines;
using testing::read;
using testing::read_clean;

// A direction in the plane as a record of two numbers with one degree of freedom.
const std::string planar = R"(record Direction
  Real c; Real s;
  function equalityConstraint input Direction a; input Direction b; output Real residue[1];
  algorithm residue[1] := a.c*b.s - a.s*b.c; end equalityConstraint;
end Direction;
connector Frame Direction R; flow Real t; end Frame;
model Ground Frame f; equation Connections.root(f.R); f.R.c = 1; f.R.s = 0; end Ground;
model Hinge Frame a, b; Real phi; equation Connections.branch(a.R, b.R);
  if Connections.rooted(a.R) then
    b.R.c = a.R.c*cos(phi) - a.R.s*sin(phi); b.R.s = a.R.s*cos(phi) + a.R.c*sin(phi);
  else
    a.R.c = b.R.c*cos(phi) + b.R.s*sin(phi); a.R.s = b.R.s*cos(phi) - b.R.c*sin(phi);
  end if;
  a.t + b.t = 0; end Hinge; model Free extends Hinge; equation a.t = 0; end Free;
model Disc Frame f; Real w; equation Connections.potentialRoot(f.R);
  if Connections.isRoot(f.R) then der(f.R.c) = -w*f.R.s; der(f.R.s) = w*f.R.c; else w = 7; end if; f.t = der(w); end Disc;
)";

bool holds(const Lines& lines, const std::string& line) { return std::ranges::find(lines, line) != lines.end(); }

TEST(Overconstrained, ATreeHasItsEqualities) {
  const Lines lines = flat(planar +
                           "model M Ground g; Hinge h(phi = time); Disc d;\n"
                           "equation connect(g.f, h.a); connect(h.b, d.f); end M;");
  EXPECT_TRUE(holds(lines, "line 18 [h.a.R.c]: g.f.R.c - h.a.R.c"));
  EXPECT_TRUE(holds(lines, "line 18 (2) [d.f.R.s]: h.b.R.s - d.f.R.s"));
  EXPECT_TRUE(holds(lines, "h: line 10: h.b.R.c - (h.a.R.c*cos(h.phi) - h.a.R.s*sin(h.phi))"));
  EXPECT_TRUE(holds(lines, "d: line 16: d.w - 7"));
}

// The hinge is written from b to a: its end b is nearer to the ground.
TEST(Overconstrained, RootedFollowsTheWayToTheRoot) {
  const Lines lines = flat(planar + "model M Ground g; Hinge h(phi = time); equation connect(g.f, h.b); end M;");
  EXPECT_TRUE(std::ranges::any_of(lines, [](const std::string& line) { return line.starts_with("h: line 12"); }));
  const std::string old_spelling = planar + R"(model P Frame a, b; Real r;
equation Connections.branch(a.R, b.R); a.R = b.R; a.t + b.t = 0; r = if rooted(a.R) then 1 else 2; end P;
model M Ground g; P p; equation connect(g.f, p.b); end M;)";
  EXPECT_TRUE(holds(flat(old_spelling), "p: line 18 (3): p.r - 2")) << flat(old_spelling).at(5);
}

TEST(Overconstrained, WithoutARootThePotentialOneWithTheSmallestPriorityIsTaken) {
  const std::string discs = planar + R"(model Second extends Disc; end Second;
model P Frame a, b; equation Connections.branch(a.R, b.R); a.R = b.R; a.t + b.t = 0; end P;
model Late Frame f; Real r; equation Connections.potentialRoot(f.R, priority = 5); r = if Connections.isRoot(f.R) then 1 else 0; f.t = 0; end Late;
)";
  const Lines lines =
      flat(discs + "model M Late l; P p; Disc d; equation connect(l.f, p.a); connect(p.b, d.f); end M;");
  EXPECT_TRUE(holds(lines, "l: line 19: l.r"));
  EXPECT_TRUE(std::ranges::any_of(lines, [](const std::string& line) { return line.starts_with("d: line 16"); }));
}

// A ring of two hinges: four equalities of records would be too many.
TEST(Overconstrained, ALoopIsCutOnceAndTheConstraintIsWrittenThere) {
  const Model model = read_clean(planar +
                                 "model M Ground g; Free a; Hinge b(phi = time); equation\n"
                                 "connect(g.f, a.a); connect(a.a, b.a);\nconnect(a.b, b.b); end M;");
  EXPECT_EQ(model.equations.size(), model.variables.size());
  const Lines lines = flat(model);
  EXPECT_TRUE(holds(lines, "line 19 [a.b.R, b.b.R][1]: a.b.R.c*b.b.R.s - a.b.R.s*b.b.R.c"));
  EXPECT_TRUE(holds(lines, "line 19 [a.b.t]: a.b.t + b.b.t"));
  EXPECT_FALSE(holds(lines, "line 19 [b.b.R.c]: a.b.R.c - b.b.R.c"));
}

TEST(Overconstrained, TwoGroundsMeetInAConstraint) {
  const Lines lines =
      flat(planar + "model M Ground g, k; Free h; equation connect(g.f, h.a); connect(h.b, k.f); end M;");
  EXPECT_TRUE(holds(lines, "line 17 (2) [h.b.R, k.f.R][1]: h.b.R.c*k.f.R.s - h.b.R.s*k.f.R.c"));
}

// connect(a, b), connect(b, c), connect(c, a) implies a = c twice.
TEST(Overconstrained, ALoopOfConnectionsAtOnePlaceAddsNothing) {
  const Model model = read_clean(planar + R"(model M Ground g; Disc d, e;
equation connect(g.f, d.f); connect(d.f, e.f); connect(e.f, g.f); end M;)");
  EXPECT_EQ(model.equations.size(), model.variables.size());
}

TEST(Overconstrained, TypesMayBeOverdeterminedToo) {
  const std::string text = R"(type Pair = Real[2];
type Direction extends Pair;
  function equalityConstraint input Direction a; input Direction b; output Real residue[1];
  algorithm residue[1] := a[1]*b[2] - a[2]*b[1]; end equalityConstraint;
end Direction;
connector Frame Direction R; flow Real t; end Frame;
model Ground Frame f; equation Connections.root(f.R); f.R = {1, 0}; end Ground;
model M Ground g, h; equation connect(g.f, h.f); end M;)";
  EXPECT_EQ(flat(text).at(4), "line 8 [g.f.t]: g.f.t + h.f.t");
  EXPECT_EQ(flat(text).at(5), "line 8 [g.f.R, h.f.R][1]: g.f.R[1]*h.f.R[2] - g.f.R[2]*h.f.R[1]");
}

// The first message, without its notes.
std::string message(const std::string& text) {
  const std::string all = read(planar + text).messages();
  return all.substr(0, all.find('\n'));
}

TEST(Overconstrained, Mistakes) {
  EXPECT_EQ(message("model Ring Frame a, b; equation a.R = b.R; a.t + b.t = 0;\nConnections.branch(a.R, b.R);\n"
                    "Connections.branch(b.R, a.R); end Ring;\nmodel M Ring r; end M;"),
            "19:1: error: the branches r.b.R - r.a.R - r.b.R form a loop");
  EXPECT_EQ(message("model M Ground g; Disc d;\nReal x; equation Connections.branch(x, d.f.R); end M;"),
            "18:37: error: Connections.branch takes overdetermined records of connectors, but 'x' is none");
  EXPECT_EQ(message("model Two Frame a, b; equation Connections.branch(a.R, b.R);\nConnections.root(a.R);\n"
                    "Connections.root(b.R); end Two;\nmodel M Two t; end M;"),
            "19:1: error: t.a.R and t.b.R are both roots, but the branches t.a.R - t.b.R connect them");
  EXPECT_EQ(message("model P Frame f; end P;\nmodel M P p, q; equation connect(p.f, q.f); end M;"),
            "6:27: error: no root or potential root is connected to p.f.R, q.f.R");
  EXPECT_EQ(message("model P Frame f; Real x; equation\nx = if Connections.rooted(f.R) then 1 else 2; end P;\n"
                    "model M Ground g; P p; equation connect(g.f, p.f); end M;"),
            "18:8: error: rooted needs exactly one Connections.branch(p.f.R, ...), but there are 0");
  EXPECT_EQ(message("model M Ground g; Hinge h; Disc d; equation connect(g.f, h.a);\n"
                    "if Connections.rooted(h.a.R) then\nconnect(h.b, d.f); end if; end M;"),
            "19:1: error: this connection depends on Connections.isRoot or rooted");
}

// A part with one equation too few is named although its neighbours have more variables than degrees of freedom.
TEST(Overconstrained, ThePartWithTooFewEquationsIsNamed) {
  const std::string text = message(
      "model Bad Frame a, b; equation Connections.branch(a.R, b.R); a.R = b.R; end Bad;\n"
      "model M Ground g; Hinge h(phi = time); Bad bad; Disc d;\n"
      "equation connect(g.f, h.a); connect(h.b, bad.a); connect(bad.b, d.f); end M;");
  EXPECT_EQ(text, "17:7: error: bad has 1 equation too few: Bad has 2 for 3 unknowns");
}

}  // namespace
}  // namespace driftless
