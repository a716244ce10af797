// The differentiation index by its definition, for any model: how often the equations must be differentiated until they
// determine the derivatives of all variables, independent of higher derivatives. With the derivative array
// (derivative_array.hpp) up to level k, this is 1-fullness:
//
//   rank [top | above] = number of variables + rank [above],
//
// where `top` are the columns of the highest derivatives in the model and `above` those of all higher ones (Hairer,
// Wanner 1996, VII.1; Campbell, Gear 1995). The ranks are evaluated at points that satisfy the array: elsewhere they
// may differ, since terms that vanish on every solution do not vanish there.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driftless/indices/derivative_array.hpp"
#include "driftless/linear/rank_decision.hpp"

namespace driftless {

struct Fullness {
  bool is_full = false;
  int rank = 0;         // of [top | above]
  int rank_of_all = 0;  // including the columns of lower derivatives; all rows if it is regular
  std::vector<linear::RankDecision> decisions;
};

// The ranks of the array up to `level`, at a point.
Fullness fullness(const DerivativeArrayAt& array, const PointOfIndex& point, int level);

struct IndexAtPoint {
  std::optional<int> index;         // none: not 1-full up to the last level of the array
  linear::RankDecision narrowest;   // of all decisions up to there
  bool has_dependent_rows = false;  // some equations of the array follow from others
};
IndexAtPoint index_at(const DerivativeArrayAt& array, const PointOfIndex& point);

}  // namespace driftless
