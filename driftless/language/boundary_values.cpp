// annotation(__Driftless(finalEquations = {v == 0, x + y == 3}, guess(x = 1 + time)))
//
// The conditions of a boundary value problem at the stop time, and the initial guess of its iteration. The two sides of
// a condition are joined by `==`, since `=` is no operator of Modelica's expressions; arrays are equated by elements.
#include <fmt/format.h>

#include <algorithm>

#include "driftless/expr/calculus.hpp"
#include "driftless/language/elaboration.hpp"
#include "driftless/language/vendor_annotation.hpp"

namespace driftless::language {

namespace {

const ast::Binary* equality_of(const ast::Expression& expression) {
  const auto* relation = expression.as<ast::Binary>();
  return relation && relation->rest.size() == 1 && relation->rest.front().op == ast::BinaryOperator::Equal ? relation
                                                                                                           : nullptr;
}

void read_final_equation(const Environment& at, const ast::Expression& written) {
  const ast::Binary* relation = equality_of(written);
  if (!relation) {
    at.error(Code::WrongBoundaryText, written.range, "a final equation is written with two equal signs: x == 1");
    return;
  }
  const Value left = evaluate(at, *relation->first), right = evaluate(at, relation->rest.front().value);
  if (!left.valid() || !right.valid()) return;
  if (!left.is_numeric() || !right.is_numeric()) {
    at.error(Code::WrongBoundaryText, written.range, "both sides of a final equation are numbers");
    return;
  }
  if (left.shape() != right.shape()) {
    at.error(Code::ShapesDiffer, written.range,
             fmt::format("the two sides have different shapes: {} and {}", to_string(left.shape()),
                         to_string(right.shape())));
    return;
  }
  EquationSite site = at.all.site(written.range);
  site.text = fmt::format("{} = {}", at.all.source_text(relation->first->range),
                          at.all.source_text(relation->rest.front().value.range));
  for (std::size_t k = 0; k < left.size(); ++k)
    at.all.add_equation(at.all.model.final_equations, site,
                        left.shape().empty() ? std::string() : element_subscripts(left.shape(), k),
                        at.all.pool.sub(left[k], right[k]));
}

bool contains_variable(const Pool& pool, NodeId value) {
  return any_node(pool, value, [&](NodeId node) { return pool[node].op == Op::Variable; });
}

void add_guess(const Environment& at, const std::string& name, NodeId value, SourceRange range) {
  Model& model = at.all.model;
  const auto found = std::ranges::find(model.variables, name, &Variable::name);
  if (found == model.variables.end()) {
    std::vector<std::string_view> names;
    for (const Variable& variable : model.variables) names.push_back(variable.name);
    at.error(
        Code::UnknownName, range,
        fmt::format("the guess is for '{}', which is no variable of the model{}", name, did_you_mean(name, names)));
    return;
  }
  const VarId variable{static_cast<std::int32_t>(found - model.variables.begin())};
  if (std::ranges::any_of(model.guesses, [&](const Guess& other) { return other.variable == variable; }))
    at.error(Code::WrongBoundaryText, range, fmt::format("there are two guesses of '{}'", name));
  else if (contains_variable(at.all.pool, value))
    at.error(Code::WrongBoundaryText, range,
             fmt::format("the guess of '{}' contains a variable; it may contain time and parameters", name));
  else
    model.guesses.push_back({variable, value, range});
}

void read_guess(const Environment& at, const ast::ElementModification& item, SourceRange range) {
  const std::string name = to_string(item.name);
  if (!item.modification.value || !item.modification.modifiers.empty()) {
    at.error(Code::WrongBoundaryText, range, fmt::format("a guess is written {} = expression", name));
    return;
  }
  const Value value = evaluate(at, *item.modification.value);
  if (!value.valid()) return;
  if (!value.is_numeric()) {
    at.error(Code::WrongBoundaryText, item.modification.value->range,
             fmt::format("a guess is a number, but this is {}", to_string(value.type())));
    return;
  }
  for (std::size_t k = 0; k < value.size(); ++k) add_guess(at, element_name(name, value.shape(), k), value[k], range);
}

void read_final_equations(const Environment& at, const VendorSetting& setting) {
  const ast::ExpressionPtr& value = setting.modification->value;
  if (!value) {
    at.error(Code::WrongBoundaryText, setting.range, "final equations are written finalEquations = {x == 1, ...}");
    return;
  }
  const auto* list = value->as<ast::ArrayConstructor>();
  if (!list) return read_final_equation(at, *value);
  if (!list->iterators.empty()) {
    at.error(Code::WrongBoundaryText, value->range,
             "final equations are listed one by one; arrays are equated as a whole: x == zeros(3)");
    return;
  }
  for (const ast::Expression& written : list->elements) read_final_equation(at, written);
}

}  // namespace

void elaborate_boundary_values(Elaboration& all, Scope& model, const std::vector<ast::Modifier>& annotation) {
  Locals locals;
  const Environment at{all, model, locals, Purpose::Equation};
  for (const VendorSetting& setting : vendor_settings(annotation)) {
    if (setting.name == "finalEquations") read_final_equations(at, setting);
    if (setting.name != "guess") continue;
    for (const ast::Modifier& modifier : setting.modification->modifiers)
      if (const auto* item = std::get_if<ast::ElementModification>(&modifier.node))
        read_guess(at, *item, modifier.range);
  }
}

}  // namespace driftless::language
