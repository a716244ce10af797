// The index-1 form with its lowest levels imposed again (Ascher, Petzold 1993, Section 3.5). In mechanics, with the
// accelerations a(p, v) of the index-1 form:
//
//   Pa  levels = 1           p' = v - D mu,            v' = a,         0 = g
//   Pb  levels = 2           p' = v - D mu,            v' = a - D tau,  0 = g,  0 = g'
//   Pc  levels = 2, coupled  p' = v - Gᵀ mu - Lᵀ tau,  v' = a - Gᵀ tau, the same, with L = ∂g'/∂p
#include "driftless/formulate/forms.hpp"
#include "driftless/formulate/rewrite.hpp"

namespace driftless {

Reduced rewritten(const Reduced& base, const formulation::ProjectedInvariants& projected) {
  Rewrite rewrite(base);
  rewrite.keep([&](int level, int m) { return level == m || level < projected.levels; });
  rewrite.add_multipliers([&](int level, int) { return level < projected.levels; }, projected.direction,
                          projected.coupled ? Reach::AllStages : Reach::OwnStage);
  return rewrite.finish();
}

}  // namespace driftless
