// One function per formulation, each in a file named after it.
#pragma once

#include "driftless/formulate/formulation.hpp"

namespace driftless {

Reduced rewritten(const Reduced& base, const formulation::Index1&);
Reduced rewritten(const Reduced& base, const formulation::Index2&);
Reduced rewritten(const Reduced& base, const formulation::Original&);
Reduced rewritten(const Reduced& base, const formulation::Baumgarte& baumgarte);
Reduced rewritten(const Reduced& base, const formulation::DampedIndex2& damped);
Reduced rewritten(const Reduced& base, const formulation::Ggl& ggl);
Reduced rewritten(const Reduced& base, const formulation::StabilizedIndex1& stabilized);
Reduced rewritten(const Reduced& base, const formulation::ProjectedInvariants& projected);
Reduced rewritten(const Reduced& base, const formulation::StabilizedOde& stabilized);
Reduced rewritten(const Reduced& base, const formulation::Overdetermined& overdetermined);
Reduced rewritten(const Reduced& base, const formulation::StateSpace& state_space);
Reduced rewritten(const Reduced& base, const formulation::Euode&);

// The reason why the model does not have the shape needed for the essential underlying equation; nothing if it has.
std::optional<std::string> why_not(const Reduced& base, const formulation::Euode&);

}  // namespace driftless
