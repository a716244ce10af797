// Functions for external C code (Modelica 3.6, Section 12.9.6): ModelicaError and its like end the call with a message,
// ModelicaAllocateString gives memory that lasts until the next call.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace driftless::external {

// Calls `call`. Returns the message if ModelicaError ended it. Between this function and the C function there must be
// no object with a destructor, as the stack is not unwound.
std::optional<std::string> guarded(const std::function<void()>& call);

}  // namespace driftless::external
