// Clock, sample, hold, previous, subSample and the other operators of clocks (Modelica 3.6, Sections 16.3 to 16.5).
#include <fmt/format.h>

#include <algorithm>

#include "driftless/language/builtins.hpp"
#include "driftless/language/clocks.hpp"
#include "driftless/language/when.hpp"

namespace driftless::language {

namespace {

DiscreteType discrete_type(Type type) {
  switch (type) {
    case Type::Integer: return DiscreteType::Integer;
    case Type::Boolean: return DiscreteType::Boolean;
    case Type::Enumeration: return DiscreteType::Enumeration;
    default: return DiscreteType::Real;
  }
}

NodeId marked(const Arguments& arguments, ClockMark mark) {
  Elaboration& all = arguments.at.all;
  mark.text = all.here(all.source_text(arguments.range));
  mark.range = arguments.range;
  mark.leaf = add_parameter(all.model, Parameter::Role::Flag, mark.text, 0.0, mark.range);
  all.clocks.mark_of.emplace(index(mark.leaf), all.clocks.marks.size());
  all.clocks.marks.push_back(std::move(mark));
  return all.pool.parameter(all.clocks.marks.back().leaf);
}

Value clock_value(const Arguments& arguments, ClockMark mark) {
  mark.is_clock = true;
  mark.type = DiscreteType::Boolean;
  return {Type::Boolean, marked(arguments, std::move(mark))};
}

// The same operator for every element of the first argument.
Value by_elements(const Arguments& arguments, const ClockMark& mark) {
  Value result = arguments[0];
  const bool of_clock = is_clock(arguments.at.all, result);
  for (NodeId& element : result.change()) {
    ClockMark own = mark;
    own.argument = element;
    own.is_clock = of_clock;
    own.type = discrete_type(arguments[0].type());
    element = marked(arguments, std::move(own));
  }
  return result;
}

// A number that is known now; nothing, reported, if it is not.
std::optional<std::int64_t> known_count(const Arguments& arguments, std::size_t k, std::int64_t least) {
  if (arguments[k].type() != Type::Integer || changes_during_run(arguments.at.all.model, arguments[k][0])) {
    arguments.reject(k, "must be an Integer that is known before the run");
    return std::nullopt;
  }
  const auto number = evaluate_integer(arguments.at.with(Purpose::Subscript), *arguments.syntax[k]);
  if (!number) return std::nullopt;
  if (number && *number >= least) return number;
  arguments.reject(k, fmt::format("must be at least {}, but is {}", least, *number));
  return std::nullopt;
}

bool may_resample(const Arguments& arguments) {
  if (!may_speak_of_events(arguments)) return false;
  if (!arguments[0].is_record()) return true;
  arguments.reject(0, "must not be a record");
  return false;
}

Value resampled(const Arguments& arguments, ClockOperator op) {
  if (!may_resample(arguments)) return {};
  ClockMark mark{.op = op};
  if (arguments.size() > 1) {
    const bool is_shift = op == ClockOperator::ShiftSample || op == ClockOperator::BackSample;
    const auto counter = known_count(arguments, 1, is_shift ? 0 : 1);
    if (!counter) return {};
    mark.counter = *counter;
  }
  if (arguments.size() > 2) {
    const auto resolution = known_count(arguments, 2, 1);
    if (!resolution) return {};
    mark.resolution = *resolution;
  }
  return by_elements(arguments, mark);
}

Value periodic_clock(const Arguments& arguments) {
  Pool& pool = arguments.pool();
  ClockMark mark{.op = ClockOperator::Periodic};
  if (arguments[0].type() == Type::Integer) {
    const auto counter = known_count(arguments, 0, 1);
    const auto resolution = arguments.size() > 1 ? known_count(arguments, 1, 1) : std::optional<std::int64_t>(1);
    if (!counter || !resolution) return {};
    mark.interval = pool.constant(static_cast<double>(*counter) / static_cast<double>(*resolution));
    return clock_value(arguments, std::move(mark));
  }
  if (arguments[0].type() != Type::Real || !arguments[0].is_scalar() || arguments.size() > 1)
    return arguments.reject(0, "must be an interval, a condition, a clock, or a counter with its resolution");
  const auto interval = evaluate_number(arguments.at.with(Purpose::ParameterValue), *arguments.syntax[0]);
  if (!interval) return {};
  if (!(*interval > 0.0)) return arguments.reject(0, fmt::format("must be a positive interval, but is {}", *interval));
  mark.interval = arguments[0].scalar();
  return clock_value(arguments, std::move(mark));
}

Value event_clock(const Arguments& arguments) {
  ClockMark mark{.op = ClockOperator::Event};
  mark.argument = arguments[0].scalar();
  mark.interval = arguments.pool().zero();
  if (arguments.size() > 1) {
    if (!arguments[1].is_numeric() || !arguments[1].is_scalar()) return arguments.reject(1, "must be an interval");
    mark.interval = arguments[1].scalar();
  }
  mark.argument = hold(arguments.at.all.model, *mark.argument, arguments.at.all.events.quiet, arguments.range);
  return clock_value(arguments, std::move(mark));
}

}  // namespace

bool is_clock(const Elaboration& all, const Value& value) {
  if (value.type() != Type::Boolean || value.size() == 0 || !all.clocks.any()) return false;
  return std::ranges::all_of(value.elements(), [&](NodeId element) {
    if (const auto place = discrete_value(all.model, element)) return all.clocks.variables.contains(*place);
    const Node& node = all.pool[element];
    const auto mark = node.op == Op::Parameter ? all.clocks.mark_of.find(static_cast<std::int32_t>(node.a))
                                               : all.clocks.mark_of.end();
    return mark != all.clocks.mark_of.end() && all.clocks.marks[mark->second].is_clock;
  });
}

Value clock_constructor(const Arguments& arguments) {
  if (!may_speak_of_events(arguments)) return {};
  if (arguments.size() == 0) return clock_value(arguments, {.op = ClockOperator::Inferred});
  if (is_clock(arguments.at.all, arguments[0])) {
    arguments.at.all.not_supported(arguments.range, "a clock that solves differential equations by a method");
    return {};
  }
  if (arguments[0].type() == Type::Boolean && arguments[0].is_scalar()) return event_clock(arguments);
  return periodic_clock(arguments);
}

Value clock_sample(const Arguments& arguments) {
  if (!may_resample(arguments)) return {};
  if (is_clock(arguments.at.all, arguments[0])) return arguments.reject(0, "is a clock");
  ClockMark mark{.op = ClockOperator::Sample};
  if (arguments.size() > 1) mark.clock = arguments[1].scalar();
  return by_elements(arguments, mark);
}

Value clock_hold(const Arguments& arguments) {
  if (!may_resample(arguments)) return {};
  if (is_clock(arguments.at.all, arguments[0])) return arguments.reject(0, "is a clock");
  return by_elements(arguments, {.op = ClockOperator::Hold});
}

Value clock_sub_sample(const Arguments& arguments) { return resampled(arguments, ClockOperator::SubSample); }
Value clock_super_sample(const Arguments& arguments) { return resampled(arguments, ClockOperator::SuperSample); }
Value clock_shift_sample(const Arguments& arguments) { return resampled(arguments, ClockOperator::ShiftSample); }
Value clock_back_sample(const Arguments& arguments) { return resampled(arguments, ClockOperator::BackSample); }
Value clock_no_clock(const Arguments& arguments) { return resampled(arguments, ClockOperator::NoClock); }

Value clock_previous(const Arguments& arguments) {
  if (!may_resample(arguments)) return {};
  const Elaboration& all = arguments.at.all;
  for (const NodeId element : arguments[0].elements())
    if (all.pool[element].op != Op::Variable && !discrete_value(all.model, element))
      return arguments.reject(0, "must be a variable");
  return by_elements(arguments, {.op = ClockOperator::Previous});
}

Value clock_interval(const Arguments& arguments) {
  if (!may_speak_of_events(arguments)) return {};
  ClockMark mark{.op = ClockOperator::Interval};
  if (arguments.size() > 0) mark.argument = arguments[0][0];
  return {Type::Real, marked(arguments, std::move(mark))};
}

Value clock_first_tick(const Arguments& arguments) {
  if (!may_speak_of_events(arguments)) return {};
  ClockMark mark{.op = ClockOperator::FirstTick, .type = DiscreteType::Boolean};
  if (arguments.size() > 0) mark.argument = arguments[0][0];
  return {Type::Boolean, marked(arguments, std::move(mark))};
}

bool is_clocked(const Environment& at, const ast::WhenEquation& when) {
  const ast::Expression& condition = when.branches.front().condition;
  if (const auto* call = condition.as<ast::Call>()) {
    static const std::set<std::string> makers{"Clock", "subSample", "superSample", "shiftSample", "backSample"};
    return call->function.is_simple() && makers.contains(call->function.dotted());
  }
  return at.all.clocks.any() && condition.as<ast::Reference>() && is_clock(at.all, evaluate(at, condition));
}

void elaborate_clocked_when(const Environment& at, const ast::WhenEquation& when, SourceRange range) {
  Elaboration& all = at.all;
  if (when.branches.size() > 1) {
    at.error(Code::WrongClock, when.branches[1].condition.range, "a when clause of a clock has no elsewhen")
        .note("write a when clause of its own for each clock");
    return;
  }
  const Value clock = evaluate(at, when.branches.front().condition);
  if (!clock.valid()) return;
  if (!clock.is_scalar() || !is_clock(all, clock)) {
    at.error(Code::WrongClock, when.branches.front().condition.range, "this is no clock");
    return;
  }
  ClockedClause clause{clock.scalar(), all.model.equations.size(), 0, all.model.discrete.equations.size(), 0, range};
  elaborate_body(at, when.branches.front().body);
  clause.end_continuous = all.model.equations.size();
  clause.end_discrete = all.model.discrete.equations.size();
  all.clocks.clauses.push_back(clause);
}

}  // namespace driftless::language
