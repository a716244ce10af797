#include "driftless/language/functions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/language/dependencies.hpp"
#include "driftless/language/external.hpp"
#include "driftless/language/external_c.hpp"
#include "driftless/language/function_annotations.hpp"
#include "driftless/language/function_values.hpp"
#include "driftless/language/records.hpp"

namespace driftless::language {

namespace {

// A function without an algorithm: output Real y = 2*u, or output R r(x = 2*u, y = 0). Whether all members of a record
// have values is checked when it is called.
bool values_are_declared(Elaboration& all, Instance& function) {
  return std::ranges::all_of(function.components, [&](Component& component) {
    if (component.prefixes.causality != ast::Causality::Output || component.given) return true;
    find_type(all, component);
    return component.is_part() && !component.syntax->modification.empty();
  });
}

// The layer whose algorithm is the body of the function: its own, or an inherited one.
Scope& body_of(Instance& function) {
  for (Scope& layer : function.layers)
    if (layer.body() && (!layer.body()->algorithms.empty() || layer.body()->external)) return layer;
  return function.own();
}

bool is_supported(Elaboration& all, Instance& function, SourceRange call) {
  const auto refuse = [&](SourceRange range, const std::string& what) {
    all.not_supported(range, what);
    return false;
  };
  const Scope& layer = body_of(function);
  const ast::LongClass* body = layer.body();
  if (!body) return refuse(function.of->syntax->name.range, "functions defined by 'der'");
  if (body->external && !function.of->syntax->partial) {
    const std::string_view name = external_name(layer, *body->external);
    return find_external(layer, *body->external) || may_call_c(all, function, *body->external, name, call);
  }
  if (function.of->syntax->partial || (body->algorithms.empty() && !values_are_declared(all, function))) {
    all.error(Code::NoAlgorithm, call, fmt::format("the function '{}' has no algorithm", function.of->path))
        .note("declared here", function.of->syntax->name.range);
    return false;
  }
  return true;
}

struct Argument {
  const Component* input;
  Value value;
  SourceRange range;
};

// Matches arguments with inputs. Nothing if one of them has no counterpart.
std::optional<std::vector<Argument>> match_arguments(const Environment& at, Instance& function, const ast::Call& call,
                                                     SourceRange range, const std::vector<GivenInput>& already) {
  std::vector<Component*> inputs;
  std::vector<Argument> given;
  for (Component& component : function.components) {
    if (component.prefixes.causality != ast::Causality::Input) continue;
    const auto one = std::ranges::find(already, component.identifier(), &GivenInput::name);
    if (one == already.end())
      inputs.push_back(&component);
    else
      given.push_back({&component, one->value, one->range});
  }
  bool valid = true;
  for (std::size_t k = 0; k < call.arguments.size(); ++k) {
    const ast::CallArgument& argument = call.arguments[k];
    Component* input = nullptr;
    if (argument.name.empty()) {
      if (k >= inputs.size()) {
        at.error(Code::WrongNumberOfArguments, range,
                 fmt::format("{} takes {} argument{}, but {} are given", function.of->path, inputs.size(),
                             inputs.size() == 1 ? "" : "s", call.arguments.size()))
            .note("declared here", function.of->syntax->name.range);
        return std::nullopt;
      }
      input = inputs[k];
    } else {
      std::vector<std::string_view> names;
      for (Component* candidate : inputs) {
        names.push_back(candidate->identifier());
        if (candidate->identifier() == argument.name.text) input = candidate;
      }
      if (!input) {
        at.error(Code::UnknownArgument, argument.name.range,
                 fmt::format("{} has no input '{}'{}", function.of->path, argument.name.text,
                             did_you_mean(argument.name.text, names)));
        valid = false;
        continue;
      }
    }
    if (std::ranges::any_of(given, [&](const Argument& other) { return other.input == input; })) {
      at.error(Code::UnknownArgument, argument.value.range,
               fmt::format("the input '{}' of {} is given twice", input->name(), function.of->path));
      valid = false;
      continue;
    }
    Value value = input->type.type == Type::Function ? function_argument(at, argument.value, *input)
                                                     : evaluate(at, argument.value);
    given.push_back({input, std::move(value), argument.value.range});
    valid = valid && given.back().value.valid();
  }
  return valid ? std::optional(std::move(given)) : std::nullopt;
}

// Gives the function's variables their first values, those first that others need.
bool declare_locals(Elaboration& all, Frame& frame, const std::vector<Argument>& given, SourceRange call) {
  const Environment inside{all, frame.function, frame.locals};
  for (Component* component : declaration_order(all, *frame.function.instance)) {
    const Argument* argument = nullptr;
    for (const Argument& candidate : given)
      if (candidate.input == component) argument = &candidate;
    const bool missing = !argument && !component->given && component->prefixes.causality == ast::Causality::Input;
    if (missing) {
      all.error(Code::WrongNumberOfArguments, call,
                fmt::format("{} needs a value for its input '{}'", frame.function.path(), component->name()))
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
  const ast::LongClass* body = frame.function.body();
  const bool has_statements = body && (!body->algorithms.empty() || body->external);
  for (const Component& component : frame.function.instance->components) {
    if (component.prefixes.causality != ast::Causality::Output) continue;
    Local* local = find_local(frame.locals, component.identifier());
    if (has_statements && local->value.is_record()) local->value = with_undefined_members(all.pool, local->value);
    const auto elements = local->value.elements();
    if (std::ranges::find(elements, unassigned) != elements.end()) {
      all.error(Code::OutputNotAssigned, component.syntax->range,
                fmt::format("the output '{}' of {} is not assigned on every way through it", component.name(),
                            frame.function.path()))
          .note("called here", call);
      return {Value()};
    }
    outputs.push_back(local->value);
  }
  return outputs;
}

bool may_call(Elaboration& all, const Instance& function, SourceRange call) {
  if (all.recursion_failed) return false;
  if (all.call_depth < all.limits.recursion) return all.may_nest(call);
  all.recursion_failed = true;
  all.error(Code::EndlessExpansion, call,
            fmt::format("recursion deeper than {}: '{}' calls itself without an end that is known before the run",
                        all.limits.recursion, function.of->path));
  return false;
}

std::vector<Value> call_once(Elaboration& all, Instance& function, const std::vector<Argument>& given,
                             SourceRange range) {
  constexpr std::int64_t cost_of_call = 20;  // in evaluations of an expression
  if (!all.spend(range, cost_of_call)) return {Value()};
  ++all.call_depth;
  Scope& body = body_of(function);
  Frame frame{body, {}};
  std::vector<Value> results{Value()};
  const bool declared = declare_locals(all, frame, given, range);
  if (declared && body.body() && body.body()->external) {
    if (call_external(all, frame, *body.body()->external, range)) results = outputs_of(all, frame, range);
  } else if (declared) {
    const Locals bound = frame.locals;
    switch (execute(all, frame)) {
      case Execution::Done: results = outputs_of(all, frame, range); break;
      case Execution::NeedsProgram: results = call_program(all, {body, bound}); break;
      case Execution::Failed: break;
    }
  }
  if (--all.call_depth == 0) all.recursion_failed = false;
  return results;
}

// The dimensions that all arguments have in common beyond those of their inputs: a function of scalars is applied to
// every element (Modelica 3.6, Section 12.4.6). Nothing, with an error, if they differ.
std::optional<Shape> common_extra_shape(const Environment& at, Instance& function, const std::vector<Argument>& given) {
  declaration_order(at.all, function);  // resolves the types of the inputs
  Shape extra;
  for (const Argument& argument : given) {
    const std::size_t own = argument.input->type.dimensions.size();
    const Shape& shape = argument.value.shape();
    if (shape.size() <= own) continue;
    const Shape beyond(shape.begin(), shape.end() - static_cast<std::ptrdiff_t>(own));
    if (extra.empty()) {
      extra = beyond;
    } else if (beyond != extra) {
      at.error(Code::ShapesDiffer, argument.range,
               fmt::format("{} is applied to every element, but this has the shape {}, and another argument {}",
                           function.of->path, to_string(beyond), to_string(extra)));
      return std::nullopt;
    }
  }
  return extra;
}

std::vector<Value> call_by_elements(Elaboration& all, Instance& function, const std::vector<Argument>& given,
                                    const Shape& extra, SourceRange range) {
  const auto turns = static_cast<std::size_t>(count(extra));
  std::vector<std::vector<NodeId>> elements;
  std::vector<Value> first;
  for (std::size_t turn = 0; turn < turns; ++turn) {
    std::vector<Argument> own = given;
    for (Argument& argument : own) {
      const std::size_t rank = argument.input->type.dimensions.size();
      const Shape& shape = argument.value.shape();
      if (shape.size() <= rank) continue;
      const Shape inner(shape.end() - static_cast<std::ptrdiff_t>(rank), shape.end());
      const auto size = static_cast<std::size_t>(count(inner)) * argument.value.stride();
      const auto all_elements = argument.value.elements().subspan(turn * size, size);
      argument.value = argument.value.like(inner, {all_elements.begin(), all_elements.end()});
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
    whole.push_back(first[k].like(std::move(shape), std::move(elements[k])));
  }
  if (turns == 0) whole.emplace_back(Type::Real, extra, std::vector<NodeId>{});
  return whole;
}

// Relations in the body of a function cause no event; those in its arguments do.
void note_quiet_body(Elaboration& all, const std::vector<Argument>& given, const std::vector<Value>& results) {
  QuietNodes of_results, of_arguments;
  for (const Value& value : results)
    if (value.valid()) add_quiet(all.pool, value, of_results);
  if (of_results.empty()) return;
  for (const Argument& argument : given) {
    add_quiet(all.pool, argument.value, of_arguments);
    if (argument.value.type() == Type::Function)
      visit_given(all, argument.value, [&](const Value& value) { add_quiet(all.pool, value, of_arguments); });
  }
  for (const NodeId node : of_results)
    if (!of_arguments.contains(node)) all.events.quiet.insert(node);
}

// Records the promises of annotations about every output, as smooth(n, y) would.
void note_smooth_results(Elaboration& all, Instance& function, const std::vector<Value>& results) {
  const auto order = smooth_order(function);
  if (!order) return;
  for (const Value& value : results) {
    if (value.type() != Type::Real) continue;
    for (const NodeId element : value.elements())
      if (!all.pool.is_constant(element)) all.model.smooth.push_back({element, *order});
  }
}

std::ptrdiff_t number_of_outputs(const Instance& function) {
  return std::ranges::count_if(function.components, [](const Component& component) {
    return component.prefixes.causality == ast::Causality::Output;
  });
}

std::vector<Value> call_with(const Environment& at, Instance& function, const std::vector<Argument>& given,
                             SourceRange range) {
  const auto extra = common_extra_shape(at, function, given);
  if (!extra) return {Value()};
  if (!extra->empty() && number_of_outputs(function) > 1) {
    at.error(Code::ShapesDiffer, range,
             fmt::format("{} has several outputs: it is not applied to every element of an array", function.of->path));
    return {Value()};
  }
  std::vector<Value> results = extra->empty() ? call_once(at.all, function, given, range)
                                              : call_by_elements(at.all, function, given, *extra, range);
  if (!is_annotated(function, "GenerateEvents")) note_quiet_body(at.all, given, results);
  note_smooth_results(at.all, function, results);
  return results;
}

bool may_be_called(Elaboration& all, Instance& function, SourceRange range) {
  for (Component& component : function.components) find_type(all, component);  // type In = input Real
  return is_supported(all, function, range) && may_call(all, function, range);
}

}  // namespace

std::vector<Value> call_function(const Environment& at, Instance& function, const ast::Call& call, SourceRange range) {
  return call_function(at, function, call, range, {});
}

std::vector<Value> call_function(const Environment& at, Instance& function, const ast::Call& call, SourceRange range,
                                 const std::vector<GivenInput>& already) {
  if (!may_be_called(at.all, function, range)) return {Value()};
  const auto given = match_arguments(at, function, call, range, already);
  if (!given || at.all.recursion_failed) return {Value()};
  return call_with(at, function, *given, range);
}

std::vector<Value> call_function(const Environment& at, Instance& function, const std::vector<Value>& inputs,
                                 SourceRange range) {
  if (!may_be_called(at.all, function, range)) return {Value()};
  std::vector<Argument> given;
  for (const Component& component : function.components)
    if (component.prefixes.causality == ast::Causality::Input && given.size() < inputs.size())
      given.push_back({&component, inputs[given.size()], range});
  return call_with(at, function, given, range);
}

}  // namespace driftless::language
