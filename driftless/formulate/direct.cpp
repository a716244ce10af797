// Direct differentiation: one level of each constraint replaces the constraint.
//
//   index1    g^(m) = 0      in mechanics [M Gᵀ; G 0] (v', lambda) = (f, -z): the residual of g is a polynomial in t
//   index2    g^(m-1) = 0
//   original  g = 0
#include <algorithm>

#include "driftless/formulate/forms.hpp"
#include "driftless/formulate/rewrite.hpp"

namespace driftless {

Reduced rewritten(const Reduced& base, const formulation::Index1&) {
  Rewrite rewrite(base);
  rewrite.keep([](int level, int m) { return level == m; });
  return rewrite.finish();
}

Reduced rewritten(const Reduced& base, const formulation::Index2&) {
  Rewrite rewrite(base);
  rewrite.keep([](int level, int m) { return level == std::max(m - 1, 0); });
  return rewrite.finish();
}

Reduced rewritten(const Reduced& base, const formulation::Original&) {
  Rewrite rewrite(base);
  rewrite.keep([](int level, int) { return level == 0; });
  return rewrite.finish();
}

}  // namespace driftless
