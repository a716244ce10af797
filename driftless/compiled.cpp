#include "driftless/compiled.hpp"

#include <mutex>

#include <fmt/format.h>

#include "driftless/automatic.hpp"
#include "driftless/compile/processor_time.hpp"
#include "driftless/prepared_run.hpp"

namespace driftless {

// The ways that are tried one after the other, until one succeeds. The first is compiled at once, the others when a run
// fails: each has expressions of its own, upon those of the model.
struct Compiled::Parts {
  SimulateOptions given;
  Analysis analysis;  // with dummy derivatives, where a method was to be chosen
  Ways ways;
  double seconds = 0.0, compilation = 0.0;  // of analysis and choice; of the first way

  const PreparedRun& way(std::size_t k) const {
    const std::lock_guard lock(preparing);
    while (prepared.size() <= k) prepared.push_back(nullptr);
    if (!prepared[k])
      prepared[k] = std::make_unique<const PreparedRun>(
          prepare(ways.chosen ? analyze(analysis, ways.attempts[k].formulation) : analysis, ways.attempts[k]));
    return *prepared[k];
  }

  mutable std::mutex preparing;
  mutable std::vector<std::unique_ptr<const PreparedRun>> prepared;
};

const Model& Compiled::model() const { return *parts_->analysis.model; }
const SimulateOptions& Compiled::options() const { return parts_->given; }
double Compiled::seconds_of_analysis() const { return parts_->seconds; }
double Compiled::seconds_of_compilation() const { return parts_->compilation; }

namespace {

SimulateOptions with(SimulateOptions options, const RunInputs& inputs) {
  if (inputs.start) options.start = inputs.start;
  if (inputs.stop) options.stop = inputs.stop;
  if (inputs.tolerance) options.tolerance = *inputs.tolerance;
  if (inputs.step) options.step = inputs.step;
  if (inputs.max_step) options.max_step = inputs.max_step;
  if (inputs.intervals) options.intervals = inputs.intervals;
  if (inputs.dense) options.dense = *inputs.dense;
  if (inputs.progress) options.progress = inputs.progress;
  if (inputs.rows.row) options.rows = inputs.rows;
  return options;
}

}  // namespace

Compiled Compiled::of(Analysis analysis, const SimulateOptions& given, const SimulateOptions& options, bool chooses) {
  const double begin = processor_seconds();
  auto parts = std::make_shared<Parts>();
  parts->given = given;
  parts->analysis = std::move(analysis);
  if (chooses)
    parts->ways = choose_ways(parts->analysis, options);
  else
    parts->ways.attempts = {options};
  parts->seconds = parts->analysis.seconds + processor_seconds() - begin;
  try {
    parts->compilation = parts->way(0).seconds;
  } catch (const ModelError&) {  // what was chosen does not apply: runs take the next way
    if (parts->ways.attempts.size() == 1) throw;
  }
  return Compiled(std::move(parts));
}

Compiled compile(const Analysis& analysis, const SimulateOptions& given) {
  SimulateOptions options = for_start_only(given, *analysis.model);
  if (!std::holds_alternative<method::Auto>(options.method))
    return Compiled::of(growable(analysis), given, options, false);
  options.formulation = analysis.formulation;
  return Compiled::of(analyze(analysis, formulation::Dummy{}), given, options, true);
}

Compiled compile(std::shared_ptr<const Model> model, const SimulateOptions& given) {
  const SimulateOptions options = for_start_only(given, *model);
  if (asks_for_choice(options)) return Compiled::of(analyze(model), given, options, true);
  Analysis analysis = analyze(model, options.formulation);
  const SimulateOptions chosen = with_default_formulation(options, analysis);
  if (chosen.formulation.index() != options.formulation.index()) analysis = analyze(analysis, chosen.formulation);
  return Compiled::of(std::move(analysis), given, chosen, false);
}

Compiled compile(Model model, const SimulateOptions& options) {
  return compile(std::make_shared<const Model>(std::move(model)), options);
}

Solution simulate(const Compiled& compiled, const RunInputs& inputs) {
  const Compiled::Parts& parts = *compiled.parts_;
  if (inputs.tolerance && *inputs.tolerance != parts.given.tolerance && !parts.given.tolerances.empty()) {
    Diagnostics diagnostics;
    diagnostics.error(
        {}, fmt::format("tolerances of single variables were compiled for the tolerance {}: compile again for {}",
                        parts.given.tolerance, *inputs.tolerance));
    throw ModelError(diagnostics, *compiled.model().sources);
  }
  const auto numbers = with_inputs(parts.analysis.model, inputs.parameters, inputs.starts);
  const bool as_compiled = numbers == parts.analysis.model;
  const std::vector<SimulateOptions>& all = parts.ways.attempts;
  std::string reason;  // of the first failure
  for (std::size_t k = 0;; ++k) {
    const bool is_last = k + 1 == all.size();
    try {
      Solution solution = run(parts.way(k), with(all[k], inputs), as_compiled ? nullptr : numbers);
      if (parts.ways.chosen) {
        const bool ran = reached_end(solution.outcome) || solution.outcome == Outcome::Interrupted;
        if (ran)
          solution.remarks.push_back(
              reason.empty() ? "method: " + choose::in_words(*parts.ways.chosen, parts.given.tolerance)
                             : fmt::format("method: {}; {} would have been chosen, but {}", to_string(all[k].method),
                                           to_string(parts.ways.chosen->method), reason));
      }
      if (is_last || !may_succeed_otherwise(solution.outcome)) return solution;
      if (reason.empty()) reason = solution.message;
      if (solution.outcome == Outcome::TooManySteps) k = all.size() - 2;  // patience is for one more
    } catch (const ModelError& error) {
      // The formulation or the method does not apply; whatever else is wrong with the model is found again.
      if (is_last) throw;
      if (reason.empty()) reason = error.diagnostics().all().empty() ? "" : error.diagnostics().all().front().message;
    }
  }
}

namespace {

// A single run tells what its preparation has cost.
Solution simulate_once(const Compiled& compiled) {
  Solution solution = simulate(compiled);
  solution.statistics.seconds.analyze += compiled.seconds_of_analysis();
  solution.statistics.seconds.compile += compiled.seconds_of_compilation();
  return solution;
}

}  // namespace

Solution simulate(const Analysis& analysis, const SimulateOptions& options) {
  return simulate_once(compile(analysis, options));
}

Solution simulate(Model model, const SimulateOptions& options) {
  return simulate_once(compile(std::move(model), options));
}

}  // namespace driftless
