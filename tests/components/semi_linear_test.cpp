// A fluid that stands still, and one that turns: what it carries through parts that neither heat nor store.
#include <gtest/gtest.h>

#include "driftless/language/read.hpp"
#include "driftless/simulate.hpp"

namespace driftless {
namespace {

// Two reservoirs with a part between them, as connections write it: the enthalpies h1, h2 at its ends and h inside of
// it are determined by semiLinear alone.
constexpr const char* pipe = R"(connector Port
  Real p;
  flow Real m;
  Real h;
  flow Real H;
end Port;
model Reservoir
  parameter Real own;
  Port port;
equation
  port.p = 1;
  port.H = semiLinear(port.m, port.h, own);
end Reservoir;
model Mover
  Port a, b;
  Real h, Q = 0, flow_rate;
equation
  a.m + b.m = 0;
  a.m = flow_rate;
  a.H + b.H + Q = 0;
  a.H = semiLinear(a.m, a.h, h);
  b.H = semiLinear(b.m, b.h, h);
end Mover;
model Turning
  Reservoir left(own = 10), right(own = 30);
  Mover mover;
  Real heat(start = 0, fixed = true);
equation
  mover.flow_rate = if time < 1 then 0 elseif time < 2 then time - 1 else 3 - time;
  connect(left.port, mover.a);
  connect(mover.b, right.port);
  der(heat) = right.port.H;
end Turning;)";

TEST(SemiLinear, ChainHasAValueWhereNothingFlows) {
  const Model model = read_model_text("pipe.mo", pipe, {.model = "Turning"});
  const Solution solution = simulate(model, {.stop = 4.0, .tolerance = 1e-8, .intervals = 40});
  ASSERT_EQ(solution.outcome, Outcome::Success) << solution.message;
  for (const double t : {1.5, 2.5}) EXPECT_EQ(solution.at(t, "mover.h"), 10.0) << t;
  EXPECT_EQ(solution.at(3.5, "mover.h"), 30.0);
  // Where nothing flows, one of the two.
  const double still = solution.at(0.5, "mover.h");
  EXPECT_TRUE(still == 10.0 || still == 30.0) << still;
  EXPECT_EQ(solution.at(0.5, "left.port.H"), 0.0);
  EXPECT_EQ(solution.at(0.5, "mover.a.h"), still);
  // What arrives on the right: 10 times 1 in the first three units of time, then 30 times 1/2 leaves.
  EXPECT_NEAR(solution.final("heat"), 10.0 - 15.0, 1e-6);
}

}  // namespace
}  // namespace driftless
