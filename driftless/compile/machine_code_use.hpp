// Whether a run has called machine code, or was interpreted from beginning to end: kernels that are interpreted at
// first may be compiled during the run (adaptive.hpp), so it is recorded by their calls. The flag is thread-local, as
// each run has its thread.
#pragma once

namespace driftless {

inline constinit thread_local bool machine_code_was_called = false;

}  // namespace driftless
