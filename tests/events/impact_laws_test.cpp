// Laws of impacts that do not hold for all impacts: what lets a motion pass, and what only forgets the slow ones.
#include <gmock/gmock.h>

#include "driftless/language/read.hpp"
#include "driftless/simulate.hpp"

namespace driftless {
namespace {

using namespace testing;

class ImpactLaws : public TestWithParam<const char*> {
 protected:
  // A ball that falls from 0.2 with g = 10; `before` comes before the when clause of the impact.
  static Solution ball(const std::string& impact, double stop, const std::string& before = "",
                       const std::string& declared = "", double tolerance = 1e-9) {
    SimulateOptions options;
    options.method = *parse_method(GetParam());
    options.tolerance = tolerance;
    options.stop = stop;
    return simulate(
        read_model_text("m.mo", "model M\n  Real h(start = 0.2, fixed = true), v(start = 0, fixed = true);\n" +
                                    declared + "equation\n  der(h) = v;\n  der(v) = -10;\n" + before +
                                    "  when h < 0 then\n    " + impact + ";\n  end when;\nend M;\n"),
        options);
  }
  static auto is_noted() {
    return Contains(HasSubstr("on h < 0 is true: reinit, which led back from there before, does not any more"));
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, ImpactLaws, Values("bdf", "radau", "explicit", "taylor", "auto"));

// Impacts with 2, 1, 0.5, 0.25, 0.125 are led back, at 0.2, 0.4, 0.5, 0.55, 0.575. The next one, at 0.5875, would not
// be.
TEST_P(ImpactLaws, ThatForgetSlowImpactsEndTheRun) {
  const auto expect_end = [](const Solution& s) {
    EXPECT_EQ(s.outcome, Outcome::StepTooSmall) << s.message;
    EXPECT_THAT(s.code, Optional(Code::EventUnresolved));
    EXPECT_THAT(s.message, HasSubstr("reinit at h < 0 changes nothing at so small a speed"));
    EXPECT_NEAR(s.reached, 0.5875, 1e-8);
  };
  expect_end(ball("reinit(v, if v < -0.1 then -0.5*v else v)", 1.0));
  expect_end(ball("reinit(v, if noEvent(v < -0.1) then -0.5*v else v)", 1.0));
  expect_end(ball("reinit(v, if fast then -0.5*v else v)", 1.0, "  fast = v < -0.1;\n", "  Boolean fast;\n"));
}

TEST_P(ImpactLaws, ThatForgetSlowImpactsOfTwoBodiesEndTheRun) {
  const Solution s = ball("reinit(v, if v - u < -0.1 then u - 0.5*(v - u) else v);\n    reinit(u, u)", 1.0,
                          "  der(u) = 0;\n", "  Real u(start = 0, fixed = true);\n");
  EXPECT_EQ(s.outcome, Outcome::StepTooSmall) << s.message;
  EXPECT_THAT(s.message, HasSubstr("reinit at h < 0 changes nothing at so small a speed"));
}

// Bounces at 0.2, 0.6 and 1.0; then the surface is none any more, whatever the speed is.
TEST_P(ImpactLaws, OfATrapdoorLetPass) {
  const Solution s = ball("reinit(v, if time > 1.1 then v else -v)", 2.0);
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_NEAR(s.final("h"), 0.2 - 5.0 * 0.8 * 0.8, 1e-7);  // at the top at 1.2, and free from there on
  EXPECT_THAT(s.remarks, is_noted());
}

// What is faster than all that came before breaks through.
TEST_P(ImpactLaws, ThatFastMotionsBreakLetPass) {
  const Solution s =
      ball("reinit(v, if v < -3 then v else -v)", 3.0, "  when time > 2 then\n    reinit(v, -5);\n  end when;\n");
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_NEAR(s.final("h"), 0.2 - 5.0 - 5.0, 1e-6);
  EXPECT_THAT(s.remarks, is_noted());
}

}  // namespace
}  // namespace driftless
