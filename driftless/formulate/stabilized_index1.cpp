// The stabilized index-1 form (Führer, Leimkuhler 1991, (31)-(35)): all levels, each below the highest with a
// multiplier. In mechanics, with Γ = ∂g'/∂p and the accelerations a of the index-1 form,
//
//   p' = v - Gᵀ mu - Γᵀ eta,  v' = a - M⁻¹ Gᵀ eta,  0 = g,  0 = g',  0 = g''
//
// so that M v' = f - Gᵀ lambda - Gᵀ eta. With D = M⁻¹ Gᵀ it is the weighted variant of Hairer & Wanner (2.27), where
// M (p' - v) + Gᵀ mu + Γᵀ eta = 0. The matrix that decides about the index, of the gradients of g and g', is positive
// definite in both. A model that is not mechanical has M = I here.
#include "driftless/formulate/forms.hpp"
#include "driftless/formulate/rewrite.hpp"

namespace driftless {

Reduced rewritten(const Reduced& base, const formulation::StabilizedIndex1& stabilized) {
  const auto every = [](int, int) { return true; };
  Rewrite rewrite(base);
  rewrite.keep(every);
  rewrite.add_multipliers(every, stabilized.direction, Reach::AllStages);
  if (std::holds_alternative<formulation::Transpose>(stabilized.direction)) rewrite.weigh_velocities();
  return rewrite.finish();
}

}  // namespace driftless
