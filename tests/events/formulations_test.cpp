// Models of changing index and with impacts, in every formulation that computes jumps: right behind each event the
// constraints hold at all levels, also those that the formulation leaves out.
#include <algorithm>

#include "driftless/formulate/formulation.hpp"
#include "tests/events/shipped_run.hpp"

namespace driftless {
namespace {

using namespace testing;

class FormulationWithEvents : public TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Formulations, FormulationWithEvents,
                         Values("dummy", "minimal", "index1", "index2", "original", "baumgarte", "ggl",
                                "stabilized-index1", "damped-index2", "projected-invariants", "stabilized-ode",
                                "overdetermined", "state-space"));

TEST_P(FormulationWithEvents, HoldsAllLevelsRightBehindEvents) {
  for (const auto& [name, levels] : {std::pair{"pendulum_and_wall", 3u},
                                     {"rope", 3u},
                                     {"clutch", 2u},
                                     {"contact", 3u},
                                     {"switched_capacitors", 2u}}) {
    SimulateOptions options;
    options.method = method::Bdf{};
    options.formulation = *parse_formulation(GetParam());
    options.tolerance = 1e-10;
    const Solution s =
        simulate(read_model_file(std::string(DRIFTLESS_SOURCE_DIR "/models/hybrid/") + name + ".mo"), options);
    ASSERT_TRUE(reached_end(s.outcome)) << name << ": " << s.message;
    ASSERT_EQ(s.drift_levels, levels) << name;
    ASSERT_EQ(s.constraint_drift.size(), s.times.size() * s.drift_levels);
    std::size_t events = 0;
    for (const Event& event : s.events) {
      if (event.jumps.empty() && event.impulses.empty()) continue;
      const auto behind = std::ranges::upper_bound(s.times, event.time) - s.times.begin() - 1;
      ASSERT_EQ(s.times[static_cast<std::size_t>(behind)], event.time);
      for (std::size_t level = 0; level < levels; ++level)
        EXPECT_LE(s.constraint_drift[static_cast<std::size_t>(behind) * levels + level], 1e-9)
            << name << " at " << event.time << ", level " << level;
      ++events;
    }
    EXPECT_GE(events, 1u) << name;
  }
}

TEST(FormulationsWithEvents, ADerivativeArrayTellsThatItHasNoJumps) {
  SimulateOptions options;
  options.method = method::Bdf{};
  options.formulation = *parse_formulation("derivative-array");
  const Solution s = simulate(read_model_file(DRIFTLESS_SOURCE_DIR "/models/hybrid/pendulum_and_wall.mo"), options);
  EXPECT_FALSE(reached_end(s.outcome));
  EXPECT_THAT(s.message, HasSubstr("use another formulation"));
}

}  // namespace
}  // namespace driftless
