// The classes of a text as they were written. A class is parsed once and holds no values: values belong to its
// instances (scope.hpp).
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "driftless/diagnostics/diagnostic.hpp"
#include "driftless/language/ast.hpp"

namespace driftless::language {

class Libraries;

struct Class {
  const ast::ClassDefinition* syntax = nullptr;  // null at the top, which holds the classes of the file
  const Class* parent = nullptr;                 // the class around it
  const ast::Element* element = nullptr;         // with the prefixes before the definition; null for a class of the top
  std::string path;                              // "P.Q.f"
  // The classes of its text, and those in separate files that have been loaded.
  mutable std::deque<Class> classes;
  mutable std::unordered_map<std::string_view, const Class*> by_name;
  Libraries* libraries = nullptr;  // where the latter are found; null if there are none
  std::vector<const ast::Import*> imports;

  const ast::LongClass* body() const { return syntax ? std::get_if<ast::LongClass>(&syntax->node) : nullptr; }
  const ast::ShortClass* synonym() const { return syntax ? std::get_if<ast::ShortClass>(&syntax->node) : nullptr; }
  const ast::Enumeration* enumeration() const {
    return syntax ? std::get_if<ast::Enumeration>(&syntax->node) : nullptr;
  }
  bool is_protected() const { return element && element->is_protected; }
  // The class of this name that is declared in this one or in a separate file; null if there is none.
  const Class* child(std::string_view name) const;

 private:
  const Class* load(std::string_view name) const;
};

// All classes of the tree, as children of an unnamed one. Names declared twice in a class are reported. With libraries,
// names that the tree does not declare are found there.
std::unique_ptr<Class> build_classes(const ast::StoredDefinition& tree, Diagnostics& diagnostics,
                                     Libraries* libraries = nullptr);

// The class of this full name below the top; null if there is none.
const Class* class_at(const Class& top, std::string_view full_name);

// class T extends ExternalObject; ... end T;
bool is_external_object(const Class& of);

// The class of a definition in a modifier, redeclare model M = ..., inside the class `around`.
std::unique_ptr<Class> build_class(const ast::Element& element, const ast::ClassDefinition& definition,
                                   const Class& around, Diagnostics& diagnostics);

}  // namespace driftless::language
