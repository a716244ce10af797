// Whether a run has called machine code, or was interpreted from beginning to end: kernels that are interpreted at
// first change on their way (adaptive.hpp), so only their calls tell. The mark belongs to the thread, as a run does.
#pragma once

namespace driftless {

inline constinit thread_local bool machine_code_was_called = false;

}  // namespace driftless
