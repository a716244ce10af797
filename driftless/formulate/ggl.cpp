// The stabilized index-2 form (Gear, Gupta, Leimkuhler 1985; for any order Ascher, Petzold 1993, (2.18)):
//
//   p' = v - D mu,  M v' = f - Gᵀ lambda,  0 = g,  0 = g'
//
// In general the levels g, ..., g^(m-1) are kept, and each below the last has a multiplier on the derivative of its own
// stage. D = Gᵀ is Führer & Leimkuhler's (43), D = M⁻¹ Gᵀ Hairer & Wanner's (1.48).
#include "driftless/formulate/forms.hpp"
#include "driftless/formulate/rewrite.hpp"

namespace driftless {

Reduced rewritten(const Reduced& base, const formulation::Ggl& ggl) {
  Rewrite rewrite(base);
  rewrite.keep([](int level, int m) { return level < m || m == 0; });
  rewrite.add_multipliers([](int level, int m) { return level < m - 1; }, ggl.direction, Reach::OwnStage);
  return rewrite.finish();
}

}  // namespace driftless
