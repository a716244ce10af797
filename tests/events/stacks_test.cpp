// Balls on each other with masses and impacts of their own: what they come to, and the forces between them at rest.
#include <random>

#include "tests/events/shipped_run.hpp"

namespace driftless {
namespace {

using namespace testing;

class Stacks : public ByMethod {
 protected:
  static Solution run(const std::string& model, double stop, double tolerance) {
    SimulateOptions options;
    options.method = *parse_method(GetParam());
    options.tolerance = tolerance;
    options.stop = stop;
    return simulate(read_model_text("m.mo", model), options);
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, Stacks, Values("bdf", "radau", "explicit", "taylor", "auto"));

// Of the balls k - 1 and k: Newton's law of impacts with the part e of the speed.
std::string impact(int k, double below, double above, double e) {
  const double first = (1.0 + e) * above / (below + above), second = (1.0 + e) * below / (below + above);
  return fmt::format(R"(  when h[{0}] < h[{1}] + 0.1 then
    reinit(v[{1}], pre(v[{1}]) - {2}*(pre(v[{1}]) - pre(v[{0}])));
    reinit(v[{0}], pre(v[{0}]) + {3}*(pre(v[{1}]) - pre(v[{0}])));
  end when;
)",
                     k, k - 1, first, second);
}

std::string stack(const std::vector<double>& heights, const std::vector<double>& masses, const std::vector<double>& e,
                  const std::string& force = "0") {
  const std::size_t n = heights.size();
  std::string model = fmt::format(
      "model M\n  Real h[{0}](start = {{{1}}}, each fixed = true), v[{0}](each start = 0, each fixed = "
      "true);\nequation\n"
      "  der(h) = v;\n  der(v[1]) = -10 + ({2})/{3};\n",
      n, fmt::join(heights, ", "), force, masses[0]);
  for (std::size_t k = 2; k <= n; ++k) model += fmt::format("  der(v[{}]) = -10;\n", k);
  model += fmt::format("  when h[1] < 0 then\n    reinit(v[1], -{}*pre(v[1]));\n  end when;\n", e[0]);
  for (std::size_t k = 1; k < n; ++k) model += impact(static_cast<int>(k) + 1, masses[k - 1], masses[k], e[k]);
  return model + "end M;\n";
}

void expect_rest(const Solution& s, std::size_t n) {
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  for (std::size_t k = 1; k <= n; ++k) {
    EXPECT_NEAR(s.final(fmt::format("h[{}]", k)), 0.1 * static_cast<double>(k - 1), 1e-9);
    EXPECT_NEAR(s.final(fmt::format("v[{}]", k)), 0.0, 1e-9);
  }
}

TEST_P(Stacks, ComeToRestWhateverTheirMasses) {
  std::mt19937 random(20);
  const auto between = [&](double a, double b) {
    return a + (b - a) * static_cast<double>(random()) / static_cast<double>(std::mt19937::max());
  };
  for (int trial = 0; trial < 12; ++trial) {
    const std::size_t n = trial % 3 == 2 ? 4 : 3;
    std::vector<double> heights, masses, e;
    double gap = 0.0;
    for (std::size_t k = 0; k < n; ++k) {
      gap += between(0.05, 0.5);
      heights.push_back(gap + 0.1 * static_cast<double>(k));
      masses.push_back(between(0.3, 3.0));
      e.push_back(between(0.2, 0.8));
    }
    for (const double tolerance : {1e-6, 1e-9}) {
      SCOPED_TRACE(stack(heights, masses, e));
      const Solution s = run(stack(heights, masses, e), 12.0, tolerance);
      // Steps of series may become too small between impacts that come ever sooner; the run says so.
      if (std::string(GetParam()) == "taylor" && s.outcome == Outcome::StepTooSmall) continue;
      expect_rest(s, n);
    }
  }
}

// A ball falls on two others at rest, which touch: it hits the upper one, that the lower one, that the floor, and again
// and again at the same instant.
TEST_P(Stacks, ComeToRestByInfinitelyManyImpactsAtOneInstant) {
  const Solution s = run(stack({0.076, 0.454, 0.621}, {1.352, 0.8142, 1.9234}, {0.243, 0.522, 0.419}), 12.0, 1e-9);
  expect_rest(s, 3);
}

// What rests on a ball at rest feels its force, and the ball the other way round: lifted by F, both have the
// acceleration F/(m1 + m2) - g.
TEST_P(Stacks, PushEachOtherWhenTheyAreLifted) {
  for (const double mass : {1.0, 0.25}) {
    const Solution s = run(stack({0.02, 0.6}, {1.0, mass}, {0.3, 0.3}, "if time > 5 then 30 else 0"), 6.0, 1e-9);
    ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
    const double acceleration = 30.0 / (1.0 + mass) - 10.0;
    EXPECT_NEAR(s.final("h[1]"), acceleration / 2.0, 1e-8);
    EXPECT_NEAR(s.final("h[2]"), acceleration / 2.0 + 0.1, 1e-8);
    EXPECT_NEAR(s.final("v[2]"), acceleration, 1e-8);
  }
}

}  // namespace
}  // namespace driftless
