// Equations that cannot hold together, though no symbolic combination shows it: a plate on four links of which one is
// too long. All equations are solved in the sense of least squares from several points (nearest_point.hpp). If a
// residual remains, a smallest conflicting set is searched: equations are added, those with a residual first, until no
// values are found; the last one added belongs to the set, those after it are dropped, and the same is repeated with
// those before it, until the set alone has no values. So a conflict of k among n equations takes about k + log n
// searches, most of them among a few equations, and each begins where the previous one has ended.
//
// The result is a smallest set: for every equation in it, values were found that satisfy all others of the set. They
// are kept as witnesses.
//
// A search is no proof, so messages about a conflict say only that no values were found.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driftless/model/model.hpp"

namespace driftless {

struct Conflict {
  std::vector<EqnId> equations;
  std::vector<double> residuals;                      // of these equations, at the nearest point
  std::vector<std::pair<std::string, double>> point;  // unknowns of these equations there
  // For each of the equations: the residual of the others, in units of their slopes, at the point where they hold
  // without it. At most NearestPoint::satisfied.
  std::vector<double> witnesses;
};

// At the start of the experiment, with derivatives as independent unknowns. Nothing if values were found, or if there
// are too many equations for a quick answer.
std::optional<Conflict> find_conflict(const Model& model, const std::vector<EqnId>& equations);

// "no values were found that satisfy line 7 and line 9 together, ...: at the nearest point, x = 0.6, they are missed by
// 0.1 (line 7), -0.2 (line 9)".
std::optional<std::string> conflict_in_words(const Model& model, const std::vector<EqnId>& equations);

}  // namespace driftless
