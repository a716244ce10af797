// The calls by which the parts of the elaboration (expressions, components, functions, equations) use each other. Their
// shared data are in workshop.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driftless/language/workshop.hpp"

namespace driftless::language {

// --- numbers that are computed from parameters

// Adds bindings for numbers[k], the number at places[k], to the model. They were computed from the expression with the
// numbers of the parameters `used`; in the bindings the parameters are leaves. If that is not possible the parameters
// become structural.
struct BoundNumbers {
  Binding::Of of;
  std::size_t first;  // place of the first element
  std::vector<double> numbers;
};
void add_bindings(const Environment& at, const Given& given, const std::vector<Component*>& used,
                  const BoundNumbers& bound);

// --- expressions
Value evaluate(const Environment& at, const ast::Expression& expression);
// The part of an expression's value that belongs to a component, evaluated in the scope of the expression.
Value evaluate_given(const Environment& at, const Given& given);
// {element for i in I, j in J}.
Value evaluate_comprehension(const Environment& at, const ast::Expression& element,
                             const std::vector<ast::Iterator>& iterators, SourceRange range);
// All results of an expression: several for the call of a function with several outputs.
std::vector<Value> evaluate_all(const Environment& at, const ast::Expression& expression);
// A finite number known now, Integer or Real; nothing, with an error, if it is not.
std::optional<double> evaluate_number(const Environment& at, const ast::Expression& expression);
std::optional<std::int64_t> evaluate_integer(const Environment& at, const ast::Expression& expression);
// A Boolean scalar; invalid if it is not.
Value evaluate_condition(const Environment& at, const ast::Expression& expression);
// The value of an expression without variables and parameters; not finite if it has no value.
double number_of(const Pool& pool, NodeId node);
std::optional<double> known_number(const Pool& pool, NodeId node);
std::optional<std::int64_t> known_integer(const Pool& pool, const Value& value);
// Calls `turn` for all combinations of the iterators, the first one outermost, with the iterators as locals. Stops when
// it returns false. False if a range could not be evaluated.
template <class Turn>
bool iterate(const Environment& at, const std::vector<ast::Iterator>& iterators, Turn turn);
// The elements that an iterator runs over. In algorithms the elements of an array may vary; only their number must be
// known.
Value iterator_values(const Environment& at, const ast::Iterator& iterator, bool may_vary = false);

// --- operators
Value apply_unary(const Environment& at, ast::UnaryOperator op, const Value& operand, SourceRange range);
Value apply_binary(const Environment& at, ast::BinaryOperator op, const Value& left, const Value& right,
                   SourceRange range);
NodeId conjunction(Pool& pool, NodeId a, NodeId b);
NodeId disjunction(Pool& pool, NodeId a, NodeId b);
NodeId negation(Pool& pool, NodeId a);
// if condition then a else b, for values of equal shapes.
Value choose(const Environment& at, NodeId condition, const Value& a, const Value& b, SourceRange range);
// The value as one of the wanted type, where Integer becomes Real; `what` begins the message if it cannot.
// `enumeration`: the wanted enumeration, if known.
Value convert(const Environment& at, const Value& value, Type wanted, SourceRange range, std::string_view what,
              const std::string* enumeration = nullptr);
// The type that holds both; Invalid when there is none.
Type common_type(Type a, Type b);
// {a, b, c}, where all have the same shape.
Value stack(const Environment& at, const std::vector<Value>& values, SourceRange range);

// --- names and subscripts
Value read(const Environment& at, const ast::Reference& reference);
// The same, but elements of a function's variable may have no value yet: for callers that need only its shape.
Value peek(const Environment& at, const ast::Reference& reference);
// The parts of a component that the subscripts after its name select; nothing, with an error, if that fails.
struct ChosenParts {
  Shape shape;
  std::vector<Instance*> parts;
};
std::optional<ChosenParts> chosen_parts(const Environment& at, Component& component, const ast::ReferencePart& part);
// All elements of a component; of a record all its members.
Value whole_value(const Environment& at, Component& component, SourceRange range);
// Reports which part of the name is unknown, and suggests similar names; `what` is "variable", "function" or "type".
void report_unknown(const Environment& at, const std::vector<ast::Identifier>& parts, const Found& found,
                    std::string_view what);

// Part of an array. If a subscript is known only during the run, every selected element has several alternatives, with
// the same conditions for all.
struct Slice {
  Shape shape;
  std::size_t alternatives = 1;
  std::vector<std::size_t> offsets;  // element by element, `alternatives` each
  std::vector<NodeId> conditions;    // empty when there is only one
};
std::optional<Slice> slice(const Environment& at, const Shape& shape, const std::vector<ast::Subscript>& subscripts,
                           std::string_view name, SourceRange range, const std::vector<Type>& index_types = {});
// `index_types`: of the dimensions that are subscripted by the values of an enumeration or by Booleans; Integer where
// the list ends. The elements of an
// array, or of an array of records, that known subscripts select.
Value selected_records(const Value& base, const Slice& part);
Value subscripted(const Environment& at, const Value& base, const std::vector<ast::Subscript>& subscripts,
                  std::string_view name, SourceRange range, const std::vector<Type>& index_types = {});

// --- types and components
ResolvedType resolve_type(Elaboration& all, const Component& component);
void find_type(Elaboration& all, Component& component);  // once
// A type whose values number a dimension or that an iterator runs over: an enumeration, or Boolean.
struct IndexType {
  Type type;
  std::int64_t size;
  const std::string* enumeration;  // null for Boolean
};
std::optional<IndexType> index_type(Scope& scope, const ast::Expression& expression);
std::optional<IndexType> index_type(Scope& scope, const ast::Reference& reference);
std::vector<Type> index_types(const Component& component);
// Sizes from the dimensions; `:` takes that of the value. Nothing if one of them failed.
std::optional<Shape> resolve_shape(const Environment& at, const std::vector<Dimension>& dimensions, const Value* value,
                                   std::string_view name, SourceRange range);
void resolve(Elaboration& all, Component& component);
// The place of the element whose value was given from outside; nothing, with an error, if there is none.
std::optional<std::size_t> override_place(Elaboration& all, const Component& component, const Shape& shape,
                                          const Override& given);
// The number that an attribute such as min is bound to; nothing if it is not, or not by one number.
std::optional<double> attribute_number(Elaboration& all, Component& component, std::string_view which);
// Reports that an element was given an array as value.
void refuse_element(Elaboration& all, const Override& given, const Shape& shape);
// The name in the model: Base Modelica quotes names with dots and brackets, which are part of the name.
std::string shown_name(const Elaboration& all, const Component& component);
// The value given from outside for this component, if there is one.
void take_override(Elaboration& all, Component& component);
// The instances of the model, each before its parts, and the components of all of them that are not parts.
struct Flat {
  std::vector<Instance*> instances;
  std::vector<Component*> components;
};
Flat instantiate_all(Elaboration& all, Instance& model);
// All components of a model, and the leaves of its parameters.
void resolve_all(Elaboration& all, const Flat& flat);
// Attributes and declaration equations of a model's components, all of which are resolved.
void finish_components(Elaboration& all, const Flat& flat);

// --- functions
// The results of a call, as many as the function has outputs; one invalid value if it failed.
std::vector<Value> call_function(const Environment& at, Instance& function, const ast::Call& call, SourceRange range);
// The same, for values in the order of its inputs.
std::vector<Value> call_function(const Environment& at, Instance& function, const std::vector<Value>& inputs,
                                 SourceRange range);

// --- equations
// The condition of a branch: a constant if parameters decide it; nothing, with an error, if it is none.
std::optional<NodeId> branch_condition(const Environment& at, const ast::Expression& expression);
// "[i=3,j=1]": the values of the surrounding loops' iterators, in equations and in functions; empty outside of loops.
std::string turn_of_loops(const Environment& at);
// The message of assert and terminate, as far as it is known before the run; otherwise its source text.
std::string message_text(const Environment& at, const ast::Expression& message);
void elaborate_equations(Elaboration& all, const Flat& flat);
// Equations in the text of an instance, outside of initial sections and of switching if-equations.
void elaborate_body(const Environment& at, const std::vector<ast::Equation>& equations);
// Reports parts with too few or too many equations if the whole model has.
void check_balance(Elaboration& all, const Flat& flat);
// The instance itself, or the one whose connector or record it is.
Instance& balanced_owner(Instance& instance);
// The algorithm sections: an equation for each element that they assign.
void elaborate_algorithms(Elaboration& all, Scope& model);
// The invariants in the annotation of a model.
void elaborate_invariants(Elaboration& all, Scope& model, const std::vector<ast::Modifier>& annotation);
// The equations of motion of the Lagrangian in the annotation of a model, if there is one.
void elaborate_lagrangian(Elaboration& all, Scope& model, const std::vector<ast::Modifier>& annotation);
// The final equations and guesses in the annotation of a model.
void elaborate_boundary_values(Elaboration& all, Scope& model, const std::vector<ast::Modifier>& annotation);
constexpr const char* assertion_in_program =
    "not supported yet: assertions in a function whose loops depend on values; this one is not checked";
// assert(condition, message, level): checked if the parameters decide it, otherwise kept for the run. It speaks only
// of the case that `reached` holds.
void check_assertion(const Environment& at, const ast::Call& call, SourceRange range, NodeId reached,
                     bool only_at_start = false);
// The same for a condition that the text implies: its label is made here.
void require(const Environment& at, Assertion assertion, NodeId reached);
// The same for a place in the text: reaching it ends the run with the message.
void check_not_reached(const Environment& at, std::string message, SourceRange range);
// Adds left = right, labelled with the site and `which`.
void add_equality(Elaboration& all, const EquationSite& site, const std::string& which, const Value& left,
                  const Value& right);
// Adds left = right, element by element, labelled with the line of `range`.
void add_declaration_equation(const Environment& at, const Value& left, const Value& right, SourceRange range);

template <class Turn>
bool iterate(const Environment& at, const std::vector<ast::Iterator>& iterators, Turn turn) {
  struct Level {
    Value values;
    std::size_t next = 0;
  };
  std::vector<Level> levels;
  const std::size_t outer = at.locals.size();
  const auto enter = [&] {
    const ast::Iterator& iterator = iterators[levels.size()];
    Value values = iterator_values(at, iterator);
    if (!values.valid()) return false;
    levels.push_back({std::move(values)});
    at.locals.push_back({iterator.name.text, Local::Kind::Iterator, {}});
    return true;
  };
  bool going = enter();
  while (going && !levels.empty()) {
    Level& level = levels.back();
    if (level.next == level.values.size()) {
      levels.pop_back();
      at.locals.pop_back();
      continue;
    }
    at.locals.back().value =
        Value(level.values.type(), level.values[level.next++]).of_enumeration(level.values.enumeration());
    going = levels.size() == iterators.size() ? turn() : enter();
  }
  at.locals.resize(outer);
  return going;
}

}  // namespace driftless::language
