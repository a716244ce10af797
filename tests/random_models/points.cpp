// Models around a known solution, of index 1, 2 and 3, and circuits with diodes: every delivered point must solve the
// equations, and be the solution.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tests/random_models/random_model.hpp"

namespace driftless::random_models {
namespace {

Expression var(int i, int order = 0) { return Expression::variable(i, order); }

double at_start(const Expression& e) { return static_cast<double>(evaluate_at(e, 0.0L)); }

int add(RandomModel& model, const std::string& name, const Expression& solution, bool fixed = false) {
  model.variables.push_back({name, at_start(solution), fixed, solution, {}});
  return static_cast<int>(model.variables.size()) - 1;
}

Expression bent(Chance& chance, const Expression& e) {
  switch (chance.integer(0, 3)) {
    case 0: return call("sin", e);
    case 1: return power(e, 2.0);
    case 2: return call("exp", 0.5 * e);
    default: return call("tanh", e);
  }
}

}  // namespace

RandomModel index1_model(std::uint64_t seed) {
  Chance chance(seed);
  RandomModel model{.name = "Index1", .condition = 10.0};
  const int states = chance.integer(1, 4), algebraic = chance.integer(0, 3), n = states + algebraic;
  for (int i = 0; i < n; ++i)
    add(model, fmt::format("{}{}", i < states ? "x" : "y", i + 1), random_solution(chance), i < states);
  const auto any = [&] { return var(chance.integer(0, n - 1)); };
  for (int i = 0; i < states; ++i) {
    const double decay = chance.yes(0.2) ? chance.decimal(50.0, 500.0) : chance.decimal(0.0, 2.0);
    Expression left = var(i, 1) * (chance.yes(0.3) ? 2.0 + call("sin", any()) : Expression(1.0)) + decay * var(i);
    if (states > 1 && chance.yes(0.4)) left = left + chance.decimal(-0.4, 0.4) * var((i + 1) % states, 1);
    left = left + chance.decimal(-0.4, 0.4) * bent(chance, any()) + chance.decimal(-0.3, 0.3) * any() * any();
    model.equations.push_back(around_solution(left, model.variables));
  }
  for (int k = states; k < n; ++k) {
    Expression left = chance.decimal(1.0, 3.0) * var(k) + chance.decimal(0.0, 0.4) * call("sin", any());
    left = left + chance.decimal(-1.0, 1.0) * bent(chance, var(chance.integer(0, states - 1)));
    model.equations.push_back(around_solution(left, model.variables));
  }
  return model;
}

RandomModel index2_model(std::uint64_t seed) {
  Chance chance(seed);
  RandomModel model{.name = "Index2", .condition = 30.0};
  const int states = chance.integer(2, 4);
  for (int i = 0; i < states; ++i) add(model, fmt::format("x{}", i + 1), random_solution(chance));
  const int y = add(model, "y", random_solution(chance));
  Expression constraint = 0.0;
  std::vector<double> slope;
  for (int i = 0; i < states; ++i) {
    slope.push_back(chance.decimal(0.5, 2.0) * (chance.yes(0.5) ? 1.0 : -1.0));
    constraint = constraint + slope.back() * var(i);
    if (chance.yes(0.5)) constraint = constraint + 0.1 * call("sin", var(i));
  }
  for (int i = 0; i < states; ++i) {
    Expression left = var(i, 1) + chance.decimal(0.0, 2.0) * var(i) + slope[static_cast<std::size_t>(i)] * var(y);
    left = left + chance.decimal(-0.3, 0.3) * bent(chance, var(chance.integer(0, states - 1)));
    model.equations.push_back(around_solution(left, model.variables));
  }
  model.equations.push_back(around_solution(constraint, model.variables));
  return model;
}

RandomModel mechanism_model(std::uint64_t seed) {
  Chance chance(seed);
  RandomModel model{.name = "Mechanism", .condition = 100.0};
  const int n = chance.integer(2, 3);
  const bool named_speeds = chance.yes(0.5);
  for (int i = 0; i < n; ++i)  // away from zero, where a square has no slope
    add(model, fmt::format("q{}", i + 1), chance.decimal(1.5, 2.5) + 0.3 * random_solution(chance));
  if (named_speeds)
    for (int i = 0; i < n; ++i)
      add(model, fmt::format("v{}", i + 1), derivative(*model.variables[static_cast<std::size_t>(i)].solution));
  const int force = add(model, "lambda", random_solution(chance));
  Expression constraint = 0.0;
  std::vector<Expression> slopes;
  for (int i = 0; i < n; ++i) {
    const double c = chance.decimal(0.4, 1.5), a = chance.decimal(-0.3, 0.3);
    constraint = constraint + c * power(var(i), 2.0) + a * call("sin", var(i));
    slopes.push_back(2.0 * c * var(i) + a * call("cos", var(i)));
  }
  const auto speed = [&](int i, int order = 0) { return named_speeds ? var(n + i, order) : var(i, order + 1); };
  for (int i = 0; i < n; ++i) {
    Expression left = chance.decimal(0.5, 2.0) * speed(i, 1) + chance.decimal(0.0, 5.0) * var(i) +
                      chance.decimal(0.0, 1.0) * speed(i);
    left = left + chance.decimal(-0.3, 0.3) * bent(chance, var((i + 1) % n)) +
           slopes[static_cast<std::size_t>(i)] * var(force);
    model.equations.push_back(around_solution(left, model.variables));
    if (named_speeds) model.equations.push_back({var(i, 1), speed(i)});
  }
  model.equations.push_back(around_solution(constraint, model.variables));
  // Without names the speeds of the solution cannot be written as starts: then rest is expected, and the path is free.
  if (!named_speeds)
    for (RandomVariable& v : model.variables) v.solution.reset();
  return model;
}

RandomModel circuit_model(std::uint64_t seed) {
  Chance chance(seed);
  RandomModel model{.name = "Circuit", .condition = 30.0};
  const int nodes = chance.integer(1, 4);
  for (int i = 0; i < nodes; ++i)
    add(model, fmt::format("v{}", i + 1),
        chance.decimal(0.2, 3.0) *
            call("sin", chance.decimal(2.0, 12.0) * Expression::time() + chance.decimal(0.0, 6.0)));
  std::vector<Expression> currents;  // that leave each node
  for (int i = 0; i < nodes; ++i) currents.push_back(var(i) / chance.decimal(0.5, 20.0));
  const auto flows = [&](int from, int to, const Expression& current) {
    currents[static_cast<std::size_t>(from)] = currents[static_cast<std::size_t>(from)] + current;
    if (to >= 0) currents[static_cast<std::size_t>(to)] = currents[static_cast<std::size_t>(to)] - current;
  };
  for (int i = 0; i < nodes; ++i) {
    if (chance.yes(0.6)) flows(i, -1, chance.decimal(0.05, 1.0) * var(i, 1));
    if (i > 0 && chance.yes(0.6)) flows(i, i - 1, (var(i) - var(i - 1)) / chance.decimal(0.5, 5.0));
  }
  const int diodes = chance.integer(1, nodes + 1);
  for (int k = 0; k < diodes; ++k) {
    const int from = chance.integer(0, nodes - 1), to = chance.integer(-1, nodes - 1);
    if (from == to) continue;
    const Expression voltage =
        chance.yes(0.5) || to < 0 ? (to < 0 ? var(from) : var(from) - var(to)) : var(to) - var(from);
    const bool reversed = to >= 0 && voltage.children()[0].index() == to;
    const double vt = chance.one_of(std::vector<double>{0.026, 0.05, 0.1});
    std::vector<Expression> solution;
    for (const RandomVariable& v : model.variables) solution.push_back(*v.solution);
    const Expression path = with_solution(voltage, solution);
    long double highest = 0.0L;
    for (int j = 0; j <= 100; ++j) highest = std::max(highest, evaluate_at(path, 0.01L * j));
    const double saturation = std::exp(-static_cast<double>(highest) / vt);  // so that it carries up to one ampere
    const Expression current = saturation * (call("exp", voltage / vt) - 1.0);
    flows(reversed ? to : from, reversed ? from : to, current);
  }
  for (int i = 0; i < nodes; ++i)
    model.equations.push_back(around_solution(currents[static_cast<std::size_t>(i)], model.variables));
  return model;
}

RandomModel rectifier_model(std::uint64_t seed) {
  Chance chance(seed);
  RandomModel model{.name = "Rectifier", .expected = Expected::RightOrRefused, .stop = 0.05};
  const double u = chance.decimal(1.0, 20.0), w = chance.decimal(200.0, 500.0), rs = chance.decimal(0.1, 10.0);
  const double is = chance.one_of(std::vector<double>{1e-12, 1e-9, 1e-6}),
               vt = chance.one_of(std::vector<double>{0.025, 0.05});
  const double c = chance.one_of(std::vector<double>{1e-4, 1e-3}), r = chance.decimal(20.0, 500.0);
  const Expression source = u * call("sin", w * Expression::time());
  model.variables = {{.name = "v", .start = 0.0, .fixed = true}, {.name = "i"}, {.name = "ud"}};
  const int diodes = chance.integer(1, 3);  // one behind the other
  model.equations = {{source, rs * var(1) + static_cast<double>(diodes) * var(2) + var(0)},
                     {var(1), is * (call("exp", var(2) / vt) - 1.0)},
                     {c * var(0, 1), var(1) - var(0) / r}};
  return model;
}

}  // namespace driftless::random_models
