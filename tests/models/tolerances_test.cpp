// Tolerances of single variables, and partial derivatives by difference quotients: what a code of the DASSL family
// offers beside one tolerance and exact derivatives.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/integrate/steppers/ida/ida.hpp"
#include "tests/models/measure.hpp"

namespace driftless {
namespace {

using ::testing::HasSubstr;

// Two oscillators that do not know of each other, one five times as fast.
Model oscillators() {
  return read_text(R"(
    model Oscillators
      Real x(start = 1, fixed = true), v(start = 0, fixed = true), z(start = 1, fixed = true), w(start = 0, fixed = true);
    equation
      der(x) = v;
      der(v) = -x;
      der(z) = 5*w;
      der(w) = -5*z;
    end Oscillators;)");
}

class SingleTolerances : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, SingleTolerances, ::testing::Values("bdf", "ida", "radau3", "dopri5", "dop853"),
                         [](const auto& i) { return std::string(i.param); });

// A loose tolerance of the fast one leaves the steps to the slow one, which keeps its own; a sharp one is kept too.
TEST_P(SingleTolerances, AreThoseOfTheErrorTest) {
  const Method method = *parse_method(GetParam());
  if (std::holds_alternative<method::Ida>(method) && !ida_available()) GTEST_SKIP() << "built without IDA";
  struct Run {
    double slow, fast;  // errors
    long steps;
  };
  const auto run = [&](const Tolerances& tolerances, double tolerance = 1e-7) {
    const Solution s = simulate(oscillators(), {.stop = 10.0,
                                                .tolerance = tolerance,
                                                .tolerances = tolerances,
                                                .intervals = 1,
                                                .formulation = formulation::Index1{},
                                                .method = method,
                                                .dense = false});
    EXPECT_TRUE(reached_end(s.outcome)) << s.message;
    return Run{std::abs(s.final("x") - std::cos(10.0)), std::abs(s.final("z") - std::cos(50.0)), s.statistics.steps};
  };
  const Run equal = run({}), same = run({{"x", 1e-7}}), loose = run({{"z", 1e-3}, {"w", 1e-3}}),
            sharp = run({{"z", 1e-7}, {"w", 1e-7}}, 1e-3);
  EXPECT_EQ(same.steps, equal.steps);  // that of the run, given once more
  EXPECT_LT(static_cast<double>(loose.steps), 0.7 * static_cast<double>(equal.steps));
  EXPECT_LT(loose.slow, 100.0 * 1e-7);
  EXPECT_GT(loose.fast, 10.0 * equal.fast);
  EXPECT_GT(sharp.steps, 0.8 * static_cast<double>(equal.steps));
  EXPECT_LT(sharp.fast, 1000.0 * 1e-7);  // 8 periods
}

// 7-L5, 7-M9, M50: the estimate of a multiplier of index 2 does not vanish with the step size. Left out of the test, as
// by default, or with a loose tolerance of its own the run succeeds; with that of the run it crawls or stops.
TEST(SingleTolerances, OfMultipliersOfIndexTwoHaveToBeLoose) {
  const Reference reference = read_reference("pendulum");
  const auto run = [&](const Tolerances& tolerances) {
    const auto model = std::make_shared<const Model>(reference.model());
    return simulate(analyze(model, formulation::Index2{}), {.stop = 10.0,
                                                            .tolerance = 1e-9,
                                                            .tolerances = tolerances,
                                                            .intervals = 10,
                                                            .formulation = formulation::Index2{},
                                                            .max_steps = 20'000,
                                                            .dense = false});
  };
  const Solution excluded = run({}), loose = run({{"lambda", 1e-2}}), sharp = run({{"lambda", 1e-9}});
  fmt::print("steps: excluded {}, loose {}, sharp {} ({})\n", excluded.statistics.steps, loose.statistics.steps,
             sharp.statistics.steps, sharp.message);
  ASSERT_TRUE(reached_end(excluded.outcome)) << excluded.message;
  ASSERT_TRUE(reached_end(loose.outcome)) << loose.message;
  const double exact = reference.points.back().values.at("x");
  ASSERT_EQ(reference.points.back().t, 10.0);
  EXPECT_NEAR(excluded.final("x"), exact, 1000.0 * 1e-9);
  EXPECT_NEAR(loose.final("x"), exact, 1000.0 * 1e-9);
  EXPECT_NE(sharp.outcome, Outcome::Success);  // 20000 steps, and t = 3e-5
}

std::string refusal(const Tolerances& tolerances, const Method& method = method::Bdf{}, double tolerance = 1e-6) {
  try {
    simulate(read_shipped("squeezer"), {.tolerance = tolerance, .tolerances = tolerances, .method = method});
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(SingleTolerances, ThatMeanNothingAreRefused) {
  EXPECT_THAT(refusal({{"lamda1", 1e-2}}),
              HasSubstr("there is no variable 'lamda1' to give a tolerance for: did you mean 'lambda1'?"));
  EXPECT_THAT(refusal({{"L", 1e-2}}), HasSubstr("L is computed from other variables by its own equation"));
  EXPECT_THAT(refusal({{"beta", 0.0}}), HasSubstr("the tolerance 0 of beta is not between 0 and 1"));
  EXPECT_THAT(refusal({{"beta", 1e-8}}, method::Taylor{}), HasSubstr("taylor has no error test of single variables"));
  EXPECT_THAT(refusal({{"lambda1", 1e-2}}, method::ExplicitRungeKutta{}), HasSubstr("lambda1 follows from the states"));
}

// The same discrete solution from derivatives that are wrong by 1e-8: other steps by chance, errors within the measure
// of the reference.
TEST(DifferenceQuotientsInRuns, ReachTheSameSolution) {
  for (const char* name : {"squeezer", "transistor_amplifier", "pendulum", "akzo"}) {
    const Reference reference = read_reference(name);
    const auto model = std::make_shared<const Model>(reference.model());
    const Analysis analysis = analyze(model);
    for (const char* method : {"bdf", "radau"}) {
      const auto run = [&](Derivatives derivatives) {
        return simulate(
            analysis,
            {.stop = reference.stop, .tolerance = 1e-6, .method = *parse_method(method), .jacobian = derivatives});
      };
      const Solution exact = run(Derivatives::Exact), quotients = run(Derivatives::Differences);
      ASSERT_TRUE(reached_end(quotients.outcome)) << name << ": " << quotients.message;
      EXPECT_LE(error_against(reference, *model, quotients).error, 100.0 * reference.allowance * 1e-6) << name;
      EXPECT_NEAR(static_cast<double>(quotients.statistics.steps), static_cast<double>(exact.statistics.steps),
                  0.1 * static_cast<double>(exact.statistics.steps) + 3.0)
          << name << " by " << method;
    }
  }
}

}  // namespace
}  // namespace driftless
