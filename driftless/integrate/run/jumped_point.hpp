// The point from which a run continues after a jump (hybrid/jump.hpp): with the highest derivatives and multipliers
// that the equations give, on every constraint at every level.
#pragma once

#include <string>
#include <variant>

#include "driftless/hybrid/jump.hpp"
#include "driftless/integrate/run/changed_point.hpp"

namespace driftless {

// The system is that of the mode that begins, with its parameters, and has every level of every equation. Prescribed
// quantities keep their values where the constraints leave them free. Otherwise the reason why there is no such point.
std::variant<State, std::string> jumped_point(System& system, double t, const Jumped& jumped,
                                              const std::vector<PrescribedValue>& prescribed = {});

}  // namespace driftless
