#include "driftless/integrate/steppers/runge_kutta/explicit_formula.hpp"

namespace driftless {
namespace {

// From this tolerance on order 5 is enough; below it order 8 reaches more digits in the same time
// (docs/methods/explicit.md).
constexpr double order_five_suffices = 1e-2;

method::Explicit tableau_of(const method::ExplicitRungeKutta& method, const StepSettings& settings) {
  if (method.tableau != method::Explicit::Adaptive) return method.tableau;
  const bool sharp = !settings.step && settings.tolerance < order_five_suffices;
  return sharp ? method::Explicit::Dop853 : method::Explicit::Dopri5;
}

}  // namespace

ExplicitFormula::ExplicitFormula(method::Explicit name) : tableau(explicit_tableau(name)) {
  const std::size_t stages = tableau.stages, all = slopes();
  for (std::size_t i = 0; i < stages; ++i) stage_weights.emplace_back(std::span(tableau.a).subspan(i * stages, i));
  for (std::size_t i = stages; i < all; ++i)
    stage_weights.emplace_back(std::span(tableau.more_a).subspan((i - stages) * all, i));
  for (std::size_t k = 0; k < dense_terms(); ++k)
    dense_weights.emplace_back(std::span(tableau.dense).subspan(k * all, all));
}

std::shared_ptr<const ExplicitFormula> ExplicitFormula::of(const method::ExplicitRungeKutta& method,
                                                           const StepSettings& settings,
                                                           const CompiledSystem& compiled) {
  const method::Explicit name = tableau_of(method, settings);
  return compiled.part<ExplicitFormula>({static_cast<int>(name)},
                                        [name] { return std::make_shared<const ExplicitFormula>(name); });
}

// Limits of the code DOPRI5 for order 5. A rejected step of order 8 costs eleven slopes, so somewhat shorter steps than
// those of DOP853 are better (docs/methods/explicit.md).
StepControl::Limits ExplicitFormula::limits() const {
  if (tableau.order <= 5) return {};
  return {.beta = 0.0,
          .safety = 0.8,
          .strongest_cut = 1.0 / 3,
          .strongest_growth = 6.0,
          .growth_of_first = 50.0,
          .predicts = true};
}

}  // namespace driftless
