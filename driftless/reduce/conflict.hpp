// Equations that cannot hold together, though no symbolic combination shows it: a plate on four links of which one is
// too long. More equations than unknowns are satisfied as well as possible, by least squares from several points; where
// that leaves something, equations are left out one after the other as long as the rest cannot be satisfied either.
// What is left is a smallest set: without any one of them the others hold somewhere.
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
};

// At the start of the experiment. Derivatives are unknowns like any other. Nothing, if values were found, or if there
// are more equations than an answer at once allows.
std::optional<Conflict> find_conflict(const Model& model, const std::vector<EqnId>& equations);

}  // namespace driftless
