// Hairer & Wanner (1996), Figure 2.2: DOPRI5 on the index-1 form of the pendulum, released at (1, 0), with projections.
#include <cmath>

#include "driftless/integrate/sample_run.hpp"

namespace driftless {
namespace {

using namespace projection;
using samples::run;

Model released() { return samples::pendulum({.x = 1.0, .y = 0.0, .vx = 0.0, .vy = 0.0}); }

// The angle in the state space form, phi'' = -cos phi, by the classical method with a step far below its tolerance.
class Angle {
 public:
  struct State {
    double phi, eta;
  };
  explicit Angle(double stop) {
    State s{0.0, 0.0};
    for (double t = 0.0; t <= stop + h; t += h) {
      states_.push_back(s);
      const auto f = [](State a) { return State{a.eta, -std::cos(a.phi)}; };
      const auto plus = [](State a, double c, State k) { return State{a.phi + c * k.phi, a.eta + c * k.eta}; };
      const State k1 = f(s), k2 = f(plus(s, h / 2, k1)), k3 = f(plus(s, h / 2, k2)), k4 = f(plus(s, h, k3));
      s = plus(plus(plus(plus(s, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
    }
  }
  State at(double t) const { return states_[static_cast<std::size_t>(std::lround(t / h))]; }
  static constexpr double h = 1e-3;

 private:
  std::vector<State> states_;
};

double error(const Solution& solution, std::size_t row) {
  static const Angle angle(100.0);
  const auto [phi, eta] = angle.at(solution.times[row]);
  const auto of = [&](const char* name) { return solution.value(row, *solution.find(name)); };
  const double dx = of("x") - std::cos(phi), dy = of("y") - std::sin(phi);
  const double du = of("der(x)") + eta * std::sin(phi), dv = of("der(y)") - eta * std::cos(phi);
  return std::sqrt(dx * dx + dy * dy + du * du + dv * dv);
}

double largest_error(const Solution& solution, double from, double to) {
  double largest = 0.0;
  for (std::size_t k = 0; k < solution.times.size(); ++k)
    if (solution.times[k] >= from && solution.times[k] <= to) largest = std::max(largest, error(solution, k));
  return largest;
}

struct Variant {
  const char* name;
  Projection projection;
  double first, middle, last;  // largest global error in [0, 10], [40, 50], [90, 100]
  double g, gu;
};
void PrintTo(const Variant& v, std::ostream* out) { *out << v.name; }

class HairerWanner : public testing::TestWithParam<Variant> {
 protected:
  static Solution solution(const Projection& projection) {
    return run(released(), formulation::Index1{},
               {.stop = 100.0, .method = method::ExplicitRungeKutta{}, .projection = projection, .intervals = 20000});
  }
};
INSTANTIATE_TEST_SUITE_P(
    Projections, HairerWanner,
    testing::Values(Variant{"none", None{}, 8.0e-5, 6.2e-3, 5.3e-2, 7.8e-3, 7.9e-5},
                    Variant{"position", Coordinates{Levels::Position}, 5.3e-5, 8.5e-3, 6.4e-2, 0.0, 7.9e-5},
                    Variant{"velocity", Coordinates{Levels::Velocity}, 2.3e-5, 7.3e-4, 2.85e-3, 1.5e-5, 0.0},
                    Variant{"both", Coordinates{Levels::Both}, 2.2e-5, 6.9e-4, 2.69e-3, 0.0, 0.0}),
    [](const auto& tested) { return tested.param.name; });

TEST_P(HairerWanner, ErrorsAreThoseOfTheFigure) {
  const Variant& expected = GetParam();
  const Solution computed = solution(expected.projection);
  EXPECT_NEAR(static_cast<double>(computed.statistics.steps), 533.5, 1.5);
  EXPECT_NEAR(largest_error(computed, 0.0, 10.0), expected.first, 0.1 * expected.first);
  EXPECT_NEAR(largest_error(computed, 40.0, 50.0), expected.middle, 0.1 * expected.middle);
  EXPECT_NEAR(largest_error(computed, 90.0, 100.0), expected.last, 0.05 * expected.last);
  double g = 0.0, gu = 0.0;
  for (const CertificateEntry& entry : computed.certificate) {
    if (entry.level == 0) g = entry.max_residual;
    if (entry.level == 1) gu = 0.5 * entry.max_residual;
  }
  EXPECT_NEAR(g, expected.g, std::max(5e-15, 0.1 * expected.g));
  EXPECT_NEAR(gu, expected.gu, std::max(5e-15, 0.1 * expected.gu));
}

TEST(Projections, KeepTheirRankAtASharperTolerance) {
  const auto solve = [](const Projection& projection) {
    return run(released(), formulation::Index1{},
               {.stop = 100.0,
                .method = method::ExplicitRungeKutta{},
                .projection = projection,
                .tolerance = 1e-8,
                .intervals = 20000});
  };
  const Solution none = solve(None{}), velocity = solve(Coordinates{Levels::Velocity});
  EXPECT_NEAR(static_cast<double>(none.statistics.steps), 1318, 2);
  EXPECT_NEAR(largest_error(none, 90.0, 100.0), 2.4e-4, 0.05 * 2.4e-4);
  EXPECT_NEAR(largest_error(velocity, 90.0, 100.0), 2.2e-5, 0.05 * 2.2e-5);
}

// Energy (u^2 + v^2)/2 + y, zero at the start: what the velocity projection keeps as a by-product.
TEST(Projections, OfTheVelocityKeepTheEnergyHundredTimesBetter) {
  const auto energy_error = [](const Projection& projection) {
    const Solution s = run(released(), formulation::Index1{},
                           {.stop = 100.0, .method = method::ExplicitRungeKutta{}, .projection = projection});
    return 0.5 * (std::pow(s.final("der(x)"), 2) + std::pow(s.final("der(y)"), 2)) + s.final("y");
  };
  EXPECT_NEAR(energy_error(None{}), -5.5e-3, 0.05 * 5.5e-3);
  EXPECT_NEAR(energy_error(Coordinates{Levels::Position}), -3.7e-3, 0.05 * 3.7e-3);
  EXPECT_NEAR(energy_error(Coordinates{Levels::Velocity}), -9.1e-5, 0.05 * 9.1e-5);
  EXPECT_NEAR(energy_error(Coordinates{Levels::Both}), -1.0e-4, 0.05 * 1.0e-4);
}

}  // namespace
}  // namespace driftless
