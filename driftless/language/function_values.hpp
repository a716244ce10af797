// Functions as values (Modelica 3.6, Section 12.4.2): an input of a function may itself be a function. The argument is
// the name of a function, possibly with some of its inputs given: function f(a = 1). Such a value is a place in a list;
// a call of it becomes a call of the underlying function, so expressions and programs never contain it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "driftless/language/functions.hpp"

namespace driftless::language {

struct GivenInput {
  std::string name;
  Value value;
  SourceRange range;
};

struct FunctionValue {
  Instance* function = nullptr;        // null for a built-in function
  std::string builtin = {};            // its name
  std::vector<GivenInput> given = {};  // inputs whose values are given
};

// The function that an argument names, as a value for this input. Invalid, with an error, if it does not fit.
Value function_argument(const Environment& at, const ast::Expression& expression, const Component& input);

// The function value that a name means inside a function; null if it is none.
const FunctionValue* function_called(const Environment& at, const ast::Reference& name);
const FunctionValue& function_of(const Elaboration& all, const Value& value);

// The function that a name means; for a built-in one only its name. False, with an error, if there is none.
bool find_function(const Environment& at, const ast::Reference& name, Instance*& function, std::string& builtin);

// Visits all values that are given in a function value, including those in nested function values.
void visit_given(const Elaboration& all, const Value& function, const std::function<void(const Value&)>& visit);
// The same function with the given values changed.
Value with_given(Elaboration& all, const Value& function, const std::function<Value(const Value&)>& change);
// Equal for function values that differ only in Real numbers that are given, or in numbers known only during the run.
std::string key_of(const Elaboration& all, const Value& function);

}  // namespace driftless::language
