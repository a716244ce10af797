#include "driftless/solution/event.hpp"

#include "driftless/archive/archive.hpp"

namespace driftless {

void ChangeOfValue::archive(Archive& archive) { archive(name, from, to); }

void Impulse::archive(Archive& archive) { archive(name, size, unit); }

void Event::archive(Archive& archive) { archive(time, causes, iterations, discrete, jumps, impulses, mode); }

}  // namespace driftless
