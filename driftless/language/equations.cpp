// Equation sections: loops unrolled, branches chosen or merged, arrays made scalar.
#include <fmt/format.h>

#include <algorithm>

#include "driftless/language/elaboration.hpp"
#include "driftless/language/records.hpp"
#include "driftless/language/when.hpp"

namespace driftless::language {

namespace {

// One section, or one branch of an if-equation in it, being written.
struct Section {
  Environment at;
  bool initial = false;
  std::vector<Equation>& continuous;
  std::vector<DiscreteEquation>& discrete;
  bool is_branch = false;  // of a switching if-equation: its equations are not complete yet
};

void elaborate_list(const Section& section, const std::vector<ast::Equation>& equations);

// An Integer variable cannot take the value of a Real expression.
bool types_fit(const Section& section, const EquationSite& site, const Value& left, const Value& right, std::size_t k) {
  for (const auto& [target, given] : {std::pair{&left, &right}, std::pair{&right, &left}}) {
    if (target->type() != Type::Integer || given->type() != Type::Real) continue;
    if (!discrete_value(section.at.all.model, (*target)[k])) continue;
    section.at
        .error(Code::TypesDiffer, site.range,
               fmt::format("{} is Integer, but the other side is Real", name_of(section.at.all.model, (*target)[k])))
        .note("integer(...) is the largest Integer that is not above its argument");
    return false;
  }
  return true;
}

// left = right for every element; `place` holds the subscripts that distinguish several pairs of one equation.
void equate_elements(const Section& section, const EquationSite& site, const std::string& turn, const Value& left,
                     const Value& right, std::string_view place) {
  Elaboration& all = section.at.all;
  const Shape& shape = left.shape();
  for (std::size_t k = 0; k < left.size() && !all.exhausted(); ++k) {
    std::string which = turn;
    if (!shape.empty()) {
      const std::string subscripts = element_subscripts(shape, k);
      which += place.empty() ? subscripts : fmt::format("[{},{}", place, subscripts.substr(1));
    } else if (!place.empty()) {
      which += fmt::format("[{}]", place);
    }
    if (is_discrete_equation(all.model, left.type(), right.type(), left[k], right[k], section.initial)) {
      if (types_fit(section, site, left, right, k))
        section.discrete.push_back(discrete_equation(all, site, which, left[k], right[k]));
    } else if (left.is_numeric()) {
      all.add_equation(section.continuous, site, which, all.pool.sub(left[k], right[k]));
    } else {
      section.at
          .error(Code::WrongDiscreteEquation, site.range,
                 fmt::format("{} contains no discrete variable that it could determine", site.text))
          .note("what must hold during the run is written as assert(condition, message)");
    }
  }
}

void equate(const Section& section, const EquationSite& site, const std::string& turn, const Value& left,
            const Value& right, std::string_view place);

// Member by member; those of an array of records are arrays.
void equate_records(const Section& section, const EquationSite& site, const std::string& turn, const Value& left,
                    const Value& right) {
  const Value same = as_record(section.at, right, left, site.range, "the right side");
  if (!same.valid()) return;
  for (const RecordMember& member : left.layout()->members)
    equate(section, site, fmt::format("{}[{}]", turn, member.name), left.member(member.name), same.member(member.name),
           {});
}

void equate(const Section& section, const EquationSite& site, const std::string& turn, const Value& left,
            const Value& right, std::string_view place) {
  if (!left.valid() || !right.valid()) return;
  const Environment& at = section.at;
  if (left.type() != right.type() && !(left.is_numeric() && right.is_numeric())) {
    at.error(
        Code::TypesDiffer, site.range,
        fmt::format("the two sides have different types: {} and {}", to_string(left.type()), to_string(right.type())));
  } else if (left.is_record()) {
    equate_records(section, site, turn, left, right);
  } else if (left.enumeration() && right.enumeration() && *left.enumeration() != *right.enumeration()) {
    at.error(Code::TypesDiffer, site.range,
             fmt::format("the two sides have different types: {} and {}", *left.enumeration(), *right.enumeration()));
  } else if (left.shape() != right.shape()) {
    at.error(Code::ShapesDiffer, site.range,
             fmt::format("the two sides have different shapes: {} and {}", to_string(left.shape()),
                         to_string(right.shape())));
  } else {
    equate_elements(section, site, turn, left, right, place);
  }
}

void elaborate_equality(const Section& section, const ast::Equation& equation, const ast::Equality& equality) {
  const Environment& at = section.at;
  const std::string turn = turn_of_loops(at);
  const auto* tuple = equality.left.as<ast::Tuple>();
  if (!tuple) {
    const Value left = evaluate(at, equality.left);
    equate(section, at.all.site(equation.range), turn, left, evaluate(at, equality.right), {});
    return;
  }
  const std::vector<Value> results = evaluate_all(at, equality.right);
  const bool failed = results.size() == 1 && !results.front().valid();
  if (!failed && tuple->elements.size() > results.size()) {
    at.error(
        Code::TooManyTargets, equation.range,
        fmt::format("{} values on the left, but the right side gives only {}", tuple->elements.size(), results.size()));
    return;
  }
  for (std::size_t k = 0; k < tuple->elements.size(); ++k) {
    if (!tuple->elements[k]) continue;
    const Value left = evaluate(at, *tuple->elements[k]);
    if (!failed) equate(section, at.all.site(equation.range), turn, left, results[k], std::to_string(k + 1));
  }
}

// The equations of one branch of a switching if-equation.
struct Branch {
  NodeId condition;
  std::string text;  // of the condition
  std::vector<Equation> continuous = {};
  std::vector<DiscreteEquation> discrete = {};

  std::size_t size() const { return continuous.size() + discrete.size(); }
};

std::string text_of_choice(const Branch& branch, const std::string& one, const std::string& other) {
  return fmt::format("if {} then {} else {}", branch.text, one, other);
}

void refuse_branches(const Section& section, SourceRange range, const Branch& one, const Branch& other) {
  const bool no_else = other.size() == 0 && other.text.empty();
  section.at
      .error(Code::IfBranchesDiffer, range,
             no_else
                 ? std::string("this if-equation has no equations for the case that no condition is true")
                 : fmt::format("the branches of this if-equation have {} and {} equations", one.size(), other.size()))
      .note(
          "its conditions change during the run, so every branch, else included, needs as many equations as the "
          "others");
}

// Replaces the equations of `other` by if condition then (those of `one`) else (those of `other`), pair by pair.
bool merge_branches(const Section& section, SourceRange range, const Branch& one, Branch& other) {
  Pool& pool = section.at.all.pool;
  if (one.continuous.size() != other.continuous.size() || one.discrete.size() != other.discrete.size()) {
    refuse_branches(section, range, one, other);
    return false;
  }
  for (std::size_t k = 0; k < one.continuous.size(); ++k) {
    const Equation& mine = one.continuous[k];
    Equation& merged = other.continuous[k];
    merged = {pool.if_else(one.condition, mine.residual, merged.residual), mine.label,
              text_of_choice(one, mine.text, merged.text), mine.range};
  }
  for (const DiscreteEquation& mine : one.discrete) {
    const auto theirs = std::ranges::find(other.discrete, mine.left, &DiscreteEquation::left);
    if (theirs == other.discrete.end()) {
      const std::string name = name_of(section.at.all.model, mine.left);
      section.at
          .error(Code::IfBranchesDiffer, range,
                 fmt::format("{} gets a value in some branches of this if-equation, but not in all", name))
          .note("it gets one here", mine.range)
          .note(fmt::format("write {0} = pre({0}) where it keeps its value", name));
      return false;
    }
    *theirs = {mine.left, pool.if_else(one.condition, mine.right, theirs->right), mine.label,
               text_of_choice(one, mine.text, theirs->text), mine.range};
  }
  return true;
}

// An if-equation whose conditions change during the run, from its k-th branch on.
void elaborate_switch(const Section& section, const ast::IfEquation& choice, std::size_t k, SourceRange range) {
  const Environment& at = section.at;
  Pool& pool = at.all.pool;
  std::vector<Branch> branches;
  NodeId open = pool.one();  // no condition so far is true
  const auto follow = [&](NodeId condition, std::string text, const std::vector<ast::Equation>& body) {
    const Reached reached(at.all, conjunction(pool, open, condition));
    Branch& branch = branches.emplace_back(Branch{condition, std::move(text)});
    elaborate_list({at, section.initial, branch.continuous, branch.discrete, true}, body);
    open = conjunction(pool, open, negation(pool, condition));
  };
  for (; k < choice.branches.size() && !pool.is_constant(open, 0.0); ++k) {
    const ast::Expression& syntax = choice.branches[k].condition;
    const auto condition = branch_condition(at, syntax);
    if (!condition) return;
    if (!pool.is_constant(*condition, 0.0))
      follow(*condition, at.all.source_text(syntax.range), choice.branches[k].body);
  }
  if (!pool.is_constant(open, 0.0)) follow(pool.one(), {}, choice.otherwise);
  if (at.all.has_errors()) return;  // an equation may be absent because of it
  Branch merged = std::move(branches.back());
  for (std::size_t b = branches.size() - 1; b-- > 0;)
    if (!merge_branches(section, range, branches[b], merged)) return;
  std::ranges::move(merged.continuous, std::back_inserter(section.continuous));
  std::ranges::move(merged.discrete, std::back_inserter(section.discrete));
}

void elaborate_if(const Section& section, const ast::IfEquation& choice, SourceRange range) {
  const Pool& pool = section.at.all.pool;
  for (std::size_t k = 0; k < choice.branches.size(); ++k) {
    const auto condition = branch_condition(section.at, choice.branches[k].condition);
    if (!condition) return;
    if (!pool.is_constant(*condition)) return elaborate_switch(section, choice, k, range);
    if (!pool.is_constant(*condition, 0.0)) return elaborate_list(section, choice.branches[k].body);
  }
  elaborate_list(section, choice.otherwise);
}

void elaborate_call(const Section& section, const ast::Expression& expression) {
  const auto& call = std::get<ast::Call>(expression.node);
  if (call.function.is_simple() && call.function.dotted() == "assert")
    check_assertion(section.at, call, expression.range, section.at.all.pool.one(), section.initial);
  else
    evaluate_all(section.at, expression);
}

void elaborate_when_of(const Section& section, const ast::WhenEquation& when, SourceRange range) {
  if (section.initial)
    section.at.error(Code::WhenMisplaced, range, "a when clause cannot stand in an initial equation section")
        .note(
            "equations of this section hold at the start; a when clause with the condition initial() in an equation "
            "section is active there, too");
  else if (section.is_branch)
    section.at
        .error(Code::WhenMisplaced, range,
               "a when clause cannot stand inside of an if-equation whose condition changes during the run")
        .note("join the two conditions by 'and' in the when clause");
  else if (is_clocked(section.at, when))
    elaborate_clocked_when(section.at, when, range);
  else
    elaborate_when(section.at, when);
}

void elaborate_connect_of(const Section& section, const ast::Connect& connect, SourceRange range) {
  if (section.initial || section.is_branch)
    section.at
        .error(Code::WrongConnection, range,
               section.initial ? "connect cannot stand in an initial equation section"
                               : "connect cannot stand inside of an if-equation whose condition changes during the run")
        .note("connections hold during the whole run");
  else
    elaborate_connect(section.at, connect, range);
}

void elaborate_one(const Section& section, const ast::Equation& equation) {
  if (section.initial && section.at.all.answered_at_start.contains({section.at.scope.instance, &equation})) return;
  if (const auto* equality = std::get_if<ast::Equality>(&equation.node)) {
    elaborate_equality(section, equation, *equality);
  } else if (const auto* choice = std::get_if<ast::IfEquation>(&equation.node)) {
    elaborate_if(section, *choice, equation.range);
  } else if (const auto* loop = std::get_if<ast::ForEquation>(&equation.node)) {
    iterate(section.at, loop->iterators, [&] {
      elaborate_list(section, loop->body);
      return section.at.all.spend(equation.range);
    });
  } else if (const auto* call = std::get_if<ast::CallEquation>(&equation.node)) {
    elaborate_call(section, call->call);
  } else if (const auto* when = std::get_if<ast::WhenEquation>(&equation.node)) {
    elaborate_when_of(section, *when, equation.range);
  } else {
    elaborate_connect_of(section, std::get<ast::Connect>(equation.node), equation.range);
  }
}

// The equations since `first` are complete: their relations may be held.
void complete(const Section& section, std::size_t first) {
  if (section.is_branch) return;
  for (DiscreteEquation& equation : section.discrete)
    add_discrete_equation(section.at, std::move(equation), section.initial);
  section.discrete.clear();
  note_quiet_relations(section.at.all, section.continuous, first);
}

void elaborate_list(const Section& section, const std::vector<ast::Equation>& equations) {
  for (const ast::Equation& equation : equations) {
    if (section.at.all.exhausted()) return;
    const std::size_t first = section.continuous.size();
    elaborate_one(section, equation);
    complete(section, first);
  }
}

}  // namespace

std::optional<NodeId> branch_condition(const Environment& at, const ast::Expression& expression) {
  const Value condition = evaluate_condition(at, expression);
  if (!condition.valid()) return std::nullopt;
  if (changes_during_run(at.all.model, condition.scalar())) return condition.scalar();
  if (at.all.pool.is_constant(condition.scalar())) return condition.scalar();  // initial() and false
  const Value decided = evaluate_condition(at.with(Purpose::Condition), expression);
  if (!decided.valid()) return std::nullopt;
  return at.all.pool.constant(number_of(at.all.pool, decided.scalar()) != 0.0 ? 1.0 : 0.0);
}

void add_equality(Elaboration& all, const EquationSite& site, const std::string& which, const Value& left,
                  const Value& right) {
  Locals nothing;
  std::vector<DiscreteEquation> discrete;
  const Section section{{all, all.root->own(), nothing}, false, all.model.equations, discrete};
  const std::size_t first = section.continuous.size();
  equate(section, site, which, left, right, {});
  complete(section, first);
}

void add_declaration_equation(const Environment& at, const Value& left, const Value& right, SourceRange range) {
  std::vector<DiscreteEquation> discrete;
  const Section section{at, false, at.all.model.equations, discrete};
  const std::size_t first = section.continuous.size();
  equate(section, at.all.site(range), {}, left, right, {});
  complete(section, first);
}

namespace {

void elaborate_layer(Elaboration& all, Scope& model) {
  const ast::LongClass& body = *model.body();
  for (const ast::EquationSection& written : body.equations) {
    if (written.kind == ast::EquationKind::Parameter) {
      all.not_supported(written.range, "parameter equation sections");
      continue;
    }
    Locals locals;
    const bool initial = written.kind == ast::EquationKind::Initial;
    std::vector<DiscreteEquation> discrete;
    elaborate_list(
        {{all, model, locals}, initial, initial ? all.model.initial_equations : all.model.equations, discrete},
        written.equations);
  }
  elaborate_algorithms(all, model);
}

}  // namespace

void elaborate_body(const Environment& at, const std::vector<ast::Equation>& equations) {
  std::vector<DiscreteEquation> discrete;
  elaborate_list({at, false, at.all.model.equations, discrete}, equations);
}

// Of each instance the equations of the classes that it extends come first.
void elaborate_equations(Elaboration& all, const Flat& flat) {
  all.connections = {};
  for (Instance* instance : flat.instances) {
    const Reading reading(all, instance);
    for (auto layer = instance->layers.rbegin(); layer != instance->layers.rend(); ++layer)
      if (layer->body()) elaborate_layer(all, *layer);
  }
  add_connection_equations(all, flat);
}

}  // namespace driftless::language
