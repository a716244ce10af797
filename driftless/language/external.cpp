#include "driftless/language/external.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/language/external_c.hpp"
#include "driftless/language/function_annotations.hpp"
#include "driftless/language/strings.hpp"

namespace driftless::language {

Value ExternalCall::refuse(std::string message) const {
  at.all.error(Code::ExternalFunctionFailed, range, std::move(message))
      .note(fmt::format("{} is an external function", at.scope.path()));
  return {};
}

std::optional<std::string> ExternalCall::text(std::size_t k) const {
  auto known = k < arguments.size() ? known_text(at.all, arguments[k]) : std::nullopt;
  if (!known) refuse(fmt::format("argument {} of {} must be a String that is known before the run", k + 1, name));
  return known;
}

std::optional<double> ExternalCall::number(std::size_t k) const {
  const bool scalar = k < arguments.size() && arguments[k].valid() && arguments[k].is_scalar();
  const auto known = scalar ? known_number(at.all.pool, arguments[k].scalar()) : std::nullopt;
  if (!known) refuse(fmt::format("argument {} of {} must be known before the run", k + 1, name));
  return known;
}

std::optional<std::int64_t> ExternalCall::integer(std::size_t k) const {
  const auto known = number(k);
  return known ? std::optional(static_cast<std::int64_t>(*known)) : std::nullopt;
}

ExternalFunction find_external(const Scope& function, const ast::External& external) {
  const std::string_view name = external_name(function, external);
  if (const ExternalFunction found = find_table_function(name)) return found;
  if (const ExternalFunction found = find_random_function(name)) return found;
  if (const ExternalFunction found = find_linear_function(name)) return found;
  if (const ExternalFunction found = find_fourier_function(name)) return found;
  if (const ExternalFunction found = find_string_function(name)) return found;
  const bool has_own_code = annotated(*function.instance, "Library") || annotated(*function.instance, "Include");
  return has_own_code ? nullptr : find_mathematical_function(name);
}

std::string_view external_name(const Scope& function, const ast::External& external) {
  return external.function.empty() ? std::string_view(function.syntax->name.text) : external.function.text;
}

namespace {

// The function's output that is passed as this argument, or null.
Local* output_behind(Locals& locals, const ast::Expression& argument) {
  const auto* reference = argument.as<ast::Reference>();
  if (!reference || !reference->is_simple()) return nullptr;
  Local* local = find_local(locals, reference->parts.front().name.text);
  return local && local->kind == Local::Kind::Output ? local : nullptr;
}

// Is the argument a variable without a value that is no input: an output, or work space?
bool has_no_value(Locals& locals, const ast::Expression& argument) {
  const auto* reference = argument.as<ast::Reference>();
  const Local* local =
      reference && reference->is_simple() ? find_local(locals, reference->parts.front().name.text) : nullptr;
  return local && local->kind != Local::Kind::Input &&
         std::ranges::find(local->value.elements(), unassigned) != local->value.elements().end();
}

bool assign(const Environment& at, Local& target, const Value& value, SourceRange range) {
  const Value fitting = fit_for(at, target, std::nullopt, value, range);
  if (fitting.valid()) target.value = fitting;
  return fitting.valid();
}

}  // namespace

bool call_external(Elaboration& all, Frame& frame, const ast::External& external, SourceRange call) {
  const std::string_view name = external_name(frame.function, external);
  const ExternalFunction function = find_external(frame.function, external);
  if (!function) return call_c(all, frame, external, call);
  const Environment inside{all, frame.function, frame.locals};
  ExternalCall made{inside, name, {}, {}, call};
  for (const ast::Expression& argument : external.arguments) {
    const bool has_none = has_no_value(frame.locals, argument);
    made.arguments.push_back(has_none ? Value() : evaluate(inside, argument));
    if (!has_none && !made.arguments.back().valid()) return false;
  }
  Local* implied = nullptr;
  if (external.function.empty()) {  // all inputs in their order, and the only output (Modelica 3.6, Section 12.9.1)
    for (Local& local : frame.locals) {
      if (local.kind == Local::Kind::Input) made.arguments.push_back(local.value);
      if (local.kind == Local::Kind::Output) implied = &local;
    }
  }
  made.outputs.resize(made.arguments.size());
  const Value result = function(made);
  if (!result.valid()) return false;
  for (std::size_t k = 0; k < made.outputs.size(); ++k)
    if (made.outputs[k].valid())
      if (Local* target = output_behind(frame.locals, external.arguments[k]);
          target && !assign(inside, *target, made.outputs[k], call))
        return false;
  if (implied) return assign(inside, *implied, result, call);
  if (!external.result) return true;
  Local* target = find_local(frame.locals, external.result->parts.front().name.text);
  return target && assign(inside, *target, result, call);
}

}  // namespace driftless::language
