// The start of a run with events: values of discrete variables, relations and continuous variables that agree.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "driftless/events/start_guess.hpp"
#include "driftless/expr/calculus.hpp"
#include "driftless/hybrid_run/hybrid_run.hpp"
#include "driftless/integrate/solve/guarded_guess.hpp"
#include "driftless/model/hold.hpp"
#include "driftless/run_start.hpp"

namespace driftless {
namespace {

std::size_t place(ParamId id) { return static_cast<std::size_t>(index(id)); }

// Relations on which the discrete part depends: by their places.
std::vector<bool> relations_of_discrete_part(const Model& model) {
  const DiscretePart& part = model.discrete;
  std::set<ParamId> read;
  const auto visit = [&](NodeId expression) {
    for (const NodeId id : nodes_of(*model.pool, expression))
      if (const Node node = (*model.pool)[id]; node.op == Op::Parameter)
        read.insert(ParamId{static_cast<std::int32_t>(node.a)});
  };
  for (const auto* equations : {&part.equations, &part.initial_equations})
    for (const DiscreteEquation& equation : *equations) visit(equation.left), visit(equation.right);
  for (const Reinit& reinit : part.reinits) visit(reinit.condition), visit(reinit.value);
  for (const Termination& termination : part.terminations) visit(termination.condition);
  for (const EventAssertion& assertion : part.assertions) visit(assertion.condition);
  std::vector<bool> result;
  for (const Held& held : part.held) result.push_back(read.contains(held.held));
  return result;
}

}  // namespace

bool HybridRun::try_start(State& start, ContinuousPoint& point, Unsolved& why) {
  const auto mode_there = modes_.at(parameters_, why);
  if (!mode_there) return false;
  point.mode = *mode_there;
  HybridMode& mode = modes_[point.mode];
  Diagnostics diagnostics;
  auto found = start_of(*mode.prepared, modes_.numbers_of(mode, parameters_), solution_.start, diagnostics);
  if (diagnostics.has_errors()) throw ModelError(diagnostics, *numbers_->sources);
  if (const auto* none = std::get_if<NoConsistentStart>(&found)) {
    why.reason = none->message;
    if (solution_.outcome == Outcome::InitializationFailed) return false;  // a failure of the first start tried
    explain_missing_start(mode.prepared->analysis, *none, solution_);
    return false;
  }
  start = std::get<State>(std::move(found));
  if (!start.parameters.empty()) parameters_ = start.parameters;
  start = extended(std::move(start), *mode.prepared->analysis.reduced);
  mode.set_parameters(parameters_);
  point.y = start.y;
  point.yp = start.yp;
  mode.observe(start.t, point);
  return true;
}

void HybridRun::find_start() {
  parameters_ = guessed_parameters(*numbers_, solution_.start);
  delays_.begin(solution_.start, parameters_);
  if (part_.initial) parameters_[place(*part_.initial)] = 1.0;
  const std::vector<double> guess = parameters_;
  State start;
  bool agrees = settle_start(start, point_) || (guess_without_events() && settle_start(start, point_));
  if (!agrees) {
    parameters_ = guess;
    agrees = search_start(start, point_);
  }
  if (!agrees) {
    ended_ = true;
    return;
  }
  forget_failure();
  take_sides_at_start(start, point_);
  mode_ = point_.mode;
  begin_at(start);
  if (ended_) return;
  if (part_.initial) parameters_[place(*part_.initial)] = 0.0;
  for (const DiscreteVariable& variable : part_.variables)
    parameters_[place(variable.pre)] = parameters_[place(variable.value)];
  causes_.samplings = modes_[mode_].relations->at_instant(start.t).samplings;
  const std::vector<double> given = parameters_;
  iterate_at(start.t);
  if (!ended_ && causes_.samplings.empty()) check_initial_equations(start.t, given);
}

// The value that an initial equation gives a discrete variable must agree with the variable's own equation: left limits
// with which both hold are not searched.
void HybridRun::check_initial_equations(double t, std::span<const double> given) {
  for (const DiscreteEquation& equation : part_.initial_equations)
    for (const NodeId side : {equation.left, equation.right}) {
      const auto known = discrete_variable_of(*numbers_, side);
      if (!known) continue;
      const DiscreteVariable& variable = part_.variables[*known];
      const std::size_t value = place(variable.value);
      if ((*numbers_->pool)[side].a != value || given[value] == parameters_[value]) continue;
      return end_at(
          t, Outcome::InitializationFailed,
          fmt::format("the initial equation {} gives {} the value {}, but the other equations give it the "
                      "value {}: left limits with which both hold are not looked for yet; give pre({}) instead",
                      equation.text, variable.name, given[value], parameters_[value], variable.name),
          Code::EventUnresolved);
    }
}

// Evaluates the relations at a start, then finds a start with their values, until both agree.
bool HybridRun::settle_start(State& start, ContinuousPoint& point) {
  std::set<std::vector<double>> seen;
  Unsolved why;
  iteration_.begin_start();
  while ((seen.insert(parameters_).second || iteration_.start_is_in_loop()) && try_start(start, point, why))
    if (!iteration_.update_start(start.t, parameters_, point)) return true;
  return false;
}

void HybridRun::forget_failure() {
  solution_.outcome = Outcome::Success;
  solution_.code.reset();
  solution_.message.clear();
  solution_.details.clear();
}

// If this alternation does not converge: tries combinations of the values of relations.
bool HybridRun::search_start(State& start, ContinuousPoint& point) {
  const Outcome outcome = std::exchange(solution_.outcome, Outcome::Success);
  if (outcome == Outcome::InitializationFailed && !modes_.are_several()) {
    solution_.outcome = outcome;  // for a reason independent of relations
    return false;
  }
  point.mode = modes_.any_regular();
  point.quantities.assign(modes_[point.mode].reduced().quantities.size(), 0.0);
  const std::string reason =
      iteration_.search_start(solution_.start, parameters_, point,
                              [&](ContinuousPoint& at, Unsolved& unsolved) { return try_start(start, at, unsolved); });
  if (reason.empty()) return true;
  if (outcome != Outcome::InitializationFailed) {
    solution_.code = Code::EventUnresolved;
    solution_.message = reason;
  }
  solution_.outcome = Outcome::InitializationFailed;
  return false;
}

// If updating relations leads to a cycle: with relations evaluated at every point, the equations of the start are those
// of a model without events, for which Newton's iteration may find a point.
bool HybridRun::guess_without_events() {
  if (!part_.has_relations_only() || !prepared_.analysis.whole) return false;
  const Analysis analysis = without_events(prepared_.analysis);
  if (analysis.hidden || analysis.array) return false;
  auto numbers = std::make_shared<Model>(*growable(analysis.model));
  for (std::size_t v = 0; v < numbers_->variables.size(); ++v)
    numbers->variables[v].start = numbers_->variables[v].start;
  for (std::size_t p = 0; p < numbers_->parameters.size(); ++p)
    numbers->parameters[p].value = numbers_->parameters[p].value;
  Reduced base = *analysis.base;
  base.model = numbers;
  Diagnostics ignored;
  const auto found = initialize(base, solution_.start, ignored, guarded_guess);
  const auto* state = std::get_if<State>(&found);
  if (!state) return false;
  if (!state->parameters.empty()) parameters_ = state->parameters;
  System system(std::make_shared<const Reduced>(std::move(base)), Backend::Interpreter);
  std::vector<double> quantities(system.reduced().quantities.size());
  system.observe({state->t, state->y, state->yp}, quantities);
  const std::vector<Quantity>& known = system.reduced().quantities;
  const Pool& pool = *numbers_->pool;
  for (const Held& held : part_.held)
    parameters_[place(held.held)] = evaluate(pool, held.expression, [&](NodeId leaf) {
      const Node node = pool[leaf];
      if (node.op == Op::Time) return state->t;
      if (node.op == Op::Parameter) return parameters_[node.a];
      const Quantity q{VarId{static_cast<std::int32_t>(node.a)}, static_cast<int>(node.b)};
      const auto at = std::ranges::lower_bound(known, q);
      return at != known.end() && *at == q ? quantities[static_cast<std::size_t>(at - known.begin())] : 0.0;
    });
  return true;
}

// A function that begins on its bound, v = 0 in v < 0, is on one side of it right after the start. The equations use
// that side from the start on, unless it leads back to the other one. Relations of discrete equations become true by an
// event, so that when clauses notice.
void HybridRun::take_sides_at_start(State& start, ContinuousPoint& point) {
  const std::vector<bool> is_discrete = relations_of_discrete_part(*numbers_);
  const auto take_sides = [&] {
    HybridMode& mode = modes_[point.mode];
    const std::vector<double> present = mode.parameters_with_ends(parameters_);
    std::vector<double> values;
    for (const Held& relation : mode.numbers->discrete.held) values.push_back(present[place(relation.held)]);
    mode.relations->take_parameters(present);
    mode.relations->take_sides(start.t, point.quantities, values);
    bool changes = false;
    for (std::size_t k = 0; k < part_.held.size(); ++k) {
      double& value = parameters_[place(part_.held[k].held)];
      if (is_discrete[k] || value == values[k]) continue;
      value = values[k];
      changes = true;
    }
    return changes;
  };
  const std::vector<double> before = parameters_;
  if (!take_sides()) return;
  State other = start;
  ContinuousPoint behind = point;
  Unsolved why;
  if (try_start(other, behind, why)) {
    std::swap(point, behind);
    if (!take_sides()) {
      start = std::move(other);
      return;
    }
    std::swap(point, behind);
  }
  forget_failure();
  parameters_ = before;
  modes_[point.mode].set_parameters(parameters_);
}

}  // namespace driftless
