// Motion on surfaces, one or several at once: bodies at rest and sliding, while other events happen.
#include <cmath>

#include "tests/events/shipped_run.hpp"

namespace driftless {
namespace {

using namespace testing;

class Contacts : public ByMethod {
 protected:
  static Solution run(const std::string& body, double stop, bool sliding = false, double tolerance = 1e-9) {
    SimulateOptions options;
    options.method = *parse_method(GetParam());
    options.tolerance = tolerance;
    options.sliding = sliding;
    return simulate(read_model_text("m.mo", fmt::format("model M\n{}\n  annotation(experiment(StopTime = {}));\nend M;",
                                                        body, stop)),
                    options);
  }
};

INSTANTIATE_TEST_SUITE_P(Methods, Contacts, Values("bdf", "radau", "explicit", "taylor", "ida", "auto"));

constexpr const char* ball = R"(  Real h(start = 0.1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  when h < 0 then
    reinit(v, -0.5*pre(v));
  end when;
)";

TEST_P(Contacts, OfManyBallsAreAtOnce) {
  const Solution s =
      run(R"(  Real h[5](start = {1, 0.7, 0.5, 1.2, 0.3}, each fixed = true), v[5](each start = 0, each fixed = true);
equation
  for k in 1:5 loop
    der(h[k]) = v[k];
    der(v[k]) = -9.81;
    when h[k] < 0 then
      reinit(v[k], -(0.3 + 0.07*k)*v[k]);
    end when;
  end for;)",
          4.0);
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  for (int k = 1; k <= 5; ++k) {
    const auto height = *s.find(fmt::format("h[{}]", k));
    for (std::size_t row = 0; row < s.times.size(); ++row) ASSERT_GT(s.value(row, height), -1e-7) << s.times[row];
    EXPECT_NEAR(s.final(fmt::format("h[{}]", k)), 0.0, 1e-9);
    EXPECT_NEAR(s.final(fmt::format("v[{}]", k)), 0.0, 1e-9);
  }
  EXPECT_THAT(s.remarks, Contains(HasSubstr("accumulate at t = ")).Times(5));
}

// One rests on a table that falls away, another goes on lying on the floor.
TEST_P(Contacts, EndOneByOne) {
  const Solution s = run(R"(  Real h[2](start = {0.2, 0.1}, each fixed = true), v[2](each start = 0, each fixed = true);
  Real s(start = 0, fixed = true), vs(start = 0, fixed = true);
equation
  der(s) = vs;
  der(vs) = if time > 2 then -20 else 0;
  for k in 1:2 loop
    der(h[k]) = v[k];
    der(v[k]) = -10;
  end for;
  when h[1] < s then
    reinit(v[1], vs - 0.5*(v[1] - vs));
  end when;
  when h[2] < 0 then
    reinit(v[2], -0.5*v[2]);
  end when;)",
                         2.5);
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_NEAR(s.final("h[1]"), -1.25, 1e-8);
  EXPECT_NEAR(s.final("h[2]"), 0.0, 1e-9);
}

// The equations of a contact belong to every mode: what lies on the floor stays there when a clutch closes.
TEST_P(Contacts, LastWhenTheStructureChanges) {
  const std::string clutch = R"(
  2*der(w1) = 1 - tau;
  3*der(w2) = tau;
  if time >= 1 and time < 2 then
    w1 = w2;
  else
    tau = 0;
  end if;)";
  const Solution s = run("  Real w1(start = 10, fixed = true), w2(start = 4, fixed = true), tau;\n" +
                             std::string(ball) + "  der(v) = if time > 2.5 then 10 else -10;" + clutch,
                         3.0);
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  for (std::size_t row = 0; row < s.times.size(); ++row) ASSERT_GT(value(s, row, "h"), -1e-8) << s.times[row];
  EXPECT_NEAR(s.final("h"), 1.25, 1e-8);
  EXPECT_NEAR(s.final("w1"), (2.0 * 10.5 + 12.0) / 5.0 + 0.2 + 0.5, 1e-8);
  const Solution slides =
      run("  Real x(start = 0.5, fixed = true), w1(start = 10, fixed = true), w2(start = 4, fixed = "
          "true), tau;\nequation\n  der(x) = if x > 0 then -1 else 1;" +
              clutch,
          3.0, true);
  ASSERT_EQ(slides.outcome, Outcome::Success) << slides.message;
  EXPECT_NEAR(slides.final("x"), 0.0, 1e-9);
  EXPECT_NEAR(slides.final("w1"), (2.0 * 10.5 + 12.0) / 5.0 + 0.2 + 0.5, 1e-8);
}

// An event that contradicts the equations of rest ends it.
TEST_P(Contacts, EndAtEventsThatContradictThem) {
  const Solution up = run(std::string(ball) + R"(  der(v) = -10;
  when time > 2 then
    reinit(v, 3);
  end when;)",
                          2.2);
  ASSERT_EQ(up.outcome, Outcome::Success) << up.message;
  EXPECT_NEAR(up.final("h"), 0.4, 1e-8);
  EXPECT_NEAR(up.final("v"), 1.0, 1e-8);
  const Solution down = run(std::string(ball) + R"(  der(v) = -10;
  when time > 2 then
    reinit(v, -4);
  end when;)",
                            2.2);
  ASSERT_EQ(down.outcome, Outcome::Success) << down.message;
  EXPECT_NEAR(down.final("h"), 0.2, 1e-8);
  EXPECT_NEAR(down.final("v"), 0.0, 1e-8);
  const Solution floor =
      run(R"(  Real h(start = 0.1, fixed = true), v(start = 0, fixed = true), f = if time > 2 then -1 else 0;
equation
  der(h) = v;
  der(v) = -10;
  when h < f then
    reinit(v, -0.5*pre(v));
  end when;)",
          5.0);
  ASSERT_EQ(floor.outcome, Outcome::Success) << floor.message;
  EXPECT_NEAR(floor.final("h"), -1.0, 1e-9);
  EXPECT_THAT(floor.remarks, Contains(HasSubstr("accumulate at t = ")).Times(2));
}

// A surface that jumps away, and a table that is pulled down: no contact takes the states with it.
TEST_P(Contacts, DoNotPull) {
  const Solution slides = run(R"(  Real x(start = 1, fixed = true), r = if time > 2 then 2 else 0;
equation
  der(x) = if x > r then -1 else 1;)",
                              3.0, true);
  ASSERT_EQ(slides.outcome, Outcome::Success) << slides.message;
  EXPECT_NEAR(slides.final("x"), 1.0, 1e-8);
  const Solution table = run(
      R"(  Real h(start = 0.1, fixed = true), v(start = 0, fixed = true), s(start = 0, fixed = true), u(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -10;
  der(s) = u;
  der(u) = 0;
  when h < s then
    reinit(v, pre(u) - 0.5*(pre(v) - pre(u)));
  end when;
  when time > 2 then
    reinit(u, -3);
  end when;)",
      2.2);
  ASSERT_EQ(table.outcome, Outcome::Success) << table.message;
  EXPECT_NEAR(table.final("h"), -0.2, 1e-8);
  EXPECT_NEAR(table.final("s"), -0.6, 1e-8);
}

TEST_P(Contacts, OfTwoSurfacesSlideAlongTheirIntersection) {
  const Solution s =
      run(R"(  Real x(start = 1, fixed = true), y(start = -0.5, fixed = true), z(start = 0, fixed = true);
equation
  der(x) = if x > 0 then -1 else 2;
  der(y) = if y > 0 then -2 else 1;
  der(z) = 1 - x;)",
          3.0, true);
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_NEAR(s.final("x"), 0.0, 1e-9);
  EXPECT_NEAR(s.final("y"), 0.0, 1e-9);
  EXPECT_NEAR(s.final("z"), 2.5, 1e-8);
}

// Friction by three branches: v > 0 and v < 0 have one surface. Each half swing around +1 or -1 takes pi.
TEST_P(Contacts, OfRelationsWithOneSurfaceAreOne) {
  const Solution s = run(R"(  Real x(start = 4.3, fixed = true), v(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x - (if v > 0 then 1 elseif v < 0 then -1 else 0);)",
                         15.0, true);
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_NEAR(s.final("x"), 0.3, 1e-7);
  EXPECT_NEAR(s.final("v"), 0.0, 1e-9);
  EXPECT_THAT(s.remarks, Contains(HasSubstr("the solution slides along 0 < v")).Times(1));
}

// The force at rest turns with the surface: a ball that comes to rest on a plane slides down it, one in a bowl swings.
TEST_P(Contacts, PushAwayFromInclinedAndCurvedSurfaces) {
  const Solution plane = run(R"(  parameter Real nx = 0.5/sqrt(1.25), ny = 1/sqrt(1.25);
  Real x(start = 0, fixed = true), y(start = 0.1, fixed = true), vx(start = 0, fixed = true), vy(start = 0, fixed = true), vn;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = 0;
  der(vy) = -10;
  vn = nx*vx + ny*vy;
  when nx*x + ny*y < 0 then
    reinit(vx, pre(vx) - 1.5*nx*vn);
    reinit(vy, pre(vy) - 1.5*ny*vn);
  end when;)",
                             2.0);
  ASSERT_EQ(plane.outcome, Outcome::Success) << plane.message;
  const double slope = std::sqrt(1.25), along = (-0.1 * 0.5 + 10.0 * 0.5 * 2.0) / slope;  // a fall by g sin for 2 s
  EXPECT_NEAR(plane.final("x"), along / slope, 1e-7);
  EXPECT_NEAR(plane.final("y"), -0.5 * along / slope, 1e-7);
  for (const char* const gap : {"gap", "1 - (x^2 + y^2)"}) {
    const Solution bowl = run(
        fmt::format(R"(  Real x(start = 0.3, fixed = true), y(start = -0.9, fixed = true), vx(start = 0, fixed = true);
  Real vy(start = 0, fixed = true), vn, E, gap;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = 0;
  der(vy) = -10;
  vn = x*vx + y*vy;
  gap = 1 - (x^2 + y^2);
  E = (vx^2 + vy^2)/2 + 10*y;
  when {} < 0 then
    reinit(vx, pre(vx) - 1.2*x*vn);
    reinit(vy, pre(vy) - 1.2*y*vn);
  end when;)",
                    gap),
        4.0);
    ASSERT_EQ(bowl.outcome, Outcome::Success) << bowl.message;
    EXPECT_NEAR(std::hypot(bowl.final("x"), bowl.final("y")), 1.0, 1e-9);
    // No work is done on the ball that swings.
    double last = 0.0;
    for (std::size_t row = 0; row < bowl.times.size(); ++row)
      if (bowl.times[row] > 0.2) {
        if (last == 0.0) last = value(bowl, row, "E");
        EXPECT_NEAR(value(bowl, row, "E"), last, 1e-7) << bowl.times[row];
      }
  }
}

// Where the surface gets a slope along a coordinate along which it had none at the impacts, other impacts tell the
// force.
TEST_P(Contacts, TurnWithAFloorThatTilts) {
  const std::string tilts =
      R"(  Real x(start = 0, fixed = true), y(start = 0.1, fixed = true), vx(start = 0, fixed = true);
  Real vy(start = 0, fixed = true), s, gap, vn;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = 0;
  der(vy) = -10;
  s = if time > 2 then 0.5 else 0;
  gap = y + s*x;
  vn = (vy + s*vx)/(1 + s^2);
  when gap < 0 then
    reinit(vx, pre(vx) - 1.5*s*vn);
    reinit(vy, pre(vy) - 1.5*vn);
  end when;)";
  for (const double tolerance : {1e-6, 1e-9}) {
    const Solution s = run(tilts, 3.0, false, tolerance);
    ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
    EXPECT_NEAR(s.final("x"), 2.0, tolerance);  // along the floor 10 sin(a), so 10 sin(a) cos(a) = 4 along x
    EXPECT_NEAR(s.final("y"), -1.0, tolerance);
    EXPECT_NEAR(s.final("vx"), 4.0, tolerance);
  }
}

// A wind drives a ball up from the bottom of a bowl, with a speed beside which the impacts there are rounding errors:
// what reinit says of all impacts tells the force.
TEST_P(Contacts, TakeTheirForceFromTheLawOfImpacts) {
  for (const double tolerance : {1e-6, 1e-9}) {
    const Solution s =
        run(R"(  Real x(start = 0, fixed = true), y(start = 0.1, fixed = true), vx(start = 0, fixed = true);
  Real vy(start = 0, fixed = true), gap, vn, E;
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = if time > 2 then 1 else 0;
  der(vy) = -10;
  gap = y - x^2/2;
  vn = (vy - x*vx)/(1 + x^2);
  E = (vx^2 + vy^2)/2 + 10*y - x;
  when gap < 0 then
    reinit(vx, pre(vx) + 1.5*x*vn);
    reinit(vy, pre(vy) - 1.5*vn);
  end when;)",
            4.0, false, tolerance);
    ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
    double highest = 0.0;
    for (std::size_t row = 0; row < s.times.size(); ++row) {
      if (s.times[row] <= 2.0) continue;
      EXPECT_NEAR(value(s, row, "gap"), 0.0, tolerance) << s.times[row];
      EXPECT_NEAR(value(s, row, "E"), 0.0, 10.0 * tolerance) << s.times[row];  // the wind and gravity do all the work
      highest = std::max(highest, value(s, row, "x"));
    }
    EXPECT_NEAR(highest, 0.2, 1e-4);  // x = 10 x^2/2
  }
}

// A ball on a ball that comes to rest: the height of the lower one is known as exactly as that of the upper one, and no
// rounding error of it is an impact.
TEST_P(Contacts, OfStackedBallsLast) {
  for (const double tolerance : {1e-6, 1e-9}) {
    const Solution s =
        run(R"(  Real h[2](start = {0.2, 0.5}, each fixed = true), v[2](each start = 0, each fixed = true);
equation
  der(h) = v;
  der(v) = {-10, -10};
  when h[1] < 0 then
    reinit(v[1], -0.5*pre(v[1]));
  end when;
  when h[2] < h[1] + 0.1 then
    reinit(v[1], pre(v[1]) - 0.75*(pre(v[1]) - pre(v[2])));
    reinit(v[2], pre(v[2]) + 0.75*(pre(v[1]) - pre(v[2])));
  end when;)",
            6.0, false, tolerance);
    ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
    for (std::size_t row = 0; row < s.times.size(); ++row) {
      ASSERT_GT(value(s, row, "h[1]"), -1e-5) << s.times[row];
      ASSERT_GT(value(s, row, "h[2]") - value(s, row, "h[1]"), 0.1 - 1e-5) << s.times[row];
    }
    EXPECT_NEAR(s.final("h[1]"), 0.0, 1e-9);
    EXPECT_NEAR(s.final("h[2]"), 0.1, 1e-9);
    EXPECT_NEAR(s.final("v[2]"), 0.0, 1e-9);
  }
}

std::string impact_of_balls(int above, double part) {
  return fmt::format(R"(
  when h[{0}] < h[{1}] + 0.1 then
    reinit(v[{1}], pre(v[{1}]) - {2}*(pre(v[{1}]) - pre(v[{0}])));
    reinit(v[{0}], pre(v[{0}]) + 0.75*(pre(v[{1}]) - pre(v[{0}])));
  end when;)",
                     above, above - 1, part);
}

std::string balls(int n, const std::string& heights, const std::string& impacts) {
  return fmt::format(
      "  Real h[{0}](start = {{{1}}}, each fixed = true), v[{0}](each start = 0, each fixed = true);"
      "\nequation\n  der(h) = v;\n  der(v) = fill(-10, {0});\n  when h[1] < 0 then\n"
      "    reinit(v[1], -0.5*pre(v[1]));\n  end when;{2}",
      n, heights, impacts);
}

// Two balls with an impact that gains speed: whatever becomes of them, nothing passes through anything.
TEST_P(Contacts, OfSeveralBallsEndBeforeTheyPassThroughEachOther) {
  for (const double tolerance : {1e-6, 1e-9}) {
    const Solution s = run(balls(2, "0.2, 0.5", impact_of_balls(2, 1.4)), 8.0, false, tolerance);
    if (s.outcome != Outcome::Success) {
      EXPECT_EQ(s.outcome, Outcome::StepTooSmall) << s.message;
    }
    for (std::size_t row = 0; row < s.times.size(); ++row) {
      ASSERT_GT(value(s, row, "h[1]"), -1e-5) << s.times[row];
      ASSERT_GT(value(s, row, "h[2]") - value(s, row, "h[1]"), 0.1 - 1e-5) << s.times[row];
    }
  }
}

// The impacts of three balls on each other shrink together, none of them by a factor of its own.
TEST_P(Contacts, OfAStackOfBallsComeToRestTogether) {
  const std::string three = impact_of_balls(2, 0.75) + impact_of_balls(3, 0.75);
  for (const double tolerance : {1e-6, 1e-9})
    for (const auto& [n, model] : {std::pair(3, balls(3, "0.2, 0.5, 0.9", three))}) {
      const Solution s = run(model, 8.0, false, tolerance);
      ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
      for (std::size_t row = 0; row < s.times.size(); ++row)
        for (int k = 1; k <= n; ++k) {
          const double below = k == 1 ? -0.1 : value(s, row, fmt::format("h[{}]", k - 1).c_str());
          ASSERT_GT(value(s, row, fmt::format("h[{}]", k).c_str()) - below, 0.1 - 1e-8) << s.times[row];
        }
      for (int k = 1; k <= n; ++k) {
        EXPECT_NEAR(s.final(fmt::format("h[{}]", k)), 0.1 * (k - 1), 1e-9);
        EXPECT_NEAR(s.final(fmt::format("v[{}]", k)), 0.0, 1e-9);
      }
    }
}

// What has been at rest on a floor does not go on beyond it. Where reinit changes nothing, the model says so.
TEST_P(Contacts, DoNotGoOnBeyondTheSurface) {
  const auto falls_again = [](double factor, double tolerance) {
    return run(fmt::format(R"(  Real h(start = 0.1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -10;
  when time > 2 then
    reinit(v, 3);
  elsewhen h < 0 then
    reinit(v, (if time > 2 then {} else -0.5)*pre(v));
  end when;)",
                           factor),
               3.0, false, tolerance);
  };
  for (const double tolerance : {1e-6, 1e-9}) {
    const Solution lost = falls_again(0.5, tolerance);
    EXPECT_EQ(lost.outcome, Outcome::StepTooSmall);
    EXPECT_EQ(lost.code, Code::EventUnresolved);
    EXPECT_THAT(lost.message, HasSubstr("the motion was at rest on the surface of h < 0"));
    EXPECT_NEAR(lost.reached, 2.6, 1e-6);
    const Solution trapdoor = falls_again(1.0, tolerance);
    ASSERT_EQ(trapdoor.outcome, Outcome::Success) << trapdoor.message;
    EXPECT_NEAR(trapdoor.final("h"), 3.0 - 5.0, 1e-5);
  }
}

// A ball on a platform with a mass of its own: both feel the force between them.
TEST_P(Contacts, ActOnBothBodies) {
  const Solution s = run(
      R"(  Real h(start = 0.2, fixed = true), v(start = 0, fixed = true), s(start = 0, fixed = true), u(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = -10;
  der(s) = u;
  2*der(u) = -100*s - 20*u;
  when h < s then
    reinit(v, pre(v) - 1.5*(2/3)*(pre(v) - pre(u)));
    reinit(u, pre(u) + 1.5*(1/3)*(pre(v) - pre(u)));
  end when;)",
      10.0);
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_NEAR(s.final("h"), -0.1, 1e-8);
  EXPECT_NEAR(s.final("s"), -0.1, 1e-8);
}

// On the floor h <= 0 is true and h > 0 is not.
TEST_P(Contacts, GiveOtherRelationsOfTheirSurfaceTheirValues) {
  for (const char* const rubs : {"h <= 0", "not h > 0"}) {
    const Solution s =
        run(fmt::format(R"(  Real h(start = 0.1, fixed = true), v(start = 0, fixed = true), u(start = 1, fixed = true);
  Boolean rubs = {};
equation
  der(h) = v;
  der(v) = -10;
  der(u) = if rubs then -1 else 0;
  when h < 0 then
    reinit(v, -0.5*pre(v));
  end when;)",
                        rubs),
            1.0);
    ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
    EXPECT_NEAR(s.final("u"), 3.0 * std::sqrt(0.02), 1e-6);  // rest begins a millionth of the time too early
    EXPECT_EQ(s.final("rubs"), 1.0);
  }
}

// A ratio that jumps violates a constraint that the formulation of a method may not impose.
TEST_P(Contacts, OfGearsKeepTheirConstraintWhereTheRatioJumps) {
  const Solution s = run(R"(  Real we(start = 0), wv(start = 0, fixed = true), tau, r;
equation
  1*der(we) = 5 - tau;
  10*der(wv) = r*tau;
  r = if time < 1 then 3 elseif time < 2 then 2 else 1;
  we = r*wv;)",
                         3.0);
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  double v = 0.0, e = 0.0;
  for (const double r : {3.0, 2.0, 1.0}) {  // the generalized momentum r we + 10 wv is kept at the jump
    v = (r * e + 10.0 * v + 5.0 * r) / (r * r + 10.0);
    e = r * v;
  }
  EXPECT_NEAR(s.final("wv"), v, 1e-8);
}

}  // namespace
}  // namespace driftless
