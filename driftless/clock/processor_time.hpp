// The time that the processor has spent on this thread, in seconds: other programs on the machine do not count.
#pragma once

#include <ctime>

namespace driftless {

inline double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace driftless
