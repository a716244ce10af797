#include <gtest/gtest.h>

#include <algorithm>

#include "driftless/language/reading_flat.hpp"

namespace driftless {
namespace {

using testing::flat;
using testing::Lines;
using testing::read;
using testing::read_clean;

const std::string pins = R"(connector Pin Real v; flow Real i; end Pin;
model Source Pin p; equation p.v = 1; end Source;
model Load Pin p; equation p.v = 2*p.i; end Load;
)";

// The equations without those of the parts.
Lines connections(const std::string& text) {
  Lines lines = flat(text);
  std::erase_if(lines,
                [](const std::string& line) { return line.find(": line 2: ") + line.find(": line 3: ") < 1000; });
  return lines;
}

TEST(Connect, PotentialsAreEqualAndFlowsSumUpToZero) {
  EXPECT_EQ(flat(pins + "model M Source s; Load a, b; equation connect(s.p, a.p); connect(a.p, b.p); end M;"),
            (Lines{"s: line 2: s.p.v - 1", "a: line 3: a.p.v - 2*a.p.i", "b: line 3: b.p.v - 2*b.p.i",
                   "line 4 [a.p.v]: s.p.v - a.p.v", "line 4 (2) [b.p.v]: s.p.v - b.p.v",
                   "line 4 [s.p.i]: s.p.i + a.p.i + b.p.i"}));
}

TEST(Connect, ConnectionsInACircleMakeNoFurtherEquation) {
  const Model model = read_clean(
      pins + "model M Source s; Load a, b; equation connect(s.p, a.p); connect(a.p, b.p); connect(b.p, s.p); end M;");
  EXPECT_EQ(model.equations.size(), model.variables.size());
}

TEST(Connect, AFlowThatIsNotConnectedIsZero) {
  EXPECT_EQ(flat(pins + "model M Load a; end M;"),
            (Lines{"a: line 3: a.p.v - 2*a.p.i", "a.p.i is not connected: a.p.i"}));
  EXPECT_EQ(flat(pins + "model M Pin p; equation p.v = 3; end M;"),
            (Lines{"line 4: p.v - 3", "p.i is not connected: p.i"}));
}

TEST(Connect, OutsideConnectorsHaveTheOtherSign) {
  // The flow into the box is the sum of the flows into its parts.
  EXPECT_EQ(
      connections(pins + "model Box Pin p; Load a, b; equation connect(p, a.p); connect(p, b.p); end Box;\n"
                         "model M Source s; Box x; equation connect(s.p, x.p); end M;"),
      (Lines{"line 5 [x.p.v]: s.p.v - x.p.v", "line 5 [s.p.i]: s.p.i + x.p.i", "x: line 4 [x.a.p.v]: x.p.v - x.a.p.v",
             "x: line 4 (2) [x.b.p.v]: x.p.v - x.b.p.v", "x: line 4 [x.p.i]: x.a.p.i - x.p.i + x.b.p.i"}));
}

TEST(Connect, ArraysOfConnectorsAndLoops) {
  const std::string text = pins +
                           "model Bar Pin p, n; equation p.v = n.v; p.i + n.i = 0; end Bar;\n"
                           "model Hub Pin p[3]; equation p[1].v = 0; p[2].i = 1; p[3].i = 2; end Hub;\n";
  const Model whole = read_clean(text + "model M Hub a, b; equation connect(a.p, b.p); end M;");
  EXPECT_EQ(whole.equations.size(), whole.variables.size());
  const Model part = read_clean(text + "model M Hub a; Load l[2]; equation connect(a.p[2:3], l.p); end M;");
  EXPECT_EQ(part.equations.size(), part.variables.size());
  EXPECT_EQ(flat(part)[5], "line 6 [l[1].p.v]: a.p[2].v - l[1].p.v");
  const Model chain = read_clean(text +
                                 "model M parameter Integer n = 4; Bar b[n]; Source s; Load l; equation\n"
                                 "connect(s.p, b[1].p); for i in 1:n - 1 loop connect(b[i].n, b[i + 1].p); end for;\n"
                                 "if n > 3 then connect(b[n].n, l.p); end if; end M;");
  EXPECT_EQ(chain.equations.size(), chain.variables.size());
}

TEST(Connect, NestedConnectors) {
  const std::string text =
      "connector Pin Real v; flow Real i; end Pin; connector Plug Pin a; Pin b[2]; end Plug;\n"
      "model L Plug p; equation p.a.v = p.a.i; p.b.v = p.b.i; end L;\n";
  const Model model = read_clean(text + "model M L x, y; equation connect(x.p, y.p); end M;");
  EXPECT_EQ(model.equations.size(), model.variables.size());
  EXPECT_EQ(flat(model).back(), "line 3 [x.p.b[2].i]: x.p.b[2].i + y.p.b[2].i");
}

TEST(Connect, SignalsAreEqual) {
  const std::string blocks =
      "connector In = input Real; connector Out = output Real; connector Flag = output Boolean;\n"
      "block One Out y = 1; end One; block Twice In u; Out y = 2*u; end Twice;\n"
      "block Test In u; Flag y = u > 1; end Test; block Not input Boolean u; Flag y = not u; end Not;\n";
  EXPECT_EQ(flat(blocks + "model M One a; Twice b; Test t; equation connect(a.y, b.u); connect(b.y, t.u); end M;"),
            (Lines{"a: line 2: a.y - 1", "b: line 2: b.y - 2*b.u", "line 4 [b.u]: a.y - b.u",
                   "line 4 (2) [t.u]: b.y - t.u"}));
  const Model discrete = read_clean(
      "connector In = input Boolean; connector Out = output Boolean;\n"
      "block A Out y = time > 1; end A; block B In u; Out y = not u; end B;\n"
      "model M A a; B b; equation connect(a.y, b.u); end M;");
  EXPECT_EQ(testing::texts(discrete, discrete.discrete.equations).back(), "a.y = b.u");
}

TEST(Connect, ConditionalConnectorsTakeTheirConnectionsAlong) {
  const std::string text =
      pins + "model M parameter Boolean b; Source s; Load l if b; equation connect(s.p, l.p); end M;";
  EXPECT_EQ(read_clean(text, {"", {{"b", "true"}}}).equations.size(), 4U);
  EXPECT_EQ(flat(text, {"", {{"b", "false"}}}), (Lines{"s: line 2: s.p.v - 1", "s.p.i is not connected: s.p.i"}));
}

TEST(Connect, Mistakes) {
  const auto message = [](const std::string& declarations, const std::string& equation) {
    return read(pins +
                "connector Q Real w; flow Real i; end Q; connector B Boolean v; flow Real i; end B;\n"
                "connector F Real i; flow Real v; end F;\nmodel M Source s; Load l; Real x; " +
                declarations + "\nequation\n" + equation + "\nend M;")
        .messages();
  };
  EXPECT_EQ(message("Q q;", "connect(s.p, q);"),
            "8:1: error: s.p and q cannot be connected: only the first one has an element 'v'\n");
  EXPECT_EQ(message("B b;", "connect(s.p, b);"),
            "8:1: error: s.p.v and b.v cannot be connected: their types are Real and Boolean\n");
  EXPECT_EQ(message("F f;", "connect(s.p, f);"),
            "8:1: error: s.p.v and f.v cannot be connected: only one of them is a flow\n");
  EXPECT_EQ(message("Pin p[2];", "connect(s.p, p);"),
            "8:1: error: s.p and p cannot be connected: their shapes are a scalar and [2]\n");
  EXPECT_EQ(message("", "connect(s, l.p);"),
            "8:9: error: 's' is not a connector: only connectors can be connected\n  declared here\n");
  EXPECT_EQ(message("", "connect(s.q, l.p);"), "8:11: error: s has no element 'q'\n  s is of the class Source\n");
  EXPECT_EQ(message("", "connect(t.p, l.p);"), "8:9: error: unknown component 't'\n");
  EXPECT_EQ(message("", "if x > 1 then connect(s.p, l.p); else connect(s.p, l.p); end if;").substr(0, 90),
            "8:15: error: connect cannot stand inside of an if-equation whose condition changes during ");
}

TEST(Connect, CardinalityCountsTheConnectEquationsOfAConnector) {
  const Lines lines = flat(pins + R"(model Counted extends Load; Real n; equation n = cardinality(p); end Counted;
model Box Pin p; Counted inside; Load other if false; equation connect(p, inside.p); connect(p, other.p); end Box;
model M
  Source s; Counted a[2], lone; Box box;
equation
  for i in 1:2 loop connect(s.p, a[i].p); end for;
  connect(a[1].p, a[2].p);
  connect(s.p, box.p);
end M;)");
  for (const char* const line : {"a[1]: line 4: a[1].n - 2", "a[2]: line 4: a[2].n - 2", "lone: line 4: lone.n",
                                 "box.inside: line 4: box.inside.n - 1"})
    EXPECT_EQ(std::ranges::count(lines, line), 1) << line;
}

}  // namespace
}  // namespace driftless
