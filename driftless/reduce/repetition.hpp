// An equation that follows from others, among equations that are too many: a total balance beside the balances of all
// parts. A combination of the rows of their Jacobian vanishes at generic points, and so does the same combination of
// the equations themselves.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driftless/model/model.hpp"

namespace driftless {

// "line 12: qin = qout follows from line 9, line 10 and line 11: remove it, or one of these", or that they contradict
// each other. Nothing if no combination is found, as where an equation follows only where the others hold.
std::optional<std::string> repetition_in_words(const Model& model, std::vector<EqnId> equations);

}  // namespace driftless
