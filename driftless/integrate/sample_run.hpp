// For tests of whole runs: a model in one of its formulations, integrated by the interpreter.
#pragma once

#include "driftless/integrate/run/integrate.hpp"
#include "driftless/integrate/sample_problem.hpp"

namespace driftless::samples {

inline Solution run(Model model, const Formulation& formulation, const IntegrateOptions& options) {
  const auto base = reduced(std::move(model), {.keep_constraints = !chooses_states(formulation)});
  auto rewritten = base;
  if (!chooses_states(formulation)) rewritten = std::make_shared<const Reduced>(reformulate(*base, formulation));
  State start = consistent_start(*base);
  start.y.resize(rewritten->slots.size());
  start.yp.resize(rewritten->slots.size());
  Solution solution;
  integrate(std::make_shared<System>(rewritten, Backend::Interpreter), start, options, solution);
  if (!reached_end(solution.outcome)) throw std::runtime_error(solution.message);
  return solution;
}

}  // namespace driftless::samples
