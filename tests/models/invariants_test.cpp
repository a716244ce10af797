// The invariants that the models declare stay constant along accurate runs, and what is none does not.
#include <gmock/gmock.h>

#include "driftless/model/builder.hpp"
#include "tests/models/measure.hpp"

namespace driftless {
namespace {

std::vector<std::string> models_with_invariants() {
  std::vector<std::string> names;
  for (const std::string& name : shipped_models())
    if (!read_shipped(name).invariants.empty()) names.push_back(name);
  return names;
}

class Conserved : public testing::TestWithParam<std::string> {};

// In units of the error that a variable of relative accuracy 1 would cause, as for the references.
TEST_P(Conserved, AlongAnAccurateRun) {
  const Model model = read_shipped(GetParam());
  const Solution solution = simulate(model, {.tolerance = 1e-9, .method = method::Bdf{}});
  ASSERT_EQ(solution.outcome, Outcome::Success) << solution.message;
  ASSERT_EQ(solution.invariants.size(), model.invariants.size());
  for (std::size_t k = 0; k < model.invariants.size(); ++k) {
    const Probe probe(model, model.invariants[k].value);
    const double size = probe(solution, solution.start, solution.at(solution.start)).size;
    EXPECT_LT(solution.invariants[k].max_deviation, 1e-6 * size) << model.invariants[k].name;
    EXPECT_GT(solution.invariants[k].max_deviation, 0.0) << "measured at all";
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Conserved, testing::ValuesIn(models_with_invariants()),
                         [](const auto& test) { return test.param; });

TEST(Invariants, OfTheSqueezerHasItsKnownValue) {
  const Solution solution = simulate(read_shipped("squeezer"), {.tolerance = 1e-10, .method = method::Bdf{}});
  EXPECT_NEAR(solution.invariants.at(0).start, 1.437832957532139872, 1e-13);
}

TEST(Invariants, AreColumnsAlsoOfTheDenseOutput) {
  const Solution solution = simulate(read_shipped("spherical_pendulum"), {.tolerance = 1e-9, .method = method::Bdf{}});
  const auto momentum = solution.column("momentum");
  EXPECT_EQ(momentum.size(), solution.times.size());
  EXPECT_NEAR(momentum.back(), 1.5, 1e-6);
  EXPECT_NEAR(solution.at(solution.times.back(), "momentum"), momentum.back(), 1e-14);
  EXPECT_NEAR(solution.at(1.2345, "energy"), 1.125, 1e-6);
  EXPECT_NEAR(solution.invariants[1].final_deviation, momentum.back() - momentum.front(), 1e-15);
}

// x = cos t: x^2 deviates from its start by exactly 1, first at t = pi/2; x^2 + v^2 does not.
TEST(Invariants, ThatAreNoneAreFoundOut) {
  ModelBuilder m("Oscillator");
  const Expr x = m.variable("x", {.start = 1.0, .fixed = true}), v = m.variable("v", {.start = 0.0, .fixed = true});
  m.equation(der(x) == v);
  m.equation(der(v) == -x);
  m.invariant("wrong", x * x);
  m.invariant("right", x * x + v * v);
  m.experiment({.stop = 2.0});
  const Solution solution = simulate(m.build(), {.tolerance = 1e-9, .intervals = 2000, .method = method::Bdf{}});
  EXPECT_NEAR(solution.invariants[0].max_deviation, 1.0, 1e-5);
  EXPECT_NEAR(solution.invariants[0].at_time, 1.5708, 2e-3);
  EXPECT_NEAR(solution.invariants[0].final_deviation, std::cos(2.0) * std::cos(2.0) - 1.0, 1e-7);
  EXPECT_LT(solution.invariants[1].max_deviation, 1e-7);
}

TEST(Invariants, HaveTheirValuesInEveryFormulation) {
  for (const char* formulation : {"index1", "ggl", "minimal", "baumgarte"}) {
    const Solution solution =
        simulate(read_shipped("pendulum"),
                 {.tolerance = 1e-9, .formulation = *parse_formulation(formulation), .method = method::Bdf{}});
    EXPECT_NEAR(solution.invariants.at(0).start, 0.5, 1e-12) << formulation;
    EXPECT_LT(solution.invariants[0].max_deviation, 1e-5) << formulation;
  }
}

TEST(Invariants, WithDerivativesThatNothingDeterminesAreRefused) {
  ModelBuilder m("M");
  const Expr x = m.variable("x", {.start = 1.0}), z = m.variable("z");
  m.equation(der(x) == z);
  m.equation(z == -x * x * x);
  m.invariant("wrong", der(der(z)));
  try {
    analyze(std::make_shared<const Model>(m.build()));
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("the invariant 'wrong' contains der(der(z))"));
  }
}

}  // namespace
}  // namespace driftless
