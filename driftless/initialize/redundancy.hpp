// Constraints that follow from the others at points where these hold, but not elsewhere: a plate on three parallel
// links, a door with two hinges. The system Jacobian J = ∂f_i^(c_i)/∂x_j^(d_j) is then singular at every consistent
// point, or the structure is singular already: more constraints than positions, fewer equations of motion than forces.
//
// An equation l is removed and replaced by x_j = 0 for a force x_j that is not unique. With uᵀ J = 0 and J v = 0 at a
// point, l is a constraint (c_l > 0) with u_l ≠ 0 and j has v_j ≠ 0; where the structure is singular, l is in its
// overdetermined part and j in its underdetermined part. Forces are algebraic (d_j = 0), and l contains differentiated
// variables only: otherwise a result, and not only a constraint force, would not be unique.
//
// That l follows from the others is tested where these hold: at consistent starts of the model without it, found from
// starts that are moved at random, f_l must vanish with its derivatives, and the new J' must be regular. (For x = 0,
// x + y² = 0 it does not: the second equation is not satisfied everywhere where the first one is.) The forces that are
// not unique are those with v ≠ 0, J' v = e_l; where v has the same direction at all points, the smallest are taken,
// sum v_j x_j = 0.
#pragma once

#include <memory>
#include <optional>

#include "driftless/reduce/repair.hpp"

namespace driftless {

// Is a part of the system Jacobian with constraints in it singular at the starts? A cheap test: if it is regular,
// nothing needs to be removed, or the starts are not consistent.
bool is_singular_at_starts(const Model& model, const structure::Structure& shape);

std::optional<Repair> leave_out_redundant(const std::shared_ptr<const Model>& model, const structure::Structure& shape,
                                          double t);

// The same if the structure itself is singular. Then the structure of the model as written is empty.
std::optional<Repair> leave_out_redundant(const std::shared_ptr<const Model>& model,
                                          const structure::Singular& singular, double t);

}  // namespace driftless
