#include "driftless/boundary/well_posed.hpp"

#include <fmt/format.h>

#include <cmath>

#include "driftless/expr/calculus.hpp"
#include "driftless/linear/dense.hpp"

namespace driftless::boundary {
namespace {

constexpr double dependent = 1e-9;
constexpr int points_nearby = 3;
constexpr double distance_of_points = 0.05;

void list_conditions(const Conditions& conditions, Diagnostic& error) {
  for (const End end : {End::Start, End::Stop})
    for (const Condition& condition : conditions.at(end))
      error.note(fmt::format("at the {}: {}", end == End::Start ? "start" : "end", condition.text), condition.range);
}

std::string number_of(std::size_t n, const char* one) { return fmt::format("{} {}{}", n, one, n == 1 ? "" : "s"); }

// The condition that depends on the others at this point; nothing if none does, or if no chart exists.
std::optional<std::size_t> dependent_condition(PointEquations& equations, const Conditions& conditions, End end,
                                               double t, const Eigen::VectorXd& u) {
  const auto charts = equations.charts({t}, {u});
  LinearizedPoint point;
  Eigen::VectorXd values;
  Eigen::MatrixXd gradient;
  if (!charts || !point.make(equations, charts->front(), t, u) ||
      !conditions.evaluate(equations, end, t, u, values, &gradient))
    return std::nullopt;
  const std::vector<Condition>& list = conditions.at(end);
  Eigen::MatrixXd by_states = gradient * point.by_states;
  for (Eigen::Index i = 0; i < by_states.rows(); ++i) {
    double size = 0.0;
    for (Eigen::Index j = 0; j < gradient.cols(); ++j)
      size += std::abs(gradient(i, j)) * point.by_states.row(j).cwiseAbs().maxCoeff();
    if (!(by_states.row(i).norm() > dependent * size)) return static_cast<std::size_t>(i);
    by_states.row(i).normalize();
  }
  const linear::PivotedQr qr(by_states.transpose());
  const Eigen::Index last = by_states.rows() - 1;
  if (static_cast<std::size_t>(by_states.rows()) <= static_cast<std::size_t>(equations.states()) &&
      qr.pivot(last) > dependent)
    return std::nullopt;
  return std::min(list.size() - 1, static_cast<std::size_t>(qr.column(last)));
}

}  // namespace

void check_number_of_conditions(const Reduced& reduced, const Conditions& conditions, Diagnostics& diagnostics) {
  const Model& model = *reduced.model;
  for (const Equation& equation : model.initial_equations)
    for (const NodeId leaf : variables_of(*model.pool, equation.residual)) {
      const Node& node = (*model.pool)[leaf];
      if (static_cast<int>(node.b) <= reduced.offsets.d[node.a]) continue;
      diagnostics.error(Code::DerivativeNotDetermined, equation.range,
                        fmt::format("the initial equation {} contains {}, which no equation determines", equation.label,
                                    derivative_name(model.variables[node.a].name, static_cast<int>(node.b))));
    }
  for (const Parameter& parameter : model.parameters)
    if (!parameter.fixed)
      diagnostics
          .error(Code::WrongBoundaryConditions, parameter.range,
                 fmt::format("the parameter {} has fixed = false, which boundary value problems do not "
                             "know",
                             parameter.name))
          .note(
              fmt::format("make it a variable with the equation der({}) = 0: it then takes a condition like any state",
                          parameter.name));
  const std::size_t given = conditions.size();
  int states = 0;
  for (const int k : reduced.offsets.d) states += k;
  for (const int k : reduced.offsets.c) states -= k;
  const auto wanted = static_cast<std::size_t>(std::max(states, 0));
  if (wanted == 0) {
    diagnostics
        .error(Code::WrongBoundaryConditions, {},
               "the equations leave no state: no condition can be imposed, at neither end")
        .note("the constraints determine everything; driftless run computes it");
    return;
  }
  if (conditions.at(End::Stop).empty()) {
    diagnostics
        .error(Code::WrongBoundaryConditions, {}, "the model has no final equations: this is no boundary value problem")
        .note("write annotation(__Driftless(finalEquations = {x == 1})), or use driftless run");
    return;
  }
  if (given == wanted) return;
  Diagnostic& error = diagnostics.error(
      Code::WrongBoundaryConditions, {},
      fmt::format("{} for {}: {}", number_of(given, "condition"), number_of(wanted, "state"),
                  given > wanted ? fmt::format("{} too many", given - wanted)
                                 : fmt::format("{} missing", number_of(wanted - given, "condition"))));
  list_conditions(conditions, error);
  error.note(given > wanted ? "the constraints of all levels decide the rest: remove conditions"
                            : "add fixed = true, initial equations or final equations");
}

void check_independence(PointEquations& equations, const Conditions& conditions, End end, double t,
                        const Eigen::VectorXd& u, Diagnostics& diagnostics) {
  if (conditions.at(end).empty()) return;
  auto found = dependent_condition(equations, conditions, end, t, u);
  for (int k = 1; k <= points_nearby && found; ++k) {
    Eigen::VectorXd near = u;
    for (Eigen::Index j = 0; j < near.size(); ++j)
      near[j] += distance_of_points * (std::abs(u[j]) + equations.nominal(j)) *
                 std::sin(1.0 + k * (3.0 * static_cast<double>(j) + 1.0));
    const auto again = dependent_condition(equations, conditions, end, t, near);
    if (!again) found.reset();
  }
  if (!found) return;
  const Condition& condition = conditions.at(end)[*found];
  Diagnostic& error = diagnostics.error(
      Code::WrongBoundaryConditions, condition.range,
      fmt::format("{} cannot be imposed at the {}: the constraints and the other conditions there already decide it",
                  condition.text, end == End::Start ? "start" : "end"));
  for (const Condition& other : conditions.at(end))
    if (&other != &condition) error.note(fmt::format("with {}", other.text), other.range);
  error.note(fmt::format("impose a condition on another variable, or at the {}", end == End::Start ? "end" : "start"));
}

}  // namespace driftless::boundary
