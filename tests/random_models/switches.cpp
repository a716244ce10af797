// Kinks and jumps, with known solutions that run through them; jumps without an event, which must not be
// differentiated.
#include <cmath>

#include <fmt/format.h>

#include "tests/random_models/random_model.hpp"

namespace driftless::random_models {
namespace {

Expression var(int i, int order = 0) { return Expression::variable(i, order); }

// Grows with e, with a kink where e passes zero (or, for minimum, where it passes a level).
Expression kinked(Chance& chance, const Expression& e) {
  static const std::vector<double> exponents = {1.0, 1.5, 2.0, 2.5, 3.0};
  switch (chance.integer(0, 8)) {
    case 0: return call("sqrt", maximum(e, 0.0));
    case 1: return power(maximum(e, 0.0), chance.one_of(exponents));
    case 2: return call("abs", e) * e;
    case 3: return power(maximum(e, 0.0), 1.5) - power(maximum(-e, 0.0), 1.5);
    case 4: return minimum(e, chance.decimal(-0.3, 0.3));
    case 5: return call("log", 1.0 + maximum(e, 0.0));
    case 6: return if_negative(e, 0.5 * e, e);
    case 7: return maximum(e, 0.0) * call("sqrt", maximum(e, 0.0));
    default: return e + 0.5 * call("abs", e);
  }
}

Expression through_zero(Chance& chance) {
  const Expression t = Expression::time();
  if (chance.yes(0.3))
    return chance.decimal(0.3, 1.5) * call("sin", chance.decimal(2.0, 8.0) * t);  // starts at the kink
  if (chance.yes(0.3)) return chance.decimal(0.2, 0.8) - t;
  return chance.decimal(0.3, 1.5) * call("cos", chance.decimal(2.0, 8.0) * t + chance.decimal(0.0, 3.0));
}

}  // namespace

RandomModel kink_model(std::uint64_t seed) {
  Chance chance(seed);
  // Refusals are counted and printed; what is asserted is that no success is false.
  RandomModel model{.name = "Kink", .expected = Expected::RightOrRefused, .condition = 30.0};
  const int states = chance.integer(1, 2);
  for (int i = 0; i < states; ++i) {
    const Expression solution = through_zero(chance);
    model.variables.push_back(
        {fmt::format("x{}", i + 1), static_cast<double>(evaluate_at(solution, 0.0L)), true, solution, {}});
  }
  // An algebraic unknown behind a kink: y = k(x), or y + k(y) = x + ...
  const int shape = chance.integer(0, 2);
  if (shape > 0) {
    const Expression solution = through_zero(chance);
    model.variables.push_back({"y", static_cast<double>(evaluate_at(solution, 0.0L)), false, solution, {}});
  }
  for (int i = 0; i < states; ++i) {
    Expression left = var(i, 1) + chance.decimal(0.2, 1.0) * kinked(chance, var(i));
    if (states > 1) left = left + chance.decimal(-0.2, 0.2) * var(1 - i);
    model.equations.push_back(around_solution(left, model.variables));
  }
  if (shape == 1)
    model.equations.push_back(
        around_solution(var(states) + chance.decimal(-1.0, 1.0) * kinked(chance, var(0)), model.variables));
  if (shape == 2)
    model.equations.push_back(around_solution(
        var(states) + chance.decimal(0.2, 1.0) * kinked(chance, var(states)) + chance.decimal(-0.5, 0.5) * var(0),
        model.variables));
  return model;
}

// An oscillation x that exceeds a level for a part of its period, often a small one: y' = K max(x - c, 0), written in
// one of many ways. Per period the integral grows by the same amount, between the level's two crossings of it.
RandomModel pulse_model(std::uint64_t seed) {
  Chance chance(seed);
  RandomModel model{.name = "Pulse", .expected = Expected::RightOrRefused, .stop = 3.0};
  const double A = chance.decimal(0.5, 2.0), w = chance.decimal(2.0, 12.0), p = chance.decimal(0.0, 3.0);
  const double c = A * chance.one_of(std::vector<double>{0.5, 0.9, 0.97, 0.99, 0.997, 0.999});
  const double K = chance.decimal(1.0, 5.0), alpha = std::acos(c / A);
  constexpr double pi = 3.14159265358979323846;
  const auto integral = [&](const Expression& angle) {
    const Expression periods = call("floor", (angle + pi) / (2.0 * pi)), phi = angle - 2.0 * pi * periods;
    const Expression within = minimum(maximum(phi, -alpha), alpha);
    return periods * (2.0 * (A * std::sin(alpha) - c * alpha)) + A * (call("sin", within) + std::sin(alpha)) -
           c * (within + alpha);
  };
  const Expression angle = w * Expression::time() + p;
  model.variables = {
      {.name = "x", .start = A * std::cos(p), .fixed = true, .solution = A * call("cos", angle)},
      {.name = "v", .start = -A * w * std::sin(p), .fixed = true},
      {.name = "y", .start = 0.0, .fixed = true, .solution = K / w * (integral(angle) - integral(Expression(p)))},
      {.name = "u"}};
  const Expression u = chance.yes(0.5) ? var(0) : chance.yes(0.7) ? var(3) : A * call("cos", angle);
  const Expression e = u - c;
  const std::vector<Expression> shapes = {
      maximum(e, 0.0),        maximum(u, c) - c,   0.5 * (e + call("abs", e)),
      if_negative(e, 0.0, e), e - minimum(e, 0.0), 0.5 * (1.0 + call("sign", e)) * e};
  model.equations = {{var(0, 1), var(1)},
                     {var(1, 1), -w * w * var(0)},
                     {var(2, 1), K * chance.one_of(shapes)},
                     {var(3) + 0.1 * var(2), var(0) + 0.1 * var(2)}};
  return model;
}

// A jump at a time inside of the run. What jumps without an event must not be differentiated; with an event the impulse
// is integrated, so that a state behind the derivative of a jump jumps by as much. A rate that jumps is right in either
// case.
RandomModel jump_model(std::uint64_t seed) {
  Chance chance(seed);
  RandomModel model{.name = "Jump"};
  const double at = chance.decimal(0.15, 0.85), low = chance.decimal(-2.0, 2.0), high = low + chance.decimal(0.5, 2.0);
  const Expression t = Expression::time();
  const double middle = 0.5 * (low + high), half = 0.5 * (high - low);
  Expression jump = if_negative(t - at, low, high);
  const bool signs = chance.yes(0.3), floors = chance.yes(0.2);
  if (signs) jump = middle + half * call("sign", t - at);
  if (floors) jump = low + (high - low) * call("floor", t / at);
  const Expression smooth = random_solution(chance);
  const int shape = chance.integer(0, 3);
  const bool causes_events = !(signs && !floors) && chance.yes(0.6);
  const Expression written = causes_events ? jump : call("noEvent", jump);
  model.expected = causes_events ? Expected::Success : Expected::NoSuccess;
  switch (shape) {
    case 0:  // the derivative of a jump drives a state: x jumps, z must follow
      model.variables = {{.name = "x", .solution = jump},
                         {.name = "y"},
                         {.name = "z", .start = 0.0, .fixed = true, .solution = jump - low}};
      model.equations = {{var(0), written}, {var(1), var(0, 1)}, {var(2, 1), var(1)}};
      break;
    case 1: {  // hidden behind another equation
      const double share = chance.decimal(0.5, 2.0);
      const Expression sum = smooth - static_cast<double>(evaluate_at(smooth, 0.0L)) + (1.0 - share) * (jump - low);
      model.variables = {{.name = "x", .solution = smooth - share * jump},
                         {.name = "u", .solution = jump},
                         {.name = "z", .start = 0.0, .fixed = true, .solution = sum}};
      model.equations = {{var(0) + share * var(1), smooth}, {var(1), written}, {var(2, 1), var(0, 1) + var(1, 1)}};
      break;
    }
    case 2:  // an integrator that is prescribed to jump: index 2
      model.variables = {{.name = "x", .solution = jump + smooth},
                         {.name = "u", .solution = derivative(smooth) + jump + smooth}};
      model.equations = {{var(0, 1), var(1) - var(0)}, {var(0), written + smooth}};
      break;
    default: {  // a rate that jumps is right and has a solution with a kink
      const Expression past = maximum(t - at, 0.0);
      Expression rate = floors ? if_negative(t - at, low, high) : jump;
      if (!causes_events) rate = call("noEvent", rate);
      const Expression solution = low * t + (high - low) * past;
      model.variables = {{.name = "x", .start = 0.0, .fixed = true, .solution = solution}};
      model.equations = {{var(0, 1), rate}};
      model.expected = Expected::RightOrRefused;
    }
  }
  model.culprits = {0, 1, 2};
  return model;
}

}  // namespace driftless::random_models
