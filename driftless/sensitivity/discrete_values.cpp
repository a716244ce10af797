#include "driftless/sensitivity/discrete_values.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/events/order.hpp"
#include "driftless/expr/calculus.hpp"

namespace driftless::sensitivity {
namespace {

std::size_t place(ParamId id) { return static_cast<std::size_t>(index(id)); }
Eigen::Index row(ParamId id) { return static_cast<Eigen::Index>(index(id)); }

bool agree(double a, double b, double closeness) {
  return std::abs(a - b) <= closeness * (std::abs(a) + std::abs(b)) || a == b;
}

bool is_real(const DiscreteVariable& variable) { return variable.type == DiscreteType::Real; }

DiscreteOrder order_in(const Model& model) {
  Diagnostics diagnostics;
  DiscreteOrder order = order_of(model, diagnostics);
  if (diagnostics.has_errors()) throw NotAvailable("the discrete equations have no order of evaluation");
  return order;
}

// The numbers with which the first round of an event begins: left limits, and the values changed by its causes.
std::vector<double> first_round(const Model& model, const DiscreteEvent& event, std::span<const double> numbers) {
  std::vector<double> values(numbers.begin(), numbers.end());
  for (const DiscreteVariable& variable : model.discrete.variables)
    values[place(variable.pre)] = event.before.parameters[place(variable.value)];
  for (const int k : event.epoch.samplings)
    values[place(model.discrete.samplings[static_cast<std::size_t>(k)].now)] = 1.0;
  return values;
}

void take_causes(const Model& model, const Epoch& epoch, std::vector<double>& values) {
  for (std::size_t k = 0; k < epoch.held.size(); ++k)
    values[place(model.discrete.held[static_cast<std::size_t>(epoch.held[k])].held)] = epoch.held_values[k];
}

// The numbers with which the start was found: left limits are starts, initial() is true.
std::vector<double> while_starting(const Model& model, const LocalPoint& start) {
  std::vector<double> values(start.parameters.begin(), start.parameters.end());
  for (const DiscreteVariable& variable : model.discrete.variables) values[place(variable.pre)] = variable.start;
  for (const Sampling& sampling : model.discrete.samplings)
    if (value_of(sampling.start, start) == start.t) values[place(sampling.now)] = 1.0;
  if (model.discrete.initial) values[place(*model.discrete.initial)] = 1.0;
  return values;
}

// Does the event itself move a quantity in `value`, because equations contain one of these parameters, or another
// quantity of which that is true? What is differentiated stays as it is.
bool follows_at_once(const Model& model, NodeId value, const std::vector<bool>& is_moved) {
  const Pool& pool = *model.pool;
  std::vector<bool> is_differentiated(model.variables.size(), false), is_reached(model.equations.size(), false);
  for (const Equation& equation : model.equations)
    for (const NodeId leaf : variables_of(pool, equation.residual))
      if (pool[leaf].b > 0) is_differentiated[pool[leaf].a] = true;
  std::vector<NodeId> reached;
  const auto reach = [&](NodeId expression) {
    for (const NodeId leaf : variables_of(pool, expression))
      if ((pool[leaf].b > 0 || !is_differentiated[pool[leaf].a]) && std::ranges::find(reached, leaf) == reached.end())
        reached.push_back(leaf);
  };
  reach(value);
  for (std::size_t k = 0; k < reached.size(); ++k)
    for (std::size_t e = 0; e < model.equations.size(); ++e) {
      const NodeId residual = model.equations[e].residual;
      if (is_reached[e] || !any_node(pool, residual, [&](NodeId id) { return id == reached[k]; })) continue;
      is_reached[e] = true;
      if (any_node(pool, residual, [&](NodeId id) { return pool[id].op == Op::Parameter && is_moved[pool[id].a]; }))
        return true;
      reach(residual);
    }
  return false;
}

// Values may agree where their derivatives do not: at rest a controller and its plant give each other what they have.
void check_what_follows(const DiscreteEvent& event, const Motion& total, const Eigen::MatrixXd& moves) {
  const Model& model = event.before.array.model();
  std::vector<bool> is_moved(model.parameters.size(), false);
  for (const DiscreteVariable& variable : model.discrete.variables)
    is_moved[place(variable.value)] =
        is_real(variable) && !moves.row(row(variable.value)).isApprox(total.parameters.row(row(variable.value)), 1e-12);
  for (const DiscreteAssignment& assignment : order_in(model).assignments) {
    const DiscreteVariable& variable = model.discrete.variables[assignment.variable];
    if (is_moved[place(variable.value)] && follows_at_once(model, assignment.explicit_value, is_moved))
      throw NotAvailable(
          fmt::format("at the event at t = {:.9g} {} depends on what the equations make of discrete "
                      "values at once",
                      event.before.t, variable.name));
  }
}

}  // namespace

bool has_discrete_reals(const Model& model) { return std::ranges::any_of(model.discrete.variables, is_real); }

Eigen::MatrixXd discrete_behind(const DiscreteEvent& event, const Motion& total) {
  const Model& model = event.before.array.model();
  Eigen::MatrixXd moves = total.parameters;
  if (!has_discrete_reals(model)) return moves;
  std::vector<double> at_once = first_round(model, event, event.before.parameters);
  take_causes(model, event.epoch, at_once);
  std::vector<double> behind = at_once;  // after a contact its own parameters no longer exist
  std::copy_n(event.parameters.begin(), std::min(event.parameters.size(), behind.size()), behind.begin());
  const std::vector<double> at_last = first_round(model, event, behind);
  for (const DiscreteAssignment& assignment : order_in(model).assignments) {
    const DiscreteVariable& variable = model.discrete.variables[assignment.variable];
    if (!is_real(variable)) continue;
    const double is = event.parameters[place(variable.value)];
    bool is_found = false;
    for (const auto* numbers : std::initializer_list<const std::vector<double>*>{&at_once, &at_last}) {
      const LocalPoint point{event.before.array, event.before.t, *numbers, event.before.quantities};
      if (!agree(value_of(assignment.explicit_value, point), is, event.closeness)) continue;
      moves.row(row(variable.value)) = derivative_of(assignment.explicit_value, point, total);
      is_found = true;
      break;
    }
    if (!is_found || !moves.row(row(variable.value)).allFinite())
      throw NotAvailable(
          fmt::format("at the event at t = {:.9g} {} does not have the value that its equation gives at "
                      "the point before the event",
                      event.before.t, variable.name));
    moves.row(row(variable.pre)) = moves.row(row(variable.value));
  }
  check_what_follows(event, total, moves);
  return moves;
}

void discrete_at_start(const LocalPoint& start, const Motion& motion, double closeness, Directions& directions) {
  const Model& model = start.array.model();
  if (!has_discrete_reals(model)) return;
  const DiscreteOrder order = order_in(model);
  Motion moves = motion;
  for (std::size_t k = 0; k < model.discrete.variables.size(); ++k) {
    const DiscreteVariable& variable = model.discrete.variables[k];
    if (!is_real(variable)) continue;
    const auto of_start = directions.discrete_starts.row(static_cast<Eigen::Index>(k));
    moves.parameters.row(row(variable.value)) = of_start;
    moves.parameters.row(row(variable.pre)) = of_start;
  }
  const std::vector<double> numbers = while_starting(model, start);
  const LocalPoint point{start.array, start.t, numbers, start.quantities};
  const auto take = [&](const DiscreteAssignment& assignment, ParamId leaf) {
    const DiscreteVariable& variable = model.discrete.variables[assignment.variable];
    if (!is_real(variable)) return;
    const double is = start.parameters[place(variable.value)];
    if (agree(value_of(assignment.explicit_value, point), is, closeness))
      moves.parameters.row(row(leaf)) = derivative_of(assignment.explicit_value, point, moves);
    else if (!agree(variable.start, is, closeness))
      throw NotAvailable(fmt::format("what the start of {} is made of is not known", variable.name));
  };
  for (const DiscreteAssignment& assignment : order.pre_at_start)
    take(assignment, model.discrete.variables[assignment.variable].pre);
  for (const auto* list : {&order.assignments, &order.at_start})
    for (const DiscreteAssignment& assignment : *list)
      take(assignment, model.discrete.variables[assignment.variable].value);
  for (const DiscreteVariable& variable : model.discrete.variables)
    if (is_real(variable)) moves.parameters.row(row(variable.pre)) = moves.parameters.row(row(variable.value));
  directions.parameters = moves.parameters;
}

}  // namespace driftless::sensitivity
