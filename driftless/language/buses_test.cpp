#include "driftless/language/buses.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "driftless/language/reading_flat.hpp"

namespace driftless {
namespace {

using testing::flat;
using testing::Lines;
using testing::names;
using testing::read;
using testing::read_clean;

const std::string blocks = R"(connector In = input Real; connector Out = output Real; expandable connector Bus end Bus;
block Sensor Out y = time; end Sensor; block Reader In u; Real x = 2*u; end Reader;
connector Pin Real v; flow Real i; end Pin; model Ground Pin p; equation p.v = 0; end Ground;
)";

TEST(Buses, AMemberHasTheTypeOfWhatIsConnectedToIt) {
  EXPECT_EQ(flat(blocks + "model M Bus bus; Sensor s; Reader r;\n"
                          "equation connect(s.y, bus.speed); connect(bus.speed, r.u); end M;"),
            (Lines{"s: line 2: s.y - time", "r: line 2: r.x - 2*r.u", "line 5 [bus.speed]: s.y - bus.speed",
                   "line 5 (2) [r.u]: s.y - r.u"}));
}

// The buses of two parts and of the model are one: one part reads what the other writes.
TEST(Buses, ConnectedBusesShareTheirMembers) {
  const Model model = read_clean(blocks + R"(model Writes Bus b; Sensor s; equation connect(s.y, b.w); end Writes;
model Reads Bus b; Reader r; equation connect(b.w, r.u); end Reads;
model M Writes w; Reads r; Bus bus; equation connect(w.b, bus); connect(bus, r.b); end M;)");
  EXPECT_EQ(model.equations.size(), model.variables.size());
  Lines made = names(model);
  for (const char* const name : {"w.b.w", "bus.w", "r.b.w"}) EXPECT_EQ(std::ranges::count(made, name), 1) << name;
}

TEST(Buses, ABusInABus) {
  const Model model = read_clean(blocks + R"(expandable connector Car Bus engine; end Car;
model Writes Car c; Sensor s; equation connect(s.y, c.engine.w); end Writes;
model Reads Bus b; Reader r; equation connect(b.w, r.u); end Reads;
model M Writes w; Reads r; Bus other; equation connect(w.c.engine, r.b); connect(other.sub, r.b); end M;)");
  EXPECT_EQ(model.equations.size(), model.variables.size());
  Lines made = names(model);
  for (const char* const name : {"w.c.engine.w", "r.b.w", "other.sub.w"})
    EXPECT_EQ(std::ranges::count(made, name), 1) << name;
}

TEST(Buses, DeclaredVariablesThatNothingUsesAreAbsent) {
  EXPECT_EQ(names(read_clean("connector Out = output Real; expandable connector Bus Real speed; Real unused; end Bus;\n"
                             "block Sensor Out y = time; end Sensor;\n"
                             "model M Bus bus; Sensor s; equation connect(s.y, bus.speed); end M;")),
            (Lines{"s.y", "bus.speed"}));
}

TEST(Buses, ConnectorsWithFlowsMayBeMembers) {
  const Model model = read_clean(blocks + R"(model Load Pin p; equation p.v = 1 - p.i; end Load;
model M Bus bus; Ground g; Load l; equation connect(bus.supply, g.p); connect(l.p, bus.supply); end M;)");
  EXPECT_EQ(model.equations.size(), model.variables.size());
}

TEST(Buses, Mistakes) {
  const auto message = [](const std::string& text) {
    const std::string all = read(blocks + text).messages();
    return all.substr(0, all.find('\n'));
  };
  EXPECT_EQ(message("model M Bus bus; Reader r;\nequation connect(bus.speed, r.u); end M;"),
            "5:10: error: nothing gives bus.speed a value: only inputs are connected to it");
  EXPECT_EQ(message("model M Bus bus; Sensor s, t;\nequation connect(s.y, bus.w);\nconnect(t.y, bus.w); end M;"),
            "6:1: error: bus.w gets values from s.y and t.y");
  EXPECT_EQ(message("model M Bus a, b;\nequation connect(a.x, b.x); end M;"),
            "5:10: error: not supported yet: a connection of members of two expandable connectors");
  EXPECT_EQ(message("model M Bus bus; Real y; Sensor s;\nequation connect(s.y, bus.w); y = bus.v; end M;"),
            "5:39: error: bus has no element 'v'");
}

}  // namespace
}  // namespace driftless
