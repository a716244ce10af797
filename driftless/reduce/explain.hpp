// Why a model has no solution structure, in the user's names and lines.
#pragma once

#include "driftless/diagnostics/diagnostic.hpp"
#include "driftless/model/model.hpp"
#include "driftless/reduce/reduced.hpp"

namespace driftless {

// One diagnostic for each independent mistake: the connected components of the Dulmage-Mendelsohn parts.
void explain_singular(const Model& model, const structure::Singular& singular, Diagnostics& diagnostics);

// Equations that must be differentiated but cannot be, because they jump.
void explain_undifferentiable(const Model& model, const structure::Offsets& offsets, Diagnostics& diagnostics);

// Invariants and assertions with derivatives that are higher than those the equations determine.
void explain_invariants(const Model& model, const structure::Offsets& offsets, Diagnostics& diagnostics);

// stateSelect = always and never that no choice of states can satisfy.
void explain_state_requests(const Reduced& reduced, Diagnostics& diagnostics);

// The structure is fine, but the system Jacobian of a block is singular at every point (Mattsson, Söderlind 1993,
// Section 4).
void explain_hidden_singularity(const Model& model, const structure::Structure& shape, const HiddenSingularity& hidden,
                                Diagnostics& diagnostics);

}  // namespace driftless
