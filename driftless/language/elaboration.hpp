// The workshop in which the syntax tree becomes a Model: what every part of the elaboration shares, and the
// calls by which the parts (expressions, components, functions, equations) use each other.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "driftless/diagnostics/diagnostic.hpp"
#include "driftless/expr/calculus.hpp"
#include "driftless/language/ast.hpp"
#include "driftless/language/clocks.hpp"
#include "driftless/language/connection_facts.hpp"
#include "driftless/language/connections.hpp"
#include "driftless/language/elaborate.hpp"
#include "driftless/language/events.hpp"
#include "driftless/language/scope.hpp"
#include "driftless/language/semi_linear.hpp"
#include "driftless/language/texts.hpp"
#include "driftless/language/value.hpp"
#include "driftless/model/model.hpp"

namespace driftless::language {

struct Table;
struct FunctionValue;
struct ExternalLibraries;

// A function turned into a program of the pool, for given shapes of its arguments.
struct ProgramInstance {
  bool valid = false;
  FunctionId function{};
  std::vector<Value> outputs;  // their types and shapes
};

// One equation of the text: what all the scalar equations that come from it share.
struct EquationSite {
  std::string label;  // "line 7"; the second one on that line is "line 7 (2)"
  std::string text;
  SourceRange range;
};

// `outer T x`, and the component that it means.
struct OuterComponent {
  Scope* scope;
  const ast::ComponentClause* clause;
  const ast::Component* syntax;
  Component* inner;
};

// A declaration of a component, or a redeclaration of it.
struct Replacement {
  const ast::Element* element;
  const ast::ComponentClause* clause;
  const ast::Component* component;
  Scope* scope;
};
struct ReplacedComponent {
  std::string name;
  std::vector<Replacement> chain;  // the original declaration first
};
struct ReplacedClass {
  LocalClass original, replacing;
  const ast::Constraint* constraint;  // null: the original class
  Scope* constraint_scope;
  SourceRange range;  // of the replacement
};

class Elaboration {
 public:
  Elaboration(Model& model_, const Sources& sources_, Diagnostics& diagnostics, Limits limits_);

  Model& model;
  Pool& pool;
  const Sources& sources;
  const Limits limits;
  std::unique_ptr<Instance> top;  // the classes of the text
  Instance* root = nullptr;       // the model
  bool is_base_modelica = false;
  Instance* current = nullptr;              // the one whose text is read: labels and messages name it
  bool simplified = false;                  // homotopy(actual, simplified) stands for its second argument
  bool has_homotopy = false;                // some expression has called it
  std::vector<Component*> parameters_used;  // Real ones whose numbers an expression has asked for (bindings.cpp)
  bool muted = false;                       // errors and warnings are not reported
  TimeDerivative derivative;
  EventNotes events;
  ClockNotes clocks;
  SemiLinears semi_linears;
  ConnectionSets connections;
  ConnectionFacts connection_facts;
  std::vector<std::unique_ptr<ast::Component>> made_components;  // of members of expandable connectors
  std::vector<std::unique_ptr<ast::Element>> made_elements;      // of inner components that the text lacks
  int nesting = 0;                                               // of evaluations within evaluations
  int call_depth = 0;                                            // of functions within functions
  bool recursion_failed = false;                                 // until the outermost call is left
  std::unordered_map<const Instance*, std::vector<Component*>> declaration_orders;  // of functions
  std::map<std::string, ProgramInstance> programs;
  std::deque<RecordLayout> record_layouts;
  std::unordered_map<Instance*, int> equations_of;  // how many continuous ones come from the text of each
  std::set<std::pair<const Instance*, const ast::Equation*>> answered_at_start;  // they gave parameters their values
  bool contains_itself = false;                  // a class has itself among its parts, which was reported
  std::vector<OuterComponent> outer_components;  // compared with the inner ones at the end (subtypes.cpp)
  std::vector<ReplacedComponent> replaced_components;
  std::deque<ReplacedClass> replaced_classes;
  std::unordered_set<const Class*> checked_classes, balanced_connectors;  // by restrictions.cpp
  Texts texts;                                                            // contents of Strings
  std::vector<std::shared_ptr<const Table>> tables;                       // external objects
  std::set<std::size_t> text_variables;                                   // places of discrete variables of type String
  std::vector<std::shared_ptr<void>> c_objects;                           // external objects that C functions have made
  bool allow_external = false;                                            // C functions of libraries may be called
  std::shared_ptr<ExternalLibraries> external_libraries;                  // those loaded so far
  std::vector<std::shared_ptr<const FunctionValue>> function_values;

  // Values from outside, by the name of the component; what is found is taken.
  struct Outside {
    std::string target, text;                // "r1.R", "r1.R=2"
    const ast::Expression* value = nullptr;  // null if the text is not an expression
    bool taken = false;
    const Component* refused = nullptr;  // the component of this name that cannot be changed
  };
  std::vector<Outside> overrides;
  std::unordered_map<std::string, std::vector<std::size_t>> overrides_by_name;  // places in the list

  // The class of a definition that stands in a modifier inside of the class `around`.
  const Class& class_of(const ast::Element& element, const ast::ClassDefinition& definition, const Class& around);

  // At most one error per range: the thousandth turn of a loop says nothing new, and what follows from a
  // mistake is not another one. The reference may be to a diagnostic that is not shown.
  Diagnostic& error(Code code, SourceRange where, std::string message);
  Diagnostic& warning(Code code, SourceRange where, std::string message);
  Diagnostic& not_supported(SourceRange where, std::string_view what);
  bool has_errors() const { return diagnostics_.has_errors(); }

  // Accounts for work. False when the limit is reached (which is reported once): then unwind.
  bool spend(SourceRange where, std::int64_t steps = 1);
  // May a misspelt name be compared with so many others? Not for ever: thousands of them are another mistake.
  bool may_compare_names(std::size_t candidates);
  bool exhausted() const { return exhausted_; }
  // False, with an error, if the machine's stack would not hold another evaluation inside the present ones.
  bool may_nest(SourceRange where);
  // False, with an error, if an array of this shape would be too large.
  bool fits(const Shape& shape, SourceRange where);

  std::string source_text(SourceRange range) const;  // with runs of white space collapsed
  std::string here(std::string text) const;          // "r1: text" while the text of the part r1 is read

  const EquationSite& site(SourceRange range);
  // The label of one of the scalar equations of a site, different from all others.
  std::string label(const EquationSite& from, const std::string& which);
  // Adds 0 = residual to the list; `which` tells it from the others of the same site: "[i=3]", "[2]".
  void add_equation(std::vector<Equation>& list, const EquationSite& from, const std::string& which, NodeId residual);

 private:
  Diagnostics& diagnostics_;
  std::set<std::tuple<FileId, std::uint32_t, std::uint32_t>> reported_, warned_;
  Diagnostic unseen_;
  std::int64_t steps_ = 0, compared_names_ = 0;
  int errors_ = 0;
  bool exhausted_ = false;
  std::map<std::tuple<const Instance*, FileId, std::uint32_t, std::uint32_t>, EquationSite> sites_;
  std::map<std::tuple<const Instance*, FileId, int>, int> sites_on_line_;
  std::unordered_map<const ast::ClassDefinition*, std::unique_ptr<Class>> redeclaring_classes_;
  std::unordered_set<std::string> labels_;
};

// A name that lives for a while: an iterator, a variable of a function, or a variable that an algorithm section
// assigns.
struct Local {
  enum class Kind { Iterator, Input, Output, Protected, OfSection };
  std::string_view name;
  Kind kind = Kind::Iterator;
  Value value;
  bool resizable = false;              // declared with `:`, it takes the shape of what is assigned to it
  std::vector<Type> index_types = {};  // of its dimensions, as far as they are not Integer
};
using Locals = std::vector<Local>;  // inner ones last

Local* find_local(Locals& locals, std::string_view name);

// What an expression is wanted for. For all but an equation it must be known before the run, and parameters
// stand for their numbers.
enum class Purpose { Equation, ParameterValue, ConstantValue, Attribute, Size, Subscript, Range, Condition, Setting };

// Where an expression stands.
struct Environment {
  Elaboration& all;
  Scope& scope;
  Locals& locals;
  Purpose purpose = Purpose::Equation;
  std::int64_t end = -1;  // the meaning of `end`, -1 outside subscripts

  Environment with(Purpose other) const { return {all, scope, locals, other, end}; }
  bool numeric() const { return purpose != Purpose::Equation; }
  // The shape of the model depends on the value: it cannot be changed afterwards.
  bool structural() const {
    return purpose == Purpose::Size || purpose == Purpose::Subscript || purpose == Purpose::Range ||
           purpose == Purpose::Condition;
  }
  // Adds to the message in which turn of which loops it happened.
  Diagnostic& error(Code code, SourceRange where, std::string message) const;
};

// The text of an instance is read for as long as it lives, and the equations that are added come from it.
class Reading {
 public:
  Reading(Elaboration& all, Instance* instance)
      : all_(all), outer_(std::exchange(all.current, instance)), before_(all.model.equations.size()) {}
  ~Reading() {
    const auto added = static_cast<int>(all_.model.equations.size()) - static_cast<int>(before_);
    if (added > 0) all_.equations_of[all_.current] += added;
    all_.current = outer_;
  }
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;

 private:
  Elaboration& all_;
  Instance* outer_;
  std::size_t before_;
};

// Counts an evaluation inside another for as long as it lasts.
class Nesting {
 public:
  explicit Nesting(Elaboration& all) : all_(all) { ++all_.nesting; }
  ~Nesting() { --all_.nesting; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  Elaboration& all_;
};

// --- numbers that are computed from parameters

// Collects the Real parameters that the evaluations of its lifetime ask for.
class ParametersUsed {
 public:
  explicit ParametersUsed(Elaboration& all) : all_(all), outer_(std::exchange(all.parameters_used, {})) {}
  ~ParametersUsed() { all_.parameters_used = std::move(outer_); }
  ParametersUsed(const ParametersUsed&) = delete;
  ParametersUsed& operator=(const ParametersUsed&) = delete;

  const std::vector<Component*>& list() const { return all_.parameters_used; }

 private:
  Elaboration& all_;
  std::vector<Component*> outer_;
};

// Adds bindings for numbers[k], the number at places[k], to the model. The expression gave them, with the numbers of
// the parameters `used`; here the parameters are leaves. Where that is not possible the parameters become structural.
struct BoundNumbers {
  Binding::Of of;
  std::size_t first;  // place of the first element
  std::vector<double> numbers;
};
void add_bindings(const Environment& at, const Given& given, const std::vector<Component*>& used,
                  const BoundNumbers& bound);

// --- expressions
Value evaluate(const Environment& at, const ast::Expression& expression);
// The part of the value of an expression that was given to a component, evaluated where it is written.
Value evaluate_given(const Environment& at, const Given& given);
// {element for i in I, j in J}.
Value evaluate_comprehension(const Environment& at, const ast::Expression& element,
                             const std::vector<ast::Iterator>& iterators, SourceRange range);
// All results of an expression: several for the call of a function with several outputs.
std::vector<Value> evaluate_all(const Environment& at, const ast::Expression& expression);
// A finite number known now, Integer or Real; nothing if that failed (and was reported).
std::optional<double> evaluate_number(const Environment& at, const ast::Expression& expression);
std::optional<std::int64_t> evaluate_integer(const Environment& at, const ast::Expression& expression);
// A Boolean scalar; invalid if it is not.
Value evaluate_condition(const Environment& at, const ast::Expression& expression);
// The value of an expression without variables and parameters; not finite where it has none.
double number_of(const Pool& pool, NodeId node);
std::optional<double> known_number(const Pool& pool, NodeId node);
std::optional<std::int64_t> known_integer(const Pool& pool, const Value& value);
// Calls `turn` for all combinations of the iterators, the first one outermost, with the iterators as locals.
// Stops when it returns false. False if a range could not be evaluated.
template <class Turn>
bool iterate(const Environment& at, const std::vector<ast::Iterator>& iterators, Turn turn);
// The elements that an iterator runs over. In algorithms the elements of an array may vary, only their number is known.
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
// The value as one of the wanted type, where Integer becomes Real; `what` begins the message if it cannot. Of an
// enumeration, if it is known.
Value convert(const Environment& at, const Value& value, Type wanted, SourceRange range, std::string_view what,
              const std::string* enumeration = nullptr);
// The type that holds both; Invalid when there is none.
Type common_type(Type a, Type b);
// {a, b, c}, where all have the same shape.
Value stack(const Environment& at, const std::vector<Value>& values, SourceRange range);

// --- names and subscripts
Value read(const Environment& at, const ast::Reference& reference);
// The same, but elements of a function's variable may have no value yet: for those who ask only for its shape.
Value peek(const Environment& at, const ast::Reference& reference);
// The parts of a component that the subscripts behind its name select; nothing, with an error, if that fails.
struct ChosenParts {
  Shape shape;
  std::vector<Instance*> parts;
};
std::optional<ChosenParts> chosen_parts(const Environment& at, Component& component, const ast::ReferencePart& part);
// All elements of a component; of a record all its members.
Value whole_value(const Environment& at, Component& component, SourceRange range);
// Says which part of the name is unknown, and what may have been meant; `what` is "variable", "function" or "type".
void report_unknown(const Environment& at, const std::vector<ast::Identifier>& parts, const Found& found,
                    std::string_view what);

// Part of an array. Where a subscript is known only during the run, every selected element has several
// alternatives, with the same conditions for all.
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
// The place of the element that was given from outside; nothing, with an error, if there is none.
std::optional<std::size_t> override_place(Elaboration& all, const Component& component, const Shape& shape,
                                          const Override& given);
// The number that an attribute such as min is bound to; nothing if it is not, or not by one number.
std::optional<double> attribute_number(Elaboration& all, Component& component, std::string_view which);
// An element was to get a value that is an array.
void refuse_element(Elaboration& all, const Override& given, const Shape& shape);
// How the model calls it: Base Modelica quotes every name that holds dots and brackets, and means them.
std::string shown_name(const Elaboration& all, const Component& component);
// The value given from outside for this component, if there is one.
void take_override(Elaboration& all, Component& component);
// The instances of the model, each before its parts, and the components of them all that are not parts.
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
// "[i=3,j=1]": the turn of the loops around it, in equations and in functions; empty outside of loops.
std::string turn_of_loops(const Environment& at);
// The message of assert and terminate, as far as it is known before the run; otherwise its source text.
std::string message_text(const Environment& at, const ast::Expression& message);
void elaborate_equations(Elaboration& all, const Flat& flat);
// Equations in the text of an instance, outside of initial sections and of if-equations that switch.
void elaborate_body(const Environment& at, const std::vector<ast::Equation>& equations);
// Parts that have too few or too many equations, if the whole has: an error for each.
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
// assert(condition, message, level): checked if the parameters decide it, otherwise kept for the run. It speaks only
// of the case that `reached` holds.
void check_assertion(const Environment& at, const ast::Call& call, SourceRange range, NodeId reached,
                     bool only_at_start = false);
// The same of a condition that the text implies: its label is made here.
void require(const Environment& at, Assertion assertion, NodeId reached);
// The same of a place in the text: whoever comes there ends the run with the message.
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
