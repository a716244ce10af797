// Starts that must be used exactly as they are written: of states in front of algebraic chains and loops with large
// factors, of positions whose velocities have none, of one of two coordinates that a ratio ties together.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tests/random_models/random_model.hpp"

namespace driftless::random_models {
namespace {

Expression var(std::size_t i, int order = 0) { return Expression::variable(static_cast<int>(i), order); }

RandomVariable with_start(Chance& chance, const std::string& name, double probability) {
  static const std::vector<double> scales = {0.01, 1.0, 1.0, 10.0, 300.0};
  RandomVariable v{.name = name, .start = {}, .fixed = false, .solution = {}, .expected_start = 0.0};
  if (chance.yes(probability)) {
    v.start = chance.one_of(scales) * chance.decimal(-2.0, 2.0);
    v.expected_start = v.start;
  }
  return v;
}

// Rates of the states mixed with each other, and algebraic unknowns that hang on states by large factors.
RandomModel chain(Chance& chance) {
  static const std::vector<double> factors = {0.1, 1.0, 30.0, 344.0, 1e4, 1e5};
  RandomModel model{.name = "Chain", .stop = 0.1};
  const auto states = static_cast<std::size_t>(chance.integer(1, 3)),
             algebraic = static_cast<std::size_t>(chance.integer(1, 3));
  for (std::size_t i = 0; i < states; ++i)
    model.variables.push_back(with_start(chance, fmt::format("x{}", i + 1), 0.8));
  for (std::size_t k = 0; k < algebraic; ++k) {
    RandomVariable a{.name = fmt::format("a{}", k + 1)};
    if (chance.yes(0.5)) a.start = chance.decimal(-10.0, 10.0);
    model.variables.push_back(a);
  }
  for (std::size_t i = 0; i < states; ++i) {
    Expression rates = (2.0 + call("sin", var(i))) * var(i, 1), rest = -chance.decimal(0.1, 2.0) * var(i);
    if (states > 1 && chance.yes(0.6)) rates = rates + chance.decimal(-0.5, 0.5) * var((i + 1) % states, 1);
    // The algebraic unknowns act on the rates, but hardly: the run is not the subject here.
    if (chance.yes(0.7)) {
      const int k = chance.integer(0, static_cast<int>(algebraic) - 1);
      rest = rest + chance.decimal(-1.0, 1.0) * call("sin", 1e-6 * var(states + static_cast<std::size_t>(k)));
    }
    model.equations.push_back({rates, rest});
  }
  double rate = 0.0, speed = 0.0;  // bounds for the states, and for the algebraic unknown before
  for (std::size_t i = 0; i < states; ++i)
    rate = std::max(rate, 2.0 * (2.0 * std::abs(model.variables[i].start.value_or(0.0)) + 1.0));
  for (std::size_t k = 0; k < algebraic; ++k) {
    const Expression a = var(states + k),
                     x = var(static_cast<std::size_t>(chance.integer(0, static_cast<int>(states) - 1)));
    const bool turns = chance.yes(0.5);
    const Expression bent = turns ? chance.decimal(0.1, 0.6) * call("sin", a) : 1e-3 * power(a, 3.0);
    const double factor = chance.one_of(factors);
    Expression right = factor * x;
    speed += 2.5 * factor * rate;
    if (turns) model.turns = std::max(model.turns, speed);
    if (k > 0 && chance.yes(0.5)) right = right + chance.decimal(-1.0, 1.0) * var(states + k - 1);
    if (chance.yes(0.5))
      model.equations.push_back({a + bent, right});
    else
      model.equations.push_back({right, a + bent});
  }
  return model;
}

// A mass, a spring and a damper; the velocity has a name or none, and no start.
RandomModel oscillator(Chance& chance) {
  RandomModel model{.name = "Oscillator", .stop = 0.2};
  RandomVariable x = with_start(chance, "x", 1.0), v = with_start(chance, "v", 0.3);
  const Expression k = chance.decimal(1.0, 50.0), d = chance.decimal(0.1, 5.0), m = chance.decimal(0.5, 3.0);
  model.variables = {x, v, {.name = "F"}, {.name = "a"}};
  const Expression X = var(0), V = var(1), F = var(2), A = var(3);
  const bool product = chance.yes(0.5);
  model.equations = {
      {m * A, F},
      {F, -k * X - d * V * (product ? 1.0 + power(V, 2.0) : Expression(1.0))},
      {var(0, 1), V},
      {product ? var(1, 1) * (1.0 + 0.1 * power(X, 2.0)) : var(1, 1), product ? A * (1.0 + 0.1 * power(X, 2.0)) : A}};
  return model;
}

// Two coordinates with a rigid ratio: the one that has a start keeps it.
RandomModel ratio(Chance& chance) {
  RandomModel model{.name = "Ratio", .stop = 0.1};
  const bool first = chance.yes(0.5), first_speed = chance.yes(0.5);
  RandomVariable x1 = with_start(chance, "x1", first ? 1.0 : 0.0), x2 = with_start(chance, "x2", first ? 0.0 : 1.0);
  RandomVariable w1 = with_start(chance, "w1", first_speed ? 1.0 : 0.0),
                 w2 = with_start(chance, "w2", first_speed ? 0.0 : 1.0);
  for (RandomVariable* v : {&x1, &x2, &w1, &w2})
    if (!v->start) v->expected_start = {};
  model.variables = {x1, x2, w1, w2, {.name = "T"}};
  const double n = chance.decimal(0.2, 5.0), c = chance.decimal(-1.0, 1.0);
  const Expression T = var(4);
  model.equations = {{var(0, 1), var(2)},
                     {var(1, 1), var(3)},
                     {chance.decimal(0.1, 2.0) * var(2, 1), T - chance.decimal(0.0, 2.0) * var(0)},
                     {chance.decimal(0.1, 2.0) * var(3, 1), -n * T - chance.decimal(0.0, 2.0) * var(3)},
                     {var(0), n * var(1) + c}};
  return model;
}

}  // namespace

// A series converges no farther than to the next turn of the fastest unknown, and stages are not much longer: the run
// ends after some of them.
RandomModel short_start_model(std::uint64_t seed) {
  constexpr double most_radians = 1e4;
  RandomModel model = start_model(seed);
  if (model.turns * model.stop > most_radians) model.stop = most_radians / model.turns;
  return model;
}

RandomModel start_model(std::uint64_t seed) {
  Chance chance(seed);
  const int kind = chance.integer(0, 9);
  return kind < 6 ? chain(chance) : kind < 8 ? oscillator(chance) : ratio(chance);
}

}  // namespace driftless::random_models
