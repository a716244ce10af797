// Makes the stepper of a method.
#include <fmt/format.h>

#include "driftless/integrate/steppers/bdf/bdf.hpp"
#include "driftless/integrate/steppers/runge_kutta/explicit_runge_kutta.hpp"
#include "driftless/integrate/steppers/runge_kutta/half_explicit.hpp"
#include "driftless/integrate/steppers/ida/ida.hpp"
#include "driftless/integrate/steppers/runge_kutta/implicit_runge_kutta.hpp"
#include "driftless/integrate/steppers/multistep/multistep.hpp"
#include "driftless/integrate/steppers/runge_kutta/partitioned.hpp"
#include "driftless/integrate/steppers/radau/radau.hpp"
#include "driftless/integrate/solve/slopes.hpp"
#include "driftless/integrate/steppers/taylor/taylor.hpp"

namespace driftless {

std::optional<std::string> not_applicable(const Method& method, const Problem& problem) {
  if (std::holds_alternative<method::Ida>(method) && !ida_available())
    return "this program was built without IDA: install libsundials-dev and build it again, or use bdf";
  if (const auto* taylor = std::get_if<method::Taylor>(&method)) return not_applicable(*taylor, problem);
  if (const auto* bdf = std::get_if<method::ConstantBdf>(&method)) return not_applicable(*bdf);
  if (const auto* multistep = std::get_if<method::Multistep>(&method)) return not_applicable(*multistep);
  if (problem.reduced().correction != Correction::Square && !std::holds_alternative<method::Bdf>(method) &&
      !std::holds_alternative<method::Ida>(method))
    return fmt::format("{} does not apply: overdetermined equations are solved by bdf, ida and multistep formulas",
                       to_string(method));
  if (const auto* gauss = std::get_if<method::Gauss>(&method)) return not_applicable(*gauss, problem);
  if (const auto* symplectic = std::get_if<method::Symplectic>(&method)) return not_applicable(*symplectic, problem);
  if (const auto* half = std::get_if<method::HalfExplicit>(&method)) return not_applicable(*half, problem);
  if (std::holds_alternative<method::ExplicitRungeKutta>(method))
    if (const auto reason = leaves_more_than_states(problem))
      return fmt::format("{} does not apply: {}", to_string(method), *reason);
  return {};
}

bool uses_states(const Method& method) { return !std::holds_alternative<method::Taylor>(method); }

bool can_replace(const Method& method) { return !std::holds_alternative<method::Ida>(method); }

std::unique_ptr<Stepper> make_stepper(const Method& method, Problem& problem, const State& start,
                                      const StepSettings& settings) {
  if (std::holds_alternative<method::ConstantBdf>(method) || std::holds_alternative<method::Multistep>(method))
    return make_multistep(formula_of(method), problem, start, settings);
  if (const auto* chosen = std::get_if<method::ExplicitRungeKutta>(&method))
    return make_explicit_runge_kutta(*chosen, problem, start, settings);
  if (const auto* radau = std::get_if<method::Radau>(&method))
    return settings.step ? make_implicit_runge_kutta(*radau, problem, start, settings)
                         : make_radau(*radau, problem, start, settings);
  if (const auto* gauss = std::get_if<method::Gauss>(&method))
    return make_implicit_runge_kutta(*gauss, problem, start, settings);
  if (const auto* lobatto = std::get_if<method::Lobatto>(&method))
    return make_implicit_runge_kutta(*lobatto, problem, start, settings);
  if (const auto* symplectic = std::get_if<method::Symplectic>(&method))
    return make_partitioned(*symplectic, problem, start, settings);
  if (const auto* chosen = std::get_if<method::HalfExplicit>(&method))
    return make_half_explicit(*chosen, problem, start, settings);
  if (const auto* taylor = std::get_if<method::Taylor>(&method)) return make_taylor(*taylor, problem, start, settings);
  if (std::holds_alternative<method::Ida>(method)) return make_ida(problem, start, settings);
  return make_bdf(problem, start, settings);
}

}  // namespace driftless
