#include "driftless/initialize/homotopy.hpp"

#include <algorithm>

#include "driftless/expr/calculus.hpp"
#include "driftless/reduce/signature.hpp"

namespace driftless {
namespace {

constexpr double first_step = 0.25, shortest_step = 1e-4;
constexpr int most_steps = 300;

// The equations between simplified and actual, with s as the last parameter.
Model between(const Model& model) {
  Model result = model;
  Pool& pool = *model.pool;
  const NodeId s = pool.parameter(ParamId{static_cast<int>(model.parameters.size())});
  result.parameters.emplace_back().name = "homotopy";
  for (Equation& equation : result.equations)
    if (equation.simplified)
      equation.residual =
          pool.add(pool.mul(s, equation.residual), pool.mul(pool.sub(pool.one(), s), *equation.simplified));
  return result;
}

}  // namespace

bool needs_homotopy(const Reduced& reduced, const FoundStart& plain) {
  const Model& model = *reduced.model;
  const auto has_form = [](const Equation& equation) { return equation.simplified.has_value(); };
  if (std::ranges::none_of(model.equations, has_form)) return false;
  if (!plain.solved) return true;
  return std::ranges::any_of(model.equations, [&](const Equation& equation) {
    if (!equation.simplified) return false;
    return std::ranges::any_of(variables_of(*model.pool, equation.residual), [&](NodeId leaf) {
      const Node& node = (*model.pool)[leaf];
      return reduced.offsets.d[node.a] == 0 && !model.variables[node.a].start;
    });
  });
}

std::optional<Values> follow_homotopy(const Reduced& reduced, double t) {
  const auto model = std::make_shared<Model>(between(*reduced.model));
  auto shape = structure::analyze(signature_of(*model));
  if (!std::holds_alternative<structure::Structure>(shape)) return {};
  const Reduced path = reduce(model, std::get<structure::Structure>(shape));
  Diagnostics unseen;
  InitialProblem problem = make_initial_problem(path, unseen);
  if (unseen.has_errors()) return {};
  std::optional<Values> values;
  double reached = -1.0, step = first_step;
  for (int n = 0; n < most_steps && reached < 1.0; ++n) {
    const double next = reached < 0.0 ? 0.0 : std::min(1.0, reached + step);
    model->parameters.back().value = next;
    const FoundStart found = find_start(*model, problem, t);
    if (found.solved) {
      values = values_of(path, problem, found.values, parameters_of(*model, problem, found.values), t);
      problem = with_guesses(std::move(problem), *values);
      if (reached >= 0.0) step *= 1.5;
      reached = next;
    } else {
      step *= 0.5;
      if (reached < 0.0 || step < shortest_step) return {};
    }
  }
  return reached == 1.0 ? values : std::nullopt;
}

}  // namespace driftless
