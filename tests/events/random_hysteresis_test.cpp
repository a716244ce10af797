// Sets of two to four states at random, each driven by a relay with hysteresis, some of them with a reinit where the
// relay switches: every switching is found, in order, at its instant, by every method.
//
//   x_i' = -a_i x_i + (on_i ? u_i : w_i),   on_i = pre(on_i) and x_i < high_i or x_i < low_i,
//   where on_i becomes false, x_i becomes x_i - drop_i
//
// Between two switchings x_i is an exponential, so the instants are logarithms.
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "driftless/model/builder.hpp"
#include "driftless/simulation.hpp"

namespace driftless {
namespace {

constexpr double stop = 2.0;
constexpr int systems = 60;

struct Relay {
  double a, u, w, low, high, start, drop;
};

Relay random_relay(std::mt19937& random) {
  const auto within = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  Relay relay{};
  relay.a = within(0.3, 3.0);
  relay.low = within(-1.0, 0.5);
  relay.high = relay.low + within(0.1, 1.0);
  relay.u = relay.a * (relay.high + within(0.3, 2.0));  // the equilibria lie beyond the bounds
  relay.w = relay.a * (relay.low - within(0.3, 2.0));
  relay.start = within(relay.low, relay.high);
  relay.drop = random() % 2 == 0 ? within(0.0, 0.5) * (relay.high - relay.low) : 0.0;
  return relay;
}

struct Switching {
  double time;
  int relay;
  bool on;  // from then on
};

// All relays begin switched on.
std::vector<Switching> exact(const std::vector<Relay>& relays) {
  std::vector<Switching> all;
  for (std::size_t i = 0; i < relays.size(); ++i) {
    const Relay& r = relays[i];
    long double t = 0.0L, x = r.start;
    for (bool on = true;; on = !on) {
      const long double rest = (on ? r.u : r.w) / static_cast<long double>(r.a), bound = on ? r.high : r.low;
      t += std::log((x - rest) / (bound - rest)) / r.a;
      if (t >= stop) break;
      all.push_back({static_cast<double>(t), static_cast<int>(i), !on});
      x = on ? bound - r.drop : bound;
    }
  }
  std::ranges::sort(all, {}, &Switching::time);
  return all;
}

Model model_of(const std::vector<Relay>& relays) {
  ModelBuilder m("Relays");
  for (std::size_t i = 0; i < relays.size(); ++i) {
    const Relay& r = relays[i];
    const Expr x = m.variable(fmt::format("x{}", i), {.start = r.start, .fixed = true});
    const Expr on = m.discrete(fmt::format("on{}", i), {.type = DiscreteType::Boolean, .start = 1.0});
    m.equation(der(x) == -r.a * x + if_else(on, r.u, r.w));
    m.discrete_equation(on == ((m.pre(on) && x < r.high) || x < r.low));
    if (r.drop > 0.0) m.reinit(m.when(!on), x, x - r.drop);
  }
  m.experiment({.stop = stop});
  return m.build();
}

class RandomHysteresis : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, RandomHysteresis, testing::Values("bdf", "radau", "explicit", "taylor", "auto"));

TEST_P(RandomHysteresis, EverySwitchingIsFoundInOrderAtItsInstant) {
  std::mt19937 random(77);
  SimulateOptions options;
  options.method = *parse_method(GetParam());
  options.tolerance = 1e-12;
  options.intervals = 1;
  options.dense = false;
  int events = 0;
  for (int k = 0; k < systems; ++k) {
    std::vector<Relay> relays(2 + random() % 3);
    for (Relay& relay : relays) relay = random_relay(random);
    const std::vector<Switching> expected = exact(relays);
    const Solution s = simulate(model_of(relays), options);
    ASSERT_EQ(s.outcome, Outcome::Success) << k << ": " << s.message;
    std::vector<Switching> found;
    for (const Event& event : s.events)
      for (const ChangeOfValue& change : event.discrete)
        found.push_back({event.time, std::stoi(change.name.substr(2)), change.to != 0.0});
    ASSERT_EQ(found.size(), expected.size()) << k;
    for (std::size_t e = 0; e < found.size(); ++e) {
      EXPECT_NEAR(found[e].time, expected[e].time, 1e-9) << k;
      EXPECT_EQ(found[e].relay, expected[e].relay) << k;
      EXPECT_EQ(found[e].on, expected[e].on) << k;
    }
    events += static_cast<int>(found.size());
  }
  EXPECT_GT(events, 3 * systems);
}

}  // namespace
}  // namespace driftless
