// The data that all parts of the elaboration, which turns the syntax tree into a Model, share, and the present place in
// the text. The calls by which the parts use each other are in elaboration.hpp.
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

// One equation of the text: the data shared by all scalar equations made from it.
struct EquationSite {
  std::string label;  // "line 7"; the second one on that line is "line 7 (2)"
  std::string text;
  SourceRange range;
};

// `outer T x`, and the component to which it refers.
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
  Instance* current = nullptr;              // the instance whose text is read: labels and messages name it
  bool simplified = false;                  // homotopy(actual, simplified) means its second argument
  bool has_homotopy = false;                // some expression calls homotopy
  std::vector<Component*> parameters_used;  // Real ones whose numbers an expression has used (bindings.cpp)
  bool muted = false;                       // errors and warnings are not reported
  TimeDerivative derivative;
  EventNotes events;
  ClockNotes clocks;
  SemiLinears semi_linears;
  ConnectionSets connections;
  ConnectionFacts connection_facts;
  std::vector<std::unique_ptr<ast::Component>> made_components;  // of members of expandable connectors
  std::deque<ast::Subscript> made_sizes;                         // of those that are arrays
  std::vector<std::unique_ptr<ast::Element>> made_elements;      // of inner components that the text lacks
  int nesting = 0;                                               // of evaluations within evaluations
  int call_depth = 0;                                            // of functions within functions
  bool recursion_failed = false;                                 // until the outermost call is left
  std::unordered_map<const Instance*, std::vector<Component*>> declaration_orders;  // of functions
  std::map<std::string, ProgramInstance> programs;
  std::deque<RecordLayout> record_layouts;
  std::unordered_map<Instance*, int> equations_of;  // how many continuous ones come from the text of each
  std::set<std::pair<const Instance*, const ast::Equation*>> answered_at_start;  // they gave parameters their values
  bool contains_itself = false;                 // a class has itself among its parts, which was reported
  std::deque<OuterComponent> outer_components;  // compared with the inner ones at the end (subtypes.cpp)
  std::vector<ReplacedComponent> replaced_components;
  std::deque<ReplacedClass> replaced_classes;
  std::unordered_set<const Class*> checked_classes, balanced_connectors;  // by restrictions.cpp
  Texts texts;                                                            // contents of Strings
  std::vector<std::shared_ptr<const Table>> tables;                       // external objects
  std::set<std::size_t> text_variables;                                   // places of discrete variables of type String
  std::vector<std::shared_ptr<void>> c_objects;                           // external objects that C functions have made
  bool allow_external = false;                                            // may C functions of libraries be called?
  std::shared_ptr<ExternalLibraries> external_libraries;                  // those loaded so far
  std::vector<std::shared_ptr<const FunctionValue>> function_values;

  // Values from outside, by the name of the component; removed when used.
  struct Outside {
    std::string target, text;                // "r1.R", "r1.R=2"
    const ast::Expression* value = nullptr;  // null if the text is not an expression
    bool taken = false;
    const Component* refused = nullptr;  // the component of this name that cannot be changed
  };
  std::vector<Outside> overrides;
  std::unordered_map<std::string, std::vector<std::size_t>> overrides_by_name;  // places in the list

  // The class of a definition in a modifier inside the class `around`.
  const Class& class_of(const ast::Element& element, const ast::ClassDefinition& definition, const Class& around);

  // At most one error per range, so that iterations of a loop and consequences of an error are not reported again. The
  // reference may be to a diagnostic that is not shown.
  Diagnostic& error(Code code, SourceRange where, std::string message);
  Diagnostic& warning(Code code, SourceRange where, std::string message);
  Diagnostic& not_supported(SourceRange where, std::string_view what);
  bool has_errors() const { return diagnostics_.has_errors(); }

  // Counts work. False when the limit is reached (which is reported once): then the caller must return.
  bool spend(SourceRange where, std::int64_t steps = 1);
  // May a misspelt name be compared with this many others? The total is limited: thousands of unknown names have
  // another cause.
  bool may_compare_names(std::size_t candidates);
  bool exhausted() const { return exhausted_; }
  // False, with an error, if the stack would not hold another nested evaluation.
  bool may_nest(SourceRange where);
  // False, with an error, if an array of this shape would be too large.
  bool fits(const Shape& shape, SourceRange where);

  std::string source_text(SourceRange range) const;  // with runs of white space collapsed
  std::string here(std::string text) const;          // "r1: text" while the text of the part r1 is read

  const EquationSite& site(SourceRange range);
  // The label of one of the scalar equations of a site, different from all others.
  std::string label(const EquationSite& from, const std::string& which);
  // Adds 0 = residual to the list; `which` distinguishes it from others of the same site: "[i=3]", "[2]".
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

// A local name: an iterator, a variable of a function, or a variable that an algorithm section assigns.
struct Local {
  enum class Kind { Iterator, Input, Output, Protected, OfSection };
  std::string_view name;
  Kind kind = Kind::Iterator;
  Value value;
  bool resizable = false;              // declared with `:`, it takes the shape of the assigned value
  std::vector<Type> index_types = {};  // of its dimensions, as far as they are not Integer
};
using Locals = std::vector<Local>;  // inner ones last

Local* find_local(Locals& locals, std::string_view name);

// The purpose of an expression. For all but equations it must be known before the run, and parameters are replaced by
// their numbers.
enum class Purpose { Equation, ParameterValue, ConstantValue, Attribute, Size, Subscript, Range, Condition, Setting };

// The environment of an expression.
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
  // Adds the values of the surrounding loops' iterators to the message.
  Diagnostic& error(Code code, SourceRange where, std::string message) const;
};

// While it exists, the text of an instance is read, and equations that are added belong to it.
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

// Counts a nested evaluation while it exists.
class Nesting {
 public:
  explicit Nesting(Elaboration& all) : all_(all) { ++all_.nesting; }
  ~Nesting() { --all_.nesting; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  Elaboration& all_;
};

// Collects the Real parameters that evaluations during its lifetime use.
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

}  // namespace driftless::language
