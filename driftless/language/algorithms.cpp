#include "driftless/language/algorithms.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/expr/print.hpp"
#include "driftless/language/dependencies.hpp"
#include "driftless/language/records.hpp"
#include "driftless/language/when.hpp"

namespace driftless::language {

namespace {

// Represents the start value of a variable while a section is executed: a leaf that no equation contains.
constexpr int order_of_start = 1'000'000;

// The value of a variable before its first assignment.
NodeId value_before(Model& model, NodeId leaf) {
  Pool& pool = *model.pool;
  const Node node = pool[leaf];
  if (node.op == Op::Variable) return pool.variable(VarId{static_cast<std::int32_t>(node.a)}, order_of_start);
  if (const auto place = discrete_variable_of(model, leaf)) return pool.parameter(model.discrete.variables[*place].pre);
  return pool.constant(model.parameters[node.a].value);  // the guess of a parameter that is computed at the start
}

NodeId start_of(const Model& model, std::size_t variable) {
  for (const Binding& binding : model.bindings)
    if (binding.of == Binding::Of::Start && binding.place == variable) return binding.value;
  return model.pool->constant(model.variables[variable].start.value_or(0.0));
}

}  // namespace

void SectionOfModel::note_value(const Pool& pool, const Value& value) {
  if (value.valid() && value.type() != Type::String) add_quiet(pool, value, in_when() ? inside_ : outside_);
}

QuietNodes SectionOfModel::quiet() const {
  QuietNodes quiet = inside_;
  for (const NodeId node : outside_) quiet.erase(node);
  quiet.insert(quiet_before_.begin(), quiet_before_.end());
  quiet.insert(all_.events.quiet.begin(), all_.events.quiet.end());
  return quiet;
}

bool SectionOfModel::note_assignment(const Environment& at, const Local& local, const std::vector<std::size_t>* part,
                                     const Value& value, SourceRange statement) {
  Variable& variable = *std::ranges::find(variables, local.name, &Variable::name);
  std::vector<std::size_t> places;
  if (part)
    places = *part;
  else
    for (std::size_t k = 0; k < variable.assigned.size(); ++k) places.push_back(k);
  if (places.empty()) return true;  // an array without elements
  for (const std::size_t place : places) {
    variable.assigned[place] = statement;
    if (!variable.leaves.is_record() || may_be_assigned(variable.leaves[place])) continue;
    at.error(Code::NotAssignable, statement,
             fmt::format("{} has members that are known before the run and cannot be assigned", local.name));
    return false;
  }
  const std::size_t places_of_each = std::max<std::size_t>(1, places.size() / std::max<std::size_t>(1, value.size()));
  for (std::size_t k = 0; k < value.size() && !in_when(); ++k) {
    const NodeId element = value[k];
    const std::size_t place = places[std::min(k * places_of_each, places.size() - 1)];
    if (!discrete_value(model_, variable.leaves[place])) continue;
    if (element == unassigned || !varies(at.all.pool, hold(model_, element, quiet()))) continue;
    at.error(Code::WrongDiscreteEquation, statement,
             fmt::format("{} changes at events only, but the value here changes continuously", local.name))
        .note("assign it in a when statement, or declare it as a continuous variable");
    return false;
  }
  return true;
}

bool SectionOfModel::may_be_assigned(NodeId leaf) const {
  return (*model_.pool)[leaf].op == Op::Variable || discrete_value(model_, leaf) || initial;
}

bool SectionOfModel::may_begin_when(const Environment& at, SourceRange range, NodeId taken) const {
  const char* reason = in_when()                              ? "inside of another one"
                       : initial                              ? "in an initial algorithm"
                       : !at.all.pool.is_constant(taken, 1.0) ? "inside of an if whose condition changes during the run"
                                                              : nullptr;
  if (reason) at.error(Code::WhenMisplaced, range, fmt::format("a when statement is not allowed {}", reason));
  return !reason;
}

std::optional<std::vector<NodeId>> SectionOfModel::active(const Environment& at,
                                                          const std::vector<const ast::Expression*>& conditions) {
  quiet_before_.insert(all_.events.quiet.begin(), all_.events.quiet.end());
  return active_branches(at, conditions);
}

bool SectionOfModel::call(const Environment& at, const ast::Call& call, SourceRange range, NodeId taken) {
  if (!in_when() || !call.function.is_simple()) return false;
  const std::string name = call.function.dotted();
  if (name != "reinit" && name != "terminate") return false;
  const Reached reached(all_, taken);
  if (name == "terminate") {
    add_termination(at, call, range);
    return true;
  }
  const auto* target = call.arguments.empty() ? nullptr : call.arguments.front().value.as<ast::Reference>();
  const auto is_it = [&](const Variable& variable) { return variable.name == target->parts.front().name.text; };
  if (target && std::ranges::any_of(variables, is_it))
    at.error(Code::WrongReinit, range,
             fmt::format("reinit is for states, but {} is assigned by this algorithm", to_string(*target)));
  else
    add_reinit(at, call, range);
  return true;
}

namespace {

// Turns one algorithm section into equations.
class SectionElaboration {
 public:
  SectionElaboration(Elaboration& all, Scope& model, const ast::AlgorithmSection& syntax)
      : all_(all), syntax_(syntax), section_(all, syntax), frame_{model, {}} {}

  void run() {
    all_.events.quiet.clear();
    std::vector<Equation>& equations = section_.initial ? all_.model.initial_equations : all_.model.equations;
    const std::size_t first = equations.size();
    const Counts before(all_.model);
    if (!declare() || !execute(all_, frame_, section_, syntax_.statements)) return;
    put_starts_in(before);
    for (std::size_t v = 0; v < section_.variables.size(); ++v) add_equations(v);
    all_.events.quiet = section_.quiet();
    note_quiet_relations(all_, equations, first);
  }

 private:
  // The sizes of the model's lists before the section.
  struct Counts {
    explicit Counts(const Model& model)
        : assertions(model.assertions.size()),
          held(model.discrete.held.size()),
          equations(model.discrete.equations.size()),
          reinits(model.discrete.reinits.size()),
          terminations(model.discrete.terminations.size()),
          event_assertions(model.discrete.assertions.size()) {}
    std::size_t assertions, held, equations, reinits, terminations, event_assertions;
  };

  // Inserts start values into what statements have added besides assignments.
  void put_starts_in(const Counts& before) {
    Model& model = all_.model;
    DiscretePart& part = model.discrete;
    const auto put = [&](NodeId& expression, SourceRange range) { expression = with_starts(expression, range); };
    for (std::size_t k = before.assertions; k < model.assertions.size(); ++k)
      put(model.assertions[k].condition, model.assertions[k].range);
    for (std::size_t k = before.held; k < part.held.size(); ++k) {
      part.held_places.erase(part.held[k].expression);
      put(part.held[k].expression, part.held[k].range);
      part.held_places.emplace(part.held[k].expression, k);
    }
    for (std::size_t k = before.equations; k < part.equations.size(); ++k)
      put(part.equations[k].right, part.equations[k].range);
    for (std::size_t k = before.terminations; k < part.terminations.size(); ++k)
      put(part.terminations[k].condition, part.terminations[k].range);
    for (std::size_t k = before.event_assertions; k < part.assertions.size(); ++k)
      put(part.assertions[k].condition, part.assertions[k].range);
    for (std::size_t k = before.reinits; k < part.reinits.size(); ++k) {
      put(part.reinits[k].condition, part.reinits[k].range);
      put(part.reinits[k].value, part.reinits[k].range);
    }
  }

  // A variable for each name that is assigned.
  bool declare() {
    bool valid = true;
    for (const ast::Reference* target : assigned_targets(syntax_.statements)) {
      const ast::Identifier& name = target->parts.front().name;
      if (find_local(frame_.locals, name.text)) continue;
      Component* component = find_in(*frame_.function.instance, name.text).component;
      if (!component) {
        report_unknown(target);
        valid = false;
      } else if (may_be_assigned(*component, *target) && declare(*component)) {
        continue;
      } else {
        valid = false;
      }
    }
    return valid;
  }

  void report_unknown(const ast::Reference* target) {
    std::vector<std::string_view> names;
    for (const Component& component : frame_.function.instance->components) names.push_back(component.identifier());
    all_.error(Code::UnknownName, target->range,
               fmt::format("'{}' is not a variable of {}{}", to_string(*target), frame_.function.path(),
                           did_you_mean(target->parts.front().name.text, names)));
  }

  // False if its declaration has failed, which was reported.
  bool may_be_assigned(const Component& component, const ast::Reference& target) {
    const bool found_at_start = section_.initial && component.unfixed;
    const char* what = component.kind == Component::Kind::Constant                      ? "a constant"
                       : component.kind == Component::Kind::Parameter && found_at_start ? nullptr
                       : component.kind == Component::Kind::Parameter                   ? "a parameter"
                       : component.prefixes.causality == ast::Causality::Input          ? "an input"
                                                                                        : nullptr;
    if (component.syntax->condition) {
      all_.error(Code::ComponentAbsent, target.range,
                 fmt::format("'{}' exists only under a condition: it can be connected, but not assigned",
                             component.name()))
          .note("declared here", component.syntax->range);
      return false;
    }
    if (what)
      all_.error(Code::NotAssignable, target.range,
                 fmt::format("'{}' is {} and cannot be assigned", component.name(), what));
    if (what || !component.is_part()) return !what && component.symbolic.valid();
    const bool is_record = !component.parts.empty() && is_record_class(*component.parts.front()->of);
    if (!is_record)
      all_.not_supported(target.range, "an assignment to an element of a component in an algorithm section");
    return is_record;
  }

  bool declare(Component& component) {
    Locals nothing;
    const Value leaves = component.is_part() ? whole_value({all_, frame_.function, nothing, Purpose::Equation},
                                                           component, component.syntax->range)
                                             : component.symbolic;
    if (!leaves.valid()) return false;
    Local local{component.syntax->name.text, Local::Kind::OfSection, leaves};
    local.index_types = component.index_types;
    const std::span<NodeId> elements = local.value.change();
    for (std::size_t k = 0; k < elements.size(); ++k)
      if (!component.is_part() || (is_target(leaves, local.name, k) && section_.may_be_assigned(elements[k])))
        elements[k] = value_before(all_.model, elements[k]);
    section_.variables.push_back({local.name, leaves, std::vector<SourceRange>(leaves.size())});
    frame_.locals.push_back(std::move(local));
    return true;
  }

  // Does a statement assign the record of this name, or the member of it that has its k-th element? Other members keep
  // their values.
  bool is_target(const Value& record, std::string_view name, std::size_t k) const {
    const std::size_t place = k % record.stride();
    const auto has_it = [&](const RecordMember& each) { return place >= each.first && place < each.first + each.size; };
    const auto member = std::ranges::find_if(record.layout()->members, has_it);
    return std::ranges::any_of(assigned_targets(syntax_.statements), [&](const ast::Reference* target) {
      if (target->parts.front().name.text != name) return false;
      return target->parts.size() == 1 || member == record.layout()->members.end() ||
             target->parts[1].name.text == member->name;
    });
  }

  void add_equations(std::size_t v) {
    const SectionOfModel::Variable& variable = section_.variables[v];
    const Value& value = frame_.locals[v].value;
    const Shape& shape = variable.leaves.shape();
    for (std::size_t k = 0; k < value.size() && !all_.exhausted(); ++k) {
      const SourceRange statement = variable.assigned[k];
      if (!statement.known()) continue;
      const std::string which =
          variable.leaves.is_record()
              ? fmt::format("[{}]", to_string(all_.pool, variable.leaves[k], names_of(all_.model)))
          : shape.empty() ? std::string()
                          : element_subscripts(shape, k);
      const NodeId leaf = variable.leaves[k], result = with_starts(value[k], statement);
      if (discrete_value(all_.model, leaf))
        add_discrete_equation(leaf, result, which, statement);
      else
        all_.add_equation(section_.initial ? all_.model.initial_equations : all_.model.equations, all_.site(statement),
                          which, all_.pool.sub(leaf, result));
    }
  }

  void add_discrete_equation(NodeId leaf, NodeId value, const std::string& which, SourceRange statement) {
    DiscretePart& part = all_.model.discrete;
    const EquationSite& site = all_.site(statement);
    (section_.initial ? part.initial_equations : part.equations)
        .push_back({leaf, hold(all_.model, value, section_.quiet(), statement), all_.label(site, which), site.text,
                    statement});
  }

  // Inserts start values of variables that some path does not assign.
  NodeId with_starts(NodeId value, SourceRange statement) {
    Substitution substitution(all_.pool, [&](NodeId leaf) -> std::optional<NodeId> {
      const Node node = all_.pool[leaf];
      if (node.op != Op::Variable || static_cast<int>(node.b) < order_of_start) return std::nullopt;
      if (static_cast<int>(node.b) > order_of_start) return all_.pool.zero();  // a start does not change
      const auto& variable = all_.model.variables[node.a];
      if (!variable.start)
        all_.warning(Code::NoValueGiven, statement,
                     fmt::format("'{}' is not assigned on every way to this place, and has no start: 0 is taken",
                                 variable.name));
      return start_of(all_.model, node.a);
    });
    return substitution(value);
  }

  Elaboration& all_;
  const ast::AlgorithmSection& syntax_;
  SectionOfModel section_;
  Frame frame_;
};

}  // namespace

void elaborate_algorithms(Elaboration& all, Scope& model) {
  for (const ast::AlgorithmSection& section : model.body()->algorithms) {
    if (all.exhausted()) return;
    SectionElaboration(all, model, section).run();
  }
}

}  // namespace driftless::language
