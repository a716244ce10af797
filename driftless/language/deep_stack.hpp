// Brackets, blocks and calls of functions nest as deeply as the limits of the language allow, whatever stack the caller
// has left.
#pragma once

#include <functional>

namespace driftless {

// Runs the work on a stack that holds all that the limits allow, and waits for its end. What it throws is thrown here.
void with_deep_stack(const std::function<void()>& work);

}  // namespace driftless
