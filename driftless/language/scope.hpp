// Instances of classes, and the rules by which names are looked up in them (Modelica 3.6, Sections 5.3 and 5.6).
//
// An instance is a class together with the modifiers that reach it. It has components, including those of its base
// classes, and its own view of the classes that are declared in it, after redeclarations. Values live in instances; the
// syntax trees are shared by all instances of a class and are never copied. A package, a function and the top of the
// file are instances as well, one for each view of the class.
//
// An instance is made of layers: its own class and the classes that it extends, each a Scope. An expression is
// evaluated in the scope of the class that it is written in: its names are looked up in the whole instance first, then
// in the enclosing classes, of which only constants and classes are visible.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "driftless/diagnostics/diagnostic.hpp"
#include "driftless/diagnostics/spelling.hpp"
#include "driftless/language/ast.hpp"
#include "driftless/language/class.hpp"
#include "driftless/language/value.hpp"

namespace driftless::language {

class Elaboration;
struct Component;
struct Instance;
struct OuterComponent;
struct Scope;

// From a value to a part of it: an element of an array, counted from 1, or a member of a record.
struct Step {
  std::int64_t index = 0;
  std::string_view member{};
};

// An expression that gives a value, where its names are looked up, and which part of its value is meant: of
// Resistor r[3](R = {1, 2, 3}) the second one belongs to r[2].R.
struct Given {
  const ast::Expression* syntax = nullptr;
  Scope* scope = nullptr;
  std::vector<Step> steps = {};

  explicit operator bool() const { return syntax != nullptr; }
};

// A modifier that is being passed to the element that it changes.
struct Modifier {
  const ast::Modifier* syntax = nullptr;
  std::size_t part = 0;  // parts of its dotted name that were followed
  Scope* scope = nullptr;
  std::vector<Step> steps = {};
  bool below_value = false;     // a stronger modifier has given the record around the element a value
  bool from_component = false;  // it follows the name of a component, so it can change public elements only

  std::string_view name() const;  // of the element that it changes next; empty for a removal
};
using Modifiers =
    std::vector<Modifier>;  // the strongest first: those from outside come before those of the declaration

// An attribute such as start = 1, and how many trailing dimensions of the component it covers: those of the type
// synonym that contains it, or all.
struct Attribute {
  const ast::Modifier* modifier;
  Scope* scope;
  std::size_t dimensions;
  std::vector<Step> steps = {};
  std::size_t part = 0;  // parts of its dotted name that were followed
};

struct Dimension {
  const ast::Subscript* size;
  Scope* scope;
};

// A class as it is seen from the instance in which it is declared, with the redeclarations and modifiers that reach it.
struct LocalClass {
  const Class* of = nullptr;
  Scope* around = nullptr;  // where the class is written
  Modifiers modifiers = {};
  LocalClass* inherited = nullptr;            // of `model extends M`: what it extends
  const ast::Element* declaration = nullptr;  // the element that says whether it is replaceable; null at the top
  const Scope* declared_in = nullptr;         // the layer that has that element
  bool failed = false;                        // its instance could not be made, which was reported
  std::shared_ptr<Instance> instance = {};    // as a package or function

  bool is_protected() const;
};

// What a type name means: one of the built-in types, with attributes and dimensions gathered along the synonyms, or a
// class with components.
struct ResolvedType {
  Type type = Type::Invalid;
  std::string unit;                          // of a predefined unit type
  const std::string* enumeration = nullptr;  // its full name
  const ast::Enumeration* literals = nullptr;
  std::vector<Dimension> dimensions;  // in the order of the subscripts
  std::vector<Attribute> attributes;  // later ones win
  const Class* part = nullptr;        // the class, if it is not a built-in type
  Scope* part_around = nullptr;
  LocalClass* part_inherited = nullptr;
  Modifiers part_modifiers;
  LocalClass* function = nullptr;  // of an input that is a function: which inputs and outputs it has
  bool is_connector = false;
  bool is_clock = false;  // a Boolean that is a clock (clocks.hpp)
  // The function equalityConstraint of an overdetermined type, and the number of outer dimensions of the component.
  LocalClass* equality_constraint = nullptr;
  std::size_t dimensions_around_constraint = 0;
  ast::Causality causality = ast::Causality::Unspecified;  // of connector RealInput = input Real
};

// A name = value given from outside, for a whole component or one element of it.
struct Override {
  std::vector<std::int64_t> subscripts;  // empty: the whole component
  const ast::Expression* value;
  std::string text;  // as given: "L=2"
};

// The prefixes of a declaration, which apply to all elements of a component: parameter, input, flow.
struct Prefixes {
  ast::Variability variability = ast::Variability::Unspecified;
  ast::Causality causality = ast::Causality::Unspecified;
  ast::Connection connection = ast::Connection::Potential;
};

// A declared constant, parameter or variable, or a part: a component of a class with components of its own. The values
// are filled in when the component is resolved: those that others need first, so the order of declarations does not
// matter.
struct Component {
  enum class Kind { Constant, Parameter, Variable };
  enum class Progress { Untouched, InProgress, Done };

  const ast::Component* syntax = nullptr;
  const ast::ComponentClause* clause = nullptr;
  const ast::Element* element = nullptr;
  Scope* scope = nullptr;        // where it is written
  Instance* instance = nullptr;  // whose component it is
  Kind kind = Kind::Variable;
  Prefixes prefixes;
  bool is_final = false;
  bool assigned_in_when = false;
  Given given;  // the value of its declaration or of the strongest modifier
  Modifiers modifiers;
  const ast::Component* original = nullptr;  // the component that was redeclared: gives sizes if there are no others
  const ast::ComponentClause* original_clause = nullptr;
  Scope* original_scope = nullptr;
  std::vector<const Scope*> declared_again;  // other layers that have the same declaration
  std::vector<Override> overrides;

  Progress progress = Progress::Untouched;
  bool has_type = false;
  ResolvedType type;
  std::vector<Type> index_types;  // of its dimensions, as far as they are not Integer
  Value symbolic;                 // leaves of the model; numbers for constants and for Integer and Boolean parameters
  Value numeric;                  // numbers; invalid for variables
  int first = -1;                 // VarId, ParamId or place among the discrete variables of the first element
  bool structural = false;        // sizes or branches of the model depend on it
  bool in_cycle = false;          // reported to depend on itself
  Given binding;                  // the expression that gave the value of a parameter, or empty
  std::vector<Component*> computed_from;  // Real parameters in it
  bool unfixed = false;                   // a parameter with fixed = false: computed at the start
  bool known_at_start = false;            // fixed = false, but an initial equation gives a value known before the run
  bool follows_unfixed = false;  // it is computed from such parameters, so it is one, with its value as equation

  bool is_inner = false;             // outer components of its name, below its instance, refer to it
  bool is_undeclared_inner = false;  // the text does not declare it as such: it was added, or is outer in the model

  bool removed = false;  // its condition is false
  Shape shape;           // of a part
  std::vector<std::unique_ptr<Instance>> parts;

  const std::string& identifier() const { return syntax->name.text; }
  std::string name() const;  // "arm.joint[2].phi"
  bool is_part() const { return type.part != nullptr; }
  bool is_protected() const;
  Component() = default;
  Component(const Component&) = delete;
  Component& operator=(const Component&) = delete;
};

struct Symbol {
  Component* component = nullptr;
  LocalClass* local = nullptr;
  Instance* owner = nullptr;              // in whose table it was found
  const OuterComponent* outer = nullptr;  // how the text declares it, if it is outer there

  bool found() const { return component || local; }
};

// An instance seen from one of the classes that it is made of.
struct Scope {
  Instance* instance = nullptr;
  const Class* of = nullptr;
  const ast::ClassDefinition* syntax = nullptr;  // null at the top
  Scope* parent = nullptr;                       // where the class is written; null at the top
  Scope* derived = nullptr;                      // the layer whose `extends` added this one
  Modifiers modifiers = {};                      // of that `extends`, or those that reach the instance from outside
  std::vector<bool> used = {};                   // which of them had an effect
  std::vector<Scope*> also_derived = {};         // other layers that extend the same class
  bool is_protected = false;                     // `extends` stands in a protected section

  const ast::LongClass* body() const { return of->body(); }
  const std::string& path() const { return of->path; }
};

// A component by which an element `redeclare` of a derived class replaces an inherited one.
struct Redeclared {
  const ast::Element* element;
  const ast::ComponentClause* clause;
  const ast::Component* component;
  Scope* scope;
  bool used = false;
};

struct Instance {
  explicit Instance(Elaboration& all_) : all(all_) {}
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  Elaboration& all;
  std::string path;            // "arm.joint[2]"; empty for the model itself, for packages and functions
  Instance* parent = nullptr;  // the one whose component it is
  const Component* as = nullptr;
  const Class* of = nullptr;  // after resolving all synonyms
  Prefixes prefixes;
  Given value;               // of a record, r = expression: each member takes its part of it
  std::deque<Scope> layers;  // its class, then those that it extends
  std::deque<Component> components;
  std::deque<LocalClass> local_classes;
  std::unordered_map<std::string_view, Symbol> symbols;
  // inner outer T x: its parts use this one, its own text the outer one, which is in `symbols`.
  std::unordered_map<std::string_view, Symbol> inner_for_parts;
  std::unordered_map<std::string_view, Redeclared> redeclared;

  Scope& own() { return layers.front(); }
};

// The instance around this one: of a package the one in which it is declared; null at the top.
Instance* instance_around(const Instance& instance);

// Does a layer of an instance inherit from another one, or is it the same? There are few layers.
bool inherits(const Scope& from, const Scope& base);

// The symbol of this name in the instance itself, inherited ones included.
Symbol find_in(Instance& instance, std::string_view name);

// The outcome of a look-up. Exactly one of component, local and library is set when the name was found;
// otherwise `missing` is the part of the name that is unknown, and `inside` where it was searched.
struct Found {
  Component* component = nullptr;
  LocalClass* local = nullptr;
  std::string library{};  // the full name of something predefined, Modelica.Constants.pi
  std::size_t used = 0;   // parts consumed up to the component; the rest would be its members
  std::size_t missing = 0;
  Scope* inside = nullptr;
  Instance* owner = nullptr;              // in which the component was found
  const OuterComponent* outer = nullptr;  // of the first name, as of a symbol
  enum class Denied {
    No,
    Partial,
    Protected,
    NotPackage,
    Ambiguous
  } denied = Denied::No;  // it exists, but may not be used in this way

  bool ok() const { return component || local || !library.empty(); }
};

using NameParts = std::vector<std::string_view>;
NameParts parts_of(const ast::Name& name);
NameParts parts_of(const ast::Reference& reference);

Found look_up(Scope& from, const NameParts& parts, bool global);

// The one-part look-up in an instance and the classes around it, without imports and predefined names.
Symbol find(Scope& from, std::string_view name);

// All names seen from a scope, inner ones first.
std::vector<std::string_view> visible_components(const Scope& from);
std::vector<std::string_view> visible_classes(const Scope& from);

}  // namespace driftless::language
