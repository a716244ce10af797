// Patterns by which singular models of circuits and mechanisms are known, recognized from the equations alone: a
// missing ground, a quantity that is prescribed twice, sources that are in each other's way, too many constraints. What
// is found is told as a question: that the pattern is there is certain, what it means is the author's to judge.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driftless/model/model.hpp"
#include "driftless/structure/dulmage_mendelsohn.hpp"

namespace driftless {

// Variables that occur only in differences, in all equations that are connected with the part: to add the same
// function of time to all of them changes nothing. So are the potentials of a circuit without a ground, and the
// positions of bodies that nothing ties to the world.
std::optional<std::string> missing_reference(const Model& model, const std::vector<structure::Row>& rows,
                                             const std::vector<structure::Col>& cols);

// Two equations of the part contain one variable each, the same.
std::optional<std::string> prescribed_twice(const Model& model, const std::vector<structure::Row>& rows);

// What too many equations determine, while others are left open: two sources fix the same voltage, and how the current
// divides is not determined; two drives fix the same angle.
std::optional<std::string> rival_sources(const Model& model, const structure::DulmageMendelsohn& parts);

// Equations without derivatives between variables that have derivatives elsewhere: more constraints than coordinates.
// The equations are those of the model, or written in its variables.
std::optional<std::string> too_many_constraints(const Model& model, std::span<const Equation> equations);

}  // namespace driftless
