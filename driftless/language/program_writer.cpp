#include "driftless/language/program_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "driftless/language/algorithms.hpp"
#include "driftless/language/dependencies.hpp"
#include "driftless/language/function_values.hpp"
#include "driftless/language/records.hpp"

namespace driftless::language {

namespace {

bool all_known(const Pool& pool, const Value& value) {
  return std::ranges::all_of(value.elements(),
                             [&](NodeId node) { return node != unassigned && pool.is_constant(node); });
}

}  // namespace

bool is_fixed_value(const Pool& pool, const Value& value) {
  return value.type() != Type::Real && all_known(pool, value);
}

bool is_fixed_argument(const Pool& pool, const Local& local) {
  return local.kind == Local::Kind::Input && is_fixed_value(pool, local.value);
}

ProgramInstance ProgramWriter::write(const Locals& bound, bool guarded) {
  program_.name = function_.path();
  for (const Local& local : bound)
    if (local.kind == Local::Kind::Input) locals_.push_back(input_in_slots(local));
  const NodeId is_reached = guarded ? new_slot() : pool_.one();
  program_.inputs = slots_;
  Statements body;
  if (!declare_others(bound, body)) return {};
  for (const ast::AlgorithmSection& section : function_.body()->algorithms)
    if (!write(section.statements, body)) return {};

  ProgramInstance instance;
  for (const Component& component : function_.instance->components) {
    if (component.prefixes.causality != ast::Causality::Output) continue;
    const Value& value = find_local(locals_, component.identifier())->value;
    for (const NodeId element : value.elements()) program_.outputs.push_back(slot_of(element));
    instance.outputs.push_back(value);
  }
  if (guarded) {
    Statement unless_reached, leave;
    unless_reached.kind = Statement::Kind::If;
    unless_reached.expression = negation(pool_, is_reached);
    leave.kind = Statement::Kind::Return;
    unless_reached.body.push_back(std::move(leave));
    body.insert(body.begin(), std::move(unless_reached));
  }
  program_.locals = slots_;
  program_.body = std::move(body);
  instance.function = pool_.add_function(std::move(program_));
  instance.valid = true;
  return instance;
}

std::optional<ProgramWriter::Loop> ProgramWriter::write_loop(const Locals& before, const ast::Statement& statement,
                                                             const std::string& name) {
  Loop loop;
  locals_ = before;
  const std::vector<std::string_view> changed = assigned_names({&statement, 1});
  for (std::size_t k = 0; k < locals_.size(); ++k) {
    if (std::ranges::find(changed, locals_[k].name) == changed.end()) continue;
    loop.assigned.push_back(k);
    std::ranges::copy(before[k].value.elements(), std::back_inserter(loop.arguments));
    locals_[k] = in_slots(locals_[k]);
  }
  const int own = slots_;
  for (int slot = 0; slot < own; ++slot) program_.outputs.push_back(slot);
  Statements body;
  if (!write(statement, body)) return std::nullopt;
  const std::vector<NodeId> leaves = leaves_to_slots(pool_, body, own);
  std::ranges::copy(leaves, std::back_inserter(loop.arguments));
  program_.inputs = static_cast<int>(loop.arguments.size());
  program_.name = name;
  program_.locals = slots_ + static_cast<int>(leaves.size());
  program_.body = std::move(body);
  loop.function = pool_.add_function(std::move(program_));
  return loop;
}

Local ProgramWriter::in_slots(Local local) {
  for (NodeId& element : local.value.change()) element = new_slot();
  return local;
}

Local ProgramWriter::input_in_slots(Local local) {
  if (local.value.type() == Type::Function) {
    local.value = with_given(all_, local.value, [&](Value value) {
      if (!is_fixed_value(pool_, value))
        for (NodeId& element : value.change()) element = new_slot();
      return value;
    });
    return local;
  }
  return is_fixed_argument(pool_, local) ? local : in_slots(std::move(local));
}

void ProgramWriter::assign(NodeId target, NodeId value, Statements& out) const {
  Statement statement;
  statement.target = slot_of(target);
  statement.expression = value;
  out.push_back(std::move(statement));
}

bool ProgramWriter::declare_others(const Locals& bound, Statements& out) {
  std::vector<std::string_view> changed;
  for (const ast::AlgorithmSection& section : function_.body()->algorithms)
    std::ranges::copy(assigned_names(section.statements), std::back_inserter(changed));
  for (const Component* component : declaration_order(all_, *function_.instance)) {
    if (component->prefixes.causality == ast::Causality::Input) continue;
    const auto original = std::ranges::find(bound, std::string_view(component->identifier()), &Local::name);
    const bool unsized = original->resizable && !component->given;
    if (unsized) {
      all_.not_supported(
          component->syntax->range,
          fmt::format("'{}' of unknown size in a function whose loops depend on values", component->name()));
      return false;
    }
    auto local = declare_local(at_, *component, nullptr, component->syntax->range);
    if (!local) return false;
    const bool changes = std::ranges::find(changed, local->name) != changed.end();
    if (local->kind == Local::Kind::Protected && !changes && all_known(pool_, local->value)) {
      locals_.push_back(std::move(*local));
      continue;
    }
    local->resizable = false;
    locals_.push_back(in_slots(*local));
    const NodeId nothing = pool_.constant(std::numeric_limits<double>::quiet_NaN());
    for (std::size_t k = 0; k < local->value.size(); ++k)
      assign(locals_.back().value[k], local->value[k] == unassigned ? nothing : local->value[k], out);
  }
  return true;
}

bool ProgramWriter::write(const std::vector<ast::Statement>& statements, Statements& out) {
  if (!statements.empty() && !all_.may_nest(statements.front().range)) return false;
  const Nesting nesting(all_);
  for (const ast::Statement& statement : statements)
    if (!all_.spend(statement.range) || !write(statement, out)) return false;
  return true;
}

bool ProgramWriter::write(const ast::Statement& statement, Statements& out) {
  if (const auto* x = std::get_if<ast::Assignment>(&statement.node))
    return write_assignment(x->target, evaluate(at_, x->value), x->value.range, out);
  if (const auto* x = std::get_if<ast::TupleAssignment>(&statement.node)) return write_tuple(*x, statement.range, out);
  if (const auto* x = std::get_if<ast::CallStatement>(&statement.node)) return write_call(x->call);
  if (const auto* x = std::get_if<ast::IfStatement>(&statement.node)) return write_if(*x, 0, out);
  if (const auto* x = std::get_if<ast::ForStatement>(&statement.node)) return write_for(*x, 0, out);
  if (const auto* x = std::get_if<ast::WhileStatement>(&statement.node)) return write_while(*x, out);
  const bool is_break = std::holds_alternative<ast::Break>(statement.node);
  if (is_break && loops_ == 0) {
    at_.error(Code::WrongPlace, statement.range, "'break' stands outside of a loop");
    return false;
  }
  if (!is_break && !std::holds_alternative<ast::Return>(statement.node)) {
    at_.error(Code::WrongPlace, statement.range,
              function_.syntax->kind == ast::ClassKind::Function
                  ? "'when' is not allowed in a function"
                  : "'when' is not allowed in a loop whose turns depend on values of the run");
    return false;
  }
  out.emplace_back().kind = is_break ? Statement::Kind::Break : Statement::Kind::Return;
  return true;
}

std::vector<NodeId> ProgramWriter::saved(std::span<const NodeId> nodes, Statements& out) {
  std::vector<NodeId> copies;
  for (const NodeId node : nodes) {
    copies.push_back(new_slot());
    assign(copies.back(), node, out);
  }
  return copies;
}

bool ProgramWriter::write_assignment(const ast::Reference& target, const Value& value, SourceRange range,
                                     Statements& out) {
  const Local* local = assignable(at_, target);
  if (!local || !value.valid()) return false;
  if (local->value.is_record()) return write_record(*local, target, value, range, out);
  const auto& subscripts = target.parts.front().subscripts;
  const Local copy = *local;
  std::optional<Slice> part;
  if (!subscripts.empty()) {
    part = slice(at_, copy.value.shape(), subscripts, copy.name, target.range);
    if (!part) return false;
  }
  const Value fitting = fit_for(at_, copy, part, value, range);
  if (!fitting.valid()) return false;
  if (!part && fitting.is_scalar()) {
    assign(copy.value.scalar(), fitting.scalar(), out);
    return true;
  }
  const std::vector<NodeId> values = saved(fitting.elements(), out);
  if (!part) {
    for (std::size_t k = 0; k < values.size(); ++k) assign(copy.value[k], values[k], out);
    return true;
  }
  const std::vector<NodeId> conditions = saved(part->conditions, out);
  for (std::size_t k = 0; k < part->offsets.size(); ++k) {
    const NodeId element = copy.value[part->offsets[k]], fresh = values[k / part->alternatives];
    assign(element, conditions.empty() ? fresh : pool_.if_else(conditions[k % part->alternatives], fresh, element),
           out);
  }
  return true;
}

bool ProgramWriter::write_record(const Local& local, const ast::Reference& target, const Value& value,
                                 SourceRange range, Statements& out) {
  const auto places = member_places(at_, local.value, target);
  if (!places) return false;
  const Value& wanted = places->wanted;
  const std::string what = fmt::format("the value of '{}'", to_string(target));
  const Value fitting = wanted.is_record() ? as_record(at_, value, wanted, range, what)
                                           : convert(at_, value, wanted.type(), range, what, wanted.enumeration());
  if (!fitting.valid()) return false;
  if (fitting.shape() != wanted.shape() || fitting.layout() != wanted.layout()) {
    at_.error(
        Code::ShapesDiffer, range,
        fmt::format("the value is {}, but its target is {}", to_string(fitting.shape()), to_string(wanted.shape())));
    return false;
  }
  const Value before = local.value;
  const std::vector<NodeId> values = saved(fitting.elements(), out);
  for (std::size_t k = 0; k < values.size(); ++k) assign(before[places->offsets[k]], values[k], out);
  return true;
}

bool ProgramWriter::write_tuple(const ast::TupleAssignment& assignment, SourceRange range, Statements& out) {
  std::vector<Value> values = evaluate_all(at_, assignment.call);
  if (values.size() == 1 && !values.front().valid()) return false;
  if (values.size() < assignment.targets.size()) {
    at_.error(
        Code::TooManyTargets, range,
        fmt::format("{} values on the left, but the function gives only {}", assignment.targets.size(), values.size()));
    return false;
  }
  for (Value& value : values) value = value.like(value.shape(), saved(value.elements(), out));
  for (std::size_t k = 0; k < assignment.targets.size(); ++k)
    if (assignment.targets[k] && !write_assignment(*assignment.targets[k], values[k], assignment.call.range, out))
      return false;
  return true;
}

bool ProgramWriter::write_call(const ast::Expression& expression) {
  const auto& call = std::get<ast::Call>(expression.node);
  const bool is_assert = call.function.is_simple() && call.function.dotted() == "assert";
  all_.warning(Code::NotSupported, expression.range,
               is_assert ? assertion_in_program
                         : "not supported yet: calls without a result in a function whose loops depend on values; this "
                           "one is not made");
  return true;
}

bool ProgramWriter::write_if(const ast::IfStatement& choice, std::size_t first, Statements& out) {
  if (first == choice.branches.size()) return write(choice.otherwise, out);
  const auto& branch = choice.branches[first];
  if (!all_.may_nest(branch.condition.range)) return false;
  const Nesting nesting(all_);
  const Value condition = evaluate_condition(at_, branch.condition);
  if (!condition.valid()) return false;
  if (const auto known = known_number(pool_, condition.scalar()))
    return *known != 0.0 ? write(branch.body, out) : write_if(choice, first + 1, out);
  Statement statement;
  statement.kind = Statement::Kind::If;
  statement.expression = condition.scalar();
  if (!write(branch.body, statement.body) || !write_if(choice, first + 1, statement.otherwise)) return false;
  out.push_back(std::move(statement));
  return true;
}

bool ProgramWriter::write_while(const ast::WhileStatement& loop, Statements& out) {
  const Value condition = evaluate_condition(at_, loop.condition);
  if (!condition.valid()) return false;
  Statement statement;
  statement.kind = Statement::Kind::While;
  statement.expression = condition.scalar();
  ++loops_;
  const bool written = write(loop.body, statement.body);
  --loops_;
  if (written) out.push_back(std::move(statement));
  return written;
}

bool ProgramWriter::write_for(const ast::ForStatement& loop, std::size_t level, Statements& out) {
  if (level == loop.iterators.size()) return write(loop.body, out);
  const ast::Iterator& iterator = loop.iterators[level];
  if (!all_.may_nest(iterator.name.range)) return false;
  const Nesting nesting(all_);
  ++loops_;
  const bool written =
      runs_over_known_values(at_, iterator) ? write_unrolled(loop, level, out) : write_counted(loop, level, out);
  --loops_;
  return written;
}

bool ProgramWriter::write_unrolled(const ast::ForStatement& loop, std::size_t level, Statements& out) {
  const ast::Iterator& iterator = loop.iterators[level];
  const Value values = iterator_values(at_, iterator);
  if (!values.valid()) return false;
  Statement once;
  once.kind = Statement::Kind::While;
  once.expression = pool_.one();
  for (const NodeId value : values.elements()) {
    locals_.push_back({iterator.name.text, Local::Kind::Iterator, Value(values.type(), value)});
    const bool written = write_for(loop, level + 1, once.body);
    locals_.pop_back();
    if (!written) return false;
  }
  once.body.emplace_back().kind = Statement::Kind::Break;
  out.push_back(std::move(once));
  return true;
}

bool ProgramWriter::write_counted(const ast::ForStatement& loop, std::size_t level, Statements& out) {
  const ast::Iterator& iterator = loop.iterators[level];
  const auto& range = std::get<ast::Range>(iterator.range->node);
  const Value first = evaluate(at_, *range.first), last = evaluate(at_, *range.last);
  const Value step = range.step ? evaluate(at_, *range.step) : Value(Type::Integer, pool_.one());
  if (!first.valid() || !last.valid() || !step.valid()) return false;
  if (!first.is_scalar() || !last.is_scalar() || !first.is_numeric() || !last.is_numeric()) {
    at_.error(Code::WrongRange, iterator.range->range, "a range needs scalar numbers");
    return false;
  }
  const auto stride = step.is_scalar() && step.is_numeric() ? known_number(pool_, step.scalar()) : std::nullopt;
  if (!stride || *stride == 0.0) {
    all_.not_supported(iterator.range->range, "a range whose step is known only during the run");
    return false;
  }
  const NodeId bound = new_slot(), counter = new_slot();
  assign(bound, last.scalar(), out);
  assign(counter, first.scalar(), out);
  Statement statement;
  statement.kind = Statement::Kind::While;
  statement.expression =
      *stride > 0 ? pool_.binary(Op::LessEqual, counter, bound) : pool_.binary(Op::LessEqual, bound, counter);
  // The body gets a copy of the counter, which never exceeds the last value.
  const NodeId seen = new_slot();
  assign(seen, counter, statement.body);
  locals_.push_back({iterator.name.text, Local::Kind::Iterator, Value(common_type(first.type(), step.type()), seen)});
  const bool written = write_for(loop, level + 1, statement.body);
  locals_.pop_back();
  assign(counter, pool_.add(counter, pool_.constant(*stride)), statement.body);
  if (written) out.push_back(std::move(statement));
  return written;
}

}  // namespace driftless::language
