// All levels at once, and no new unknowns (Führer, Leimkuhler 1991): the rows are the square part A1 of the system, the
// index-1 form or the index-2 form; the remaining levels, the invariants of the result, are its part A2. `correction`
// is the generalized inverse that solves them in a step.
#include <algorithm>

#include "driftless/formulate/forms.hpp"
#include "driftless/formulate/rewrite.hpp"

namespace driftless {

Reduced rewritten(const Reduced& base, const formulation::Overdetermined& overdetermined) {
  Rewrite rewrite(base);
  const int below = overdetermined.accelerations ? 0 : 1;
  rewrite.keep([&](int level, int m) { return level == std::max(m - below, 0); });
  Reduced result = rewrite.finish();
  if (!overdetermined.accelerations)
    std::erase_if(result.invariants, [](const Invariant& level) { return !level.of_model() && level.stage == 0; });
  result.correction = overdetermined.inverse;
  return result;
}

}  // namespace driftless
