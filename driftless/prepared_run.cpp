#include "driftless/prepared_run.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "driftless/clock/processor_time.hpp"
#include "driftless/hybrid/modes.hpp"

namespace driftless {
namespace {

[[noreturn]] void refuse_request(Code code, const std::string& reason, const Model& model) {
  Diagnostics diagnostics;
  diagnostics.error(code, {}, reason);
  throw ModelError(diagnostics, *model.sources);
}

std::shared_ptr<const Reduced> own_tolerances(std::shared_ptr<const Reduced> reduced, const SimulateOptions& options) {
  if (options.tolerances.empty()) return reduced;
  auto result = with_tolerances(*reduced, options.tolerances, options.tolerance, options.method);
  if (const auto* reason = std::get_if<std::string>(&result))
    refuse_request(Code::WrongToleranceOf, *reason, *reduced->model);
  return std::make_shared<Reduced>(std::move(std::get<Reduced>(result)));
}

}  // namespace

SimulateOptions for_start_only(SimulateOptions options, const Model& model) {
  if (options.start.value_or(model.experiment.start) != options.stop.value_or(model.experiment.stop)) return options;
  if (std::holds_alternative<formulation::Auto>(options.formulation)) options.formulation = formulation::Dummy{};
  options.method = method::Bdf{};
  options.step = {};
  options.projection = projection::None{};
  return options;
}

void check_steps(const SimulateOptions& options, const Model& model) {
  if (const auto problem = step_problem(options.method, options.step))
    refuse_request(Code::WrongStepSize, *problem, model);
  if (options.max_step && !(*options.max_step > 0.0))
    refuse_request(Code::WrongStepSize, fmt::format("the longest step {} is not positive", *options.max_step), model);
  if (options.max_step && options.step)
    refuse_request(Code::WrongStepSize,
                   "a longest step is for methods that choose their steps: constant steps have one size", model);
}

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

namespace {

// The error test of a multistep formula sees the variables only through the differential equations that were chosen at
// the start. Where these become nearly singular it lets errors of thousands of tolerances pass.
void check_error_test(const Analysis& analysis, const SimulateOptions& options) {
  const Experiment& experiment = analysis.model->experiment;
  const bool only_start = options.start.value_or(experiment.start) == options.stop.value_or(experiment.stop);
  const bool multistep =
      std::holds_alternative<method::Bdf>(options.method) || std::holds_alternative<method::Ida>(options.method);
  if (only_start || !multistep || !is_kunkel_mehrmann(analysis.formulation)) return;
  refuse_request(
      Code::MethodNotApplicable,
      fmt::format("{} is not integrated by {}: its error test would let wrong values pass. Use --method radau, "
                  "or --formulation derivative-array",
                  to_string(analysis.formulation), to_string(options.method)),
      *analysis.model);
}

}  // namespace

const StartEquations& PreparedRun::start_equations() const {
  std::call_once(lazy_start->once,
                 [this] { lazy_start->equations = std::make_unique<const StartEquations>(growable(analysis.base)); });
  return *lazy_start->equations;
}

bool is_kunkel_mehrmann(const Formulation& formulation) {
  const auto* array = std::get_if<formulation::DerivativeArray>(&formulation);
  return array && array->form == formulation::DerivativeArray::Form::KunkelMehrmann;
}

// The mode of the analysis itself is number `first`.
struct PreparedRun::ModeRuns {
  ModeRuns(const std::shared_ptr<const Model>& whole, const SimulateOptions& given, Formulation reformulation)
      : modes(whole), options(given), formulation(std::move(reformulation)) {}

  std::mutex preparing;
  Modes modes;
  int first = 0;
  SimulateOptions options;
  Formulation formulation;
  std::map<int, std::unique_ptr<const PreparedRun>> prepared;
};

PreparedRun::Mode PreparedRun::mode_at(std::span<const double> parameters) const {
  const std::lock_guard lock(modes->preparing);
  const int number = modes->modes.at(parameters);
  const std::string& description = modes->modes.description(number);
  if (number == modes->first) return {number, this, description};
  std::unique_ptr<const PreparedRun>& known = modes->prepared[number];
  if (!known)
    known = std::make_unique<const PreparedRun>(
        prepare(analyze(modes->modes.model(number), modes->formulation), modes->options));
  return {number, known.get(), description};
}

PreparedRun prepare(Analysis analysis, const SimulateOptions& options) {
  const double begin = processor_seconds();
  check_steps(options, *analysis.model);
  check_error_test(analysis, options);
  PreparedRun prepared;
  const std::shared_ptr<const Reduced> integrated = own_tolerances(analysis.reduced, options);
  const std::shared_ptr<const CompiledSystem>& known = analysis.findings.compiled;
  prepared.system = known && &known->reduced() == integrated.get() && known->backend() == options.backend
                        ? known
                        : std::make_shared<const CompiledSystem>(integrated, options.backend);
  if (analysis.whole) {
    prepared.modes = std::make_shared<PreparedRun::ModeRuns>(analysis.whole, options, analysis.formulation);
    std::vector<double> values;
    for (const Parameter& parameter : analysis.whole->parameters) values.push_back(parameter.value);
    prepared.modes->first = prepared.modes->modes.at(values);
  }
  analysis.model->pool->freeze();
  prepared.analysis = std::move(analysis);
  prepared.seconds = processor_seconds() - begin;
  return prepared;
}

}  // namespace driftless
