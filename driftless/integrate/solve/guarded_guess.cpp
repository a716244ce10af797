#include "driftless/integrate/solve/guarded_guess.hpp"

#include <memory>

#include "driftless/integrate/solve/algebraic.hpp"

namespace driftless {

bool guarded_guess(const Reduced& reduced, double t, std::span<double> y, std::span<double> yp) {
  if (reduced.implicit || !reduced.choices.empty()) return false;
  System system(std::make_shared<const Reduced>(reduced), Backend::Interpreter);
  if (!system.guard()) return false;
  Problem problem(system);
  problem.set_states(reduced.permanent);
  AlgebraicSolve on_rows(problem);
  return on_rows(t, y, yp);
}

}  // namespace driftless
