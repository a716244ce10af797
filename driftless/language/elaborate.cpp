#include "driftless/language/elaborate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "driftless/language/elaboration.hpp"
#include "driftless/language/vendor_annotation.hpp"
#include "driftless/language/parser.hpp"
#include "driftless/language/scope.hpp"

namespace driftless {

namespace language {

namespace {

bool is_model(const Scope& scope) {
  const ast::ClassKind kind = scope.syntax->kind;
  const bool has_equations =
      kind == ast::ClassKind::Model || kind == ast::ClassKind::Class || kind == ast::ClassKind::Block;
  return has_equations && !scope.syntax->partial && scope.body();
}

void collect_models(Scope& scope, std::vector<Scope*>& models) {
  for (Scope& inner : scope.classes) {
    if (is_model(inner)) models.push_back(&inner);
    collect_models(inner, models);
  }
}

// The model asked for, by its full name or the last part of it; without a wish the last one of the file, where
// those that stand in no package come first.
Scope* choose_model(Scope& top, const std::string& wish, const std::string& file, Diagnostics& diagnostics) {
  std::vector<Scope*> models;
  collect_models(top, models);
  if (models.empty()) {
    Diagnostic& error = diagnostics.error(Code::NoModel, {}, fmt::format("there is no model in '{}'", file));
    if (top.classes.empty()) error.note("it is empty, or contains nothing but comments");
    return nullptr;
  }
  if (wish.empty()) {
    const auto outermost =
        std::ranges::find_if(models.rbegin(), models.rend(), [&](const Scope* model) { return model->parent == &top; });
    return outermost != models.rend() ? *outermost : models.back();
  }
  std::vector<Scope*> matches;
  std::vector<std::string_view> names, similar;
  for (Scope* model : models) {
    if (model->path == wish) return model;
    if (model->syntax->name.text == wish) matches.push_back(model);
    names.push_back(model->path);
    similar.push_back(model->path);
    similar.push_back(model->syntax->name.text);
  }
  if (matches.size() == 1) return matches.front();
  if (matches.empty())
    diagnostics
        .error(Code::ModelNotFound, {},
               fmt::format("there is no model '{}' in '{}'{}", wish, file, did_you_mean(wish, similar)))
        .note(fmt::format("available: {}", fmt::join(names, ", ")));
  else
    diagnostics.error(Code::ModelNotFound, {}, fmt::format("there are several models '{}': give the full name", wish))
        .note(fmt::format("available: {}", fmt::join(names, ", ")));
  return nullptr;
}

// "a[2,3]" -> "a" and {2, 3}; nothing if the brackets do not hold numbers.
struct OverrideTarget {
  std::string name;
  std::vector<std::int64_t> subscripts;
};

std::optional<OverrideTarget> split_subscripts(std::string_view text) {
  const std::size_t open = text.rfind('[');
  if (text.empty() || text.back() != ']' || open == std::string_view::npos || open == 0) return std::nullopt;
  OverrideTarget target{std::string(text.substr(0, open)), {}};
  const char* at = text.data() + open + 1;
  const char* const end = text.data() + text.size() - 1;
  while (true) {
    std::int64_t subscript = 0;
    const auto [next, error] = std::from_chars(at, end, subscript);
    if (error != std::errc()) return std::nullopt;
    target.subscripts.push_back(subscript);
    if (next == end) return target;
    if (*next != ',') return std::nullopt;
    at = next + 1;
    while (at != end && *at == ' ') ++at;
  }
}

// A value of the command line is an expression of the language: it is read as a declaration of its own.
const ast::Expression* parse_value(const std::string& whole, const std::string& text, Sources& sources,
                                   std::vector<ast::StoredDefinition>& trees) {
  // On a line of its own it is shown without what stands around it.
  const FileId file =
      sources.add("--override " + whole, fmt::format("model Override Real value =\n{}\n; end Override;", text));
  Diagnostics unseen;
  ast::StoredDefinition tree = parse(file, sources, unseen);
  if (unseen.has_errors() || tree.classes.size() != 1) return nullptr;
  const auto* body = std::get_if<ast::LongClass>(&tree.classes.front().node);
  if (!body || body->elements.size() != 1 || !body->equations.empty() || !body->algorithms.empty()) return nullptr;
  const auto* clause = std::get_if<ast::ComponentClause>(&body->elements.front().node);
  if (!clause || clause->components.size() != 1) return nullptr;
  trees.push_back(std::move(tree));
  return clause->components.front().modification.value.get();
}

Component* overridden_component(Elaboration& all, Scope& model, const std::string& name) {
  for (Component& component : model.components)
    if (component.name() == name || shown_name(all, component) == name) return &component;
  return nullptr;
}

void apply_override(Elaboration& all, Scope& model, const std::string& name, const std::string& text, Sources& sources,
                    std::vector<ast::StoredDefinition>& trees) {
  const std::string whole = name + "=" + text;
  constexpr std::string_view start = ".start";
  const bool of_start = name.ends_with(start);
  const std::string target = of_start ? name.substr(0, name.size() - start.size()) : name;
  Override given{{}, nullptr, whole};
  Component* component = overridden_component(all, model, target);
  if (!component)
    if (const auto split = split_subscripts(target)) {
      component = overridden_component(all, model, split->name);
      given.subscripts = split->subscripts;
    }
  if (!component) {
    std::vector<std::string_view> names;
    for (const Component& candidate : model.components)
      if (candidate.kind != Component::Kind::Constant) names.push_back(candidate.name());
    all.error(Code::WrongOverride, {},
              fmt::format("--override {}: {} has no parameter or variable '{}'{}", whole, model.path, target,
                          did_you_mean(target, names)));
    return;
  }
  if (component->kind == Component::Kind::Constant || component->element->is_final) {
    all.error(Code::WrongOverride, {},
              fmt::format("--override {}: '{}' is {} and cannot be changed", whole, component->name(),
                          component->element->is_final ? "final" : "a constant"))
        .note("declared here", component->syntax->range);
    return;
  }
  given.value = parse_value(whole, text, sources, trees);
  if (!given.value) {
    all.error(Code::WrongOverride, {}, fmt::format("--override {}: '{}' is not a value", whole, text));
    return;
  }
  component->overrides.push_back(std::move(given));
}

void check_elements(Elaboration& all, SourceRange name, const ast::LongClass& body) {
  if (body.extends) all.not_supported(name, "model extends");
  if (body.external) all.not_supported(body.external->range, "external models");
  for (const ast::Element& element : body.elements) {
    if (std::holds_alternative<ast::Extends>(element.node)) {
      all.not_supported(element.range, "extends");
      all.names_are_missing = true;
    }
    const bool is_class = std::holds_alternative<std::unique_ptr<ast::ClassDefinition>>(element.node);
    if (is_class && (element.redeclare || element.replaceable)) all.not_supported(element.range, "replaceable classes");
  }
}

void read_experiment(Elaboration& all, Scope& model, const std::vector<ast::Modifier>& annotation) {
  Locals locals;
  const Environment at{all, model, locals, Purpose::Setting};
  Experiment& experiment = all.model.experiment;
  for (const ast::Modifier& entry : annotation) {
    const auto* change = std::get_if<ast::ElementModification>(&entry.node);
    if (!change || to_string(change->name) != "experiment") continue;
    for (const ast::Modifier& setting : change->modification.modifiers) {
      const auto* item = std::get_if<ast::ElementModification>(&setting.node);
      if (!item || !item->modification.value) continue;
      const std::string name = to_string(item->name);
      const ast::Expression& value = *item->modification.value;
      if (name != "StartTime" && name != "StopTime" && name != "Tolerance" && name != "Interval") continue;
      const ParametersUsed used(all);
      const auto number = evaluate_number(at, value);
      if (!number) continue;
      if (name == "StartTime" || name == "StopTime")
        add_bindings(at, value, used.list(),
                     {name == "StartTime" ? Binding::Of::StartTime : Binding::Of::StopTime, 0, {*number}});
      if ((name == "Tolerance" || name == "Interval") && !(*number > 0.0))
        all.error(Code::WrongExperiment, value.range, fmt::format("{} must be positive, but is {}", name, *number));
      if (name == "Tolerance" && *number > 0.1)
        all.error(Code::WrongExperiment, value.range, fmt::format("Tolerance must be at most 0.1, but is {}", *number));
      if (name == "StartTime") experiment.start = *number;
      if (name == "StopTime") experiment.stop = *number;
      if (name == "Tolerance") experiment.tolerance = number;
      if (name == "Interval") experiment.interval = number;
    }
    if (experiment.stop < experiment.start)
      all.error(Code::WrongExperiment, entry.range,
                fmt::format("StopTime = {} is before StartTime = {}", experiment.stop, experiment.start));
  }
}

// The same equations once more, with the simplified forms of homotopy in the place of the actual ones.
void add_simplified_forms(Elaboration& all, Scope& model) {
  if (!all.has_homotopy || all.has_errors()) return;
  Model actual = all.model;
  all.model.equations.clear();
  all.model.initial_equations.clear();
  all.simplified = true;
  all.events.assigned.clear();
  finish_components(all, model);
  elaborate_equations(all, model);
  all.simplified = false;
  const std::vector<Equation> simplified = std::move(all.model.equations);
  all.model = std::move(actual);
  if (simplified.size() != all.model.equations.size()) return;
  for (std::size_t i = 0; i < simplified.size(); ++i)
    if (simplified[i].residual != all.model.equations[i].residual)
      all.model.equations[i].simplified = simplified[i].residual;
}

void mark_structural(Model& model, const Scope& scope) {
  for (const Component& component : scope.components)
    if (component.kind == Component::Kind::Parameter && component.structural && component.first >= 0)
      for (std::size_t k = 0; k < component.numeric.size(); ++k)
        model.parameters[static_cast<std::size_t>(component.first) + k].structural = true;
}

}  // namespace

}  // namespace language

std::optional<Model> elaborate(const ast::StoredDefinition& tree, const ReadOptions& options,
                               const std::shared_ptr<Sources>& sources, Diagnostics& diagnostics, Limits limits) {
  using namespace language;
  const std::unique_ptr<Scope> top = build_scopes(tree, diagnostics);
  Scope* chosen = choose_model(*top, options.model, sources->name(tree.file), diagnostics);
  if (!chosen) return std::nullopt;

  Model model;
  model.name = chosen->path;
  model.sources = sources;
  Elaboration all(model, *sources, diagnostics, limits);
  all.is_base_modelica = !tree.base_modelica.empty();
  const ast::LongClass& body = *chosen->body();
  check_elements(all, chosen->syntax->name.range, body);
  std::vector<ast::StoredDefinition> override_trees;
  override_trees.reserve(options.overrides.size());
  for (const auto& [name, text] : options.overrides) apply_override(all, *chosen, name, text, *sources, override_trees);
  mark_assigned_in_when(*chosen);
  resolve_all(all, *chosen);
  finish_components(all, *chosen);
  elaborate_equations(all, *chosen);
  add_simplified_forms(all, *chosen);
  check_vendor_settings(all, body.annotation);
  elaborate_invariants(all, *chosen, body.annotation);
  elaborate_boundary_values(all, *chosen, body.annotation);
  elaborate_lagrangian(all, *chosen, body.annotation);
  finish_events(all);
  read_experiment(all, *chosen, body.annotation);
  mark_structural(model, *chosen);
  if (diagnostics.has_errors()) return std::nullopt;
  return model;
}

}  // namespace driftless
