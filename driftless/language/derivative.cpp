// der(...)
#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/function.hpp"
#include "driftless/language/builtins.hpp"
#include "driftless/model/jumps.hpp"

namespace driftless::language {

namespace {

// Was the variable found to be clocked although its derivative occurs?
bool is_clocked_variable(const Elaboration& all, const std::string& name) {
  return all.clocks.clocked.contains(name.substr(0, name.find_last_of('[')));
}

void refuse_derivative_of_discrete(const Arguments& arguments, NodeId element) {
  Elaboration& all = arguments.at.all;
  const auto place = discrete_value(all.model, element);
  if (place && is_clocked_variable(all, all.model.discrete.variables[*place].name)) {
    arguments.at
        .error(Code::WrongClock, arguments.syntax[0]->range,
               fmt::format("{} is differentiated, but equations tie it to what lives at the ticks of a clock",
                           all.model.discrete.variables[*place].name))
        .note("hold(v) leads from what is clocked to continuous equations, sample(v) from these to a clock");
    return;
  }
  const bool is_real = place && all.model.discrete.variables[*place].type == DiscreteType::Real;
  Diagnostic& error =
      arguments.at.error(Code::DerivativeOfJump, arguments.syntax[0]->range,
                         fmt::format("the argument of der has no derivative: {} is discrete, it changes at events only",
                                     name_of(all.model, element)));
  if (is_real)
    error.note(
        fmt::format("a variable that is differentiated gets a new value at an event by reinit({0}, ...), not by "
                    "{0} = ... in a when clause",
                    name_of(all.model, element)));
}

bool refuse_external(const Arguments& arguments, NodeId element) {
  const Pool& pool = arguments.pool();
  for (const NodeId node : nodes_of(pool, element)) {
    if (pool[node].op != Op::Call) continue;
    const FunctionId called = pool.call_site(pool[node]).function;
    if (exact_derivatives(pool, called) != 0) continue;
    arguments.at
        .error(Code::ExternalFunctionFailed, arguments.syntax[0]->range,
               fmt::format("the external function {} has no derivative", pool.function(called).name))
        .note("write annotation(derivative = ...) in it, with a function that computes its derivative");
    return true;
  }
  return false;
}

}  // namespace

Value time_derivative(const Arguments& arguments) {
  const Value& a = arguments[0];
  if (!a.is_numeric()) return arguments.reject(0, fmt::format("must be Real, but is {}", to_string(a.type())));
  Elaboration& all = arguments.at.all;
  Value result = a.with_type(Type::Real);
  for (NodeId& element : result.change()) {
    if (!varies(all.pool, element) && changes_during_run(all.model, element)) {
      refuse_derivative_of_discrete(arguments, element);
      return {};
    }
    if (refuse_external(arguments, element)) return {};
    if (const auto jump = find_jump(all.model, element, 1)) {
      arguments.at
          .error(Code::DerivativeOfJump, arguments.syntax[0]->range,
                 fmt::format("the argument of der has no derivative: {}", describe(*jump, all.model)))
          .note(advice(*jump, all.model));
      return {};
    }
    element = all.derivative(element);
  }
  if (a.type() == Type::Integer) return arguments.reject(0, "must be Real, but is Integer");
  return result;
}

}  // namespace driftless::language
