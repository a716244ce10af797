#include "driftless/prepared_run.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/automatic.hpp"
#include "driftless/clock/processor_time.hpp"
#include "driftless/events/start_guess.hpp"
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
  summary.index_is_bound = analysis.repair && !analysis.repair->index_is_exact;
  summary.degrees_of_freedom = analysis.shape.degrees_of_freedom;
  for (std::size_t i = 0; i < model.equations.size(); ++i)
    summary.differentiations.emplace_back(model.equations[i].label, analysis.shape.offsets.c[i]);
  return summary;
}

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
  std::map<int, Excess> singular;

  // False if its equations are singular.
  bool prepare_mode(int number) {
    if (singular.contains(number)) return false;
    const std::shared_ptr<const Model> model = growable(modes.model(number));
    const bool is_implicit = std::holds_alternative<formulation::Original>(formulation);
    if (Excess excess = excess_of(model); excess.size > 0 && !is_implicit) {
      singular[number] = std::move(excess);
      return false;
    }
    prepared[number] = std::make_unique<const PreparedRun>(prepare_as_asked(model, formulation, options));
    return true;
  }
};

PreparedRun prepare_as_asked(const std::shared_ptr<const Model>& mode, const Formulation& formulation,
                             const SimulateOptions& options) {
  const bool is_array = std::holds_alternative<formulation::DerivativeArray>(formulation);
  const bool is_implicit = std::holds_alternative<formulation::Original>(formulation);
  if (is_array || is_implicit) return prepare(analyze(mode, formulation), options);
  Analysis analysis = analyze(mode);
  SimulateOptions own = options;
  own.formulation = formulation;
  const std::vector<int>& c = analysis.shape.offsets.c;
  const bool is_free = c.empty() || std::ranges::max(c) == 0, is_fixed = analysis.shape.degrees_of_freedom == 0;
  if (is_free || is_fixed) {
    own.formulation = formulation::Dummy{};
    own.projection = projection::None{};
  }
  if (!is_fixed) own = with_default_formulation(own, analysis);
  if (!std::holds_alternative<formulation::Dummy>(own.formulation)) analysis = analyze(analysis, own.formulation);
  return prepare(std::move(analysis), own);
}

bool PreparedRun::has_modes() const { return modes && modes->modes.change(); }

PreparedRun::Mode PreparedRun::mode_at(std::span<const double> parameters) const {
  const std::lock_guard lock(modes->preparing);
  const int number = modes->modes.at(parameters);
  const std::string& description = modes->modes.description(number);
  if (number == modes->first) return {number, this, description};
  if (modes->prepared.contains(number) || modes->prepare_mode(number))
    return {number, modes->prepared[number].get(), description};
  const Excess& excess = modes->singular[number];
  std::vector<std::string> labels;
  for (const int equation : excess.equations)
    labels.push_back(modes->modes.model(number)->equations[static_cast<std::size_t>(equation)].label);
  return {number,      nullptr,          description,
          excess.size, excess.equations, fmt::format("{} of {} are too many", excess.size, fmt::join(labels, ", "))};
}

PreparedRun prepare(Analysis analysis, const SimulateOptions& options) {
  const double begin = processor_seconds();
  check_steps(options, *analysis.model);
  PreparedRun prepared;
  prepared.projection = options.projection;
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
    const std::vector<int>& c = analysis.shape.offsets.c;
    const bool is_free = c.empty() || std::ranges::max(c) == 0;
    if (is_free && prepared.modes->modes.change()) prepared.projection = projection::None{};
  }
  analysis.model->pool->freeze();
  prepared.analysis = std::move(analysis);
  prepared.seconds = processor_seconds() - begin;
  return prepared;
}

}  // namespace driftless
