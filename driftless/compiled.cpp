#include "driftless/compiled.hpp"

#include "driftless/array_for_start.hpp"
#include "driftless/clock/processor_time.hpp"
#include "driftless/compiled_parts.hpp"
#include "driftless/model/drive.hpp"
#include "driftless/started_run.hpp"

namespace driftless {
namespace {

// The choice of a method uses the structure of a model, on which a derivative array does not rely.
SimulateOptions with_method_for_array(SimulateOptions options) {
  if (!std::holds_alternative<formulation::DerivativeArray>(options.formulation)) return options;
  if (!std::holds_alternative<method::Auto>(options.method)) return options;
  const bool index_one = is_kunkel_mehrmann(options.formulation);
  options.method = options.step ? Method(method::Radau{3})
                   : index_one  ? Method(method::Radau{0})
                                : Method(method::Bdf{});
  return options;
}

}  // namespace

const Model& Compiled::model() const { return *parts_->analysis.model; }
const SimulateOptions& Compiled::options() const { return parts_->given; }
double Compiled::seconds_of_analysis() const { return parts_->seconds; }
double Compiled::seconds_of_compilation() const { return parts_->compilation; }

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
  } catch (const ModelError&) {  // the chosen way does not apply: runs take the next one
    if (parts->ways.attempts.size() == 1) throw;
  }
  return Compiled(std::move(parts));
}

Compiled compile(const Analysis& analysis, const SimulateOptions& given) {
  SimulateOptions options = for_start_only(given, *analysis.model);
  options.formulation = analysis.formulation;
  options = with_method_for_array(options);
  if (!std::holds_alternative<method::Auto>(options.method))
    return Compiled::of(growable(analysis), given, options, false);
  return Compiled::of(analyze(analysis, formulation::Dummy{}), given, options, true);
}

Compiled compile(std::shared_ptr<const Model> model, const SimulateOptions& given) {
  model = replace_declared(model, given.inputs);
  SimulateOptions options = with_method_for_array(for_start_only(given, *model));
  // The choice of a method uses dummy derivatives; a requested formulation is applied afterwards.
  const bool is_open = std::holds_alternative<formulation::Dummy>(options.formulation) ||
                       std::holds_alternative<formulation::Auto>(options.formulation);
  Analysis analysis = is_open                    ? analyze_for_runs(model)
                      : asks_for_choice(options) ? analyze(model)
                                                 : analyze(model, options.formulation);
  if (analysis.misleading) {
    options.formulation = analysis.formulation;
    return Compiled::of(std::move(analysis), given, with_method_for_array(options), false);
  }
  const bool may_be_singular = is_open && may_have_singular_start(analysis);
  const auto compiled = [&] {
    if (asks_for_choice(options)) return Compiled::of(std::move(analysis), given, options, true);
    const SimulateOptions chosen = with_default_formulation(options, analysis);
    if (chosen.formulation.index() != options.formulation.index()) analysis = analyze(analysis, chosen.formulation);
    return Compiled::of(std::move(analysis), given, chosen, false);
  }();
  if (!may_be_singular) return compiled;
  // Checks the matrix of the run at its start.
  std::optional<Analysis> by_array;
  try {
    const PreparedRun& first = compiled.parts_->way(0);
    Diagnostics unseen;
    const auto start = start_of(first, nullptr, options.start.value_or(model->experiment.start), unseen);
    if (const auto* state = std::get_if<State>(&start); state && !unseen.has_errors()) {
      by_array = array_for_singular_start(first.analysis, *state);
      if (!by_array) compiled.parts_->keep_start(*state);
    }
  } catch (const ModelError&) {  // runs report this
  }
  if (!by_array) return compiled;
  options.formulation = by_array->formulation;
  return Compiled::of(std::move(*by_array), given, with_method_for_array(options), false);
}

Compiled compile(Model model, const SimulateOptions& options) {
  return compile(std::make_shared<const Model>(std::move(model)), options);
}

}  // namespace driftless
