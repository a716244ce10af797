// All levels, each below the highest with a multiplier (Führer, Leimkuhler 1991).
#include "driftless/formulate/forms.hpp"
#include "driftless/formulate/rewrite.hpp"

namespace driftless {

Reduced rewritten(const Reduced& base, const formulation::StabilizedIndex1& stabilized) {
  const auto every = [](int, int) { return true; };
  Rewrite rewrite(base);
  rewrite.keep(every);
  rewrite.add_multipliers(every, stabilized.direction, Reach::AllStages);
  return rewrite.finish();
}

}  // namespace driftless
