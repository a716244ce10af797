#include "driftless/language/elaborate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "driftless/language/buses.hpp"
#include "driftless/language/elaboration.hpp"
#include "driftless/language/instantiate.hpp"
#include "driftless/language/libraries/libraries.hpp"
#include "driftless/language/parser.hpp"
#include "driftless/language/restrictions.hpp"
#include "driftless/language/scope.hpp"
#include "driftless/language/streams.hpp"
#include "driftless/language/subtypes.hpp"
#include "driftless/language/vendor_annotation.hpp"

namespace driftless {

namespace language {

namespace {

bool is_model(const Class& candidate) {
  const ast::ClassKind kind = candidate.syntax->kind;
  const bool has_equations =
      kind == ast::ClassKind::Model || kind == ast::ClassKind::Class || kind == ast::ClassKind::Block;
  return has_equations && !candidate.syntax->partial && (candidate.body() || candidate.synonym());
}

void collect_models(const Class& around, std::vector<const Class*>& models) {
  for (const Class& inner : around.classes) {
    if (is_model(inner)) models.push_back(&inner);
    collect_models(inner, models);
  }
}

// The class of a definition in the file: at the top, or in the library to which the file belongs.
const Class* class_of(const Class& top, const ast::StoredDefinition& tree, const ast::ClassDefinition& definition) {
  const auto place = top.by_name.find(definition.name.text);
  if (place != top.by_name.end() && place->second->syntax == &definition) return place->second;
  return tree.within ? class_at(top, to_string(*tree.within) + "." + definition.name.text) : nullptr;
}

// Finds a model requested by its full name only.
const Class* choose_library_model(const Class& top, const std::string& name, Diagnostics& diagnostics) {
  const Class* found = class_at(top, name);
  if (!found) {
    if (!diagnostics.has_errors()) top.libraries->report_missing(name, {});
    return nullptr;
  }
  if (is_model(*found)) return found;
  diagnostics
      .error(Code::NoModel, found->syntax->name.range,
             fmt::format("{} is a {}{}, which cannot be run", name, found->syntax->partial ? "partial " : "",
                         to_string(found->syntax->kind)))
      .note("'driftless list' names the models of a library");
  return nullptr;
}

// The requested model, by its full name or the last part of it; by default the last one of the file, preferring those
// outside of packages.
const Class* choose_model(const Class& top, const ast::StoredDefinition& tree, const std::string& wish,
                          const Sources& sources, Diagnostics& diagnostics) {
  if (tree.file == no_file) return choose_library_model(top, wish, diagnostics);
  const std::string& file = sources.name(tree.file);
  std::vector<const Class*> models;
  for (const ast::ClassDefinition& definition : tree.classes)
    if (const Class* made = class_of(top, tree, definition)) {
      if (is_model(*made)) models.push_back(made);
      collect_models(*made, models);
    }
  if (models.empty()) {
    Diagnostic& error = diagnostics.error(Code::NoModel, {}, fmt::format("there is no model in '{}'", file));
    if (tree.classes.empty()) error.note("it is empty, or contains nothing but comments");
    return nullptr;
  }
  if (wish.empty()) {
    const auto outermost = std::ranges::find_if(models.rbegin(), models.rend(), [&](const Class* model) {
      return model->syntax >= tree.classes.data() && model->syntax < tree.classes.data() + tree.classes.size();
    });
    return outermost != models.rend() ? *outermost : models.back();
  }
  std::vector<const Class*> matches;
  std::vector<std::string_view> names, similar;
  for (const Class* model : models) {
    if (model->path == wish) return model;
    if (model->syntax->name.text == wish) matches.push_back(model);
    names.push_back(model->path);
    similar.push_back(model->path);
    similar.push_back(model->syntax->name.text);
  }
  if (matches.size() == 1) return matches.front();
  if (const Class* elsewhere = matches.empty() && top.libraries ? class_at(top, wish) : nullptr;
      elsewhere && is_model(*elsewhere))
    return elsewhere;
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
  // On a line of its own, so that messages show it without its surroundings.
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

}  // namespace

// A value from outside may be for a whole component, r1.R, or for an element of it, x[2].
void take_override(Elaboration& all, Component& component) {
  if (all.overrides.empty()) return;
  for (const std::string& name : {component.name(), shown_name(all, component)}) {
    const auto places = all.overrides_by_name.find(name);
    if (places == all.overrides_by_name.end()) continue;
    for (const std::size_t k : places->second) {
      Elaboration::Outside& outside = all.overrides[k];
      if (std::exchange(outside.taken, true)) continue;
      if (component.kind == Component::Kind::Constant || component.is_final) {
        outside.refused = &component;
        continue;
      }
      if (!outside.value) continue;
      Override given{{}, outside.value, outside.text};
      if (outside.target != name)
        if (const auto split = split_subscripts(outside.target)) given.subscripts = split->subscripts;
      component.overrides.push_back(std::move(given));
    }
  }
}

namespace {

void read_overrides(Elaboration& all, const ReadOptions& options, Sources& sources,
                    std::vector<ast::StoredDefinition>& trees) {
  trees.reserve(options.overrides.size());
  for (const auto& [name, text] : options.overrides) {
    const std::string whole = name + "=" + text;
    constexpr std::string_view start = ".start";
    const bool of_start = name.ends_with(start);
    const std::string target = of_start ? name.substr(0, name.size() - start.size()) : name;
    const ast::Expression* value = parse_value(whole, text, sources, trees);
    const std::size_t place = all.overrides.size();
    all.overrides.push_back({target, whole, value});
    all.overrides_by_name[target].push_back(place);
    if (const auto split = split_subscripts(target)) all.overrides_by_name[split->name].push_back(place);
  }
}

void check_overrides(Elaboration& all, const Flat& flat) {
  for (const Elaboration::Outside& outside : all.overrides) {
    if (outside.taken && !outside.refused && !outside.value)
      all.error(Code::WrongOverride, {},
                fmt::format("--override {}: '{}' is not a value", outside.text,
                            outside.text.substr(outside.text.find('=') + 1)));
    if (outside.refused)
      all.error(Code::WrongOverride, {},
                fmt::format("--override {}: '{}' is {} and cannot be changed", outside.text, outside.refused->name(),
                            outside.refused->is_final ? "final" : "a constant"))
          .note("declared here", outside.refused->syntax->range);
    if (outside.taken) continue;
    std::vector<std::string> names;
    std::vector<std::string_view> candidates;
    for (const Component* component : flat.components)
      if (component->kind != Component::Kind::Constant) names.push_back(component->name());
    if (all.may_compare_names(names.size())) candidates.assign(names.begin(), names.end());
    all.error(Code::WrongOverride, {},
              fmt::format("--override {}: {} has no parameter or variable '{}'{}", outside.text, all.model.name,
                          outside.target, did_you_mean(outside.target, candidates)));
  }
}

void check_layers(Elaboration& all, const Flat& flat) {
  for (const Instance* instance : flat.instances)
    for (const Scope& layer : instance->layers)
      if (layer.body() && layer.body()->external) all.not_supported(layer.body()->external->range, "external models");
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
        add_bindings(at, {&value, &at.scope}, used.list(),
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

// The same equations once more, with the simplified forms of homotopy instead of the actual ones.
void add_simplified_forms(Elaboration& all, const Flat& flat) {
  if (!all.has_homotopy || all.has_errors() || all.clocks.any()) return;
  Model actual = all.model;
  all.model.equations.clear();
  all.model.initial_equations.clear();
  all.simplified = true;
  all.events.assigned.clear();
  finish_components(all, flat);
  elaborate_equations(all, flat);
  all.simplified = false;
  const std::vector<Equation> simplified = std::move(all.model.equations);
  all.model = std::move(actual);
  if (simplified.size() != all.model.equations.size()) return;
  for (std::size_t i = 0; i < simplified.size(); ++i)
    if (simplified[i].residual != all.model.equations[i].residual)
      all.model.equations[i].simplified = simplified[i].residual;
}

void mark_structural(Model& model, const Flat& flat) {
  for (const Component* component : flat.components)
    if (component->kind == Component::Kind::Parameter && component->structural && component->first >= 0)
      for (std::size_t k = 0; k < component->numeric.size(); ++k)
        model.parameters[static_cast<std::size_t>(component->first) + k].structural = true;
}

std::unique_ptr<Instance> instantiate_model(Elaboration& all, const Class& top, const Class& chosen) {
  all.top = std::make_unique<Instance>(all);
  all.top->of = &top;
  Scope& scope = all.top->layers.emplace_back();
  scope.instance = all.top.get();
  scope.of = &top;
  const LocalClass* local = local_class_of(all, chosen);
  if (!local) return nullptr;
  auto model = make_instance(all, {local->of, local->around, local->modifiers, local->inherited}, {});
  all.root = model.get();
  return model;
}

// Reads the model once. If Real components are found to be clocked that are not in `clocked`, these are added and
// nothing is returned.
std::optional<Model> elaborate_once(const Class& top, const Class& chosen, const ast::StoredDefinition& tree,
                                    const ReadOptions& options, const std::shared_ptr<Sources>& sources,
                                    Diagnostics& diagnostics, Limits limits, std::set<std::string>& clocked,
                                    std::set<std::string>& jumping) {
  Model model;
  // The package and the model of Base Modelica have the same name, in quotes: package 'P.M' model 'P.M'.
  const bool is_flat = !tree.base_modelica.empty() && chosen.syntax;
  model.name = is_flat ? unquoted(chosen.syntax->name) : chosen.path;
  model.sources = sources;
  Elaboration all(model, *sources, diagnostics, limits);
  all.is_base_modelica = !tree.base_modelica.empty();
  all.allow_external = options.allow_external;
  all.clocks.clocked = clocked;
  all.events.jumping = jumping;
  std::vector<ast::StoredDefinition> override_trees;
  read_overrides(all, options, *sources, override_trees);
  const std::unique_ptr<Instance> instance = instantiate_model(all, top, chosen);
  if (!instance) return std::nullopt;
  Flat flat = instantiate_all(all, *instance);
  if (expand_buses(all, flat)) flat = instantiate_all(all, *instance);
  all.connection_facts.flat = &flat;
  check_overrides(all, flat);
  check_layers(all, flat);
  resolve_all(all, flat);
  check_streams(all, flat);
  finish_components(all, flat);
  elaborate_equations(all, flat);
  if (find_clocked_components(all, flat)) {
    clocked = std::move(all.clocks.clocked);
    return std::nullopt;
  }
  check_components(all, flat);
  check_subtypes(all, flat);
  check_balance(all, flat);
  replace_semi_linear_chains(all);
  add_simplified_forms(all, flat);
  Scope& scope = instance->own();
  if (const ast::LongClass* body = scope.body()) {
    check_vendor_settings(all, body->annotation);
    elaborate_invariants(all, scope, body->annotation);
    elaborate_boundary_values(all, scope, body->annotation);
    elaborate_lagrangian(all, scope, body->annotation);
    // Always read, so that the expressions of the model are the same with and without it.
    std::vector<AnimatedShape> shapes = elaborate_animation(all, scope, body->annotation);
    if (options.animation) *options.animation = std::move(shapes);
  }
  finish_events(all);
  if (all.events.jumping.size() > jumping.size()) {
    jumping = std::move(all.events.jumping);
    return std::nullopt;
  }
  if (const ast::LongClass* body = scope.body()) read_experiment(all, scope, body->annotation);
  mark_structural(model, flat);
  if (diagnostics.has_errors()) return std::nullopt;
  return model;
}

// Drops the errors found since `before`, except those of files, which are read only once.
void forget_since(Diagnostics before, Diagnostics& diagnostics) {
  for (std::size_t k = before.all().size(); k < diagnostics.all().size(); ++k) {
    const Diagnostic& found = diagnostics.all()[k];
    if (static_cast<int>(found.code) >= 200 && found.code < Code::CannotRead) continue;
    Diagnostic& kept = found.severity == Severity::Error ? before.error(found.code, found.range, found.message)
                                                         : before.warning(found.code, found.range, found.message);
    kept.notes = found.notes;
  }
  diagnostics = std::move(before);
}

}  // namespace

}  // namespace language

std::optional<Model> elaborate(const ast::StoredDefinition& tree, const ReadOptions& options,
                               const std::shared_ptr<Sources>& sources, Diagnostics& diagnostics, Limits limits,
                               language::Libraries* libraries) {
  using namespace language;
  const std::unique_ptr<Class> top = build_classes(tree, diagnostics, libraries);
  const Class* chosen = choose_model(*top, tree, options.model, *sources, diagnostics);
  if (!chosen) return std::nullopt;

  std::set<std::string> clocked, jumping;
  while (true) {
    const std::size_t known = clocked.size() + jumping.size();
    const Diagnostics before = diagnostics;
    std::optional<Model> model =
        elaborate_once(*top, *chosen, tree, options, sources, diagnostics, limits, clocked, jumping);
    if (clocked.size() + jumping.size() == known) return model;
    forget_since(before, diagnostics);
    if (diagnostics.has_errors()) return std::nullopt;
  }
}

}  // namespace driftless
