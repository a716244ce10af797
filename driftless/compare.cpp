#include "driftless/compare.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "driftless/diagnostics/refusal.hpp"
#include "driftless/integrate/steppers/grid.hpp"
#include "driftless/solution/common_times.hpp"

namespace driftless {
namespace {

// A run against which the others are measured. Its accuracy is estimated by a second run with a tolerance larger by
// this factor.
struct ReferenceRun {
  Method method;
  double tolerance;
  long most_steps;
  double steps_per_step;  // approximate ratio to the steps of a multistep method of the same accuracy
};
constexpr double looser = 100.0;

// The most accurate first. Series in extended precision cost too much for large models and where stability bounds the
// steps. Not every model can be solved to twelve digits: the step size may collapse.
std::vector<ReferenceRun> reference_runs(std::size_t unknowns) {
  std::vector<ReferenceRun> runs;
  if (unknowns <= 60) runs.push_back({method::Taylor{0, method::Precision::Extended}, 1e-17, 5'000, 100.0});
  runs.push_back({method::Taylor{}, 1e-15, 20'000, 100.0});
  runs.push_back({method::Radau{0}, 1e-13, 50'000, 20.0});
  for (const double tolerance : {1e-12, 1e-11, 1e-10, 1e-9}) runs.push_back({method::Bdf{}, tolerance, 500'000, 1.0});
  return runs;
}

// A run with extremely many steps is ended: the limit follows from the number of steps of the much more accurate
// reference.
constexpr long most_steps_per_reference_step = 20;
constexpr long least_step_limit = 10'000;
constexpr long step_limit_without_reference = 200'000;

constexpr int most_intervals = 500;

template <class T>
std::vector<T> parsed(const std::vector<std::string>& names, std::optional<T> (*parse)(const std::string&)) {
  std::vector<T> all;
  for (const std::string& name : names) all.push_back(*parse(name));
  return all;
}

// The formulations compared by default: all, or only a few with step sizes, where every formulation is run with every
// method.
std::vector<Formulation> default_formulations(bool constant_steps) {
  if (constant_steps)
    return parsed<Formulation>({"dummy", "index1", "index2", "original", "baumgarte", "ggl", "stabilized-index1"},
                               parse_formulation);
  std::vector<std::string> names = formulation_names();
  std::erase(names, "auto");
  return parsed(names, parse_formulation);
}

std::vector<Method> default_methods(bool constant_steps) {
  if (!constant_steps) return {method::Bdf{}};
  return parsed<Method>({"backward-euler", "bdf2", "radau3", "dopri5", "half-explicit4", "rattle"}, parse_method);
}

struct Setting {
  double tolerance = 0.0;
  std::optional<double> step = {};
};

struct Plan {
  std::vector<Formulation> formulations;
  std::vector<Method> methods;
  std::vector<Projection> projections;
  std::vector<double> tolerances, steps;

  // None if a setting that the method needs was not given.
  std::vector<Setting> settings_of(const Method& method) const {
    std::vector<Setting> settings;
    if (controls_step(method))
      for (const double tolerance : tolerances) settings.push_back({.tolerance = tolerance});
    if (settings.empty())
      for (const double step : steps)
        if (!step_problem(method, step)) settings.push_back({.step = step});
    return settings;
  }
};

Plan plan_of(const Model& model, const CompareOptions& options) {
  Plan plan{options.formulations, options.methods, options.projections, options.tolerances, options.steps};
  if (plan.tolerances.empty() && plan.steps.empty())
    plan.tolerances.push_back(model.experiment.tolerance.value_or(1e-6));
  const bool constant_steps = plan.tolerances.empty();
  if (plan.formulations.empty()) plan.formulations = default_formulations(constant_steps);
  if (plan.methods.empty()) plan.methods = default_methods(constant_steps);
  if (plan.projections.empty()) plan.projections.push_back(projection::None{});
  return plan;
}

// The largest number of output intervals, up to a limit, whose points are steps of every run; nothing if some step size
// does not divide the interval.
std::optional<int> intervals_on_steps(double start, double stop, const std::vector<double>& steps) {
  long common = 0;
  for (const double step : steps) {
    const Grid grid(start, stop, step);
    if (!grid.divides()) return {};
    common = std::gcd(common, grid.steps());
  }
  for (long parts = (common + most_intervals - 1) / most_intervals; parts > 0 && parts <= common; ++parts)
    if (common % parts == 0) return static_cast<int>(common / parts);
  return {};
}

struct Measured {
  std::string name;
  double nominal;
};

// Everything but the highest derivatives, whose accuracy follows from the others and which have no tolerance of their
// own; everything in a model without derivatives.
std::vector<Measured> measured_quantities(const Reduced& reduced) {
  std::vector<Measured> lower, all;
  for (const Quantity q : reduced.quantities) {
    const Measured measured{reduced.name(q), (*reduced.model)[q.variable].nominal};
    all.push_back(measured);
    if (q.order < reduced.offsets.d[index(q.variable)]) lower.push_back(measured);
  }
  return lower.empty() ? all : lower;
}

double largest_error(const Solution& solution, const Solution& reference, const std::vector<Measured>& quantities) {
  double largest = std::numeric_limits<double>::quiet_NaN();
  if (solution.times.empty()) return largest;
  const double close = 1e-9 * (solution.times.back() - solution.times.front());
  const std::vector<CommonRow> rows = common_rows(solution.times, reference.times, close);
  for (const Measured& measured : quantities) {
    const auto own = solution.find(measured.name), exact = reference.find(measured.name);
    if (!own || !exact) continue;
    for (const CommonRow& row : rows) {
      if (row.one == 0) continue;  // all runs begin at the same point
      const double value = reference.value(row.other, *exact);
      const double error = std::abs(solution.value(row.one, *own) - value) / (std::abs(value) + measured.nominal);
      if (!(error <= largest)) largest = error;
    }
  }
  return largest;
}

std::vector<double> drift_by_level(const Solution& solution) {
  std::vector<double> largest(solution.drift_levels, 0.0);
  for (const CertificateEntry& entry : solution.certificate) {
    double& drift = largest[static_cast<std::size_t>(entry.level)];
    if (entry.max_residual > drift || std::isnan(entry.max_residual)) drift = entry.max_residual;
  }
  return largest;
}

ComparedRun::Change change_of(const Solution& solution, const InvariantEntry& invariant) {
  ComparedRun::Change change{invariant.max_deviation, solution.column(invariant.name)};
  for (double& value : change.over_time) value = std::abs(value - invariant.start);
  return change;
}

// "stopped at t = 4.6: Newton's iteration does not converge": the time is given elsewhere.
std::size_t message_begin(const std::string& message) {
  const std::size_t colon = message.starts_with("stopped at t = ") ? message.find(": ") : std::string::npos;
  return colon == std::string::npos ? 0 : colon + 2;
}

void measure(const Solution& solution, ComparedRun& run) {
  run.outcome = solution.outcome;
  run.code = solution.code;
  run.failure = solution.message.substr(message_begin(solution.message));
  run.reached = solution.reached;
  run.statistics = solution.statistics;
  run.times = solution.times;
  if (solution.times.size() > 1) {
    run.drift = drift_by_level(solution);
    for (const InvariantEntry& invariant : solution.invariants) run.changes.push_back(change_of(solution, invariant));
  }
  for (std::size_t row = 0; solution.drift_levels > 0 && row < solution.times.size(); ++row)
    run.residual.push_back(solution.constraint_drift[row * solution.drift_levels]);
}

class Comparing {
 public:
  Comparing(std::shared_ptr<const Model> model, const CompareOptions& options)
      : model_(std::move(model)), options_(options), plan_(plan_of(*model_, options)), simulation_(options.simulate) {
    simulation_.dense = false;
    comparison_.model = model_->name;
    comparison_.start = simulation_.start.value_or(model_->experiment.start);
    comparison_.stop = simulation_.stop.value_or(model_->experiment.stop);
    for (const InvariantOfModel& invariant : model_->invariants) comparison_.invariants.push_back(invariant.name);
    if (!simulation_.intervals && plan_.tolerances.empty())
      simulation_.intervals = intervals_on_steps(comparison_.start, comparison_.stop, plan_.steps);
  }

  Comparison go() {
    const Analysis dummy = analyze(model_);
    quantities_ = measured_quantities(*dummy.reduced);
    if (options_.reference)
      take_reference();
    else
      run_reference(dummy);
    if (comparison_.reference_outcome == Outcome::Interrupted) return std::move(comparison_);
    for (const Formulation& formulation : plan_.formulations)
      if (!run_formulation(formulation)) break;
    if (options_.reference && nothing_could_be_compared())
      refuse("no time of the reference is an output point: choose the number of intervals accordingly");
    return std::move(comparison_);
  }

 private:
  // Uses the first candidate that succeeds; the last one is used in any case.
  void run_reference(const Analysis& dummy) {
    const std::vector<ReferenceRun> candidates = reference_runs(dummy.reduced->slots.size());
    for (const ReferenceRun& candidate : candidates) {
      const bool is_last = &candidate == &candidates.back();
      try {
        reference_ = run_once(dummy, candidate, candidate.tolerance);
        if (fails(reference_) && !is_last) continue;
        describe_reference(dummy, candidate);
        return;
      } catch (const ModelError&) {  // this method or all methods do not apply
        if (is_last) throw;
      }
    }
  }

  Solution run_once(const Analysis& dummy, const ReferenceRun& reference, double tolerance) {
    SimulateOptions options = simulation_;
    options.method = reference.method;
    options.tolerance = tolerance;
    options.max_steps = std::min(options_.simulate.max_steps, reference.most_steps);
    return simulate(dummy, options);
  }

  void describe_reference(const Analysis& dummy, const ReferenceRun& reference) {
    comparison_.reference_method = to_string(reference.method);
    comparison_.reference_tolerance = reference_.tolerance;
    comparison_.reference_outcome = reference_.outcome;
    comparison_.reference_reached = reference_.reached;
    const double steps = reference.steps_per_step * static_cast<double>(reference_.statistics.steps);
    step_limit_ = std::max(least_step_limit, most_steps_per_reference_step * static_cast<long>(steps));
    if (reference_.outcome != Outcome::Success) return;
    const Solution second = run_once(dummy, reference, looser * reference.tolerance);
    if (second.outcome == Outcome::Success)
      comparison_.reference_error = largest_error(second, reference_, quantities_);
    if (second.outcome == Outcome::Interrupted) comparison_.reference_outcome = second.outcome;
  }

  static bool fails(const Solution& reference) {
    return reference.outcome != Outcome::Success && reference.outcome != Outcome::Interrupted &&
           reference.outcome != Outcome::InitializationFailed;
  }

  void take_reference() {
    reference_ = *options_.reference;
    comparison_.reference_file = options_.reference_name;
    step_limit_ = step_limit_without_reference;
    if (std::ranges::none_of(quantities_, [&](const Measured& m) { return reference_.find(m.name).has_value(); }))
      refuse("the reference has no column that belongs to a variable of the model: " + options_.reference_name);
  }

  [[noreturn]] void refuse(const std::string& why) const {
    Diagnostics diagnostics;
    diagnostics.error(Code::WrongReference, {}, why);
    throw ModelError(diagnostics, *model_->sources);
  }

  // False if the user interrupts; the same for the functions below.
  bool run_formulation(const Formulation& formulation) {
    Analysis analysis;
    try {
      analysis = analyze(model_, formulation);
    } catch (const ModelError& error) {
      comparison_.runs.push_back(
          {.formulation = to_string(formulation), .not_applicable = reason_of(error), .code = code_of(error)});
      return true;
    }
    for (const Method& method : plan_.methods)
      for (const Projection& projection : plan_.projections)
        if (!run_method(analysis, method, projection)) return false;
    return true;
  }

  bool run_method(const Analysis& analysis, const Method& method, const Projection& projection) {
    ComparedRun run{.formulation = to_string(analysis.formulation),
                    .method = to_string(method),
                    .projection = to_string(projection)};
    const std::vector<Setting> settings = plan_.settings_of(method);
    if (settings.empty()) {
      run.not_applicable = step_problem(method, plan_.steps.empty() ? std::nullopt : std::optional(plan_.steps[0]))
                               .value_or("no tolerance and no step size was given");
      run.code = Code::WrongStepSize;
      comparison_.runs.push_back(std::move(run));
      return true;
    }
    simulation_.method = method;
    simulation_.projection = projection;
    for (const Setting& setting : settings) {
      run.tolerance = setting.tolerance;
      run.step = setting.step;
      try {
        if (!run_once(analysis, run)) return false;
      } catch (const ModelError& error) {
        run.not_applicable = reason_of(error);
        run.code = code_of(error);
        comparison_.runs.push_back(std::move(run));
        return true;
      }
    }
    return true;
  }

  // Constant steps have no limit of their number, as the user has chosen them.
  bool run_once(const Analysis& analysis, ComparedRun run) {
    simulation_.step = run.step;
    if (!run.step) simulation_.tolerance = run.tolerance;
    simulation_.max_steps = run.step ? options_.simulate.max_steps : std::min(options_.simulate.max_steps, step_limit_);
    const Solution solution = simulate(analysis, simulation_);
    measure(solution, run);
    run.error = largest_error(solution, reference_, quantities_);
    comparison_.runs.push_back(std::move(run));
    return solution.outcome != Outcome::Interrupted;
  }

  bool nothing_could_be_compared() const {
    return std::ranges::any_of(comparison_.runs, &ComparedRun::succeeded) &&
           std::ranges::all_of(comparison_.runs, [](const ComparedRun& run) { return std::isnan(run.error); });
  }

  std::shared_ptr<const Model> model_;
  const CompareOptions& options_;
  Plan plan_;
  SimulateOptions simulation_;
  Comparison comparison_;
  std::vector<Measured> quantities_;
  Solution reference_;
  long step_limit_ = step_limit_without_reference;
};

}  // namespace

Comparison compare(std::shared_ptr<const Model> model, const CompareOptions& options) {
  return Comparing(std::move(model), options).go();
}

}  // namespace driftless
