// Finds the function, record or built-in operator that is called.
#include <fmt/format.h>

#include "driftless/language/builtins.hpp"
#include "driftless/language/derivative_functions.hpp"
#include "driftless/language/function_values.hpp"
#include "driftless/language/instantiate.hpp"
#include "driftless/language/overconstrained.hpp"
#include "driftless/language/record_operators.hpp"
#include "driftless/language/records.hpp"
#include "driftless/language/streams.hpp"
#include "driftless/language/strings.hpp"

namespace driftless::language {

namespace {

constexpr std::string_view enumeration_conversion = "enumeration";  // a keyword: no function has this name

// world.gravity(r): a function that is declared in the class of a component.
Instance* function_of_part(const Environment& at, Component& first, const ast::Reference& name, std::size_t used) {
  Component* component = &first;
  LocalClass* local = nullptr;
  for (std::size_t k = used; k < name.parts.size(); ++k) {
    Instance* inside = local ? instance_of(*local) : nullptr;
    if (!local) {
      find_type(at.all, *component);
      if (!component->is_part()) return nullptr;
      const auto chosen = chosen_parts(at, *component, name.parts[k - 1]);
      inside = chosen && chosen->parts.size() == 1 ? chosen->parts.front() : nullptr;
    }
    if (!inside) return nullptr;
    const Symbol symbol = find_in(*inside, name.parts[k].name.text);
    if (!symbol.found() || (local && symbol.component)) return nullptr;
    if (symbol.component ? symbol.component->is_protected() : symbol.local->is_protected()) {
      at.error(
          Code::NotAccessible, name.range,
          fmt::format("'{}' is protected in {}: it can be used only there", name.parts[k].name.text, inside->of->path));
      return nullptr;
    }
    if (component && (component->syntax->condition || !name.parts[k - 1].subscripts.empty())) return nullptr;
    component = symbol.component;
    local = symbol.local;
  }
  Instance* function = local ? instance_of(*local) : nullptr;
  const bool is_function = function && (function->of->syntax->kind == ast::ClassKind::Function ||
                                        function->of->syntax->kind == ast::ClassKind::OperatorFunction);
  return is_function ? function : nullptr;
}

Instance* called_function(const Environment& at, const ast::Reference& name, std::string& builtin, bool& reported) {
  Found found;
  if (name.is_simple()) found.local = find(at.scope, name.parts.front().name.text).local;
  if (!found.local) found = look_up(at.scope, parts_of(name), name.global);
  if (!found.library.empty()) {
    builtin = std::move(found.library);
    return nullptr;
  }
  if (!found.ok() && is_connection_operator(name)) {
    builtin = name.dotted();
    return nullptr;
  }
  reported = true;
  if (!found.ok()) {
    std::vector<ast::Identifier> parts;
    for (const ast::ReferencePart& part : name.parts) parts.push_back(part.name);
    report_unknown(at, parts, found, "function");
    return nullptr;
  }
  if (found.component && found.used < name.parts.size())
    if (Instance* function = function_of_part(at, *found.component, name, found.used)) return function;
  if (found.component) {
    at.error(Code::NotAFunction, name.range, fmt::format("'{}' is not a function", to_string(name)))
        .note("declared here", found.component->syntax->name.range);
    return nullptr;
  }
  const ast::ClassKind kind = found.local->of->syntax->kind;
  if (kind == ast::ClassKind::Function || kind == ast::ClassKind::OperatorFunction) return instance_of(*found.local);
  Instance* instance = instance_of(*found.local);
  if (!instance || is_record_class(*instance->of)) return instance;
  if (is_external_object(*instance->of))
    if (const Symbol constructor = find_in(*instance, "constructor"); constructor.local)
      return instance_of(*constructor.local);
  if (index_type(at.scope, name)) {
    reported = false;
    builtin = enumeration_conversion;
    return nullptr;
  }
  at.error(Code::NotAFunction, name.range,
           fmt::format("'{}' is a {}, not a function", to_string(name), ast::to_string(kind)));
  return nullptr;
}

// E(i): the literal of an enumeration with the ordinal i (Modelica 3.6, Section 4.9.5.3).
Value literal_of(const Environment& at, const ast::Call& call, SourceRange range) {
  const auto type = index_type(at.scope, call.function);
  const std::string name = to_string(call.function);
  if (!type || type->type != Type::Enumeration || call.arguments.size() != 1 || !call.iterators.empty()) {
    at.error(Code::NotAFunction, call.function.range, fmt::format("'{}' is a type, not a function", name))
        .note("an enumeration takes one Integer, the ordinal of a literal");
    return {};
  }
  const ast::Expression& argument = call.arguments.front().value;
  const Value ordinal =
      convert(at, evaluate(at, argument), Type::Integer, argument.range, fmt::format("the argument of {}", name));
  if (!ordinal.valid()) return {};
  Pool& pool = at.all.pool;
  const bool in_function = at.scope.syntax && at.scope.syntax->kind == ast::ClassKind::Function;
  for (const NodeId element : ordinal.elements()) {
    if (in_function && !pool.is_constant(element)) {
      at.all.not_supported(range, fmt::format("{}(i) of a value that a function computes", name));
      return {};
    }
    const NodeId exists =
        conjunction(pool, pool.binary(Op::LessEqual, pool.one(), element),
                    pool.binary(Op::LessEqual, element, pool.constant(static_cast<double>(type->size))));
    require(at,
            {.condition = exists,
             .message = fmt::format("{} has the ordinals 1 to {} only", name, type->size),
             .label = {},
             .text = at.all.source_text(range),
             .range = range},
            pool.one());
  }
  return ordinal.with_type(Type::Enumeration).of_enumeration(type->enumeration);
}

// function sin ... external "builtin" y = sin(u): the name of the built-in function; empty for all others.
std::string builtin_behind(const Instance& function) {
  for (const Scope& layer : function.layers)
    if (layer.body() && layer.body()->external && layer.body()->external->language == "builtin") {
      const ast::Identifier& name = layer.body()->external->function;
      return name.empty() ? layer.syntax->name.text : name.text;
    }
  return {};
}

bool refuse_iterators(const Environment& at, const ast::Call& call, SourceRange range) {
  if (call.iterators.empty()) return false;
  at.error(Code::IteratorsNotAllowed, range,
           fmt::format("'{}' cannot be applied to a list of iterators", to_string(call.function)));
  return true;
}

// A call of an input that is a function.
std::vector<Value> call_value(const Environment& at, const FunctionValue& value, const ast::Call& call,
                              SourceRange range) {
  if (refuse_iterators(at, call, range)) return {Value()};
  if (!value.function) return {call_builtin(at, value.builtin, call, range)};
  const std::string builtin = value.given.empty() ? builtin_behind(*value.function) : std::string();
  if (!builtin.empty() && is_builtin_function(builtin)) return {call_builtin(at, builtin, call, range)};
  return call_function(at, *value.function, call, range, value.given);
}

}  // namespace

bool find_function(const Environment& at, const ast::Reference& name, Instance*& function, std::string& builtin) {
  bool reported = false;
  function = called_function(at, name, builtin, reported);
  if (function && is_record_class(*function->of)) {
    at.error(Code::NotAFunction, name.range, fmt::format("'{}' is a record, not a function", to_string(name)));
    return false;
  }
  if (builtin == enumeration_conversion) {
    at.error(Code::NotAFunction, name.range, fmt::format("'{}' is a type, not a function", to_string(name)));
    return false;
  }
  return function || !reported;
}

std::vector<Value> evaluate_call(const Environment& at, const ast::Call& call, SourceRange range) {
  if (const FunctionValue* value = function_called(at, call.function)) return call_value(at, *value, call, range);
  std::string builtin;
  bool reported = false;
  if (Instance* function = called_function(at, call.function, builtin, reported)) {
    if (refuse_iterators(at, call, range)) return {Value()};
    if (Instance* constructor = operators_of(*function->of) ? record_constructor(at, *function, call, range) : nullptr)
      return call_function(at, *constructor, call, range);
    if (is_record_class(*function->of)) return {construct_record(at, *function, call, range)};
    if (is_derivative_of_function(*function)) return call_derivative(at, *function, call, range);
    builtin = builtin_behind(*function);
    if (!builtin.empty() && is_builtin_function(builtin)) return {call_builtin(at, builtin, call, range)};
    return call_function(at, *function, call, range);
  }
  if (reported) return {Value()};
  if (builtin == enumeration_conversion) return {literal_of(at, call, range)};
  if (is_connection_operator(call.function) && !is_builtin_function(builtin))
    return call_connection_operator(at, call, range);
  if (builtin == "inStream" || builtin == "actualStream") return {call_stream_operator(at, builtin, call, range)};
  if (builtin == "String") return {string_of(at, call, range)};
  if (builtin == "cardinality") return {cardinality(at, call, range)};
  if (builtin == "array" && !call.iterators.empty() && call.arguments.size() == 1)
    return {evaluate_comprehension(at, call.arguments.front().value, call.iterators, range)};
  return {call_builtin(at, builtin, call, range)};
}

}  // namespace driftless::language
