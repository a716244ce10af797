// Why a model has no solution structure, in the user's names and lines.
#pragma once

#include "driftless/diagnostics/diagnostic.hpp"
#include "driftless/model/model.hpp"
#include "driftless/reduce/reduced.hpp"
#include "driftless/reduce/repair.hpp"

namespace driftless {

// One diagnostic for each independent error: the connected components of the Dulmage-Mendelsohn parts.
void explain_singular(const Model& model, const structure::Singular& singular, Diagnostics& diagnostics);

// Equations that must be differentiated but cannot be, because they jump.
void explain_undifferentiable(const Model& model, const structure::Offsets& offsets, Diagnostics& diagnostics);

// Invariants and assertions with derivatives that are higher than those the equations determine.
void explain_invariants(const Model& model, const structure::Offsets& offsets, Diagnostics& diagnostics);

// stateSelect = always and never that no choice of states can satisfy.
void explain_state_requests(const Reduced& reduced, Diagnostics& diagnostics);

// The dependence that causes a hidden singularity, found at a generic point of the block.
struct HiddenDependence {
  enum class Kind {
    Unknown,        // too large to examine, or no value at the point
    HigherIndex,    // a combination of the equations contains none of the highest derivatives, but others: a hidden
                    // constraint, and the true index is higher than the structural one
    Dependent,      // all unknowns cancel in the combination: one equation follows from the others, or contradicts them
    Redundant,      // one follows from the others
    Contradictory,  // they contradict each other
  };
  Kind kind = Kind::Unknown;
  std::vector<structure::Row> equations = {};  // those of the combination
  double left_over = 0.0;                      // of a contradiction: 0 = this
};
HiddenDependence find_dependence(const Model& model, const structure::Structure& shape,
                                 const HiddenSingularity& hidden);

// The structure is regular, but the system Jacobian of a block is singular at every point (Mattsson, Söderlind 1993,
// Section 4). `advice`: a further note.
void explain_hidden_singularity(const Model& model, const structure::Structure& shape, const HiddenSingularity& hidden,
                                Diagnostics& diagnostics, const std::optional<std::string>& advice = {});

// Equations that cannot hold together for any values of their unknowns.
void explain_contradiction(const Model& model, const Contradiction& contradiction, Diagnostics& diagnostics);

}  // namespace driftless
