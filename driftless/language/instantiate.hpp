// Classes and modifiers -> instances. Bases are merged into the instance that extends them, modifiers are passed to the
// elements that they change, redeclarations replace elements.
#pragma once

#include <memory>
#include <string>

#include "driftless/language/elaboration.hpp"

namespace driftless::language {

// What is instantiated: a class, where it is written, and the modifiers that reach it.
struct Blueprint {
  const Class* of;
  Scope* around;
  Modifiers modifiers;
  LocalClass* inherited = nullptr;  // of `model extends M`
};

// The place of the instance in the tree.
struct InstancePlace {
  std::string path;
  Instance* parent = nullptr;
  const Component* as = nullptr;
  Prefixes prefixes = {};
  Given value = {};
};

// Null, with an error, if the class cannot be instantiated.
std::unique_ptr<Instance> make_instance(Elaboration& all, const Blueprint& blueprint, InstancePlace place);

// Fills an instance that was made empty. False, with an error, if that failed.
bool fill_instance(Instance& instance, const Blueprint& blueprint);

// The class of this name that is declared in one of the layers of the instance, after redeclarations; null if there is
// none.
LocalClass* make_local_class(Instance& instance, std::string_view name);

// The instance of a class as a package or a function; null if it cannot be made.
Instance* instance_of(LocalClass& local);

// Finds a class that is declared in a package, or at the top, by its names from the outermost on.
LocalClass* local_class_of(Elaboration& all, const Class& wanted);

// The parts of a component, one for each element of its shape.
void make_parts(const Environment& at, Component& component);

}  // namespace driftless::language
