#include "driftless/language/streams.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "driftless/language/reading_flat.hpp"

namespace driftless {
namespace {

using testing::flat;
using testing::Lines;
using testing::Point;
using testing::read;
using testing::read_clean;

// A tank gives its own h, a pipe passes on what enters, a meter reads the mixture in the connection.
const std::string ports = R"(connector Port Real p; flow Real m; stream Real h; end Port;
model Tank parameter Real h0 = 1; parameter Real m0 = 0; Port a; equation a.h = h0; a.m = m0; end Tank;
model Open Port a; Real inside; equation a.p = 0; a.h = 5; inside = inStream(a.h); end Open;
model Pipe Port a, b; equation a.p = b.p; a.m + b.m = 0; a.h = inStream(b.h); b.h = inStream(a.h); end Pipe;
)";

bool holds(const Lines& lines, const std::string& line) { return std::ranges::find(lines, line) != lines.end(); }

TEST(Streams, OfTwoConnectorsTheOtherOneEnters) {
  const Lines lines = flat(ports + "model M Tank t; Open o; equation connect(t.a, o.a); end M;");
  EXPECT_TRUE(holds(lines, "o: line 3 (3): o.inside - t.a.h"));
  EXPECT_TRUE(holds(lines, "line 5 [t.a.m]: t.a.m + o.a.m"));
  EXPECT_FALSE(holds(lines, "line 5 [o.a.h]: t.a.h - o.a.h"));
}

TEST(Streams, WhatIsNotConnectedEntersItself) {
  EXPECT_TRUE(holds(flat(ports + "model M Open o; end M;"), "o: line 3 (3): o.inside - o.a.h"));
}

TEST(Streams, AConnectorOfTheModelItselfHandsOn) {
  const Lines lines = flat(ports +
                           "model Box Port q; Open o; equation connect(q, o.a); end Box;\n"
                           "model M Tank t; Box b; equation connect(t.a, b.q); end M;");
  EXPECT_TRUE(holds(lines, "b.o: line 3 (3): b.o.inside - t.a.h"));  // through the box
  EXPECT_TRUE(holds(lines, "b: line 5 [b.q.h]: b.q.h - b.o.a.h"));   // what leaves the box
}

// Two tanks feed 1 kg/s of h = 2 and 3 kg/s of h = 10: the open end gets (1*2 + 3*10)/4.
TEST(Streams, ThreeConnectorsMix) {
  const Model model = read_clean(ports + R"(model M Tank s(h0 = 2, m0 = -1), t(h0 = 10, m0 = -3); Open o;
equation connect(s.a, t.a); connect(t.a, o.a); end M;)");
  EXPECT_EQ(model.equations.size(), model.variables.size());
  const NodeId residual = std::ranges::find(model.equations, "o: line 3 (3)", &Equation::label)->residual;
  const auto mixed = [&](double m_s, double m_t, double h_s, double h_t) {
    return evaluate(*model.pool, residual, [&](NodeId leaf) {
      const std::string& name = model.variables[(*model.pool)[leaf].a].name;
      return name == "s.a.m" ? m_s : name == "t.a.m" ? m_t : name == "s.a.h" ? h_s : name == "t.a.h" ? h_t : 0.0;
    });
  };
  EXPECT_DOUBLE_EQ(-mixed(-1, -3, 2, 10), 8.0);
  EXPECT_DOUBLE_EQ(-mixed(-1, 3, 2, 10), 2.0);  // only s feeds
  EXPECT_DOUBLE_EQ(-mixed(0, 0, 2, 10), 6.0);   // nothing flows: the mean
}

TEST(Streams, AFlowThatNeverFeedsTakesNoPart) {
  const Lines lines = flat(ports + R"(model Sink Port a(m(min = 0)); equation a.h = 0; a.m = 1; end Sink;
model M Tank t; Sink s; Open o; equation connect(t.a, s.a); connect(s.a, o.a); end M;)");
  EXPECT_TRUE(holds(lines, "o: line 3 (3): o.inside - t.a.h"));
}

TEST(Streams, ActualStreamFollowsTheFlow) {
  const Model model =
      read_clean(ports + R"(model Meter Port a; Real now; equation a.p = 0; a.h = 5; now = actualStream(a.h); end Meter;
model M Tank t(h0 = 3); Meter o; equation connect(t.a, o.a); end M;)");
  const Point point(model, 7);  // all values are positive
  EXPECT_DOUBLE_EQ(point.residual("o: line 5 (3)"), point.variable("o.now") - point.variable("t.a.h"));
}

TEST(Streams, ArraysGoElementByElement) {
  const Lines lines = flat(R"(connector Port Real p; flow Real m; stream Real x[2]; end Port;
model A Port a; equation a.p = 0; a.x = {1, 2}; end A;
model B Port a; Real y[2]; equation a.m = 1; a.x = {3, 4}; y = inStream(a.x); end B;
model M A a; B b; equation connect(a.a, b.a); end M;)");
  EXPECT_TRUE(holds(lines, "b: line 3 (3) [2]: b.y[2] - a.a.x[2]"));
}

TEST(Streams, Mistakes) {
  const auto message = [](const std::string& text) {
    const std::string all = read(ports + text).messages();
    return all.substr(0, all.find('\n'));
  };
  EXPECT_EQ(message("connector Q Real p; stream Real h; end Q; model M Q q; end M;"),
            "5:33: error: Q has the stream variable 'h', but no flow that could carry it");
  EXPECT_EQ(message("connector Q flow Real a; flow Real b; stream Real h; end Q; model M Q q; end M;"),
            "5:51: error: Q has the stream variable 'h', but 2 flows: which of them carries it?");
  EXPECT_EQ(message("model M stream Real h; end M;"), "5:21: error: the stream variable 'h' is in no connector");
  EXPECT_EQ(message("model M Tank t; Real y;\nequation y = inStream(t.a.p); end M;"),
            "6:14: error: inStream takes a stream variable of a connector, but 't.a.p' is none");
  EXPECT_EQ(message("model M Tank t; Real y;\nequation y = inStream(2*t.a.h); end M;"),
            "6:14: error: inStream takes a stream variable of a connector, but this is an expression");
  EXPECT_EQ(
      message("connector Q Real p; flow Real m; Real h; end Q; model M Tank t; Q q;\nequation connect(t.a, q); end M;"),
      "6:10: error: t.a.h and q.h cannot be connected: only one of them is a stream");
}

}  // namespace
}  // namespace driftless
