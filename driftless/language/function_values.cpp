#include "driftless/language/function_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "driftless/language/builtins.hpp"
#include "driftless/language/instantiate.hpp"
#include "driftless/language/library.hpp"
#include "driftless/language/records.hpp"

namespace driftless::language {

namespace {

std::vector<Component*> function_inputs(Elaboration& all, Instance& function) {
  std::vector<Component*> inputs;
  for (Component& component : function.components) {
    find_type(all, component);
    if (component.prefixes.causality == ast::Causality::Input) inputs.push_back(&component);
  }
  return inputs;
}

std::vector<Component*> function_outputs(Elaboration& all, Instance& function) {
  std::vector<Component*> outputs;
  for (Component& component : function.components) {
    find_type(all, component);
    if (component.prefixes.causality == ast::Causality::Output) outputs.push_back(&component);
  }
  return outputs;
}

// Why a component of one function does not fit that of the other; empty if it does.
std::string difference(const Component& wanted, const Component& actual) {
  const bool is_input = wanted.prefixes.causality == ast::Causality::Input;
  if (is_input && actual.identifier() != wanted.identifier())
    return fmt::format("'{}' stands where '{}' is expected", actual.identifier(), wanted.identifier());
  if (actual.type.type != wanted.type.type)
    return fmt::format("'{}' is {} there, but {} here", wanted.identifier(), to_string(actual.type.type),
                       to_string(wanted.type.type));
  if (actual.type.dimensions.size() != wanted.type.dimensions.size())
    return fmt::format("'{}' has {} dimensions there, but {} here", wanted.identifier(), actual.type.dimensions.size(),
                       wanted.type.dimensions.size());
  return {};
}

bool is_given(const FunctionValue& value, const Component& input) {
  return std::ranges::any_of(value.given, [&](const GivenInput& one) { return one.name == input.identifier(); });
}

// Why the function cannot replace the wanted one; empty if it can (Modelica 3.6, Section 6.6).
std::string misfit(Elaboration& all, Instance& wanted, const FunctionValue& actual) {
  std::vector<Component*> inputs = function_inputs(all, *actual.function);
  std::erase_if(inputs, [&](const Component* input) { return is_given(actual, *input); });
  const std::vector<Component*> wanted_inputs = function_inputs(all, wanted);
  for (std::size_t k = 0; k < wanted_inputs.size(); ++k) {
    if (k >= inputs.size()) return fmt::format("it has no input '{}'", wanted_inputs[k]->identifier());
    if (std::string why = difference(*wanted_inputs[k], *inputs[k]); !why.empty()) return "its input " + why;
  }
  for (std::size_t k = wanted_inputs.size(); k < inputs.size(); ++k)
    if (!inputs[k]->given) return fmt::format("it needs a value for its input '{}'", inputs[k]->identifier());
  const std::vector<Component*> outputs = function_outputs(all, *actual.function),
                                wanted_outputs = function_outputs(all, wanted);
  for (std::size_t k = 0; k < wanted_outputs.size(); ++k) {
    if (k >= outputs.size()) return fmt::format("it has no output '{}'", wanted_outputs[k]->identifier());
    if (std::string why = difference(*wanted_outputs[k], *outputs[k]); !why.empty()) return "its output " + why;
  }
  return {};
}

// The same for a built-in function, which takes scalars and returns one.
std::string misfit_of_builtin(Elaboration& all, Instance& wanted, const FunctionValue& actual) {
  const auto operands = elementary_arguments(actual.builtin);
  if (!operands) return "only elementary functions of numbers can be passed";
  if (!actual.given.empty()) return "its inputs cannot be given beforehand: write a function that calls it";
  const std::vector<Component*> inputs = function_inputs(all, wanted), outputs = function_outputs(all, wanted);
  if (inputs.size() != *operands)
    return fmt::format("it has {} input{}, but {} {} expected", *operands, *operands == 1 ? "" : "s", inputs.size(),
                       inputs.size() == 1 ? "is" : "are");
  for (const std::vector<Component*>* list : {&inputs, &outputs})
    for (const Component* component : *list)
      if (component->type.type != Type::Real || !component->type.dimensions.empty() || outputs.size() != 1)
        return "it is a function of scalars with one value";
  return {};
}

Value add_function_value(Elaboration& all, FunctionValue value) {
  all.function_values.push_back(std::make_shared<const FunctionValue>(std::move(value)));
  return {Type::Function, all.pool.constant(static_cast<double>(all.function_values.size() - 1))};
}

// Adds the inputs given in `function f(a = 1)` to those already given.
bool add_given(const Environment& at, FunctionValue& value, const std::vector<ast::CallArgument>& arguments) {
  bool valid = true;
  for (const ast::CallArgument& argument : arguments) {
    Component* input = nullptr;
    std::vector<std::string_view> names;
    if (value.function)
      for (Component* candidate : function_inputs(at.all, *value.function)) {
        if (is_given(value, *candidate)) continue;
        names.push_back(candidate->identifier());
        if (candidate->identifier() == argument.name.text) input = candidate;
      }
    if (value.function && !input) {
      at.error(Code::UnknownArgument, argument.name.range,
               fmt::format("{} has no input '{}' that is not given yet{}", value.function->of->path, argument.name.text,
                           did_you_mean(argument.name.text, names)));
      valid = false;
      continue;
    }
    Value given = input && input->type.type == Type::Function ? function_argument(at, argument.value, *input)
                                                              : evaluate(at, argument.value);
    valid = valid && given.valid();
    value.given.push_back({argument.name.text, std::move(given), argument.value.range});
  }
  return valid;
}

}  // namespace

const FunctionValue& function_of(const Elaboration& all, const Value& value) {
  return *all.function_values[static_cast<std::size_t>(all.pool.constant_value(value.scalar()))];
}

const FunctionValue* function_called(const Environment& at, const ast::Reference& name) {
  if (!name.is_simple()) return nullptr;
  const Local* local = find_local(at.locals, name.parts.front().name.text);
  const bool is_function = local && local->value.type() == Type::Function && local->value.is_scalar();
  return is_function ? &function_of(at.all, local->value) : nullptr;
}

Value function_argument(const Environment& at, const ast::Expression& expression, const Component& input) {
  const auto* partial = expression.as<ast::PartialApplication>();
  const ast::Reference* name = partial ? &partial->function : expression.as<ast::Reference>();
  Instance* wanted = input.type.function ? instance_of(*input.type.function) : nullptr;
  if (!wanted) return {};
  if (!name) {
    at.error(Code::NotAFunction, expression.range,
             fmt::format("the input '{}' is a function: the name of one is needed here", input.identifier()));
    return {};
  }
  FunctionValue value;
  if (const FunctionValue* known = function_called(at, *name)) {
    value = *known;
  } else if (!find_function(at, *name, value.function, value.builtin)) {
    return {};
  }
  if (partial && !add_given(at, value, partial->arguments)) return {};
  const std::string why = value.function ? misfit(at.all, *wanted, value) : misfit_of_builtin(at.all, *wanted, value);
  if (!why.empty()) {
    at.error(Code::WrongArgument, expression.range,
             fmt::format("{} does not fit the input '{}', which is a {}: {}", to_string(*name), input.identifier(),
                         wanted->of->path, why))
        .note("declared here", wanted->of->syntax->name.range);
    return {};
  }
  return add_function_value(at.all, std::move(value));
}

namespace {

std::size_t place_of(const Elaboration& all, const Value& function) {
  return static_cast<std::size_t>(all.pool.constant_value(function.scalar()));
}

// The function values contained in one, including itself, with those first that are given to others. A value that is
// given at several places occurs once: compositions of compositions would otherwise be visited 2^n times.
std::vector<Value> inner_first(const Elaboration& all, const Value& function) {
  std::vector<Value> order, stack{function};
  std::set<std::size_t> entered, left;
  while (!stack.empty()) {
    const Value top = stack.back();
    const bool fresh = entered.insert(place_of(all, top)).second;
    if (fresh)
      for (const GivenInput& one : function_of(all, top).given)
        if (one.value.type() == Type::Function && !entered.contains(place_of(all, one.value)))
          stack.push_back(one.value);
    if (fresh && !(stack.back() == top)) continue;
    stack.pop_back();
    if (left.insert(place_of(all, top)).second) order.push_back(top);
  }
  return order;
}

}  // namespace

void visit_given(const Elaboration& all, const Value& function, const std::function<void(const Value&)>& visit) {
  for (const Value& value : inner_first(all, function))
    for (const GivenInput& one : function_of(all, value).given)
      if (one.value.type() != Type::Function) visit(one.value);
}

Value with_given(Elaboration& all, const Value& function, const std::function<Value(const Value&)>& change) {
  std::map<std::size_t, Value> changed;
  for (const Value& value : inner_first(all, function)) {
    FunctionValue copy = function_of(all, value);
    for (GivenInput& one : copy.given)
      one.value = one.value.type() == Type::Function ? changed.at(place_of(all, one.value)) : change(one.value);
    changed.emplace(place_of(all, value), copy.given.empty() ? value : add_function_value(all, std::move(copy)));
  }
  return changed.at(place_of(all, function));
}

std::string key_of(const Elaboration& all, const Value& function) {
  const FunctionValue& value = function_of(all, function);
  std::string key = fmt::format("{}{}", fmt::ptr(value.function), value.builtin);
  for (const GivenInput& one : value.given) {
    key += fmt::format("({}{}", one.name, to_string(one.value.shape()));
    if (is_fixed_value(all.pool, one.value))
      for (const NodeId node : one.value.elements()) key += fmt::format(" {}", all.pool.constant_value(node));
    key += ')';
  }
  return key;
}

}  // namespace driftless::language
