// Which stepper a method is made of.
#include "driftless/integrate/ida.hpp"

namespace driftless {

std::optional<std::string> not_applicable(const Method&, const Problem&) { return {}; }

std::unique_ptr<Stepper> make_stepper(const Method&, Problem& problem, const State& start,
                                      const StepSettings& settings) {
  return make_ida(problem, start, settings);
}

}  // namespace driftless
