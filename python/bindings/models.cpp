// Reading, analysis, the start and steady states.
#include "python/bindings/bindings.hpp"

#include <complex>

#include "driftless/diagnostics/printable.hpp"
#include "driftless/examine.hpp"
#include "driftless/expr/print.hpp"
#include "driftless/language/flatten.hpp"
#include "driftless/language/libraries/library_path.hpp"
#include "driftless/language/read.hpp"
#include "driftless/reduce/possible_states.hpp"
#include "driftless/steady.hpp"

#include <pybind11/complex.h>

namespace driftless::python {
namespace {

using Overrides = std::vector<std::pair<std::string, std::string>>;

// The model, its warnings and its animation.
py::tuple read(const std::string& name, const std::optional<std::string>& text, const std::string& model,
               const Overrides& overrides, std::vector<std::string> libraries, bool allow_external) {
  for (std::string& folder : language::modelica_path()) libraries.push_back(std::move(folder));
  auto animation = std::make_unique<DeclaredAnimation>();
  const ReadOptions options{.model = model,
                            .overrides = overrides,
                            .libraries = std::move(libraries),
                            .allow_external = allow_external,
                            .animation = &animation->shapes};
  const auto sources = std::make_shared<Sources>();
  Diagnostics diagnostics;
  std::optional<Model> result;
  {
    const py::gil_scoped_release release;
    result = text ? read_model_text(name, *text, options, sources, diagnostics)
                  : read_model_file(name, options, sources, diagnostics);
  }
  if (!result) raise_model_error(ModelError(diagnostics, *sources), *sources);
  return py::make_tuple(std::make_shared<Model>(std::move(*result)), located(diagnostics, *sources),
                        std::move(animation));
}

py::dict experiment_of(const Model& model) {
  py::dict result;
  result["start"] = model.experiment.start;
  result["stop"] = model.experiment.stop;
  result["tolerance"] = model.experiment.tolerance;
  result["interval"] = model.experiment.interval;
  return result;
}

py::list variables_of(const Model& model) {
  py::list list;
  for (const Variable& variable : model.variables) {
    if (variable.auxiliary) continue;
    py::dict one;
    one["name"] = variable.name;
    one["start"] = variable.start;
    one["fixed"] = variable.fixed;
    one["unit"] = variable.unit;
    one["description"] = variable.description;
    list.append(one);
  }
  return list;
}

py::dict parameters_of(const Model& model) {
  py::dict result;
  for (const Parameter& parameter : model.parameters)
    if (parameter.role == Parameter::Role::Given) result[py::str(parameter.name)] = parameter.value;
  return result;
}

std::string flat_text(const Model& model) {
  Diagnostics diagnostics;
  const auto text = flatten(model, diagnostics);
  if (!text) raise_model_error(ModelError(diagnostics, *model.sources), *model.sources);
  return *text;
}

py::dict analysis_of(const Analysis& a) {
  py::dict result;
  result["model"] = a.model->name;
  result["equations"] = a.model->equations.size();
  result["index"] = a.array_index ? a.array_index->index : a.shape.structural_index;
  result["degrees_of_freedom"] = a.shape.degrees_of_freedom;
  result["formulation"] = to_string(a.formulation);
  result["has_events"] = a.whole != nullptr;
  py::list differentiated, hidden, choices, blocks, repaired;
  for (std::size_t i = 0; i < a.model->equations.size(); ++i)
    if (i < a.shape.offsets.c.size() && a.shape.offsets.c[i] > 0)
      differentiated.append(
          py::make_tuple(a.model->equations[i].label, a.shape.offsets.c[i], a.model->equations[i].text));
  const Names names = names_of(*a.reduced->model);
  for (const Constraint& constraint : a.reduced->constraints)
    if (constraint.level > 0)
      hidden.append(py::make_tuple((*a.model)[constraint.equation].label, constraint.level,
                                   to_string(*a.model->pool, constraint.residual, names)));
  const PossibleStates states = possible_states(*a.reduced);
  for (const PossibleStates::Choice& choice : states.choices)
    choices.append(py::make_tuple(choice.number, choice.candidates));
  for (const structure::Block& block : a.shape.blocks) {
    std::vector<std::string> equations, unknowns;
    for (std::size_t k = 0; k < block.rows.size(); ++k) {
      const auto column = static_cast<std::size_t>(index(block.cols[k]));
      equations.push_back(a.model->equations[static_cast<std::size_t>(index(block.rows[k]))].label);
      unknowns.push_back(derivative_name(a.model->variables[column].name, a.shape.offsets.d[column]));
    }
    blocks.append(py::make_tuple(equations, unknowns));
  }
  if (a.repair)
    for (const std::string& step : a.repair->steps) repaired.append(step);
  result["differentiated"] = differentiated;
  result["hidden_constraints"] = hidden;
  result["states"] = states.always;
  result["choices"] = choices;
  result["blocks"] = blocks;
  result["repaired"] = repaired;
  return result;
}

py::dict start_of(const Analysis& analysis, std::optional<double> t) {
  const Sources& sources = *analysis.model->sources;
  const StartReport report = unlocked(sources, [&] { return examine_start(analysis, t); });
  py::dict result, values;
  result["found"] = report.found;
  result["message"] = report.message;
  result["details"] = report.details;
  result["notes"] = report.notes;
  result["t"] = report.t;
  result["largest_residual"] = report.largest_residual;
  result["degrees_of_freedom"] = report.degrees_of_freedom;
  py::list conditions, repetitions, choices, moves, violations, branches, cure;
  const char* roles[] = {"used", "repeated", "conflicting"};
  for (const auto& condition : report.conditions)
    conditions.append(py::make_tuple(condition.text, roles[static_cast<int>(condition.role)]));
  for (const auto& repetition : report.repetitions)
    repetitions.append(py::make_tuple(repetition.conditions, repetition.equations));
  for (const auto& choice : report.choices)
    choices.append(py::make_tuple(choice.name, choice.value, choice.given, choice.instead));
  for (const auto& move : report.moves) moves.append(py::make_tuple(move.name, move.from, move.to, move.by));
  for (const auto& violation : report.violations) violations.append(py::make_tuple(violation.row, violation.residual));
  for (const auto& branch : report.branches)
    branches.append(py::make_tuple(branch.name, branch.taken, branch.other, branch.by));
  const char* kinds[] = {"modifier", "initial equation", "remove"};
  for (const auto& line : report.cure)
    cure.append(py::make_tuple(kinds[static_cast<int>(line.kind)], line.text, line.why));
  for (const auto& [name, value] : report.values) values[py::str(name)] = value;
  result["conditions"] = conditions;
  result["repetitions"] = repetitions;
  result["choices"] = choices;
  result["moves"] = moves;
  result["violations"] = violations;
  result["branches"] = branches;
  result["cure"] = cure;
  result["cure_holds"] = report.cure_holds;
  result["values"] = values;
  return result;
}

py::dict steady_of(const Analysis& analysis, std::optional<double> t) {
  const SteadyState state = unlocked(*analysis.model->sources, [&] { return find_steady_state(analysis, t); });
  py::dict result, values;
  result["found"] = state.point.found;
  result["proven_absent"] = state.point.proven_absent;
  result["t"] = state.point.t;
  result["depends_on_time"] = state.point.depends_on_time;
  result["largest_residual"] = state.point.largest_residual;
  if (state.point.found)
    for (std::size_t k = 0; k < analysis.model->variables.size() && k < state.point.values.size(); ++k)
      if (!analysis.model->variables[k].auxiliary)
        values[py::str(analysis.model->variables[k].name)] = state.point.values[k];
  result["values"] = values;
  result["open"] = state.point.open;
  py::list violations;
  for (const auto& violation : state.point.violations)
    violations.append(py::make_tuple(violation.row, violation.residual));
  result["violations"] = violations;
  const char* names[] = {"not examined", "nothing moves", "stable", "marginal", "unstable"};
  result["stability"] = names[static_cast<int>(state.stability())];
  result["modes"] = state.modes;
  return result;
}

Formulation formulation_of(const std::string& text) {
  if (const auto parsed = parse_formulation(text)) return *parsed;
  std::string known;
  for (const std::string& name : formulation_names()) known += (known.empty() ? "" : ", ") + name;
  throw py::value_error("there is no formulation '" + text + "', or its parameters are wrong: there are " + known);
}

}  // namespace

void bind_models(py::module_& m) {
  py::class_<DeclaredAnimation>(m, "DeclaredAnimation");
  py::class_<Model, std::shared_ptr<Model>>(m, "Model")
      .def_readonly("name", &Model::name)
      .def_property_readonly("experiment", &experiment_of)
      .def_property_readonly("variables", &variables_of)
      .def_property_readonly("parameters", &parameters_of)
      .def_property_readonly("inputs",
                             [](const Model& model) {
                               std::vector<std::string> names;
                               for (const ModelInput& input : model.discrete.inputs) names.push_back(input.name);
                               return names;
                             })
      .def_property_readonly("equations",
                             [](const Model& model) {
                               std::vector<std::pair<std::string, std::string>> list;
                               for (const Equation& e : model.equations) list.emplace_back(e.label, e.text);
                               return list;
                             })
      .def("flat_text", &flat_text);
  py::class_<Analysis>(m, "Analysis").def("report", &analysis_of).def("start", &start_of).def("steady", &steady_of);
  m.def("read", &read);
  m.def("analyze", [](const std::shared_ptr<Model>& model, const std::string& formulation) {
    const Formulation chosen = formulation_of(formulation);
    return unlocked(*model->sources, [&] { return analyze_for_runs(std::shared_ptr<const Model>(model), chosen); });
  });
}

}  // namespace driftless::python
