#include "driftless/simulate.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/compile/processor_time.hpp"
#include "driftless/integrate/steppers/grid.hpp"
#include "driftless/integrate/solve/guarded_guess.hpp"
#include "driftless/automatic.hpp"
#include "driftless/prepared_run.hpp"
#include "driftless/reduce/explain.hpp"

namespace driftless {
namespace {

// Of the processor: what else runs on the machine does not count.
class Stopwatch {
 public:
  double seconds() const { return processor_seconds() - begin_; }

 private:
  double begin_ = processor_seconds();
};

StructureSummary summary_of(const Analysis& analysis) {
  const Model& model = *analysis.model;
  StructureSummary summary;
  summary.equations = static_cast<int>(model.equations.size());
  summary.unknowns = static_cast<int>(model.variables.size());
  summary.structural_index = analysis.shape.structural_index;
  summary.degrees_of_freedom = analysis.shape.degrees_of_freedom;
  for (std::size_t i = 0; i < model.equations.size(); ++i)
    summary.differentiations.emplace_back(model.equations[i].label, analysis.shape.offsets.c[i]);
  return summary;
}

[[noreturn]] void refuse(const Diagnostics& diagnostics, const Model& model) {
  throw ModelError(diagnostics, *model.sources);
}

[[noreturn]] void refuse_request(const std::string& reason, const Model& model) {
  Diagnostics diagnostics;
  diagnostics.error({}, reason);
  refuse(diagnostics, model);
}

// The same equations, none of them differentiated.
structure::Structure as_written(const Model& model, structure::Structure shape) {
  std::ranges::fill(shape.offsets.c, 0);
  std::ranges::fill(shape.offsets.d, 0);
  for (const Equation& equation : model.equations)
    for (const NodeId leaf : variables_of(*model.pool, equation.residual)) {
      const Node& node = (*model.pool)[leaf];
      shape.offsets.d[node.a] = std::max(shape.offsets.d[node.a], static_cast<int>(node.b));
    }
  return shape;
}

constexpr int most_intervals = 10'000'000;

// Numbers of steps or points that nobody can mean, and that no counter holds.
void check_counts(const SimulateOptions& options, const Model& model, double start, double stop) {
  if (!(options.tolerance > 0.0 && options.tolerance <= 1.0))
    refuse_request(fmt::format("the tolerance {} is not between 0 and 1", options.tolerance), model);
  if (options.step) {
    const double steps = (stop - start) / *options.step;
    if (!(*options.step > 0.0)) refuse_request(fmt::format("the step size {} is not positive", *options.step), model);
    if (steps > std::min(static_cast<double>(options.max_steps), Grid::most_steps))
      refuse_request(
          fmt::format("the step size {} asks for {:.3g} steps, but {} are allowed: choose a larger step size, "
                      "or allow more steps (--max-steps)",
                      *options.step, steps, options.max_steps),
          model);
  }
  const std::optional<double> interval = model.experiment.interval;
  if (options.intervals && (*options.intervals < 1 || *options.intervals > most_intervals))
    refuse_request(fmt::format("{} output intervals are not between 1 and {}", *options.intervals, most_intervals),
                   model);
  if (!options.intervals && interval && (stop - start) / *interval > most_intervals)
    refuse_request(
        fmt::format("Interval = {} in the experiment annotation asks for {:.3g} output intervals, but {} are "
                    "allowed: choose a number (--intervals)",
                    *interval, (stop - start) / *interval, most_intervals),
        model);
}

void check_steps(const SimulateOptions& options, const Model& model) {
  if (const auto problem = step_problem(options.method, options.step)) refuse_request(*problem, model);
  if (options.max_step && !(*options.max_step > 0.0))
    refuse_request(fmt::format("the longest step {} is not positive", *options.max_step), model);
  if (options.max_step && options.step)
    refuse_request("a longest step is for methods that choose their steps: constant steps have one size", model);
}

std::shared_ptr<const Reduced> own_tolerances(std::shared_ptr<const Reduced> reduced, const SimulateOptions& options) {
  if (options.tolerances.empty()) return reduced;
  auto result = with_tolerances(*reduced, options.tolerances, options.tolerance, options.method);
  if (const auto* reason = std::get_if<std::string>(&result)) refuse_request(*reason, *reduced->model);
  return std::make_shared<Reduced>(std::move(std::get<Reduced>(result)));
}

bool is_original(const Formulation& formulation) { return std::holds_alternative<formulation::Original>(formulation); }

// What the formulation makes of the model, whose structure is known.
void reduce_to(Analysis& analysis, const Formulation& formulation) {
  const std::shared_ptr<const Model>& model = analysis.model;
  Diagnostics diagnostics;
  analysis.formulation = formulation;
  if (analysis.hidden) {
    // Without any differentiation the model may still be F(t, y, y') = 0 of index 1; initialization finds out. As
    // written it is taken with any index.
    if (!is_original(formulation) && std::ranges::any_of(analysis.shape.offsets.c, [](int c) { return c > 0; })) {
      explain_hidden_singularity(*model, analysis.shape, *analysis.hidden, diagnostics);
      refuse(diagnostics, *model);
    }
    if (!is_original(formulation) && !chooses_states(formulation))
      refuse_request(fmt::format("{} does not apply: the structure of the model promises more states than there are",
                                 to_string(formulation)),
                     *model);
    analysis.base = analysis.reduced = std::make_shared<Reduced>(
        reduce_implicit(model, is_original(formulation) ? as_written(*model, analysis.shape) : analysis.shape));
  } else {
    ReduceOptions options;
    options.remove_superfluous = std::holds_alternative<formulation::Minimal>(formulation);
    options.eliminate = !options.remove_superfluous;
    options.keep_constraints = !chooses_states(formulation);
    analysis.base = options.keep_constraints && analysis.findings.levels
                        ? analysis.findings.levels
                        : std::make_shared<const Reduced>(reduce(model, analysis.shape, options));
    analysis.reduced = analysis.base;
    explain_state_requests(*analysis.base, diagnostics);
    if (diagnostics.has_errors()) refuse(diagnostics, *model);
    if (const auto reason = not_applicable(*analysis.base, formulation)) refuse_request(*reason, *model);
    if (!chooses_states(formulation))
      analysis.reduced = std::make_shared<Reduced>(reformulate(*analysis.base, formulation));
  }
}

// With the numbers of a run, if they are not those of the model.
std::variant<State, NoConsistentStart> start_of(const PreparedRun& prepared,
                                                const std::shared_ptr<const Model>& numbers, double t,
                                                Diagnostics& diagnostics) {
  const Analysis& analysis = prepared.analysis;
  const choose::Findings& findings = analysis.findings;
  if (!numbers && findings.start && findings.start->t == t && findings.started == analysis.base) return *findings.start;
  const std::shared_ptr<const Model>& model = numbers ? numbers : analysis.model;
  if (auto state = prepared.start_equations().find(*model, t)) return std::move(*state);
  Reduced base = *analysis.base;
  base.model = growable(model);
  return initialize(base, t, diagnostics, guarded_guess);
}

[[noreturn]] void refuse_hidden_singularity(const Analysis& analysis) {
  Diagnostics diagnostics;
  explain_hidden_singularity(*growable(analysis.model), analysis.shape, *analysis.hidden, diagnostics);
  refuse(diagnostics, *analysis.model);
}

}  // namespace

Analysis growable(const Analysis& known) {
  Analysis analysis = known;
  if (!known.model->pool->is_frozen()) return analysis;
  analysis.model = growable(known.model);
  const auto moved = [&](const std::shared_ptr<const Reduced>& reduced) {
    auto copy = std::make_shared<Reduced>(*reduced);
    copy->model = reduced->model == known.model ? analysis.model : growable(reduced->model);
    return std::shared_ptr<const Reduced>(std::move(copy));
  };
  analysis.base = moved(known.base);
  analysis.reduced = known.reduced == known.base ? analysis.base : moved(known.reduced);
  analysis.findings = {};
  return analysis;
}

SimulateOptions for_start_only(SimulateOptions options, const Model& model) {
  if (options.start.value_or(model.experiment.start) != options.stop.value_or(model.experiment.stop)) return options;
  if (std::holds_alternative<formulation::Auto>(options.formulation)) options.formulation = formulation::Dummy{};
  options.method = method::Bdf{};
  options.step = {};
  options.projection = projection::None{};
  return options;
}

Analysis analyze(std::shared_ptr<const Model> given, const Formulation& formulation) {
  const std::shared_ptr<const Model> model = growable(given);
  const Stopwatch watch;
  if (std::holds_alternative<formulation::Auto>(formulation)) {
    const SimulateOptions options{.formulation = formulation};
    const Analysis analysis = analyze(model);
    return analyze(analysis, resolve(options, choose_for(analysis, options).indicators).formulation);
  }
  Diagnostics diagnostics;
  Analysis analysis;
  analysis.model = model;

  auto result = structure::analyze(signature_of(*model));
  if (const auto* singular = std::get_if<structure::Singular>(&result)) {
    explain_singular(*model, *singular, diagnostics);
    refuse(diagnostics, *model);
  }
  analysis.shape = std::move(std::get<structure::Structure>(result));
  explain_undifferentiable(*model, analysis.shape.offsets, diagnostics);
  explain_invariants(*model, analysis.shape.offsets, diagnostics);
  if (diagnostics.has_errors()) refuse(diagnostics, *model);

  analysis.hidden = find_hidden_singularity(*model, analysis.shape);
  reduce_to(analysis, formulation);
  analysis.seconds = watch.seconds();
  return analysis;
}

Analysis analyze(Model model, const Formulation& formulation) {
  return analyze(std::make_shared<const Model>(std::move(model)), formulation);
}

Analysis analyze(const Analysis& known, const Formulation& formulation) {
  const Stopwatch watch;
  Analysis analysis = growable(known);
  const bool is_known = std::holds_alternative<formulation::Dummy>(formulation) &&
                        std::holds_alternative<formulation::Dummy>(known.formulation);
  if (!is_known) reduce_to(analysis, formulation);
  analysis.seconds += watch.seconds();
  return analysis;
}

const StartEquations& PreparedRun::start_equations() const {
  std::call_once(lazy_start->once,
                 [this] { lazy_start->equations = std::make_unique<const StartEquations>(growable(analysis.base)); });
  return *lazy_start->equations;
}

PreparedRun prepare(Analysis analysis, const SimulateOptions& options) {
  const Stopwatch compiling;
  check_steps(options, *analysis.model);
  PreparedRun prepared;
  const std::shared_ptr<const Reduced> integrated = own_tolerances(analysis.reduced, options);
  const std::shared_ptr<const CompiledSystem>& known = analysis.findings.compiled;
  prepared.system = known && &known->reduced() == integrated.get() && known->backend() == options.backend
                        ? known
                        : std::make_shared<const CompiledSystem>(integrated, options.backend);
  analysis.model->pool->freeze();
  prepared.analysis = std::move(analysis);
  prepared.seconds = compiling.seconds();
  return prepared;
}

namespace {

IntegrateOptions integration_of(const SimulateOptions& options, const Experiment& experiment, double start,
                                double stop) {
  IntegrateOptions integration;
  integration.stop = stop;
  integration.method = options.method;
  integration.successors = options.successors.value_or(successors_of(options.method));
  integration.projection = options.projection;
  integration.step = options.step;
  if (options.max_step) integration.longest_step = *options.max_step;
  integration.tolerance = options.tolerance;
  integration.intervals = options.intervals.value_or(
      experiment.interval
          ? std::clamp(static_cast<int>(std::lround((stop - start) / *experiment.interval)), 1, most_intervals)
          : 500);
  integration.pivot = options.pivot;
  integration.newton = options.newton;
  integration.max_steps = options.max_steps;
  integration.dense = options.dense;
  integration.count_work = options.count_work;
  integration.progress = options.progress;
  integration.rows = options.rows;
  return integration;
}

}  // namespace

Solution run(const PreparedRun& prepared, const SimulateOptions& options, const std::shared_ptr<const Model>& given) {
  const Analysis& analysis = prepared.analysis;
  std::shared_ptr<const Model> numbers = given;
  if (given && given->pool != analysis.model->pool) {  // another way has other expressions upon those of the model
    auto copy = std::make_shared<Model>(*given);
    copy->pool = analysis.model->pool;
    numbers = std::move(copy);
  }
  const Model& model = numbers ? *numbers : *analysis.model;
  Solution solution;
  solution.model = model.name;
  solution.formulation = analysis.hidden ? "implicit" : to_string(analysis.formulation);
  solution.method = to_string(options.method);
  solution.projection = to_string(options.projection);
  solution.tolerance = options.tolerance;
  solution.step = options.step;
  solution.structure = summary_of(analysis);
  const double start = options.start.value_or(model.experiment.start),
               stop = options.stop.value_or(model.experiment.stop);
  check_steps(options, model);
  check_counts(options, model, start, stop);
  solution.start = solution.reached = start;
  solution.stop = stop;

  const Stopwatch initializing;
  Diagnostics diagnostics;
  auto initial = start_of(prepared, numbers, start, diagnostics);
  solution.statistics.seconds.initialize = initializing.seconds();
  if (diagnostics.has_errors()) refuse(diagnostics, model);
  if (auto* why = std::get_if<NoConsistentStart>(&initial)) {
    if (analysis.hidden && find_dependence(*growable(analysis.model), analysis.shape, *analysis.hidden).kind ==
                               HiddenDependence::Kind::Contradictory)  // no start value is to blame
      refuse_hidden_singularity(analysis);
    solution.outcome = Outcome::InitializationFailed;
    solution.message = why->message;
    solution.details = std::move(why->details);
    return solution;
  }
  State state = std::get<State>(std::move(initial));
  if (numbers && state.parameters.empty())
    for (const Parameter& parameter : numbers->parameters) state.parameters.push_back(parameter.value);
  state = extended(std::move(state), *analysis.reduced);
  solution.remarks = state.remarks;
  if (options.step)
    if (const Grid grid(start, stop, *options.step); !grid.divides())
      solution.remarks.push_back(
          fmt::format("the step size {} does not divide the interval: the last of {} steps is "
                      "shorter",
                      *options.step, grid.steps()));
  if (analysis.hidden) {
    const bool index_one = state.degrees_of_freedom >= 0 && state.index_one;
    if (!index_one && !is_original(analysis.formulation)) refuse_hidden_singularity(analysis);
    solution.remarks.push_back(fmt::format(
        "the structure promises {} states, but the equations leave only {}; integrated as F(t, y, y') = 0 of index {}",
        analysis.shape.degrees_of_freedom, std::max(state.degrees_of_freedom, 0),
        index_one ? "1" : "above 1, where no method is safe"));
    solution.structure.degrees_of_freedom = state.degrees_of_freedom;
    solution.structure.structural_index = std::max(1, solution.structure.structural_index);
  }

  const auto system = std::make_shared<System>(prepared.system, numbers, state.parameters);
  if (options.jacobian == Derivatives::Differences) system->use_difference_quotients();
  IntegrateOptions integration = integration_of(options, model.experiment, start, stop);
  const Solution before = options.repeat_seconds > 0.0 ? solution : Solution();
  const Stopwatch repeating;
  integrate(system, state, integration, solution);
  integration.rows = {};
  while (reached_end(solution.outcome) && repeating.seconds() < options.repeat_seconds) {
    Solution again = before;
    integrate(system, state, integration, again);
    if (!reached_end(again.outcome)) break;
    double& shortest = solution.statistics.seconds.integrate;
    shortest = std::min(shortest, again.statistics.seconds.integrate);
  }
  return solution;
}

}  // namespace driftless
