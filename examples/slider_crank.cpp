// A slider-crank put together from bodies and joints: the crank is spun and left to itself. Rod and slider take up
// energy and return it; nothing is lost, so the energy at the end is that of the start.
#include <cmath>
#include <cstdio>
#include <iostream>

#include <driftless/model/multibody.hpp>
#include <driftless/simulate.hpp>

int main() {
  const double r = 0.1, l = 0.3;
  driftless::Mechanism m("SliderCrank", {.gravity = 9.81, .experiment = {.stop = 1.0}});
  const driftless::Body crank = m.body("crank", {.mass = 0.6, .inertia = 0.0085, .x = r / 2});
  const driftless::Body rod = m.body("rod", {.mass = 0.4, .inertia = 0.003, .x = r + l / 2});
  const driftless::Body slider = m.body("slider", {.mass = 0.5, .inertia = 0.001, .x = r + l});
  m.revolute("bearing", m.ground(0, 0), crank.at(-r / 2, 0));
  m.revolute("crank pin", crank.at(r / 2, 0), rod.at(-l / 2, 0));
  m.revolute("slider pin", slider.centre(), rod.at(l / 2, 0));
  m.prismatic("guide", m.ground(0, 0), slider.centre());
  m.hold(crank.angle, 0.0, 20.0);

  try {
    const driftless::Model model = m.build();
    for (const driftless::Equation& equation : model.equations)
      std::printf("%-22s %s\n", equation.label.c_str(), equation.text.c_str());
    const driftless::Solution solution = driftless::simulate(model, {.tolerance = 1e-8});
    if (solution.outcome != driftless::Outcome::Success) return 1;
    const auto energy = [&](double t) {
      const auto at = [&](const char* name) { return solution.at(t, name); };
      return (0.6 * (std::pow(at("der(crank.x)"), 2) + std::pow(at("der(crank.y)"), 2)) +
              0.4 * (std::pow(at("der(rod.x)"), 2) + std::pow(at("der(rod.y)"), 2)) +
              0.5 * std::pow(at("der(slider.x)"), 2) + 0.0085 * std::pow(at("der(crank.angle)"), 2) +
              0.003 * std::pow(at("der(rod.angle)"), 2)) /
                 2 +
             9.81 * (0.6 * at("crank.y") + 0.4 * at("rod.y"));
    };
    std::printf("\nenergy   %.6f J at the start, %.6f J at the end\n", energy(0.0), energy(1.0));
    std::printf("crank    %.4f turns in 1 s\n", solution.final("crank.angle") / (2 * std::acos(-1.0)));
    return std::abs(energy(1.0) - energy(0.0)) < 1e-5 ? 0 : 1;
  } catch (const driftless::ModelError& error) {
    std::cerr << error.what();
    return 2;
  }
}
