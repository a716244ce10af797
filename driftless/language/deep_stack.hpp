// Brackets, blocks and calls of functions may nest as deeply as the limits of the language allow, independent of the
// caller's stack.
#pragma once

#include <functional>

namespace driftless {

// Runs the work on a stack that is large enough for the limits, and waits for its end. Its exceptions are rethrown
// here.
void with_deep_stack(const std::function<void()>& work);

}  // namespace driftless
