// Which stepper a method is made of.
#include "driftless/integrate/ida.hpp"
#include "driftless/integrate/multistep.hpp"

namespace driftless {

std::optional<std::string> not_applicable(const Method& method, const Problem&) {
  if (const auto* bdf = std::get_if<method::Bdf>(&method)) return not_applicable(*bdf);
  if (const auto* multistep = std::get_if<method::Multistep>(&method)) return not_applicable(*multistep);
  return {};
}

std::unique_ptr<Stepper> make_stepper(const Method& method, Problem& problem, const State& start,
                                      const StepSettings& settings) {
  if (std::holds_alternative<method::Bdf>(method) || std::holds_alternative<method::Multistep>(method))
    return make_multistep(formula_of(method), problem, start, settings);
  return make_ida(problem, start, settings);
}

}  // namespace driftless
