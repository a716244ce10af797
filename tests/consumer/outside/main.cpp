#include <cstdio>

#include <driftless/driftless.hpp>

int main() {
  driftless::ModelBuilder m("Pendulum");
  const auto x = m.variable("x", {.start = 1.0});
  const auto y = m.variable("y", {.start = 0.0, .fixed = true});
  const auto lambda = m.variable("lambda");
  m.equation(der(der(x)) == -lambda * x);
  m.equation(der(der(y)) == -lambda * y - 1.0);
  m.equation(x * x + y * y == 1.0);
  m.initial_equation(der(y) == -1.0);
  driftless::SimulateOptions options;
  options.stop = 10.0;
  const driftless::Analysis analysis = driftless::analyze(m.build());
  const driftless::Solution solution = simulate(analysis, options);
  if (driftless::differentiation_index_at_points(analysis).index != 3) return 2;
  std::printf("index %d, %s\n", solution.structure.structural_index, to_string(solution.outcome));
  return solution.outcome == driftless::Outcome::Success && solution.verdict() == driftless::Verdict::Kept ? 0 : 1;
}
