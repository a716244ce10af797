// The analysis of a model, before any number is computed.
#include "driftless/events/start_guess.hpp"
#include "driftless/hybrid/event_derivatives.hpp"
#include "driftless/hybrid/modes.hpp"
#include "driftless/hybrid/structural_conditions.hpp"
#include "driftless/simulate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "driftless/array/find_index.hpp"
#include "driftless/clock/processor_time.hpp"
#include "driftless/expr/calculus.hpp"
#include "driftless/array_for_start.hpp"
#include "driftless/automatic.hpp"
#include "driftless/diagnostics/refusal.hpp"
#include "driftless/initialize/initialize.hpp"
#include "driftless/initialize/redundancy.hpp"
#include "driftless/initialize/singular_start.hpp"
#include "driftless/model/hold.hpp"
#include "driftless/prepared_run.hpp"
#include "driftless/reduce/explain.hpp"
#include "driftless/reduce/requested_states.hpp"
#include "driftless/reduce/signature.hpp"

namespace driftless {
namespace {

// Measures processor time, so that other programs on the machine do not count.
class Stopwatch {
 public:
  double seconds() const { return processor_seconds() - begin_; }

 private:
  double begin_ = processor_seconds();
};

[[noreturn]] void refuse(const Diagnostics& diagnostics, const Model& model) {
  throw ModelError(diagnostics, *model.sources);
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

bool is_original(const Formulation& formulation) { return std::holds_alternative<formulation::Original>(formulation); }

bool is_array(const Formulation& formulation) {
  return std::holds_alternative<formulation::DerivativeArray>(formulation);
}

void use(ArraySystem array, const Formulation& formulation, Analysis& analysis) {
  analysis.formulation = formulation;
  analysis.array = std::make_shared<const ArraySystem>(std::move(array));
  const ArrayIndex& index = analysis.array->index;
  analysis.array_index = index;
  analysis.base = analysis.reduced = analysis.array->reduced;
  analysis.shape.offsets = analysis.reduced->offsets;
  analysis.shape.offsets.d.resize(analysis.model->variables.size());
  analysis.shape.structural_index = index.index;
  analysis.shape.degrees_of_freedom = index.degrees_of_freedom;
}

// Analyzes the model by ranks instead of its structure.
void take_array(Analysis& analysis, const Formulation& formulation) {
  using Form = formulation::DerivativeArray::Form;
  const Form form = std::get<formulation::DerivativeArray>(formulation).form;
  auto found =
      find_array(analysis.model, form == Form::KunkelMehrmann ? ArrayForm::KunkelMehrmann : ArrayForm::CampbellMoore);
  if (const auto* none = std::get_if<NoArray>(&found)) {
    Diagnostics diagnostics;
    Diagnostic& error =
        diagnostics.error(Code::FormulationNotApplicable, {},
                          Refusal{.subject = to_string(formulation), .reason = none->reason}.sentence());
    for (const std::string& detail : none->details) error.note(detail);
    refuse(diagnostics, *analysis.model);
  }
  use(std::move(std::get<ArraySystem>(found)), formulation, analysis);
}

// The same if the structure is misleading and no repair was found, unless F(t, y, y') = 0 as written has index 1. False
// if the array does not determine the solution.
bool take_array_for_misleading_structure(Analysis& analysis) {
  auto found = find_array(analysis.model, ArrayForm::CampbellMoore);
  auto* array = std::get_if<ArraySystem>(&found);
  const bool differentiates = std::ranges::any_of(analysis.shape.offsets.c, [](int c) { return c > 0; });
  if (!array || (!differentiates && array->index.index <= 1)) return false;
  analysis.misleading = std::exchange(analysis.hidden, {});
  analysis.promised_states = analysis.shape.degrees_of_freedom;
  use(std::move(*array), formulation::DerivativeArray{}, analysis);
  return true;
}

// For a repaired model the structure gives only a bound of the index; the ranks of the array give, by definition, how
// many differentiations are needed.
void take_index(const ArrayIndex& found, Analysis& analysis) {
  const bool agrees = found.degrees_of_freedom == analysis.shape.degrees_of_freedom;
  if (!agrees || analysis.repair->index_is_exact || found.index > analysis.repair->index) return;
  auto repair = std::make_shared<Repair>(*analysis.repair);
  repair->index = analysis.shape.structural_index = found.index;
  repair->index_is_exact = true;
  analysis.repair = std::move(repair);
}

// A combination is found at generic points. On the solution itself more rows may be dependent, if factors are equations
// that hold there: then the ranks at a consistent start, which are decisive, leave fewer states than the repaired
// structure. False if they agree or are inconclusive.
bool take_array_with_fewer_states(Analysis& analysis) {
  const std::shared_ptr<const Model> model = growable(analysis.repair ? analysis.repair->as_written : analysis.model);
  auto found = find_array(model, ArrayForm::CampbellMoore);
  auto* array = std::get_if<ArraySystem>(&found);
  if (!array) return false;
  if (array->index.degrees_of_freedom >= analysis.shape.degrees_of_freedom) {
    if (analysis.repair) take_index(array->index, analysis);
    return false;
  }
  analysis.promised_states = analysis.shape.degrees_of_freedom;
  analysis.misleading = HiddenSingularity{};
  if (analysis.repair) analysis.shape = analysis.repair->shape_as_written;
  analysis.model = model;
  analysis.repair.reset();
  analysis.findings = {};
  use(std::move(*array), formulation::DerivativeArray{}, analysis);
  return true;
}

constexpr std::ptrdiff_t most_equations_by_ranks = 40;

// Do the repaired equations have a start, and are they regular there? Then the number of states is the structural one.
bool starts_regularly(const Analysis& analysis) {
  const Reduced base = reduce(analysis.model, analysis.shape);
  Diagnostics unseen;
  const auto start = initialize(base, analysis.model->experiment.start, unseen);
  const auto* state = std::get_if<State>(&start);
  return state && !unseen.has_errors() && !is_singular_at(base, analysis.shape, *state);
}

// The search over derivative arrays takes many times as long as a start, so it is made only if a start is not
// conclusive.
bool take_array_where_a_repair_falls_short(Analysis& analysis) {
  if (!analysis.repair || analysis.hidden || analysis.whole) return false;
  if (std::ssize(analysis.repair->as_written->equations) > most_equations_by_ranks) return false;
  if (analysis.repair->index_is_exact && starts_regularly(analysis)) return false;
  return take_array_with_fewer_states(analysis);
}

// Formulations treat constraints, but a model may begin in a mode without any.
bool begins_without_constraints(const Analysis& analysis, const Formulation& formulation) {
  if (!analysis.whole || is_original(formulation) || chooses_states(formulation)) return false;
  if (std::ranges::any_of(analysis.shape.offsets.c, [](int c) { return c > 0; })) return false;
  return !structural_conditions(*growable(analysis.whole)).empty();
}

// Reduces the model, whose structure is known, by the formulation.
void reduce_to(Analysis& analysis, const Formulation& asked) {
  const std::shared_ptr<const Model>& model = analysis.model;
  Diagnostics diagnostics;
  analysis.formulation = asked;
  const Formulation formulation =
      begins_without_constraints(analysis, asked) ? Formulation(formulation::Dummy{}) : asked;
  if (analysis.hidden) {
    // Without any differentiation the model may still be F(t, y, y') = 0 of index 1; initialization finds out. As
    // written it is taken with any index.
    if (!is_original(formulation) && std::ranges::any_of(analysis.shape.offsets.c, [](int c) { return c > 0; })) {
      explain_hidden_singularity(*model, analysis.shape, *analysis.hidden, diagnostics, advice_to_use_array(model));
      refuse(diagnostics, *model);
    }
    if (!is_original(formulation) && !chooses_states(formulation))
      throw RequestRefused(Code::FormulationNotApplicable,
                           {.subject = to_string(formulation),
                            .reason = "the structure of the model promises more states than there are"},
                           *model->sources);
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
    if (auto refusal = refusal_of(*analysis.base, formulation))
      throw RequestRefused(Code::FormulationNotApplicable, std::move(*refusal), *model->sources);
    if (!chooses_states(formulation))
      analysis.reduced = std::make_shared<Reduced>(reformulate(*analysis.base, formulation));
  }
}

void use(Repair repair, Analysis& analysis) {
  analysis.hidden.reset();
  analysis.model = repair.model;
  analysis.shape = repair.shape;
  analysis.shape.structural_index = repair.index;
  analysis.repair = std::make_shared<const Repair>(std::move(repair));
}

// Removes constraints that follow from the others, in a model as written or already repaired.
void leave_out_redundant_constraints(Analysis& analysis) {
  auto found = leave_out_redundant(analysis.model, analysis.shape, analysis.model->experiment.start);
  if (!found) return;
  if (analysis.repair) {
    found->as_written = analysis.repair->as_written;
    found->shape_as_written = analysis.repair->shape_as_written;
    found->steps.insert(found->steps.begin(), analysis.repair->steps.begin(), analysis.repair->steps.end());
  }
  use(std::move(*found), analysis);
}

// If it succeeds, the analysis continues with the repaired model.
void take_repair(Analysis& analysis) {
  auto [found, contradiction] = repair(analysis.model, analysis.shape, *analysis.hidden);
  Diagnostics diagnostics;
  if (contradiction) {
    explain_contradiction(*analysis.model, *contradiction, diagnostics);
    refuse(diagnostics, *analysis.model);
  }
  if (!found) return;
  explain_undifferentiable(*found->model, found->shape.offsets, diagnostics);
  if (diagnostics.has_errors()) return;
  use(std::move(*found), analysis);
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

namespace {

enum class IfMisleading { Refuse, TakeArray };

Analysis analyze(std::shared_ptr<const Model> given, const Formulation& formulation, IfMisleading if_misleading) {
  const Stopwatch watch;
  std::shared_ptr<const Model> model = growable(given), whole;
  if (!model->discrete.is_empty()) {
    std::vector<double> values = guessed_parameters(*model, model->experiment.start);
    Modes modes(model);
    values = regular_guess(modes, *model, values).value_or(values);
    whole = std::make_shared<const Model>(with_parameters(*model, values));
    model = std::make_shared<const Model>(with_parameters(*modes.model(modes.at(values)), values));
  }
  if (std::holds_alternative<formulation::Auto>(formulation)) {
    const SimulateOptions options{.formulation = formulation};
    const Analysis analysis = analyze(given, formulation::Dummy{}, if_misleading);
    if (analysis.misleading) return analysis;
    return analyze(analysis, resolve(options, choose_for(analysis, options).indicators).formulation);
  }
  Diagnostics diagnostics;
  Analysis analysis;
  analysis.model = model;
  analysis.whole = whole;

  auto result = structure::analyze(signature_of(*model));
  if (const auto* singular = std::get_if<structure::Singular>(&result)) {
    if (auto found = leave_out_redundant(model, *singular, model->experiment.start)) {
      use(std::move(*found), analysis);
    } else {
      explain_singular(*model, *singular, diagnostics);
      refuse(diagnostics, *model);
    }
  } else {
    analysis.shape = std::move(std::get<structure::Structure>(result));
    if (whole)
      if (const auto more = with_event_derivatives(whole, analysis.shape.offsets.d); more != whole)
        return analyze(more, formulation, if_misleading);
    const std::shared_ptr<const Model>& asking = whole ? whole : model;
    if (const auto more = with_requested_states(asking, analysis.shape.offsets.d); more != asking)
      return analyze(more, formulation, if_misleading);
  }
  explain_undifferentiable(*analysis.model, analysis.shape.offsets, diagnostics);
  explain_invariants(*analysis.model, analysis.shape.offsets, diagnostics);
  if (diagnostics.has_errors()) refuse(diagnostics, *model);

  if (is_array(formulation)) {
    take_array(analysis, formulation);
    analysis.seconds = watch.seconds();
    return analysis;
  }
  analysis.hidden = find_hidden_singularity(*analysis.model, analysis.shape);
  if (analysis.hidden && !is_original(formulation)) take_repair(analysis);
  if (!is_original(formulation) && (analysis.hidden || is_singular_at_starts(*analysis.model, analysis.shape)))
    leave_out_redundant_constraints(analysis);
  const bool may_take_array = if_misleading == IfMisleading::TakeArray;
  const bool by_array = may_take_array && (analysis.hidden ? take_array_for_misleading_structure(analysis)
                                                           : take_array_where_a_repair_falls_short(analysis));
  if (!by_array) reduce_to(analysis, formulation);
  analysis.seconds = watch.seconds();
  return analysis;
}

}  // namespace

Analysis analyze(std::shared_ptr<const Model> model, const Formulation& formulation) {
  return analyze(std::move(model), formulation, IfMisleading::Refuse);
}

Analysis analyze_for_runs(std::shared_ptr<const Model> model, const Formulation& formulation) {
  const bool is_open =
      std::holds_alternative<formulation::Dummy>(formulation) || std::holds_alternative<formulation::Auto>(formulation);
  return analyze(std::move(model), formulation, is_open ? IfMisleading::TakeArray : IfMisleading::Refuse);
}

bool may_have_singular_start(const Analysis& known) {
  if (known.hidden || known.whole || known.array) return false;
  return may_be_singular_at_starts(*growable(known).model, known.shape);
}

std::optional<Analysis> array_for_singular_start(const Analysis& known, const State& start) {
  Analysis analysis = growable(known);
  if (!is_singular_at(*analysis.base, analysis.shape, start) || !take_array_with_fewer_states(analysis)) return {};
  return analysis;
}

std::optional<Analysis> array_for_singular_start(const Analysis& known) {
  if (!may_have_singular_start(known)) return {};
  Diagnostics unseen;
  const Analysis analysis = growable(known);
  const auto start = initialize(*analysis.base, analysis.model->experiment.start, unseen);
  const auto* state = std::get_if<State>(&start);
  return state ? array_for_singular_start(analysis, *state) : std::nullopt;
}

std::optional<int> index_by_ranks(const Analysis& known) {
  if (known.array || known.hidden || known.whole || known.shape.structural_index < 2) return {};
  const std::shared_ptr<const Model> model = growable(known.repair ? known.repair->as_written : known.model);
  if (std::ssize(model->equations) > most_equations_by_ranks) return {};
  const auto found = find_array(model, ArrayForm::CampbellMoore);
  const auto* array = std::get_if<ArraySystem>(&found);
  if (!array || array->index.degrees_of_freedom != known.shape.degrees_of_freedom) return {};
  return array->index.index < known.shape.structural_index ? std::optional(array->index.index) : std::nullopt;
}

Analysis analyze(Model model, const Formulation& formulation) {
  return analyze(std::make_shared<const Model>(std::move(model)), formulation);
}

Analysis analyze(const Analysis& known, const Formulation& formulation) {
  if (known.repair && (is_original(formulation) || is_array(formulation)))
    return analyze(known.whole ? known.whole : known.repair->as_written, formulation);
  if (is_array(formulation) || is_array(known.formulation))
    return analyze(known.whole ? known.whole : known.model, formulation);
  const Stopwatch watch;
  Analysis analysis = growable(known);
  const bool is_known = std::holds_alternative<formulation::Dummy>(formulation) &&
                        std::holds_alternative<formulation::Dummy>(known.formulation);
  if (!is_known) reduce_to(analysis, formulation);
  analysis.seconds += watch.seconds();
  return analysis;
}

Analysis without_events(const Analysis& analysis) {
  if (!analysis.whole) return analysis;
  const std::shared_ptr<const Model> model = without_events(analysis.whole);
  return model == analysis.whole ? analysis : analyze(model, analysis.formulation);
}

std::string remark_on_released_relations(const std::string& what) {
  return fmt::format(
      "relations of the model are evaluated at every point and cause no events: {} cannot follow them, and is less "
      "accurate in a step that passes one",
      what);
}

}  // namespace driftless
