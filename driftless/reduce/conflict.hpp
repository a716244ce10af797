// Equations that cannot hold together, though no symbolic combination shows it: a plate on four links of which one is
// too long. All are met as well as possible, by least squares from several points (nearest_point.hpp). Where that
// leaves something, the smallest set behind it is looked for: equations are taken in, those that are missed first,
// until no values are found; the last one taken in belongs to the set, all behind it are out, and so on with those
// before it, until the set alone is without values. So a conflict of k among n equations takes about k + log n
// searches, most of them among a few equations, and each begins where the one before has ended.
//
// What is left is a smallest set: whenever an equation was found to belong to it, values were found that satisfy all
// others of the set. They are kept as witnesses.
//
// A search proves nothing. Who tells of a conflict says that no values were found.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driftless/model/model.hpp"

namespace driftless {

struct Conflict {
  std::vector<EqnId> equations;
  std::vector<double> residuals;                      // of these, at the nearest point
  std::vector<std::pair<std::string, double>> point;  // unknowns of these equations there
  // For each of the equations: by how much the others are missed, in units of their slopes, where they were found to
  // hold without it. At most NearestPoint::satisfied.
  std::vector<double> witnesses;
};

// At the start of the experiment. Derivatives are unknowns like any other. Nothing, if values were found, or if there
// are more equations than an answer at once allows.
std::optional<Conflict> find_conflict(const Model& model, const std::vector<EqnId>& equations);

// "no values were found that satisfy line 7 and line 9 together, ...: at the nearest point, x = 0.6, they are missed by
// 0.1 (line 7), -0.2 (line 9)".
std::optional<std::string> conflict_in_words(const Model& model, const std::vector<EqnId>& equations);

}  // namespace driftless
