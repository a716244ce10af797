#include "driftless/initialize/initialize.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "driftless/expr/calculus.hpp"
#include "driftless/initialize/explain.hpp"
#include "driftless/initialize/homotopy.hpp"
#include "driftless/initialize/start.hpp"
#include "driftless/initialize/strategies.hpp"
#include "driftless/initialize/values.hpp"
#include "driftless/linear/graded_elimination.hpp"

namespace driftless {
namespace {

// Makes y and y' of a reduction: the rate of a slot is the next derivative, if it has a value.
State state_of(const Reduced& reduced, const Values& values, double t) {
  State state;
  state.t = t;
  state.y.assign(reduced.slots.size(), 0.0);
  state.yp.assign(reduced.slots.size(), 0.0);
  for (std::size_t s = 0; s < reduced.slots.size(); ++s) {
    const Quantity q = reduced.slots[s].quantity;
    const std::vector<double>& orders = values[index(q.variable)];
    state.y[s] = orders[q.order];
    if (q.order + 1 < static_cast<int>(orders.size()) && !std::isnan(orders[q.order + 1]))
      state.yp[s] = orders[q.order + 1];
  }
  return state;
}

// The structure promises too many states. With the equations and their first derivative as functions of y (below), y'
// (middle) and y'' (top): y' is determined, and the index is 1, if [middle top] is 1-full with respect to the middle
// (Brenan, Campbell, Petzold 1996, Section 2.5); the constraints on y are what is left of the rank.
void count_by_rank(const Reduced& reduced, const Model& numbers, const InitialProblem& problem,
                   const std::vector<double>& values, State& state) {
  std::vector<int> equations;
  for (std::size_t i = 0; i < problem.rows.size(); ++i)
    if (problem.rows[i].kind == InitialRow::Kind::Equation) equations.push_back(static_cast<int>(i));
  InitialRows rows(numbers, problem, state.t, {equations});
  rows.set_values(values);
  enum Part { Below, Middle, Top };
  const auto part_of = [&](int unknown) {
    if (problem.unknowns[unknown].parameter >= 0) return Below;
    const Quantity q = problem.unknowns[unknown].quantity;
    const int highest = reduced.offsets.d[index(q.variable)];
    if (highest == 0 ? q.order == 0 : q.order < highest) return Below;
    return q.order > std::max(1, highest) ? Top : Middle;
  };
  int below = 0, middle = 0;
  for (std::size_t k = 0; k < problem.unknowns.size(); ++k) {
    below += part_of(static_cast<int>(k)) == Below;
    middle += part_of(static_cast<int>(k)) == Middle;
  }
  const std::vector<int> grade(problem.unknowns.size(), 0);
  const auto rank_from = [&](Part lowest) {
    std::vector<std::vector<std::pair<int, double>>> matrix(problem.rows.size());
    for (const InitialRows::Entry& entry : rows.jacobian(0))
      if (part_of(entry.col) >= lowest) matrix[entry.row].emplace_back(entry.col, entry.value);
    return linear::eliminate_by_grade(matrix, grade).rank();
  };
  const int above = rank_from(Middle);
  state.degrees_of_freedom = below - (rank_from(Below) - above);
  state.index_one = above == middle + rank_from(Top);
}

// `numbers`: the model of the reduction with the parameters of the run.
State found_state(const Reduced& given, const Reduced& reduced, const Model& numbers, const InitialProblem& problem,
                  const FoundStart& found, double t) {
  const std::vector<double> parameters = parameters_of(numbers, problem, found.values);
  State state = state_of(given, values_of(reduced, problem, found.values, parameters, t), t);
  if (!std::ranges::all_of(numbers.parameters, &Parameter::fixed)) state.parameters = parameters;
  state.degrees_of_freedom = problem.degrees_of_freedom;
  if (reduced.implicit) count_by_rank(reduced, numbers, problem, found.values, state);
  state.remarks = remarks_on(reduced, problem, found, state.degrees_of_freedom);
  return state;
}

// Do the models differ only in what the initial problem takes into account?
bool differ_in_parameters_alone(const Model& one, const Model& other) {
  const auto same = [](const auto& a, const auto& b) { return a.start == b.start && a.min == b.min && a.max == b.max; };
  for (std::size_t p = 0; p < one.parameters.size(); ++p)
    if (!one.parameters[p].fixed && one.parameters[p].value != other.parameters[p].value) return false;
  return std::ranges::equal(one.variables, other.variables, same);
}

}  // namespace

StartEquations::StartEquations(std::shared_ptr<const Reduced> given)
    : given_(std::move(given)), reduced_(standard_form(given_)) {
  Diagnostics diagnostics;
  auto problem = std::make_shared<const InitialProblem>(make_initial_problem(*reduced_, diagnostics));
  if (!diagnostics.has_errors()) problem_ = std::move(problem);
}

std::optional<State> StartEquations::find(const Model& numbers, double t) const {
  if (!problem_ || !differ_in_parameters_alone(*reduced_->model, numbers)) return {};
  const FoundStart found = find_start(numbers, *problem_, t);
  if (!found.solved || needs_homotopy(*reduced_, found)) return {};
  return found_state(*given_, *reduced_, numbers, *problem_, found, t);
}

std::variant<State, NoConsistentStart> initialize(const Reduced& given, double t, Diagnostics& diagnostics,
                                                  const LeadToRows& lead) {
  const std::shared_ptr<const Reduced> standard = standard_form(std::make_shared<const Reduced>(given));
  const Reduced& reduced = *standard;
  const InitialProblem problem = make_initial_problem(reduced, diagnostics);
  if (diagnostics.has_errors())
    return NoConsistentStart{.message = "the initial equations cannot be used", .details = {}};
  const FoundStart found = seek_start(reduced, problem, t, lead);
  if (!found.solved) return explain_failure(reduced, problem, t, found);
  return found_state(given, reduced, *reduced.model, problem, found, t);
}

State extended(State state, const Reduced& r) {
  state.y.resize(r.slots.size(), 0.0);
  state.yp.resize(r.slots.size(), 0.0);
  const Pool& pool = *r.model->pool;
  const auto leaf = [&](NodeId id) {
    const Node& node = pool[id];
    if (node.op == Op::Time) return state.t;
    if (node.op == Op::Parameter)
      return state.parameters.empty() ? r.model->parameters[node.a].value : state.parameters[node.a];
    const Reduced::Address& at = r.addresses[node.a][node.b];
    return (at.place == Place::Slot ? state.y : state.yp)[at.index];
  };
  for (const Added& added : r.added) {
    state.y[added.slot] = evaluate(pool, added.value, leaf);
    state.yp[added.slot] = evaluate(pool, added.rate, leaf);
  }
  return state;
}

}  // namespace driftless
