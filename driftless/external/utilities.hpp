// What C functions may call (Modelica 3.6, Section 12.9.6): ModelicaError and its like end the call with a message,
// ModelicaAllocateString gives memory that lasts until the next call.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace driftless::external {

// Calls it. The message, if ModelicaError has ended it. Between the call of the C function and here there must be no
// object with a destructor: the way back skips them.
std::optional<std::string> guarded(const std::function<void()>& call);

}  // namespace driftless::external
