// The derivative that the annotation of an external function names, as a function of the pool.
#pragma once

#include <span>
#include <string_view>

#include "driftless/expr/function.hpp"
#include "driftless/language/functions.hpp"

namespace driftless::language {

// Gives the foreign function the derivative of the annotation, if there is one. In the frame its inputs are represented
// by slots; `outputs` are the names of its outputs. False, with an error, if the annotation does not fit.
bool add_derivative(Elaboration& all, const Frame& frame, std::span<const std::string_view> outputs,
                    FunctionId function, SourceRange call);

}  // namespace driftless::language
