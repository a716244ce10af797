// The index-1 form x' = f(x) with its invariants h(x) = (g, ..., g^(m-1)) as attractor (Ascher, Petzold 1998, 10.2):
//
//   x' = f(x) - gamma F h,   F = D (H D)⁻¹,   H = ∂h/∂x
//
// The product F h is not formed: mu is an unknown with the row H D mu = gamma h. Since H f = (g', ..., g^(m)), the
// residuals obey (g^(k))' = g^(k+1) - gamma g^(k), so that all of them decay like exp(-gamma t).
#include "driftless/formulate/forms.hpp"
#include "driftless/formulate/rewrite.hpp"

namespace driftless {

Reduced rewritten(const Reduced& base, const formulation::StabilizedOde& stabilized) {
  const auto every = [](int, int) { return true; };
  Rewrite rewrite(base);
  rewrite.keep(every);
  const bool transpose = std::holds_alternative<formulation::Transpose>(stabilized.direction);
  rewrite.add_multipliers(every, stabilized.direction, transpose ? Reach::AllStages : Reach::OwnStage);
  rewrite.relax(stabilized.gamma);
  return rewrite.finish();
}

}  // namespace driftless
