// Equations with several solutions: a run begins on the one that the starts mean, and stays on it. And kinks of time
// that are met at the very start.
#include <cmath>

#include <fmt/format.h>

#include "tests/random_models/random_model.hpp"

namespace driftless::random_models {
namespace {

Expression var(int i, int order = 0) { return Expression::variable(i, order); }

double at_start(const Expression& e) { return static_cast<double>(evaluate_at(e, 0.0L)); }

// A left side that takes every value several times, and a solution that stays away from its turning points.
struct Several {
  Expression left, solution;
};

Several several(Chance& chance, const Expression& y) {
  const Expression wave = call("sin", chance.decimal(0.5, 6.0) * Expression::time() + chance.decimal(0.0, 3.0));
  switch (chance.integer(0, 7)) {
    case 0: return {call("sin", y), chance.decimal(0.3, 1.2) * wave};
    case 1: return {power(y, 2.0) + 0.1 * y, 1.5 + chance.decimal(0.2, 1.0) * wave};
    case 2: return {power(y, 3.0) - 3.0 * y, 2.0 + chance.decimal(0.2, 0.7) * wave};
    case 3: return {call("cos", y) + 0.1 * y, 1.5 + chance.decimal(0.2, 0.9) * wave};
    case 4: return {y * call("exp", -y), 2.6 + chance.decimal(0.2, 1.0) * wave};
    case 5: return {power(call("log", y), 2.0), 0.4 + chance.decimal(0.05, 0.25) * wave};
    case 6: return {call("exp", 2.0 * y) - 3.0 * call("exp", y), chance.decimal(0.2, 0.8) * wave - 0.9};
    default: return {call("exp", y) + call("exp", -y), 1.2 + chance.decimal(0.2, 0.8) * wave};
  }
}

}  // namespace

RandomModel branch_model(std::uint64_t seed) {
  Chance chance(seed);
  // Refusals are counted and printed; what is asserted is that no success is false.
  RandomModel model{
      .name = "Branch", .expected = Expected::RightOrRefused, .stop = chance.decimal(5.0, 40.0), .condition = 30.0};
  const Expression x = chance.decimal(0.5, 2.0) * call("sin", chance.decimal(0.2, 2.0) * Expression::time());
  model.variables.push_back({"x", at_start(x), true, x, {}});
  const int number = chance.integer(1, 3);
  std::vector<Expression> lefts;
  for (int k = 1; k <= number; ++k) {
    const Several equation = several(chance, var(k));
    const double start = at_start(equation.solution) + chance.decimal(-0.15, 0.15);
    model.variables.push_back({fmt::format("y{}", k), start, false, equation.solution, {}});
    lefts.push_back(equation.left);
  }
  // Perhaps the rate is a name for one of them, so that reduction defines this unknown by the rate.
  const bool named = chance.yes(0.5);
  const double factor = chance.decimal(0.3, 1.2);
  if (named) model.variables.push_back({"a", {}, false, factor * *model.variables[1].solution, {}});
  const int a = number + 1;
  model.equations.push_back(
      around_solution(named ? var(0, 1) + 2.0 * var(0) - var(a) : var(0, 1) + var(0), model.variables));
  if (named) model.equations.push_back({var(a), factor * var(1)});
  for (int k = 1; k <= number; ++k) {
    Expression left = lefts[static_cast<std::size_t>(k) - 1] + chance.decimal(-0.3, 0.3) * var(0);
    if (k > 1 && chance.yes(0.5)) left = left + chance.decimal(-0.2, 0.2) * var(k - 1);
    model.equations.push_back(around_solution(left, model.variables));
  }
  return model;
}

// The integral of the positive part of sin(w t), from the kink at the start to the one at w t = pi.
RandomModel first_kink_model(std::uint64_t seed) {
  Chance chance(seed);
  RandomModel model{.name = "FirstKink", .condition = 30.0};
  const double w = chance.decimal(0.5, 6.0), factor = chance.decimal(0.2, 3.0), decay = chance.decimal(0.0, 2.0);
  constexpr double pi = 3.14159265358979323846;
  const Expression angle = w * Expression::time(), wave = call("sin", angle);
  const std::vector<Expression> shapes = {maximum(wave, 0.0), maximum(0.0, wave), wave - minimum(wave, 0.0),
                                          call("noEvent", if_negative(wave, 0.0, wave)),
                                          0.5 * (wave + call("abs", wave))};
  const Expression x = factor / w * (1.0 - call("cos", minimum(angle, pi)));
  model.variables = {{.name = "x", .start = 0.0, .fixed = true, .solution = x}, {.name = "y"}};
  model.equations = {{var(0, 1), factor * chance.one_of(shapes) + decay * (x - var(0))}, {var(1), var(0) + wave}};
  return model;
}

}  // namespace driftless::random_models
