// Constants, parameters and variables: their leaves, and the order in which they are resolved.
#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "driftless/language/attribute_values.hpp"
#include "driftless/language/dependencies.hpp"
#include "driftless/language/elaboration.hpp"
#include "driftless/language/instantiate.hpp"
#include "driftless/language/parameter_values.hpp"

namespace driftless::language {

namespace {

bool is_supported(Elaboration& all, const Component& component) {
  const ast::Component& syntax = *component.syntax;
  const auto refuse = [&](SourceRange where, std::string_view what) {
    all.not_supported(where, what);
    return false;
  };
  if (!component.is_part() && syntax.modification.removes_value)
    return refuse(syntax.modification.range, "removal of a value by 'break'");
  return true;
}

// The parameter's elements in the model. Integers and Booleans may decide about the shape of the model, so they
// are numbers in its equations; Real parameters stay leaves, whose values can be changed without a new compilation.
void declare_parameter(Elaboration& all, Component& component) {
  if (!component.numeric.valid() || component.type.type == Type::String || component.type.type == Type::Object) return;
  const Shape& shape = component.numeric.shape();
  component.first = static_cast<int>(all.model.parameters.size());
  const bool leaves = component.type.type == Type::Real;
  std::vector<NodeId> elements;
  for (std::size_t k = 0; k < component.numeric.size(); ++k) {
    Parameter parameter;
    parameter.name = element_name(shown_name(all, component), shape, k);
    parameter.range = component.syntax->range;
    parameter.description = component.syntax->comment.text;
    parameter.value = all.pool.constant_value(component.numeric[k]);
    if (leaves) elements.push_back(all.pool.parameter(ParamId{component.first + static_cast<int>(k)}));
    all.model.parameters.push_back(std::move(parameter));
  }
  component.symbolic = leaves ? Value(Type::Real, shape, std::move(elements)) : component.numeric;
  component.structural |= !leaves;
}

// Would this many variables, with one equation for each, fit into the memory of the machine?
bool fits_in_memory(Elaboration& all, std::int64_t variables, SourceRange range) {
  // From the text to the first step: 2 kB for der(x) = -x (measured at 100,000 of them), and as much again for larger
  // equations and results.
  constexpr double bytes_per_variable = 4000.0;
  constexpr std::int64_t always = 100'000;
  if (variables <= always) return true;
  const double memory = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  const double needed = bytes_per_variable * static_cast<double>(variables);
  if (!(memory > 0.0) || needed <= memory) return true;
  all.error(Code::ModelTooLarge, range,
            fmt::format("{} variables would need about {:.0f} GB of memory, but the machine has {:.0f} GB", variables,
                        needed / 1e9, memory / 1e9));
  return false;
}

void declare_variable(const Environment& at, Component& component) {
  Elaboration& all = at.all;
  const ast::Component& syntax = *component.syntax;
  if (component.type.type == Type::Invalid) return;
  Value value;
  const bool is_open =
      std::ranges::any_of(component.type.dimensions, [](const Dimension& dimension) { return !*dimension.size; });
  if (is_open) value = component.given ? evaluate_given(at, component.given) : array_attribute(all, component);
  const auto shape = resolve_shape(at, component.type.dimensions, component.given || value.valid() ? &value : nullptr,
                                   component.name(), syntax.range);
  if (!shape) return;
  std::vector<Variable>& variables = all.model.variables;
  const std::int64_t size = count(*shape);
  if (!all.fits({static_cast<std::int64_t>(variables.size()) + size}, syntax.range)) return;
  if (!fits_in_memory(all, static_cast<std::int64_t>(variables.size()) + size, syntax.range)) return;

  if (!all.clocks.clocked.empty()) component.assigned_in_when |= all.clocks.clocked.contains(component.name());
  if (is_discrete(component)) return declare_discrete(all, component, *shape);
  component.first = static_cast<int>(variables.size());
  const std::string name = shown_name(all, component);
  std::vector<NodeId> leaves;
  leaves.reserve(static_cast<std::size_t>(size));
  for (std::size_t k = 0; k < static_cast<std::size_t>(size); ++k) {
    leaves.push_back(all.pool.variable(VarId{component.first + static_cast<int>(k)}));
    Variable& variable = variables.emplace_back();
    variable.name = element_name(name, *shape, k);
    variable.range = syntax.range;
    variable.description = syntax.comment.text;
    variable.unit = component.type.unit;
  }
  component.symbolic = Value(Type::Real, *shape, std::move(leaves));
}

// The initial equation `name = expression` that gives the parameter its value, and its place in the text.
struct StartEquation {
  const ast::Equation* syntax = nullptr;
  Scope* scope = nullptr;
};

StartEquation start_equation_of(const Component& component) {
  for (Scope& layer : component.instance->layers) {
    if (!layer.body()) continue;
    for (const ast::EquationSection& section : layer.body()->equations) {
      if (section.kind != ast::EquationKind::Initial) continue;
      for (const ast::Equation& equation : section.equations) {
        const auto* equality = std::get_if<ast::Equality>(&equation.node);
        const auto* left = equality ? equality->left.as<ast::Reference>() : nullptr;
        if (left && left->is_simple() && left->parts.front().name.text == component.identifier())
          return {&equation, &layer};
      }
    }
  }
  return {};
}

// Reads the value from the initial equation of the parameter, if it is known before the run.
bool take_start_equation(Elaboration& all, Component& component) {
  const StartEquation equation = start_equation_of(component);
  if (!equation.syntax || !component.overrides.empty()) return false;
  component.given = {&std::get<ast::Equality>(equation.syntax->node).right, equation.scope};
  const auto untouched = [](const Component& other) { return other.progress == Component::Progress::Untouched; };
  for (Component* needed : in_order_of_need(component, untouched))
    if (untouched(*needed)) resolve(all, *needed);
  Locals nothing;
  const ParametersUsed used(all);
  const bool muted = std::exchange(all.muted, true);
  const Value value = evaluate_given({all, *equation.scope, nothing, Purpose::ParameterValue}, component.given);
  all.muted = muted;
  const bool known = value.valid() && !waits_for_start(used.list()) &&
                     std::ranges::all_of(value.elements(),
                                         [&](NodeId element) { return std::isfinite(number_of(all.pool, element)); });
  if (!known) {
    component.given = {};
    return false;
  }
  all.answered_at_start.emplace(component.instance, equation.syntax);
  return component.known_at_start = true;
}

// Is the component present? Its condition is evaluated at the first call.
bool is_present(const Environment& at, Component& component) {
  const ast::ExpressionPtr& condition =
      component.original && !component.syntax->condition ? component.original->condition : component.syntax->condition;
  if (!condition) return true;
  Scope& scope = component.original && !component.syntax->condition ? *component.original_scope : *component.scope;
  const Environment inside{at.all, scope, at.locals, Purpose::Condition};
  const Value value = evaluate_condition(inside, *condition);
  component.removed = !value.valid() || number_of(at.all.pool, value.scalar()) == 0.0;
  return !component.removed;
}

void resolve_one(Elaboration& all, Component& component) {
  component.progress = Component::Progress::InProgress;
  const Reading reading(all, component.instance);
  Locals locals;
  Environment at{all, *component.scope, locals};
  find_type(all, component);
  if (component.type.type == Type::Object && component.kind == Component::Kind::Variable)
    component.kind = Component::Kind::Parameter;  // an object is made once
  if (is_found_at_start(at, component) && !take_start_equation(all, component)) {
    component.kind = Component::Kind::Variable;  // a variable with constant value
    component.unfixed = true;
  }
  if (!component.removed && is_present(at, component) && is_supported(all, component)) {
    if (component.is_part()) {
      make_parts(at, component);
    } else
      switch (component.kind) {
        case Component::Kind::Constant:
          at.purpose = Purpose::ConstantValue;
          resolve_value(at, component);
          component.symbolic = component.numeric;
          break;
        case Component::Kind::Parameter:
          at.purpose = Purpose::ParameterValue;
          resolve_value(at, component);
          break;
        case Component::Kind::Variable: declare_variable(at, component); break;
      }
  }
  component.progress = Component::Progress::Done;
}

}  // namespace

Flat instantiate_all(Elaboration& all, Instance& model) {
  Flat flat;
  struct Open {
    Instance* instance;
    std::size_t next;  // of its components, which may be added meanwhile (missing_inner.hpp)
    std::size_t part;  // of the component before
  };
  std::vector<Open> stack;
  const auto enter = [&](Instance& instance) {
    flat.instances.push_back(&instance);
    stack.push_back({&instance, 0, 0});
  };
  enter(model);
  while (!stack.empty() && !all.exhausted() && !all.contains_itself) {
    Open& open = stack.back();
    if (open.next == open.instance->components.size()) {
      stack.pop_back();
      continue;
    }
    Component& component = open.instance->components[open.next];
    {
      const Reading reading(all, component.instance);
      find_type(all, component);
    }
    if (component.is_part()) {
      resolve(all, component);
      if (open.part < component.parts.size()) {
        enter(*component.parts[open.part++]);
        continue;
      }
    } else {
      flat.components.push_back(&component);
    }
    ++open.next;
    open.part = 0;
  }
  return flat;
}

void resolve_all(Elaboration& all, const Flat& flat) {
  for (Component* component : flat.components) resolve(all, *component);
  for (Component* component : flat.components)
    if (component->kind == Component::Kind::Parameter) declare_parameter(all, *component);
}

std::string shown_name(const Elaboration& all, const Component& component) {
  const ast::Identifier& identifier = component.syntax->name;
  if (!all.is_base_modelica || !identifier.quoted()) return component.name();
  std::string name = ast::unquoted(identifier);
  // Quoted if it could otherwise be read as a derivative, the time, another variable or an element of one.
  const std::string array = name.substr(0, name.find('['));
  const bool has_subscript = array.size() < name.size();
  const bool ambiguous = name.starts_with("der(") || name == "time" || find(*component.scope, array).component ||
                         (has_subscript && find(*component.scope, "'" + array + "'").component);
  return ambiguous ? component.name() : name;
}

std::optional<std::size_t> override_place(Elaboration& all, const Component& component, const Shape& shape,
                                          const Override& given) {
  bool inside = given.subscripts.size() == shape.size();
  std::size_t place = 0;
  for (std::size_t d = 0; inside && d < shape.size(); ++d) {
    inside = given.subscripts[d] >= 1 && given.subscripts[d] <= shape[d];
    place = place * static_cast<std::size_t>(shape[d]) + static_cast<std::size_t>(given.subscripts[d] - 1);
  }
  if (inside) return place;
  all.error(Code::WrongOverride, {},
            fmt::format("--override {}: '{}' is {}", given.text, component.name(), to_string(shape)));
  return std::nullopt;
}

void resolve(Elaboration& all, Component& component) {
  if (component.progress != Component::Progress::Untouched) return;
  const auto untouched = [](const Component& other) { return other.progress == Component::Progress::Untouched; };
  for (Component* next : in_order_of_need(component, untouched))
    if (untouched(*next)) resolve_one(all, *next);
}

}  // namespace driftless::language
