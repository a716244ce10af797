#include "driftless/integrate/steppers/ida/ida.hpp"

#include <cassert>

namespace driftless {

#ifdef DRIFTLESS_HAS_IDA

bool ida_available() { return true; }

#else

bool ida_available() { return false; }

std::unique_ptr<Stepper> make_ida(Problem&, const State&, const StepSettings&) {
  assert(false);
  return nullptr;
}

#endif

}  // namespace driftless
