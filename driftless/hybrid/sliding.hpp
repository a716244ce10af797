// Motion along the surface of a relation to which the equations of both sides lead (Filippov 1988).
//
// Let the equations be x' = f1 where a < b and x' = f0 elsewhere, with f1 leading towards a = b from the one side and
// f0 from the other. The truth of the relation then changes infinitely often in any interval, and the intended
// motion is
//
//   x' = alpha f1 + (1 - alpha) f0,   0 = a - b,
//
// with a new unknown alpha between 0 and 1: a differential-algebraic equation of higher index. It ends where alpha
// leaves this interval: if alpha exceeds 1 the relation is true afterwards, if it falls below 0 false.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>

#include "driftless/model/model.hpp"

namespace driftless {

struct SlidingModel {
  Model model;
  VarId weight{};                             // alpha: the last variable
  std::size_t ends_true = 0, ends_false = 0;  // places among Model::discrete.held: 1 < alpha, alpha < 0
};

// The relation is at this place among Model::discrete.held. Its parameter no longer occurs in the continuous equations,
// and it must not be watched while the model slides. `same`, `opposite`: other relations with the same surface, and
// next to it the same or the opposite value, like v < 0 and v > 0. Otherwise the reason why there is no such model.
std::variant<SlidingModel, std::string> sliding_model(const Model& model, std::size_t held,
                                                      std::span<const std::size_t> same = {},
                                                      std::span<const std::size_t> opposite = {});

}  // namespace driftless
