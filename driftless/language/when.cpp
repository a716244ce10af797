#include "driftless/language/when.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace driftless::language {

namespace {

// v takes this value where the branch is active.
struct Assigned {
  std::size_t variable;
  NodeId value;
  std::string which;
  SourceRange range;
};
using Assignments = std::vector<Assigned>;  // in the order of the text

const Assigned* find(const Assignments& list, std::size_t variable) {
  const auto found = std::ranges::find(list, variable, &Assigned::variable);
  return found == list.end() ? nullptr : &*found;
}

// Elaborates the body of one branch of a when clause.
class Body {
 public:
  explicit Body(const Environment& at) : at_(at), all_(at.all) {}

  bool run(const std::vector<ast::Equation>& equations) {
    bool valid = true;
    for (const ast::Equation& equation : equations) {
      if (!all_.spend(equation.range)) return false;
      valid = run(equation) && valid;
    }
    return valid;
  }

  Assignments assignments;

 private:
  bool run(const ast::Equation& equation) {
    if (const auto* equality = std::get_if<ast::Equality>(&equation.node)) return assign(equation, *equality);
    if (const auto* choice = std::get_if<ast::IfEquation>(&equation.node)) return choose(*choice, equation.range);
    if (const auto* loop = std::get_if<ast::ForEquation>(&equation.node)) {
      bool valid = true;
      return iterate(at_, loop->iterators, [&] { return valid = run(loop->body), valid; }) && valid;
    }
    if (const auto* call = std::get_if<ast::CallEquation>(&equation.node)) return run_call(call->call);
    if (std::holds_alternative<ast::WhenEquation>(equation.node))
      at_.error(Code::WhenMisplaced, equation.range, "a when clause cannot stand inside of another one")
          .note("join the conditions by 'and', or write two clauses one after the other");
    else
      at_.error(Code::WhenMisplaced, equation.range, "connect cannot stand inside of a when clause");
    return false;
  }

  bool run_call(const ast::Expression& expression) {
    const auto& call = std::get<ast::Call>(expression.node);
    const std::string name = call.function.is_simple() ? call.function.dotted() : std::string();
    if (name == "reinit")
      add_reinit(at_, call, expression.range);
    else if (name == "terminate")
      add_termination(at_, call, expression.range);
    else if (name == "assert")
      check_assertion(at_, call, expression.range, all_.pool.one());
    else
      evaluate_all(at_, expression);
    return true;
  }

  bool assign(const ast::Equation& equation, const ast::Equality& equality) {
    const auto* tuple = equality.left.as<ast::Tuple>();
    if (!tuple) return assign(equality.left, evaluate(at_, equality.right), equality.right.range, equation.range, "");
    const std::vector<Value> results = evaluate_all(at_, equality.right);
    if (results.size() == 1 && !results.front().valid()) return false;
    if (tuple->elements.size() > results.size()) {
      at_.error(Code::TooManyTargets, equation.range,
                fmt::format("{} values on the left, but the right side gives only {}", tuple->elements.size(),
                            results.size()));
      return false;
    }
    bool valid = true;
    for (std::size_t k = 0; k < tuple->elements.size(); ++k)
      if (tuple->elements[k])
        valid =
            assign(*tuple->elements[k], results[k], equality.right.range, equation.range, fmt::format("[{}]", k + 1)) &&
            valid;
    return valid;
  }

  bool assign(const ast::Expression& target, const Value& given, SourceRange given_at, SourceRange range,
              const std::string& place) {
    const Value left = evaluate(at_, target);
    if (!left.valid() || !given.valid()) return false;
    for (const NodeId element : left.elements())
      if (!discrete_value(all_.model, element)) {
        at_.error(Code::NotDiscrete, target.range,
                  fmt::format("an equation in a when clause gives a discrete variable a value, but {} is none",
                              all_.source_text(target.range)))
            .note("write v = ... with a variable on the left; a continuous variable is set by reinit(x, ...)");
        return false;
      }
    const Value right = convert(at_, given, left.type(), given_at,
                                fmt::format("the value of '{}'", all_.source_text(target.range)), left.enumeration());
    if (!right.valid()) return false;
    if (right.shape() != left.shape()) {
      at_.error(Code::ShapesDiffer, range,
                fmt::format("the two sides have different shapes: {} and {}", to_string(left.shape()),
                            to_string(right.shape())));
      return false;
    }
    for (std::size_t k = 0; k < left.size(); ++k) {
      const std::string subscripts = left.is_scalar() ? "" : element_subscripts(left.shape(), k);
      if (!add({*discrete_value(all_.model, left[k]), right[k], turn_of_loops(at_) + place + subscripts, range}))
        return false;
    }
    return true;
  }

  bool add(Assigned fresh) {
    if (const Assigned* other = find(assignments, fresh.variable)) {
      at_.error(Code::AssignedTwice, fresh.range,
                fmt::format("{} gets two values in the same branch of a when clause", name(fresh.variable)))
          .note("the other one is here", other->range);
      return false;
    }
    assignments.push_back(std::move(fresh));
    return true;
  }

  bool choose(const ast::IfEquation& choice, SourceRange range) {
    struct Branch {
      NodeId condition;
      Assignments assignments;
    };
    std::vector<Branch> branches;
    NodeId open = all_.pool.one();  // no condition so far was true
    const auto follow = [&](NodeId condition, const std::vector<ast::Equation>& equations) {
      const Reached reached(all_, conjunction(all_.pool, open, condition));
      Body body(at_);
      const bool valid = body.run(equations);
      branches.push_back({condition, std::move(body.assignments)});
      open = conjunction(all_.pool, open, negation(all_.pool, condition));
      return valid;
    };
    for (const auto& branch : choice.branches) {
      const auto condition = branch_condition(at_, branch.condition);
      if (!condition) return false;
      if (all_.pool.is_constant(*condition, 0.0)) continue;
      if (!follow(*condition, branch.body)) return false;
      if (all_.pool.is_constant(*condition)) break;
    }
    if (!all_.pool.is_constant(open, 0.0) && !follow(all_.pool.one(), choice.otherwise)) return false;
    return merge(std::move(branches), range);
  }

  // Merges branches, all of which must assign the same variables.
  template <class Branches>
  bool merge(Branches branches, SourceRange range) {
    if (branches.empty()) return true;
    Assignments merged = std::move(branches.back().assignments);
    for (std::size_t k = branches.size() - 1; k-- > 0;) {
      const Assignments& other = branches[k].assignments;
      for (const Assigned& one : other)
        if (!find(merged, one.variable)) return refuse_missing(one, range);
      for (const Assigned& one : merged)
        if (!find(other, one.variable)) return refuse_missing(one, range);
      for (Assigned& one : merged)
        one.value = all_.pool.if_else(branches[k].condition, find(other, one.variable)->value, one.value);
    }
    for (Assigned& one : merged)
      if (!add(std::move(one))) return false;
    return true;
  }

  bool refuse_missing(const Assigned& one, SourceRange range) {
    at_.error(Code::WhenBranchesDiffer, range,
              fmt::format("{} gets a value in some branches of this if-equation, but not in all", name(one.variable)))
        .note("it gets one here", one.range)
        .note(fmt::format("write {0} = pre({0}) where it keeps its value", name(one.variable)));
    return false;
  }

  const std::string& name(std::size_t variable) const { return all_.model.discrete.variables[variable].name; }

  const Environment& at_;
  Elaboration& all_;
};

// v = if active1 then e1 else if active2 then e2 else pre(v), for each v.
void add_equations(const Environment& at, const std::vector<NodeId>& active, const std::vector<Assignments>& branches) {
  Elaboration& all = at.all;
  Model& model = all.model;
  for (const Assigned& first : branches.front()) {
    const DiscreteVariable& variable = model.discrete.variables[first.variable];
    if (!may_assign(at, first.variable, first.range)) continue;
    const NodeId leaf = all.pool.parameter(variable.value);
    NodeId value = all.pool.parameter(variable.pre);
    for (std::size_t k = branches.size(); k-- > 0;) {
      const Assigned& here = *find(branches[k], first.variable);
      if (any_node(all.pool, here.value, [&](NodeId id) { return id == leaf; })) {
        at.error(Code::DependsOnItself, here.range, fmt::format("{} depends on itself", variable.name))
            .note(fmt::format("its value before the event is pre({})", variable.name));
        return;
      }
      value = all.pool.if_else(active[k], here.value, value);
    }
    const EquationSite& site = all.site(first.range);
    model.discrete.equations.push_back({leaf, value, all.label(site, first.which), site.text, site.range});
  }
}

bool assign_the_same(const Environment& at, const ast::WhenEquation& when, const std::vector<Assignments>& branches) {
  bool same = true;
  for (std::size_t a = 0; a < branches.size(); ++a)
    for (std::size_t b = 0; b < branches.size(); ++b)
      for (const Assigned& one : branches[a])
        if (!find(branches[b], one.variable)) {
          const std::string& name = at.all.model.discrete.variables[one.variable].name;
          at.error(Code::WhenBranchesDiffer, when.branches[b].condition.range,
                   fmt::format("this branch of the when clause gives {} no value, but another one does", name))
              .note("it gets one here", one.range)
              .note(fmt::format("write {0} = pre({0}) where it keeps its value", name));
          same = false;
        }
  return same;
}

const ast::Expression* argument_of(const ast::Call& call, std::size_t position, std::string_view name) {
  for (std::size_t k = 0; k < call.arguments.size(); ++k)
    if (call.arguments[k].name.empty() ? k == position : call.arguments[k].name.text == name)
      return &call.arguments[k].value;
  return nullptr;
}

NodeId reached_here(const Elaboration& all) { return all.events.reached.value_or(all.pool.one()); }

void refuse_reinit(const Environment& at, NodeId leaf, SourceRange range) {
  const Elaboration& all = at.all;
  const std::string text = all.source_text(range);
  if (const auto place = discrete_value(all.model, leaf)) {
    const std::string& name = all.model.discrete.variables[*place].name;
    at.error(Code::WrongReinit, range, fmt::format("reinit is for continuous variables, but {} is discrete", name))
        .note(fmt::format("write {} = ... in the when clause", name));
  } else {
    at.error(Code::WrongReinit, range,
             fmt::format("reinit is for variables whose derivative occurs, but {} is no variable", text));
  }
}

// Is the variable already set by a reinit under the same condition?
bool is_set_already(const Environment& at, const Node& leaf, SourceRange range) {
  for (const Reinit& other : at.all.model.discrete.reinits)
    if (index(other.variable) == static_cast<std::int32_t>(leaf.a) && other.order == static_cast<int>(leaf.b) &&
        other.condition == reached_here(at.all)) {
      at.error(Code::AssignedTwice, range,
               fmt::format("{} gets two values in the same branch of a when clause",
                           derivative_name(at.all.model[other.variable].name, other.order)))
          .note("the other one is here", other.range);
      return true;
    }
  return false;
}

}  // namespace

bool may_assign(const Environment& at, std::size_t variable, SourceRange range) {
  const auto [place, fresh] = at.all.events.assigned.try_emplace(variable, range);
  if (fresh) return true;
  at.error(Code::AssignedTwice, range,
           fmt::format("two when clauses give {} a value", at.all.model.discrete.variables[variable].name))
      .note("the other one is here", place->second)
      .note(
          "join them into one clause by elsewhen, which takes the first one where both conditions become true at the "
          "same event");
  return false;
}

void add_reinit(const Environment& at, const ast::Call& call, SourceRange range) {
  Elaboration& all = at.all;
  if (call.arguments.size() != 2 || !call.iterators.empty()) {
    at.error(Code::WrongNumberOfArguments, range, "reinit takes a variable and its new value");
    return;
  }
  const ast::Expression &target = call.arguments[0].value, &given = call.arguments[1].value;
  const Value left = evaluate(at, target);
  const Value right = convert(at, evaluate(at, given), Type::Real, given.range, "the new value");
  if (!left.valid() || !right.valid()) return;
  if (left.shape() != right.shape()) {
    at.error(Code::ShapesDiffer, range,
             fmt::format("{} is {}, but its new value is {}", all.source_text(target.range), to_string(left.shape()),
                         to_string(right.shape())));
    return;
  }
  const EquationSite& site = all.site(range);
  for (std::size_t k = 0; k < left.size(); ++k) {
    const Node& node = all.pool[left[k]];
    if (node.op != Op::Variable) return refuse_reinit(at, left[k], target.range);
    const std::string which = turn_of_loops(at) + (left.is_scalar() ? "" : element_subscripts(left.shape(), k));
    if (is_set_already(at, node, range)) return;
    all.model.discrete.reinits.push_back({VarId{static_cast<std::int32_t>(node.a)}, static_cast<int>(node.b),
                                          reached_here(all), right[k], all.label(site, which), site.text, range});
  }
}

void add_termination(const Environment& at, const ast::Call& call, SourceRange range) {
  const ast::Expression* message = argument_of(call, 0, "message");
  if (!message || call.arguments.size() != 1) {
    at.error(Code::WrongNumberOfArguments, range, "terminate takes a message");
    return;
  }
  at.all.model.discrete.terminations.push_back({reached_here(at.all), message_text(at, *message), range});
}

void elaborate_when(const Environment& at, const ast::WhenEquation& when) {
  Elaboration& all = at.all;
  std::vector<const ast::Expression*> conditions;
  for (const auto& branch : when.branches) conditions.push_back(&branch.condition);
  const auto active = active_branches(at, conditions);
  const InsideWhen inside(all);
  std::vector<Assignments> branches;
  bool valid = active.has_value();
  for (std::size_t k = 0; k < when.branches.size(); ++k) {
    const Reached reached(all, active ? (*active)[k] : all.pool.one());
    Body body(at);
    valid = body.run(when.branches[k].body) && valid;
    branches.push_back(std::move(body.assignments));
  }
  all.events.quiet.clear();  // inside the clause no relation causes an event
  if (valid && assign_the_same(at, when, branches)) add_equations(at, *active, branches);
}

}  // namespace driftless::language
