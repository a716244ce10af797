// External functions. Those for tables, strings and files that the Modelica Standard Library calls are built in; all
// others are C functions of libraries (external_c.hpp).
#pragma once

#include <string_view>

#include "driftless/language/functions.hpp"

namespace driftless::language {

// The call of a C function from the body of an external function.
struct ExternalCall {
  const Environment& at;              // inside of the function
  std::string_view name;              // of the C function
  std::vector<Value> arguments = {};  // invalid where an output without a value is given
  std::vector<Value> outputs = {};    // one for each argument: values written by the function
  SourceRange range = {};             // where the function is called

  Elaboration& all() const { return at.all; }
  Pool& pool() const { return at.all.pool; }
  // Reports, and returns an invalid value.
  Value refuse(std::string message) const;
  // Known arguments; nothing, with an error, if they are not.
  std::optional<std::string> text(std::size_t k) const;
  std::optional<double> number(std::size_t k) const;
  std::optional<std::int64_t> integer(std::size_t k) const;
};

// The result of the C function; a valid value of any kind if it has none.
using ExternalFunction = Value (*)(ExternalCall&);

// Null if the body calls none of the built-in ones.
ExternalFunction find_external(const Scope& function, const ast::External& external);
// The name of the C function that an external function calls.
std::string_view external_name(const Scope& function, const ast::External& external);
// Executes the body of an external function whose inputs are bound. False, with an error, if that failed.
bool call_external(Elaboration& all, Frame& frame, const ast::External& external, SourceRange call);

// The C functions of mathematics (external_math.cpp), tables (external_tables.cpp), random numbers
// (external_random.cpp), Fourier transforms (external_fourier.cpp), strings and files (external_strings.cpp).
ExternalFunction find_mathematical_function(std::string_view name);
// Functions of linear algebra (external_lapack.cpp).
ExternalFunction find_linear_function(std::string_view name);
ExternalFunction find_fourier_function(std::string_view name);
ExternalFunction find_random_function(std::string_view name);
ExternalFunction find_table_function(std::string_view name);
ExternalFunction find_string_function(std::string_view name);

}  // namespace driftless::language
