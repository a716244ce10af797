// The classes of a file as places where names are looked up, and the rules of the look-up (Modelica 3.6,
// Section 5.3): first the class itself, then the classes around it, of which only constants and classes are seen.
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
#include "driftless/language/value.hpp"

namespace driftless::language {

struct Scope;

// Where attributes such as start = 1 were written, and how many trailing dimensions of the component they speak
// about: those of the type synonym that holds them, or all.
struct Attributes {
  const std::vector<ast::Modifier>* modifiers;
  Scope* scope;
  std::size_t dimensions;
};

struct Dimension {
  const ast::Subscript* size;
  Scope* scope;
};

// What a type name means: one of the built-in types, with attributes and dimensions gathered along the synonyms.
struct ResolvedType {
  Type type = Type::Invalid;
  std::string unit;                          // of a predefined unit type
  const std::string* enumeration = nullptr;  // its full name
  const ast::Enumeration* literals = nullptr;
  std::vector<Dimension> dimensions;   // in the order of the subscripts
  std::vector<Attributes> attributes;  // later ones win
};

// A name = value given from outside, for a whole component or one element of it.
struct Override {
  std::vector<std::int64_t> subscripts;  // empty: the whole component
  const ast::Expression* value;
  std::string text;  // as given: "L=2"
};

// A declared constant, parameter or variable. The values are filled in when the component is resolved: first
// the ones that others need, so the order of declarations does not matter.
struct Component {
  enum class Kind { Constant, Parameter, Variable };
  enum class Progress { Untouched, InProgress, Done };

  const ast::Component* syntax = nullptr;
  const ast::ComponentClause* clause = nullptr;
  const ast::Element* element = nullptr;
  Scope* scope = nullptr;
  Kind kind = Kind::Variable;
  bool assigned_in_when = false;
  std::vector<Override> overrides;

  Progress progress = Progress::Untouched;
  ResolvedType type;
  std::vector<Type> index_types;  // of its dimensions, as far as they are not Integer
  Value symbolic;                 // leaves of the model; numbers for constants and for Integer and Boolean parameters
  Value numeric;                  // numbers; invalid for variables
  int first = -1;                 // VarId, ParamId or place among the discrete variables of the first element
  bool structural = false;        // sizes or branches of the model depend on it
  bool in_cycle = false;          // reported to depend on itself
  const ast::Expression* binding = nullptr;  // what gave the value of a parameter, or null
  Scope* binding_scope = nullptr;            // where it stands
  std::vector<Component*> computed_from;     // Real parameters in it
  bool unfixed = false;                      // a parameter with fixed = false: found at the start, a number only then

  const std::string& name() const { return syntax->name.text; }
};

struct Symbol {
  Component* component = nullptr;
  Scope* scope = nullptr;  // a class
};

struct Scope {
  const ast::ClassDefinition* syntax = nullptr;  // null at the top, which holds the classes of the file
  Scope* parent = nullptr;
  std::string path;  // "P.Q.f"
  bool is_protected = false;
  std::deque<Component> components;
  std::deque<Scope> classes;
  std::vector<const ast::Import*> imports;
  std::unordered_map<std::string_view, Symbol> symbols;

  const ast::LongClass* body() const { return syntax ? std::get_if<ast::LongClass>(&syntax->node) : nullptr; }
};

// Builds the scopes of all classes in the tree; names declared twice are reported.
std::unique_ptr<Scope> build_scopes(const ast::StoredDefinition& tree, Diagnostics& diagnostics);

// The outcome of a look-up. Exactly one of component, scope and library is set when the name was found;
// otherwise `missing` tells which part of the name is unknown, and `inside` where it was looked for.
struct Found {
  Component* component = nullptr;
  Scope* scope = nullptr;
  std::string library{};  // the full name of something predefined, Modelica.Constants.pi
  std::size_t used = 0;   // parts consumed up to the component; the rest would be its members
  std::size_t missing = 0;
  const Scope* inside = nullptr;
  enum class Denied { No, Partial, Protected } denied = Denied::No;  // it is there, but may not be used in this way

  bool ok() const { return component || scope || !library.empty(); }
};

using NameParts = std::vector<std::string_view>;
NameParts parts_of(const ast::Name& name);
NameParts parts_of(const ast::Reference& reference);

Found look_up(Scope& from, const NameParts& parts, bool global);

// The one-part look-up in a class and the classes around it, without imports and predefined names.
Symbol find(Scope& from, std::string_view name);

// All names seen from a scope, inner ones first.
std::vector<std::string_view> visible_components(const Scope& from);
std::vector<std::string_view> visible_classes(const Scope& from);

}  // namespace driftless::language
