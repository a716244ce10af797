// pre, edge, change, sample, initial, terminal (Modelica 3.6, Section 3.7.5).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driftless/language/builtins.hpp"
#include "driftless/language/clocks.hpp"
#include "driftless/model/delay.hpp"

namespace driftless::language {

namespace {

bool is_inside_function(const Environment& at) {
  return at.scope.syntax && at.scope.syntax->kind == ast::ClassKind::Function;
}

}  // namespace

// Operators about events are allowed in equations only.
bool may_speak_of_events(const Arguments& arguments) {
  if (is_inside_function(arguments.at)) {
    arguments.at
        .error(Code::WrongPlace, arguments.range,
               fmt::format("{}() has no meaning inside of a function", arguments.function))
        .note("give its value to the function as an input");
    return false;
  }
  if (arguments.at.numeric()) {
    arguments.at.error(
        Code::NotKnownBeforeRun, arguments.range,
        fmt::format("{}() changes during the run, but this must be known before it", arguments.function));
    return false;
  }
  return true;
}

namespace {

// In a when clause x still has its left limit if it is a state, which is known when all equations are. If it is not,
// the next reading uses a separate variable for its left limit.
bool becomes_left_limit(const Arguments& arguments, NodeId& leaf) {
  Elaboration& all = arguments.at.all;
  const Node node = all.pool[leaf];
  if (!all.events.inside_when || node.op != Op::Variable || node.b != 0) return false;
  const VarId variable{static_cast<std::int32_t>(node.a)};
  if (all.events.jumping.contains(all.model[variable].name))
    leaf = left_limit_variable(all, variable, arguments.range);
  else
    all.events.left_limits.emplace_back(variable, arguments.range);
  return true;
}

void refuse_argument(const Arguments& arguments, NodeId element) {
  const Elaboration& all = arguments.at.all;
  const Op op = all.pool[element].op;
  const bool is_variable = op == Op::Variable;
  const bool is_parameter = !changes_during_run(all.model, element);
  const std::string name = name_of(all.model, element);
  Diagnostic& error = arguments.at.error(
      Code::NotDiscrete, arguments.syntax[0]->range,
      is_variable    ? fmt::format("{} is for discrete variables, but {} is continuous", arguments.function, name)
      : is_parameter ? fmt::format("{} is for discrete variables, but {} does not change during the run",
                                   arguments.function, arguments.at.all.source_text(arguments.syntax[0]->range))
                     : fmt::format("{} is for discrete variables, but this is an expression", arguments.function));
  if (is_variable)
    error.note(fmt::format("declare a discrete Real and let a when clause give it the value of {}", name));
  else if (!is_parameter)
    error.note("declare a variable with this value, and take that one");
}

// The argument as the variables that it names, regardless of assignments of an algorithm section.
Value named_variables(const Arguments& arguments) {
  const Environment& at = arguments.at;
  const auto is_assigned = [](const Local& local) { return local.kind == Local::Kind::OfSection; };
  if (std::ranges::none_of(at.locals, is_assigned)) return arguments[0];
  Locals iterators = at.locals;
  std::erase_if(iterators, is_assigned);
  return evaluate({at.all, at.scope, iterators, at.purpose, at.end}, *arguments.syntax[0]);
}

// The expression with the value that the variable has at this place of an algorithm section.
NodeId at_this_place(Pool& pool, NodeId expression, NodeId variable, NodeId value) {
  if (variable == value) return expression;
  return Substitution(pool,
                      [&](NodeId leaf) { return leaf == variable ? std::optional(value) : std::nullopt; })(expression);
}

// The same operation for every element, which must be a discrete variable.
template <class Operation>
Value of_discrete(const Arguments& arguments, Type type, bool left_limits_too, Operation operation) {
  if (!may_speak_of_events(arguments)) return {};
  Elaboration& all = arguments.at.all;
  const Value named = named_variables(arguments);
  if (!named.valid()) return {};
  Value result = type == Type::Invalid ? named : named.with_type(type).of_enumeration(nullptr);
  std::size_t k = 0;
  for (NodeId& element : result.change()) {
    const NodeId value = arguments[0][k++];
    if (left_limits_too && becomes_left_limit(arguments, element)) continue;
    const auto place = discrete_value(all.model, element);
    if (!place) {
      refuse_argument(arguments, element);
      return {};
    }
    const DiscreteVariable& variable = all.model.discrete.variables[*place];
    element = at_this_place(all.pool, operation(all.model, variable), element, value);
  }
  return result;
}

// One sampling for all calls with the same arguments.
ParamId sampling_flag(const Arguments& arguments) {
  Model& model = arguments.at.all.model;
  const NodeId start = arguments[0].scalar(), interval = arguments[1].scalar();
  for (const Sampling& known : model.discrete.samplings)
    if (known.start == start && known.interval == interval) return known.now;
  const ParamId now =
      add_parameter(model, Parameter::Role::Flag, arguments.at.all.here(arguments.at.all.source_text(arguments.range)),
                    0.0, arguments.range);
  model.discrete.samplings.push_back({start, interval, now, arguments.range});
  return now;
}

bool is_number_of_parameters(const Arguments& arguments, std::size_t k) {
  const Value& value = arguments[k];
  const Arguments& wrong = arguments;
  if (!value.is_scalar() || !value.is_numeric()) {
    wrong.reject(k, "must be a scalar number");
    return false;
  }
  if (changes_during_run(arguments.at.all.model, value.scalar())) {
    arguments.at
        .error(Code::WrongSample, arguments.syntax[k]->range,
               fmt::format("the {} of sample changes during the run", k == 0 ? "start" : "interval"))
        .note(
            "sample(start, interval) takes numbers and parameters; events at times that are computed during the run "
            "are written as when time >= pre(next) then next = ...");
    return false;
  }
  return true;
}

}  // namespace

Value event_pre(const Arguments& arguments) {
  return of_discrete(arguments, Type::Invalid, true, [](Model& model, const DiscreteVariable& variable) {
    return model.pool->parameter(variable.pre);
  });
}

Value event_edge(const Arguments& arguments) {
  if (arguments[0].type() != Type::Boolean)
    return arguments.reject(0, fmt::format("must be Boolean, but is {}", to_string(arguments[0].type())));
  return of_discrete(arguments, Type::Boolean, false,
                     [](Model& model, const DiscreteVariable& variable) { return edge(model, variable); });
}

Value event_change(const Arguments& arguments) {
  return of_discrete(arguments, Type::Boolean, false,
                     [](Model& model, const DiscreteVariable& variable) { return change(model, variable); });
}

Value event_sample(const Arguments& arguments) {
  if (arguments.size() == 1 || is_clock(arguments.at.all, arguments[1])) return clock_sample(arguments);
  if (!may_speak_of_events(arguments)) return {};
  if (arguments.at.all.events.inside_no_event > 0) {
    arguments.at.error(Code::WrongSample, arguments.range, "sample inside of noEvent could never become true")
        .note("take it out of noEvent(...)");
    return {};
  }
  for (std::size_t k = 0; k < 2; ++k)
    if (!is_number_of_parameters(arguments, k)) return {};
  const auto interval = evaluate_number(arguments.at.with(Purpose::ParameterValue), *arguments.syntax[1]);
  if (!interval) return {};
  if (!(*interval > 0.0)) {
    arguments.at.error(Code::WrongSample, arguments.syntax[1]->range,
                       fmt::format("the interval of sample must be positive, but is {}", *interval));
    return {};
  }
  return {Type::Boolean, arguments.pool().parameter(sampling_flag(arguments))};
}

Value event_initial(const Arguments& arguments) {
  if (!may_speak_of_events(arguments)) return {};
  return {Type::Boolean, arguments.pool().parameter(initial_flag(arguments.at.all.model))};
}

Value event_terminal(const Arguments& arguments) {
  if (!may_speak_of_events(arguments)) return {};
  return {Type::Boolean, arguments.pool().parameter(terminal_flag(arguments.at.all.model))};
}

Value delayed(const Arguments& arguments) {
  if (!may_speak_of_events(arguments)) return {};
  const Value& time = arguments[1];
  Model& model = arguments.at.all.model;
  if (!time.is_scalar() || !time.is_numeric()) return arguments.reject(1, "must be a scalar number");
  const bool changes = changes_during_run(model, time.scalar());
  if (changes && arguments.size() < 3)
    return arguments.reject(1, "changes during the run: give the longest delay as third argument");
  if (arguments.size() > 2 && !(arguments[2].is_scalar() && arguments[2].is_numeric()))
    return arguments.reject(2, "must be a scalar number");
  if (arguments.size() > 2 && changes_during_run(model, arguments[2].scalar()))
    return arguments.reject(2, "must not change during the run");
  if (arguments.size() > 2 && !changes) {
    const double delay = number_of(arguments.pool(), time.scalar());
    const double longest = number_of(arguments.pool(), arguments[2].scalar());
    if (delay > longest) return arguments.reject(1, fmt::format("is {}, above the longest delay, {}", delay, longest));
  }
  Value value = convert(arguments.at, arguments[0], Type::Real, arguments.syntax[0]->range, "the argument of delay");
  if (!value.valid()) return {};
  const Shape shape = value.shape();
  const QuietNodes& quiet = arguments.at.all.events.quiet;
  std::size_t k = 0;
  for (NodeId& element : value.change()) {
    const std::string which = shape.empty() ? std::string() : element_subscripts(shape, k);
    ++k;
    if (!changes_during_run(model, element)) continue;
    const std::string text = arguments.at.all.source_text(arguments.range) + which;
    element = changes ? add_changing_delay(model, element, hold(model, time.scalar(), quiet, arguments.range),
                                           arguments[2].scalar(), text, arguments.range)
                      : add_delay(model, element, time.scalar(), text, arguments.range);
  }
  return value;
}

// Inside when clauses these are handled by the clause.
Value outside_of_when(const Arguments& arguments) {
  arguments.at
      .error(arguments.function == "reinit" ? Code::WrongReinit : Code::WhenMisplaced, arguments.range,
             fmt::format("{} has a meaning only as an equation of its own inside of a when clause", arguments.function))
      .note(fmt::format("write when condition then {}(...); end when;", arguments.function));
  return {};
}

}  // namespace driftless::language
