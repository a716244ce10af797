// Symbolic execution of a function's body, or of an algorithm section.
//
// One set of variables is carried through the statements. Where a condition is not known, each branch works on its
// own copy and the copies are merged afterwards, element by element, into `if condition then a else b`. A path that
// ends early (return, break) is stored with the condition under which it was taken, and merged at the end of the
// function or of the loop.
#include <fmt/format.h>

#include "driftless/language/algorithms.hpp"
#include "driftless/language/functions.hpp"
#include "driftless/language/records.hpp"
#include "driftless/language/when.hpp"

namespace driftless::language {

namespace {

// Ended: this path has left the list of statements by return or break, and was stored.
enum class Flow { Normal, Ended, NeedsProgram, Failed };

struct Path {
  NodeId condition;  // under which it is taken, from the start of the function
  Locals locals;
};

class Executor {
 public:
  Executor(Elaboration& all, Frame& frame, SectionOfModel* section = nullptr)
      : all_(all),
        pool_(all.pool),
        frame_(frame),
        section_(section),
        at_{all, frame.function, frame.locals},
        variables_(frame.locals.size()),
        taken_(pool_.one()) {}

  Execution run() {
    Flow flow = Flow::Normal;
    for (const ast::AlgorithmSection& section : frame_.function.body()->algorithms)
      if (flow == Flow::Normal) flow = run(section.statements);
    if (flow == Flow::NeedsProgram) return Execution::NeedsProgram;
    if (flow == Flow::Failed) return Execution::Failed;
    return gather(returns_, flow, variables_) == Flow::Normal ? Execution::Done : Execution::Failed;
  }

  bool run_section(const std::vector<ast::Statement>& statements) { return run(statements) == Flow::Normal; }

 private:
  Flow run(const std::vector<ast::Statement>& statements) {
    if (!statements.empty() && !all_.may_nest(statements.front().range)) return Flow::Failed;
    const Nesting nesting(all_);
    for (const ast::Statement& statement : statements) {
      constexpr std::int64_t cost_of_statement = 5;  // in evaluations of an expression
      if (!all_.spend(statement.range, cost_of_statement)) return Flow::Failed;
      const Flow flow = run(statement);
      if (flow != Flow::Normal) return flow;
    }
    return Flow::Normal;
  }

  Flow run(const ast::Statement& statement) {
    if (const auto* x = std::get_if<ast::Assignment>(&statement.node))
      return assign(x->target, evaluated(x->value), x->value.range, statement.range);
    if (const auto* x = std::get_if<ast::TupleAssignment>(&statement.node)) return assign_all(*x, statement.range);
    if (const auto* x = std::get_if<ast::CallStatement>(&statement.node)) return call(x->call);
    if (const auto* x = std::get_if<ast::IfStatement>(&statement.node)) return if_statement(*x, statement.range);
    if (std::holds_alternative<ast::ForStatement>(statement.node) ||
        std::holds_alternative<ast::WhileStatement>(statement.node))
      return loop(statement);
    if (const auto* x = std::get_if<ast::WhenStatement>(&statement.node)) return when_statement(*x, statement.range);
    if (std::holds_alternative<ast::Return>(statement.node)) {
      if (section_) {
        at_.error(Code::WrongPlace, statement.range, "'return' stands outside of a function");
        return Flow::Failed;
      }
      returns_.push_back({taken_, frame_.locals});
      return Flow::Ended;
    }
    if (!breaks_) {
      at_.error(Code::WrongPlace, statement.range, "'break' stands outside of a loop");
      return Flow::Failed;
    }
    breaks_->push_back({taken_, frame_.locals});
    return Flow::Ended;
  }

  // Assertions in functions called on this path apply to this path only.
  std::vector<Value> results_of(const ast::Expression& expression) {
    std::optional<Reached> reached;
    if (!pool_.is_constant(taken_, 1.0)) reached.emplace(all_, taken_);
    return evaluate_all(at_, expression);
  }

  Value evaluated(const ast::Expression& expression) {
    std::optional<Reached> reached;
    if (!pool_.is_constant(taken_, 1.0)) reached.emplace(all_, taken_);
    const Value value = evaluate(at_, expression);
    if (section_) section_->note_value(pool_, value);
    return value;
  }

  Flow assign(const ast::Reference& target, const Value& value, SourceRange range, SourceRange statement) {
    Local* local = assignable(at_, target);
    if (!local || !value.valid()) return Flow::Failed;
    if (local->value.is_record()) return assign_record(*local, target, value, range, statement);
    const auto& subscripts = target.parts.front().subscripts;
    std::optional<Slice> part;
    if (!subscripts.empty()) {
      part = slice(at_, Shape(local->value.shape()), subscripts, local->name, target.range, local->index_types);
      if (!part) return Flow::Failed;
      local = find_local(frame_.locals, target.parts.front().name.text);
    }
    const Value fitting = fit_for(at_, *local, part, value, range);
    if (!fitting.valid()) return Flow::Failed;
    if (section_ && !section_->note_assignment(at_, *local, part ? &part->offsets : nullptr, fitting, statement))
      return Flow::Failed;
    if (!part) {
      local->value = fitting;
      return Flow::Normal;
    }
    const std::span<NodeId> elements = local->value.change();
    for (std::size_t k = 0; k < part->offsets.size(); ++k) {
      NodeId& element = elements[part->offsets[k]];
      const NodeId fresh = fitting[k / part->alternatives];
      if (part->conditions.empty())
        element = fresh;
      else if (element != unassigned)
        element = pool_.if_else(part->conditions[k % part->alternatives], fresh, element);
    }
    return Flow::Normal;
  }

  // A record, or some of its members.
  Flow assign_record(Local& local, const ast::Reference& target, const Value& value, SourceRange range,
                     SourceRange statement) {
    const auto places = member_places(at_, local.value, target);
    if (!places) return Flow::Failed;
    const Value& wanted = places->wanted;
    const std::string what = fmt::format("the value of '{}'", to_string(target));
    const Value fitting = wanted.is_record() ? as_record(at_, value, wanted, range, what)
                                             : convert(at_, value, wanted.type(), range, what, wanted.enumeration());
    if (!fitting.valid()) return Flow::Failed;
    const bool is_whole = target.parts.size() == 1 && target.parts.front().subscripts.empty();
    if (is_whole && fitting.rank() == wanted.rank()) {
      if (section_ && !section_->note_assignment(at_, local, nullptr, fitting, statement)) return Flow::Failed;
      local.value = fitting;
      return Flow::Normal;
    }
    if (fitting.shape() != wanted.shape() || fitting.layout() != wanted.layout()) {
      at_.error(
          Code::ShapesDiffer, range,
          fmt::format("the value is {}, but its target is {}", to_string(fitting.shape()), to_string(wanted.shape())));
      return Flow::Failed;
    }
    if (section_ && !section_->note_assignment(at_, local, &places->offsets, fitting, statement)) return Flow::Failed;
    const std::span<NodeId> elements = local.value.change();
    for (std::size_t k = 0; k < places->offsets.size(); ++k) elements[places->offsets[k]] = fitting[k];
    return Flow::Normal;
  }

  Flow assign_all(const ast::TupleAssignment& assignment, SourceRange range) {
    const std::vector<Value> values = results_of(assignment.call);
    if (values.size() == 1 && !values.front().valid()) return Flow::Failed;
    if (section_)
      for (const Value& value : values) section_->note_value(pool_, value);
    if (values.size() < assignment.targets.size()) {
      at_.error(Code::TooManyTargets, range,
                fmt::format("{} values on the left, but the function gives only {}", assignment.targets.size(),
                            values.size()));
      return Flow::Failed;
    }
    for (std::size_t k = 0; k < assignment.targets.size(); ++k) {
      if (!assignment.targets[k]) continue;
      const Flow flow = assign(*assignment.targets[k], values[k], assignment.call.range, range);
      if (flow != Flow::Normal) return flow;
    }
    return Flow::Normal;
  }

  Flow call(const ast::Expression& expression) {
    const auto& syntax = std::get<ast::Call>(expression.node);
    if (section_ && section_->call(at_, syntax, expression.range, taken_)) return Flow::Normal;
    if (syntax.function.is_simple() && syntax.function.dotted() == "assert")
      check_assertion(at_, syntax, expression.range, taken_);
    else
      results_of(expression);
    return Flow::Normal;
  }

  Flow if_statement(const ast::IfStatement& choice, SourceRange range) {
    return choose_branch(
        choice.branches, choice.otherwise,
        [&](const auto& branch) {
          const Value condition = evaluate_condition(at_, branch.condition);
          if (section_) section_->note_value(pool_, condition);
          return condition;
        },
        range);
  }

  // if edge(c1) then ... elseif edge(c2) then ... end if
  Flow when_statement(const ast::WhenStatement& choice, SourceRange range) {
    if (!section_) {
      at_.error(Code::WrongPlace, range, "'when' is not allowed in a function");
      return Flow::Failed;
    }
    if (!section_->may_begin_when(at_, range, taken_)) return Flow::Failed;
    std::vector<const ast::Expression*> conditions;
    for (const auto& branch : choice.branches) conditions.push_back(&branch.condition);
    const auto active = section_->active(at_, conditions);
    if (!active) return Flow::Failed;
    const InsideWhen inside(all_);
    return choose_branch(
        choice.branches, {},
        [&](const auto& branch) { return Value(Type::Boolean, (*active)[&branch - choice.branches.data()]); }, range);
  }

  template <class Branches, class ConditionOf>
  Flow choose_branch(const Branches& branches, const std::vector<ast::Statement>& otherwise, ConditionOf condition_of,
                     SourceRange range) {
    struct Branch {
      NodeId condition;
      Path end;
    };
    std::optional<Locals> before;  // copied only when a condition is not known
    const NodeId reached = taken_;
    NodeId remaining = taken_;
    std::vector<Branch> open;
    bool some_ended = false;
    const std::vector<ast::Statement>* last = &otherwise;

    const auto follow = [&](NodeId condition, NodeId taken, const std::vector<ast::Statement>& body) {
      taken_ = taken;
      const Flow flow = run(body);
      some_ended |= flow == Flow::Ended || taken_ != taken;
      if (flow == Flow::Normal) open.push_back({condition, {taken_, std::move(frame_.locals)}});
      frame_.locals = *before;
      return flow == Flow::Ended ? Flow::Normal : flow;
    };
    for (const auto& branch : branches) {
      const Value condition = condition_of(branch);
      if (!condition.valid()) return Flow::Failed;
      const auto known = known_number(pool_, condition.scalar());
      if (known && *known == 0.0) continue;
      if (known) {
        last = &branch.body;
        break;
      }
      if (!before) before = frame_.locals;
      const Flow flow = follow(condition.scalar(), conjunction(pool_, remaining, condition.scalar()), branch.body);
      if (flow != Flow::Normal) return flow;
      remaining = conjunction(pool_, remaining, negation(pool_, condition.scalar()));
    }
    if (!before) return run(*last);
    const Flow flow = follow(pool_.one(), remaining, *last);
    if (flow != Flow::Normal) return flow;

    if (open.empty()) return Flow::Ended;
    frame_.locals = std::move(open.back().end.locals);
    taken_ = open.back().end.condition;
    for (std::size_t k = open.size() - 1; k-- > 0;) {
      if (!merge_variables(at_, open[k].condition, open[k].end.locals, range)) return Flow::Failed;
      taken_ = disjunction(pool_, open[k].end.condition, taken_);
    }
    if (!some_ended) taken_ = reached;
    return Flow::Normal;
  }

  // In an algorithm section a loop whose iterations depend on values becomes a program, with everything before and
  // after it as expressions; a function becomes a program as a whole.
  Flow loop(const ast::Statement& statement) {
    std::optional<Locals> before;
    if (section_) before = frame_.locals;
    const NodeId reached = taken_;
    const auto* counted = std::get_if<ast::ForStatement>(&statement.node);
    const Flow flow = counted ? for_loop(*counted, statement.range)
                              : while_loop(std::get<ast::WhileStatement>(statement.node), statement.range);
    if (flow != Flow::NeedsProgram || !section_) return flow;
    frame_.locals = std::move(*before);
    taken_ = reached;
    return call_loop(at_, statement, *section_) ? Flow::Normal : Flow::Failed;
  }

  Flow for_loop(const ast::ForStatement& loop, SourceRange range) {
    if (loop.iterators.size() > ast::max_depth) {
      all_.not_supported(range, fmt::format("more than {} iterators", ast::max_depth));
      return Flow::Failed;
    }
    std::vector<Path> breaks;
    const auto outer = std::exchange(breaks_, &breaks);
    const std::size_t variables = frame_.locals.size();
    const Flow flow = turns(loop, 0);
    breaks_ = outer;
    if (flow == Flow::NeedsProgram || flow == Flow::Failed) return flow;
    return gather(breaks, flow, variables);
  }

  Flow turns(const ast::ForStatement& loop, std::size_t level) {
    if (level == loop.iterators.size()) return run(loop.body);
    const ast::Iterator& iterator = loop.iterators[level];
    if (!runs_over_known_values(at_, iterator)) return Flow::NeedsProgram;
    const bool is_array = iterator.range && !iterator.range->as<ast::Range>();
    const Value values = iterator_values(at_, iterator, is_array);
    if (!values.valid()) return Flow::Failed;
    if (section_) section_->note_value(pool_, values);
    const std::size_t place = frame_.locals.size();
    Flow flow = Flow::Normal;
    for (std::size_t k = 0; k < values.size() && flow == Flow::Normal; ++k) {
      frame_.locals.push_back({iterator.name.text, Local::Kind::Iterator, Value(values.type(), values[k])});
      flow = turns(loop, level + 1);
      frame_.locals.resize(place);
    }
    return flow;
  }

  Flow while_loop(const ast::WhileStatement& loop, SourceRange range) {
    std::vector<Path> breaks;
    const auto outer = std::exchange(breaks_, &breaks);
    const std::size_t variables = frame_.locals.size();
    Flow flow = Flow::Normal;
    const std::int64_t longest = std::min<std::int64_t>(all_.limits.elements, 1'000'000);
    std::int64_t turn = 0;
    while (flow == Flow::Normal) {
      const Value condition = evaluate_condition(at_, loop.condition);
      if (!condition.valid()) {
        flow = Flow::Failed;
      } else if (!pool_.is_constant(condition.scalar()) || !breaks.empty()) {
        flow = Flow::NeedsProgram;  // how often it runs depends on values
      } else if (pool_.is_constant(condition.scalar(), 0.0)) {
        break;
      } else if (++turn > longest) {
        at_.error(Code::EndlessExpansion, range, fmt::format("this loop does not end within {} turns", longest));
        flow = Flow::Failed;
      } else {
        flow = run(loop.body);
      }
    }
    breaks_ = outer;
    if (flow == Flow::NeedsProgram || flow == Flow::Failed) return flow;
    return gather(breaks, flow, variables);
  }

  // Merges the stored paths into the present one, which may itself have ended. After the first `variables` locals each
  // may have iterators of loops that have ended.
  Flow gather(std::vector<Path>& aside, Flow flow, std::size_t variables) {
    for (Path& path : aside) path.locals.resize(variables);
    if (aside.empty()) return flow;
    if (flow == Flow::Ended) {
      frame_.locals = std::move(aside.back().locals);
      taken_ = aside.back().condition;
      aside.pop_back();
    }
    for (auto path = aside.rbegin(); path != aside.rend(); ++path) {
      if (!merge_variables(at_, path->condition, path->locals, frame_.function.syntax->name.range)) return Flow::Failed;
      taken_ = disjunction(pool_, path->condition, taken_);
    }
    return Flow::Normal;
  }

  Elaboration& all_;
  Pool& pool_;
  Frame& frame_;
  SectionOfModel* section_;  // null in a function
  Environment at_;
  std::size_t variables_;
  NodeId taken_;  // the condition under which the present path is taken
  std::vector<Path> returns_;
  std::vector<Path>* breaks_ = nullptr;  // of the innermost loop
};

}  // namespace

Execution execute(Elaboration& all, Frame& frame) { return Executor(all, frame).run(); }

bool execute(Elaboration& all, Frame& frame, SectionOfModel& section, const std::vector<ast::Statement>& statements) {
  return Executor(all, frame, &section).run_section(statements);
}

}  // namespace driftless::language
