// Intermediate results of choosing a method that the following run can reuse.
#pragma once

#include <memory>

namespace driftless {

class CompiledSystem;
struct Reduced;
struct State;

namespace choose {

struct Findings {
  std::shared_ptr<const Reduced> levels = {};   // the reduction with all levels of all constraints
  std::shared_ptr<const Reduced> started = {};  // the reduction whose consistent start is known
  std::shared_ptr<const State> start = {};
  std::shared_ptr<const CompiledSystem> compiled = {};  // of `started`, if a run may use it
};

}  // namespace choose
}  // namespace driftless
