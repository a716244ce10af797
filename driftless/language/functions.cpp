#include "driftless/language/functions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/language/dependencies.hpp"

namespace driftless::language {

namespace {

// A function without an algorithm: output Real y = 2*u.
bool values_are_declared(const Scope& function) {
  return std::ranges::all_of(function.components, [](const Component& component) {
    return component.clause->causality != ast::Causality::Output || component.syntax->modification.value;
  });
}

bool is_supported(Elaboration& all, const Scope& function, SourceRange call) {
  const ast::LongClass* body = function.body();
  const auto refuse = [&](SourceRange range, const std::string& what) {
    all.not_supported(range, what);
    return false;
  };
  if (!body) return refuse(function.syntax->name.range, "functions defined by '='");
  if (body->external) return refuse(body->external->range, fmt::format("the external function '{}'", function.path));
  for (const ast::Element& element : body->elements)
    if (std::holds_alternative<ast::Extends>(element.node)) return refuse(element.range, "extends in functions");
  if (function.syntax->partial || (body->algorithms.empty() && !values_are_declared(function))) {
    all.error(Code::NoAlgorithm, call, fmt::format("the function '{}' has no algorithm", function.path))
        .note("declared here", function.syntax->name.range);
    return false;
  }
  return true;
}

Local::Kind kind_of(const Component& component) {
  switch (component.clause->causality) {
    case ast::Causality::Input: return Local::Kind::Input;
    case ast::Causality::Output: return Local::Kind::Output;
    case ast::Causality::Unspecified: return Local::Kind::Protected;
  }
  return Local::Kind::Protected;
}

struct Given {
  const Component* input;
  Value value;
  SourceRange range;
};

// Which argument goes to which input. Nothing if one of them has no place or no value.
std::optional<std::vector<Given>> match_arguments(const Environment& at, const Scope& function, const ast::Call& call,
                                                  SourceRange range) {
  std::vector<const Component*> inputs;
  for (const Component& component : function.components)
    if (component.clause->causality == ast::Causality::Input) inputs.push_back(&component);
  std::vector<Given> given;
  bool valid = true;
  for (std::size_t k = 0; k < call.arguments.size(); ++k) {
    const ast::CallArgument& argument = call.arguments[k];
    const Component* input = nullptr;
    if (argument.name.empty()) {
      if (k >= inputs.size()) {
        at.error(Code::WrongNumberOfArguments, range,
                 fmt::format("{} takes {} argument{}, but {} are given", function.path, inputs.size(),
                             inputs.size() == 1 ? "" : "s", call.arguments.size()))
            .note("declared here", function.syntax->name.range);
        return std::nullopt;
      }
      input = inputs[k];
    } else {
      std::vector<std::string_view> names;
      for (const Component* candidate : inputs) {
        names.push_back(candidate->name());
        if (candidate->name() == argument.name.text) input = candidate;
      }
      if (!input) {
        at.error(Code::UnknownArgument, argument.name.range,
                 fmt::format("{} has no input '{}'{}", function.path, argument.name.text,
                             did_you_mean(argument.name.text, names)));
        valid = false;
        continue;
      }
    }
    if (std::ranges::any_of(given, [&](const Given& other) { return other.input == input; })) {
      at.error(Code::UnknownArgument, argument.value.range,
               fmt::format("the input '{}' of {} is given twice", input->name(), function.path));
      valid = false;
      continue;
    }
    given.push_back({input, evaluate(at, argument.value), argument.value.range});
    valid = valid && given.back().value.valid();
  }
  return valid ? std::optional(std::move(given)) : std::nullopt;
}

// Gives the function's variables their first values, those first that others need.
bool declare_locals(Elaboration& all, Frame& frame, const std::vector<Given>& given, SourceRange call) {
  const Environment inside{all, frame.function, frame.locals};
  for (Component* component : declaration_order(all, frame.function)) {
    const Given* argument = nullptr;
    for (const Given& candidate : given)
      if (candidate.input == component) argument = &candidate;
    const bool missing =
        !argument && !component->syntax->modification.value && kind_of(*component) == Local::Kind::Input;
    if (missing) {
      all.error(Code::WrongNumberOfArguments, call,
                fmt::format("{} needs a value for its input '{}'", frame.function.path, component->name()))
          .note("declared here", component->syntax->name.range);
      return false;
    }
    auto local = declare_local(inside, *component, argument ? &argument->value : nullptr,
                               argument ? argument->range : component->syntax->range);
    if (!local) return false;
    frame.locals.push_back(std::move(*local));
  }
  return true;
}

std::vector<Value> outputs_of(Elaboration& all, Frame& frame, SourceRange call) {
  std::vector<Value> outputs;
  for (const Component& component : frame.function.components) {
    if (component.clause->causality != ast::Causality::Output) continue;
    const Local* local = find_local(frame.locals, component.name());
    const auto elements = local->value.elements();
    if (std::ranges::find(elements, unassigned) != elements.end()) {
      all.error(Code::OutputNotAssigned, component.syntax->range,
                fmt::format("the output '{}' of {} is not assigned on every way through it", component.name(),
                            frame.function.path))
          .note("called here", call);
      return {Value()};
    }
    outputs.push_back(local->value);
  }
  return outputs;
}

bool may_call(Elaboration& all, const Scope& function, SourceRange call) {
  if (all.recursion_failed) return false;
  if (all.call_depth < all.limits.recursion) return all.may_nest(call);
  all.recursion_failed = true;
  all.error(Code::EndlessExpansion, call,
            fmt::format("recursion deeper than {}: '{}' calls itself without an end that is known before the run",
                        all.limits.recursion, function.path));
  return false;
}

}  // namespace

const std::vector<Component*>& declaration_order(Elaboration& all, Scope& function) {
  const auto [place, fresh] = all.declaration_orders.try_emplace(&function);
  if (!fresh) return place->second;
  std::vector<Component*> order;
  for (Component& component : function.components) {
    component.type = resolve_type(all, component);
    const auto wanted = [&](const Component& other) { return other.scope == &function; };
    for (Component* needed : in_order_of_need(component, wanted))
      if (std::ranges::find(order, needed) == order.end()) order.push_back(needed);
  }
  return place->second = std::move(order);
}

std::optional<Local> declare_local(const Environment& at, const Component& component, const Value* given,
                                   SourceRange given_at) {
  const std::string& name = component.name();
  const ResolvedType& type = component.type;
  if (type.type == Type::Invalid) return std::nullopt;
  Local local{component.syntax->name.text, kind_of(component), {}};
  local.resizable = std::ranges::any_of(type.dimensions, [](const Dimension& size) { return !*size.size; });

  Value value;
  if (given)
    value = *given;
  else if (const auto& binding = component.syntax->modification.value) {
    value = evaluate(at, *binding);
    given_at = binding->range;
    given = &value;
  }
  if (given) {
    value = convert(at, value, type.type, given_at, fmt::format("'{}' of {}", name, at.scope.path), type.enumeration);
    if (!value.valid()) return std::nullopt;
    if (static_cast<std::size_t>(value.rank()) != type.dimensions.size()) {
      at.error(
          Code::ShapesDiffer, given_at,
          fmt::format("'{}' of {} is {}, but this is {}", name, at.scope.path,
                      type.dimensions.empty() ? "a scalar" : fmt::format("an array of rank {}", type.dimensions.size()),
                      to_string(value.shape())));
      return std::nullopt;
    }
    const auto shape = resolve_shape(at, type.dimensions, &value, name, component.syntax->range);
    if (!shape) return std::nullopt;
    if (*shape != value.shape()) {
      at.error(Code::ShapesDiffer, given_at,
               fmt::format("'{}' of {} is {}, but this is {}", name, at.scope.path, to_string(*shape),
                           to_string(value.shape())));
      return std::nullopt;
    }
    local.value = std::move(value);
    return local;
  }

  const Value empty(type.type, Shape(type.dimensions.size(), 0),
                    std::vector<NodeId>(type.dimensions.empty() ? 1 : 0, unassigned));
  const auto shape = resolve_shape(at, type.dimensions, &empty, name, component.syntax->range);
  if (!shape) return std::nullopt;
  local.value = Value(type.type, *shape, std::vector<NodeId>(static_cast<std::size_t>(count(*shape)), unassigned));
  return local;
}

Local* assignable(const Environment& at, const ast::Reference& target) {
  const ast::Identifier& name = target.parts.front().name;
  Local* local = find_local(at.locals, name.text);
  if (!local) {
    std::vector<std::string_view> names;
    for (const Local& candidate : at.locals) names.push_back(candidate.name);
    at.error(Code::UnknownName, target.range,
             fmt::format("'{}' is not a variable of {}{}", to_string(target), at.scope.path,
                         did_you_mean(name.text, names)));
    return nullptr;
  }
  if (target.parts.size() > 1) {
    at.error(Code::UnknownName, target.range,
             fmt::format("'{}' has no member '{}'", name.text, target.parts[1].name.text));
    return nullptr;
  }
  if (local->kind == Local::Kind::Input || local->kind == Local::Kind::Iterator) {
    at.error(Code::NotAssignable, target.range,
             fmt::format("'{}' is {} and cannot be assigned", name.text,
                         local->kind == Local::Kind::Input ? "an input" : "the variable of a loop"));
    return nullptr;
  }
  return local;
}

Value fit_for(const Environment& at, const Local& target, const std::optional<Slice>& part, const Value& value,
              SourceRange range) {
  Value fitting = convert(at, value, target.value.type(), range, fmt::format("the value of '{}'", target.name));
  if (!fitting.valid()) return {};
  const Shape& wanted = part ? part->shape : target.value.shape();
  const bool fits = fitting.shape() == wanted || (!part && target.resizable && fitting.shape().size() == wanted.size());
  if (fits) return fitting;
  at.error(Code::ShapesDiffer, range,
           fmt::format("the value is {}, but its target is {}", to_string(fitting.shape()), to_string(wanted)));
  return {};
}

bool runs_over_known_values(const Environment& at, const ast::Iterator& iterator) {
  const auto* range = iterator.range ? iterator.range->as<ast::Range>() : nullptr;
  if (!range) return true;
  const auto known = [&](const ast::ExpressionPtr& bound) {
    if (!bound) return true;
    const Value value = evaluate(at.with(Purpose::Range), *bound);
    return !value.valid() || !value.is_scalar() || at.all.pool.is_constant(value.scalar());
  };
  return known(range->first) && known(range->step) && known(range->last);
}

namespace {

std::vector<Value> call_once(Elaboration& all, Scope& function, const std::vector<Given>& given, SourceRange range) {
  constexpr std::int64_t cost_of_call = 20;  // in evaluations of an expression
  if (!all.spend(range, cost_of_call)) return {Value()};
  ++all.call_depth;
  Frame frame{function, {}};
  std::vector<Value> results{Value()};
  if (declare_locals(all, frame, given, range)) {
    const Locals bound = frame.locals;
    switch (execute(all, frame)) {
      case Execution::Done: results = outputs_of(all, frame, range); break;
      case Execution::NeedsProgram: results = call_program(all, {function, bound}); break;
      case Execution::Failed: break;
    }
  }
  if (--all.call_depth == 0) all.recursion_failed = false;
  return results;
}

// The dimensions that all arguments have in common beyond those of their inputs: a function of scalars is applied to
// every element (Modelica 3.6, Section 12.4.6). Nothing, with an error, if they differ.
std::optional<Shape> common_extra_shape(const Environment& at, Scope& function, const std::vector<Given>& given) {
  declaration_order(at.all, function);  // resolves the types of the inputs
  Shape extra;
  for (const Given& argument : given) {
    const std::size_t own = argument.input->type.dimensions.size();
    const Shape& shape = argument.value.shape();
    if (shape.size() <= own) continue;
    const Shape beyond(shape.begin(), shape.end() - static_cast<std::ptrdiff_t>(own));
    if (extra.empty()) {
      extra = beyond;
    } else if (beyond != extra) {
      at.error(Code::ShapesDiffer, argument.range,
               fmt::format("{} is applied to every element, but this has the shape {}, and another argument {}",
                           function.path, to_string(beyond), to_string(extra)));
      return std::nullopt;
    }
  }
  return extra;
}

std::vector<Value> call_by_elements(Elaboration& all, Scope& function, const std::vector<Given>& given,
                                    const Shape& extra, SourceRange range) {
  const auto turns = static_cast<std::size_t>(count(extra));
  std::vector<std::vector<NodeId>> elements;
  std::vector<Value> first;
  for (std::size_t turn = 0; turn < turns; ++turn) {
    std::vector<Given> own = given;
    for (Given& argument : own) {
      const std::size_t rank = argument.input->type.dimensions.size();
      const Shape& shape = argument.value.shape();
      if (shape.size() <= rank) continue;
      const Shape inner(shape.end() - static_cast<std::ptrdiff_t>(rank), shape.end());
      const auto size = static_cast<std::size_t>(count(inner));
      const auto all_elements = argument.value.elements().subspan(turn * size, size);
      argument.value = Value(argument.value.type(), inner, {all_elements.begin(), all_elements.end()})
                           .of_enumeration(argument.value.enumeration());
    }
    std::vector<Value> results = call_once(all, function, own, range);
    if (turn == 0) first = results, elements.resize(results.size());
    for (std::size_t k = 0; k < results.size(); ++k) {
      if (!results[k].valid() || results[k].shape() != first[k].shape()) return {Value()};
      elements[k].insert(elements[k].end(), results[k].elements().begin(), results[k].elements().end());
    }
  }
  std::vector<Value> whole;
  for (std::size_t k = 0; k < first.size(); ++k) {
    Shape shape = extra;
    shape.insert(shape.end(), first[k].shape().begin(), first[k].shape().end());
    whole.emplace_back(first[k].type(), std::move(shape), std::move(elements[k]));
  }
  if (turns == 0) whole.emplace_back(Type::Real, extra, std::vector<NodeId>{});
  return whole;
}

// Relations in the body of a function cause no event; those in its arguments do.
void note_quiet_body(Elaboration& all, const std::vector<Given>& given, const std::vector<Value>& results) {
  QuietNodes of_results, of_arguments;
  for (const Value& value : results)
    if (value.valid()) add_quiet(all.pool, value, of_results);
  if (of_results.empty()) return;
  for (const Given& argument : given) add_quiet(all.pool, argument.value, of_arguments);
  for (const NodeId node : of_results)
    if (!of_arguments.contains(node)) all.events.quiet.insert(node);
}

}  // namespace

std::vector<Value> call_function(const Environment& at, Scope& function, const ast::Call& call, SourceRange range) {
  Elaboration& all = at.all;
  if (!is_supported(all, function, range) || !may_call(all, function, range)) return {Value()};
  const auto given = match_arguments(at, function, call, range);
  if (!given || all.recursion_failed) return {Value()};
  const auto extra = common_extra_shape(at, function, *given);
  if (!extra) return {Value()};
  std::vector<Value> results =
      extra->empty() ? call_once(all, function, *given, range) : call_by_elements(all, function, *given, *extra, range);
  note_quiet_body(all, *given, results);
  return results;
}

}  // namespace driftless::language
