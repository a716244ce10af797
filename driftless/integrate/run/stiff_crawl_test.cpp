#include "driftless/integrate/run/stiff_crawl.hpp"

#include <gmock/gmock.h>

#include "driftless/integrate/run/integrate.hpp"
#include "driftless/integrate/sample_problem.hpp"

namespace driftless {
namespace {

using testing::HasSubstr;

Solution run(const std::string& text, const char* method, double stop, long max_steps) {
  const auto reduced = samples::reduced(samples::from_text(text));
  IntegrateOptions options;
  options.method = *parse_method(method);
  options.stop = stop;
  options.tolerance = 1e-4;
  options.intervals = 1;
  options.max_steps = max_steps;
  Solution solution;
  integrate(std::make_shared<System>(reduced, Backend::Interpreter), samples::consistent_start(*reduced), options,
            solution);
  return solution;
}

const char* const stiff = R"(
  model Stiff
    Real x(start = 1, fixed = true);
  equation
    der(x) = -1e8*(x - cos(time));
  end Stiff;)";

TEST(StiffCrawl, IsToldEarlyAndByName) {
  for (const char* method : {"dopri5", "dop853", "half-explicit5", "taylor"}) {
    const Solution solution = run(stiff, method, 10.0, 1'000'000);
    EXPECT_EQ(solution.outcome, Outcome::TooManySteps) << method;
    EXPECT_THAT(solution.message, HasSubstr(std::string("too stiff for ") + method));
    EXPECT_LE(solution.statistics.steps, 15'000) << method;
  }
}

// The same mode, with fewer steps ahead than the limit.
TEST(StiffCrawl, EndsNoRunThatEnds) { EXPECT_EQ(run(stiff, "dopri5", 1e-3, 1'000'000).outcome, Outcome::Success); }

// A fast oscillation must be followed, however many steps that takes: the limit of steps ends this one.
TEST(StiffCrawl, LeavesOscillationsAlone) {
  const Solution solution = run(R"(
    model Fast
      Real x(start = 1, fixed = true), v(start = 0, fixed = true);
    equation
      der(x) = 1e8*v;
      der(v) = -1e8*x;
    end Fast;)",
                                "dopri5", 10.0, 12'000);
  EXPECT_THAT(solution.message, HasSubstr("12000 steps did not reach the end"));
}

// Ten thousand million turns: a limit of ten million steps is reported long before it is reached.
TEST(StiffCrawl, IsToldWhereTheLimitOfStepsIsFarAway) {
  const Solution solution = run(R"(
    model Fast
      Real x(start = 1, fixed = true), v(start = 0, fixed = true);
    equation
      der(x) = 1e11*v;
      der(v) = -1e11*x;
    end Fast;)",
                                "dopri5", 1.0, 10'000'000);
  EXPECT_THAT(solution.message, HasSubstr("at the pace of the last 20000 steps"));
}

}  // namespace
}  // namespace driftless
