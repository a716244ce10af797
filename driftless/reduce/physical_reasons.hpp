// Patterns by which singular models of circuits and mechanisms are known, recognized from the equations alone: a
// missing ground, a quantity that is prescribed twice, conflicting sources, too many constraints. A finding is phrased
// as a question: the pattern is certain, but its meaning is for the author to judge.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driftless/model/model.hpp"
#include "driftless/structure/dulmage_mendelsohn.hpp"

namespace driftless {

// Variables that occur only in differences, in all equations that are connected with the part: adding the same function
// of time to all of them changes nothing. Examples are the potentials of a circuit without a ground, and the positions
// of bodies that are not connected to the world.
std::optional<std::string> missing_reference(const Model& model, const std::vector<structure::Row>& rows,
                                             const std::vector<structure::Col>& cols);

// Two equations of the part contain only one variable, the same one.
std::optional<std::string> prescribed_twice(const Model& model, const std::vector<structure::Row>& rows);

// Unknowns that too many equations determine, while others are undetermined: two sources fix the same voltage, and how
// the current divides is not determined; two drives fix the same angle.
std::optional<std::string> rival_sources(const Model& model, const structure::DulmageMendelsohn& parts);

// Equations without derivatives between variables that have derivatives elsewhere: more constraints than coordinates.
// The equations are those of the model, or written in its variables.
std::optional<std::string> too_many_constraints(const Model& model, std::span<const Equation> equations);

}  // namespace driftless
