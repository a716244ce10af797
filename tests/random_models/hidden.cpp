// Dependences that the structure does not show: a row that is a combination of others, consistent or contradictory; a
// combination of rows that contains no unknown of its block, so that the true index is higher.
#include <fmt/format.h>

#include "tests/random_models/random_model.hpp"

namespace driftless::random_models {
namespace {

Expression var(int i, int order = 0) { return Expression::variable(i, order); }

Expression linear(const std::vector<double>& row, int first) {
  Expression sum = 0.0;
  for (std::size_t j = 0; j < row.size(); ++j) sum = sum + row[j] * var(first + static_cast<int>(j));
  return sum;
}

// A state and three algebraic unknowns, the third row alpha times the first plus beta times the second (integers, so
// that it is exact), with the right side that belongs to it or another.
RandomModel dependent_rows(Chance& chance) {
  RandomModel model{.name = "DependentRows", .expected = Expected::NoSuccess};
  model.variables = {{.name = "x", .start = 1.0, .fixed = true}, {.name = "u1"}, {.name = "u2"}, {.name = "u3"}};
  std::vector<double> a, b, c;
  const double alpha = chance.integer(1, 3), beta = chance.integer(1, 3) * (chance.yes(0.5) ? 1.0 : -1.0);
  for (int j = 0; j < 3; ++j) {
    a.push_back(chance.integer(1, 5));
    b.push_back(chance.integer(1, 5) * (j == 0 ? 1.0 : -1.0));
    c.push_back(alpha * a.back() + beta * b.back());
  }
  const Expression f = chance.decimal(0.5, 2.0) * var(0), g = call("sin", Expression::time()) + var(0);
  const double gap = chance.yes(0.5) ? 0.0 : chance.decimal(0.5, 2.0);
  model.equations = {{linear(a, 1), f},
                     {var(0, 1), -1.0 * var(0) + 0.1 * var(1)},
                     {linear(b, 1), g},
                     {linear(c, 1), alpha * f + beta * g + gap}};
  model.culprits = {0, 2, 3};
  return model;
}

// x' + a y' + y k = f1 and x + a y = f2 with a constant or in time: differentiating the second leaves y alone.
RandomModel hidden_index(Chance& chance) {
  RandomModel model{.name = "HiddenIndex", .expected = Expected::RightOrRefused, .condition = 100.0};
  const Expression t = Expression::time();
  const Expression a =
      chance.yes(0.5) ? chance.decimal(0.5, 2.0) + chance.decimal(-0.5, 0.5) * t : Expression(chance.decimal(0.5, 2.0));
  for (const char* name : {"x", "y", "z"}) {
    const Expression solution = random_solution(chance);
    model.variables.push_back({name, static_cast<double>(evaluate_at(solution, 0.0L)), false, solution, {}});
  }
  model.equations = {
      around_solution(var(0, 1) + a * var(1, 1) + (chance.decimal(1.0, 2.0) + derivative(a)) * var(1), model.variables),
      around_solution(var(0) + a * var(1), model.variables),
      around_solution(var(2, 1) + chance.decimal(0.1, 2.0) * var(2) + chance.decimal(-1.0, 1.0) * var(1),
                      model.variables)};
  model.culprits = {0, 1};
  return model;
}

// A loop of algebraic rows (sum and difference) that hides a constraint between two states: u + v = x, 2 u + 2 v = y.
RandomModel hidden_constraint(Chance& chance) {
  RandomModel model{.name = "HiddenConstraint", .expected = Expected::RightOrRefused, .condition = 100.0};
  const double k = chance.integer(2, 4), p = chance.integer(1, 3), q = chance.integer(1, 3);
  const Expression x = random_solution(chance), u = random_solution(chance), v = (x - p * u) / q;
  const auto add = [&](const char* name, const Expression& solution) {
    model.variables.push_back({name, static_cast<double>(evaluate_at(solution, 0.0L)), false, solution, {}});
  };
  add("x", x), add("y", k * x), add("u", u), add("v", v);
  model.equations = {around_solution(var(0, 1) + chance.decimal(0.2, 2.0) * var(0) + var(2), model.variables),
                     around_solution(var(1, 1) + chance.decimal(0.2, 2.0) * var(1) - var(3), model.variables),
                     {p * var(2) + q * var(3), var(0)},
                     {k * p * var(2) + k * q * var(3), var(1)}};
  model.culprits = {2, 3};
  return model;
}

// A constraint that stands there twice, with a force each: only the sum of the forces is determined, the rest is.
RandomModel twice_the_same(Chance& chance) {
  RandomModel model{.name = "TwiceTheSame", .expected = Expected::RightOrRefused, .condition = 100.0};
  const double factor = chance.integer(2, 4), gap = chance.yes(0.5) ? 0.0 : chance.decimal(0.5, 2.0);
  if (gap != 0.0) model.expected = Expected::NoSuccess;
  for (const char* name : {"x", "y"}) {
    const Expression solution = random_solution(chance);
    model.variables.push_back({name, static_cast<double>(evaluate_at(solution, 0.0L)), false, solution, {}});
  }
  model.variables.push_back({.name = "a"});
  model.variables.push_back({.name = "b"});
  const double k = chance.integer(1, 3);
  model.equations = {around_solution(var(0, 1) + var(0) + var(2) + var(3), model.variables),
                     around_solution(var(1, 1) + 2.0 * var(1) + k * var(2) + k * var(3), model.variables),
                     around_solution(var(0) + var(1), model.variables),
                     around_solution(factor * var(0) + factor * var(1), model.variables)};
  if (gap != 0.0) model.equations.back().right = model.equations.back().right + gap;
  model.culprits = {0, 1, 2, 3};
  return model;
}

}  // namespace

RandomModel hidden_model(std::uint64_t seed) {
  Chance chance(seed);
  switch (chance.integer(0, 4)) {
    case 0:
    case 1: return dependent_rows(chance);
    case 2: return hidden_index(chance);
    case 3: return hidden_constraint(chance);
    default: return twice_the_same(chance);
  }
}

}  // namespace driftless::random_models
