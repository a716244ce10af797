// The stages of a boundary value problem: equations of all levels, conditions, a first approximation, meshes, output.
#include "driftless/solve_boundary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driftless/array_for_start.hpp"
#include "driftless/boundary/delivery.hpp"
#include "driftless/boundary/search.hpp"
#include "driftless/boundary/well_posed.hpp"
#include "driftless/clock/processor_time.hpp"
#include "driftless/expr/calculus.hpp"
#include "driftless/initialize/initialize.hpp"
#include "driftless/integrate/solve/guarded_guess.hpp"
#include "driftless/model/hold.hpp"
#include "driftless/prepared_run.hpp"

namespace driftless {
namespace {

using boundary::End;
using boundary::Found;
using boundary::GuessAt;

constexpr int first_intervals = 10;
constexpr int most_output_intervals = 10'000'000;
constexpr double first_share = 0.25, smallest_share = 1e-3;  // of the way from one set of parameters to another
constexpr double tolerance_on_the_way = 1e-3;

[[noreturn]] void refuse(Code code, const std::string& reason, const Model& model) {
  Diagnostics diagnostics;
  diagnostics.error(code, {}, reason);
  throw ModelError(diagnostics, *model.sources);
}

// The equations with the numbers of one set of parameters.
struct Discretized {
  Discretized(const std::shared_ptr<const CompiledSystem>& compiled, const std::shared_ptr<const Model>& numbers,
              const boundary::Conditions& conditions, const boundary::CollocationMethod& method)
      : system(std::make_shared<System>(compiled, numbers)),
        equations(*system),
        collocation(equations, conditions,
                    method.points == boundary::CollocationMethod::Points::Radau ? radau_iia(method.stages)
                                                                                : gauss(method.stages)) {}
  std::shared_ptr<System> system;
  boundary::PointEquations equations;
  boundary::Collocation collocation;
};

// The guesses of the model as functions of time, and starts for variables without a guess.
class FirstGuess {
 public:
  FirstGuess(const Reduced& reduced, double start) : reduced_(reduced), pool_(*reduced.model->pool) {
    TimeDerivative derivative(pool_);
    const std::size_t slots = reduced.slots.size();
    formulas_.resize(2 * slots);
    for (const Guess& guess : reduced.model->guesses)
      for (std::size_t s = 0; s < slots; ++s) {
        const Quantity q = reduced.slots[s].quantity;
        if (q.variable != guess.variable) continue;
        formulas_[s] = derivative(guess.value, q.order);
        formulas_[slots + s] = derivative(guess.value, q.order + 1);
      }
    Diagnostics ignored;
    const auto found = initialize(reduced, start, ignored, guarded_guess);
    if (const auto* state = std::get_if<State>(&found)) {
      constant_ = state->y;
      constant_.insert(constant_.end(), state->yp.begin(), state->yp.end());
    } else {
      constant_.assign(2 * slots, 0.0);
      for (std::size_t s = 0; s < slots; ++s)
        if (reduced.slots[s].quantity.order == 0)
          constant_[s] = (*reduced.model)[reduced.slots[s].quantity.variable].start.value_or(0.0);
    }
  }

  Eigen::VectorXd at(double t, const boundary::PointEquations& equations, std::span<const double> parameters) const {
    std::vector<double> values = constant_;
    for (std::size_t s = 0; s < values.size(); ++s)
      if (formulas_[s])
        values[s] = evaluate(pool_, *formulas_[s],
                             [&](NodeId leaf) { return pool_[leaf].op == Op::Time ? t : parameters[pool_[leaf].a]; });
    const auto all = std::span<const double>(values);
    return equations.join(all.first(values.size() / 2), all.last(values.size() / 2));
  }

 private:
  const Reduced& reduced_;
  Pool& pool_;
  std::vector<std::optional<NodeId>> formulas_;  // of the slots, then of their rates
  std::vector<double> constant_;
};

class BoundaryRun {
 public:
  BoundaryRun(const Analysis& analysis, const BoundaryOptions& options)
      : analysis_(growable(analysis)),
        model_(*analysis_.model),
        options_(options),
        conditions_(*analysis_.base),
        guess_(*analysis_.base, options.start.value_or(model_.experiment.start)) {
    describe();
    Diagnostics diagnostics;
    check_number_of_conditions(*analysis_.base, conditions_, diagnostics);
    if (diagnostics.has_errors()) throw ModelError(diagnostics, *model_.sources);
    const double begin = processor_seconds();
    compiled_ = std::make_shared<const CompiledSystem>(analysis_.base, options.backend);
    conditions_.compile(*compiled_);
    model_.pool->freeze();
    solution_.statistics.seconds.compile = processor_seconds() - begin;
  }

  Solution run() {
    const double begin = processor_seconds(), compilation = seconds_of_compilation();
    const auto last = discretized(analysis_.model);
    check_conditions(*last);
    const Found found = options_.from.empty() ? search_directly(*last) : follow_parameters(*last);
    report(found, *last);
    const double compiled = seconds_of_compilation() - compilation;
    solution_.statistics.seconds.compile += compiled;
    solution_.statistics.seconds.integrate = processor_seconds() - begin - compiled;
    return std::move(solution_);
  }

 private:
  void describe() {
    solution_.model = model_.name;
    solution_.formulation = to_string(analysis_.formulation);
    solution_.method = boundary::to_string(options_.method);
    solution_.projection = "none";
    solution_.tolerance = options_.mesh ? 0.0 : options_.tolerance;
    solution_.structure = summary_of(analysis_);
    solution_.start = solution_.reached = options_.start.value_or(model_.experiment.start);
    solution_.stop = options_.stop.value_or(model_.experiment.stop);
    solution_.statistics.seconds.analyze = analysis_.seconds;
    if (!(solution_.start < solution_.stop))
      refuse(Code::WrongTimeSpan,
             fmt::format("a boundary value problem needs an interval, but it is from {} to {}", solution_.start,
                         solution_.stop),
             model_);
    if (!(options_.tolerance > 0.0 && options_.tolerance <= 1.0))
      refuse(Code::ToleranceOutOfRange, fmt::format("the tolerance {} is not between 0 and 1", options_.tolerance),
             model_);
    if (options_.mesh && (*options_.mesh < 1 || *options_.mesh > boundary::SearchSettings{}.most_intervals))
      refuse(Code::WrongStepSize,
             fmt::format("{} mesh intervals are not between 1 and {}", *options_.mesh,
                         boundary::SearchSettings{}.most_intervals),
             model_);
    if (options_.intervals && (*options_.intervals < 1 || *options_.intervals > most_output_intervals))
      refuse(Code::TooManyPoints,
             fmt::format("{} output intervals are not between 1 and {}", *options_.intervals, most_output_intervals),
             model_);
    if (has_released_relations(model_)) solution_.remarks.push_back(remark_on_released_relations("a mesh"));
    for (const Guess& guess : model_.guesses)
      if (analysis_.base->place({guess.variable, 0}) == Place::Defined)
        solution_.remarks.push_back(
            fmt::format("the guess of {} is not used: other unknowns define it", model_[guess.variable].name));
  }

  std::shared_ptr<Discretized> discretized(const std::shared_ptr<const Model>& numbers) const {
    return std::make_shared<Discretized>(compiled_, numbers, conditions_, options_.method);
  }

  boundary::SearchSettings settings(double tolerance) const {
    return {.start = solution_.start,
            .stop = solution_.stop,
            .tolerance = tolerance,
            .first_intervals = options_.mesh.value_or(first_intervals),
            .constant = options_.mesh.has_value()};
  }

  GuessAt first_guess(const Discretized& at) const {
    return [this, &at](double t) { return guess_.at(t, at.equations, at.system->parameters()); };
  }

  void check_conditions(Discretized& at) const {
    Diagnostics diagnostics;
    const GuessAt guess = first_guess(at);
    for (const auto& [end, t] : {std::pair(End::Start, solution_.start), std::pair(End::Stop, solution_.stop)})
      check_independence(at.equations, conditions_, end, t, guess(t), diagnostics);
    if (diagnostics.has_errors()) throw ModelError(diagnostics, *model_.sources);
  }

  // Starts from the guesses, and if that fails from the solution of the initial value problem.
  Found search_directly(Discretized& at) {
    Found found = boundary::search(at.collocation, first_guess(at), settings(options_.tolerance));
    if (found.trajectory) return found;
    const auto initial_value_run = guess_of_run(at);
    if (!initial_value_run) return found;
    Found other = boundary::search(at.collocation, initial_value_run, settings(options_.tolerance));
    if (!other.trajectory) return found;
    solution_.remarks.push_back(
        "the iteration began at the solution of the initial value problem with the given starts");
    return other;
  }

  GuessAt guess_of_run(const Discretized& at) const {
    SimulateOptions options;
    options.start = solution_.start, options.stop = solution_.stop;
    options.tolerance = std::max(options_.tolerance, tolerance_on_the_way);
    options.max_steps = 10'000;
    options.backend = Backend::Interpreter;
    auto run = std::make_shared<Solution>();
    try {
      *run = simulate(analysis_, options);
    } catch (const ModelError&) {
      return {};
    }
    if (!reached_end(run->outcome)) return {};
    const Reduced& reduced = at.equations.reduced();
    const auto places = std::make_shared<std::vector<std::pair<std::size_t, std::size_t>>>();
    for (const Slot& slot : reduced.slots) {
      const auto value = run->find(reduced.name(slot.quantity));
      const auto rate = run->find(reduced.name({slot.quantity.variable, slot.quantity.order + 1}));
      if (!value) return {};
      places->emplace_back(*value, rate.value_or(*value));
    }
    return [run, places, &at](double t) {
      const std::vector<double> series = run->at(t);
      std::vector<double> y, yp;
      for (const auto& [value, rate] : *places) y.push_back(series[value]), yp.push_back(series[rate]);
      return at.equations.join(y, yp);
    };
  }

  // Continuation in the parameters on the straight line from the first values to those of the model, by shorter parts
  // where the iteration fails.
  Found follow_parameters(Discretized& last) {
    const double tolerance = std::max(options_.tolerance, tolerance_on_the_way);
    auto here = discretized(on_the_way(0.0));
    Found found = boundary::search(here->collocation, first_guess(*here), settings(tolerance));
    if (!found.trajectory) {
      found.reason = "with the first values of the parameters: " + found.reason;
      return found;
    }
    double done = 0.0, share = first_share;
    for (;;) {
      const double to = std::min(1.0, done + share);
      auto next = to == 1.0 ? nullptr : discretized(on_the_way(to));
      const std::shared_ptr<boundary::Trajectory> from = found.trajectory;
      Found step =
          boundary::search((next ? *next : last).collocation, [from](double t) { return from->interpolated(t); },
                           settings(next ? tolerance : options_.tolerance));
      step.newton_iterations += found.newton_iterations;
      step.meshes += found.meshes;
      if (step.trajectory) {
        if (!next) return step;
        found = std::move(step);
        here = next;
        done = to;
        share *= 2.0;
      } else if ((share *= 0.5) < smallest_share) {
        step.reason = fmt::format("at {:.4g} of the way between the parameters: {}", done, step.reason);
        return step;
      }
    }
  }

  std::shared_ptr<const Model> on_the_way(double share) const {
    NamedValues values;
    for (const auto& [name, from] : options_.from) {
      const auto parameter = std::ranges::find(model_.parameters, name, &Parameter::name);
      const double to = parameter == model_.parameters.end() ? from : parameter->value;
      values.emplace_back(name, from + share * (to - from));
    }
    return with_inputs(analysis_.model, values, {});
  }

  void report(const Found& found, Discretized& at) {
    BoundarySummary& summary = solution_.boundary.emplace();
    summary.meshes = found.meshes;
    summary.newton_iterations = found.newton_iterations;
    solution_.statistics.newton_iterations = found.newton_iterations;
    if (found.trajectory) {
      summary.intervals = found.trajectory->approximation().intervals();
      solution_.statistics.steps = static_cast<long>(summary.intervals);
      if (!options_.mesh) summary.error = found.error, summary.defect = found.defect;
    }
    if (!found.trajectory || !found.within_tolerance) {
      solution_.outcome = Outcome::BoundaryUnsolved;
      solution_.code = Code::BoundaryUnsolved;
      solution_.message = found.reason;
      solution_.details = found.details;
      if (!found.trajectory) advise();
      return;
    }
    add_conditions(*found.trajectory, at, summary);
    boundary::DeliverySettings delivery{
        .tolerance = options_.tolerance, .dense = options_.dense, .rows = options_.rows};
    const double length = solution_.stop - solution_.start;
    if (options_.intervals)
      delivery.intervals = *options_.intervals;
    else if (model_.experiment.interval)
      delivery.intervals =
          std::clamp(static_cast<int>(std::lround(length / *model_.experiment.interval)), 1, most_output_intervals);
    boundary::deliver(at.system, *found.trajectory, delivery, solution_);
  }

  void advise() {
    solution_.details.push_back(
        options_.from.empty()
            ? "better starts or a guess over the interval, annotation(__Driftless(guess(x = ...))), may help, or "
              "--continue NAME=VALUE from parameters for which the problem is easier"
            : "other first values of the parameters may help");
  }

  void add_conditions(const boundary::Trajectory& trajectory, Discretized& at, BoundarySummary& summary) const {
    const auto& ends = trajectory.approximation().values.ends;
    for (const End end : {End::Start, End::Stop}) {
      Eigen::VectorXd residuals;
      const bool start = end == End::Start;
      conditions_.evaluate(at.equations, end, start ? solution_.start : solution_.stop,
                           start ? ends.front() : ends.back(), residuals);
      for (Eigen::Index i = 0; i < residuals.size(); ++i)
        summary.conditions.push_back(
            {conditions_.at(end)[static_cast<std::size_t>(i)].text, !start, std::abs(residuals[i])});
    }
  }

  Analysis analysis_;
  const Model& model_;
  const BoundaryOptions& options_;
  boundary::Conditions conditions_;
  FirstGuess guess_;
  std::shared_ptr<const CompiledSystem> compiled_;
  Solution solution_;
};

}  // namespace

// The mesh does not follow events.
Solution solve_boundary(const Analysis& known, const BoundaryOptions& options) {
  const Analysis analysis = without_events(known);
  if (analysis.hidden)
    refuse(Code::HiddenSingularity,
           "the structure of the model promises more states than there are: boundary value problems need states",
           *analysis.model);
  if (const auto by_array = array_for_singular_start(analysis))
    refuse(Code::HiddenSingularity,
           fmt::format("the structure of the model promises more states ({}) than there are where its equations hold "
                       "({}): boundary value problems need states",
                       analysis.shape.degrees_of_freedom, by_array->array_index->degrees_of_freedom),
           *analysis.model);
  if (analysis.base != analysis.reduced) return solve_boundary(analyze(analysis, formulation::Dummy{}), options);
  return BoundaryRun(analysis, options).run();
}

Solution solve_boundary(Model model, const BoundaryOptions& options) {
  return solve_boundary(analyze(without_events(std::make_shared<const Model>(std::move(model)))), options);
}

}  // namespace driftless
