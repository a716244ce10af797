// The functions and operators that are part of the language (Modelica 3.6, Sections 3.7 and 10.3).
#pragma once

#include <string_view>
#include <vector>

#include "driftless/language/elaboration.hpp"

namespace driftless::language {

inline constexpr double assertion_level_warning = 1, assertion_level_error = 2;  // AssertionLevel

bool is_builtin_function(std::string_view name);
const std::vector<std::string_view>& builtin_function_names();
// How many numbers an elementary function takes; nothing for all others.
std::optional<std::size_t> elementary_arguments(std::string_view name);

// `name` may be the long spelling of the library.
Value call_builtin(const Environment& at, std::string_view name, const ast::Call& call, SourceRange range);

// The arguments of a built-in function, and functions that report errors in them.
struct Arguments {
  const Environment& at;
  std::string_view function;
  std::vector<Value> values;
  std::vector<const ast::Expression*> syntax;
  SourceRange range;

  std::size_t size() const { return values.size(); }
  const Value& operator[](std::size_t k) const { return values[k]; }
  Pool& pool() const { return at.all.pool; }
  // Reports at the k-th argument, and returns an invalid value.
  Value reject(std::size_t k, std::string_view reason) const;
  // The k-th argument as a size; nothing (reported) if it is not a known Integer >= 0.
  std::optional<std::int64_t> size_argument(std::size_t k) const;
};

// Functions on numbers, in elementary_functions.cpp. Elementary ones are applied to every element.
Value number_elementary(const Arguments& arguments, Op op);
Value number_min(const Arguments& arguments);
Value number_max(const Arguments& arguments);
Value number_sign(const Arguments& arguments);
Value number_integer(const Arguments& arguments);

// Functions on arrays, in arrays.cpp.
Value array_size(const Arguments& arguments);
Value array_ndims(const Arguments& arguments);
Value array_zeros(const Arguments& arguments);
Value array_ones(const Arguments& arguments);
Value array_fill(const Arguments& arguments);
Value array_identity(const Arguments& arguments);
Value array_diagonal(const Arguments& arguments);
Value array_linspace(const Arguments& arguments);
Value array_transpose(const Arguments& arguments);
Value array_symmetric(const Arguments& arguments);
Value array_outer_product(const Arguments& arguments);
Value array_cross(const Arguments& arguments);
Value array_skew(const Arguments& arguments);
Value array_cat(const Arguments& arguments);
Value array_vector(const Arguments& arguments);
Value array_matrix(const Arguments& arguments);
Value array_scalar(const Arguments& arguments);
Value array_constructor(const Arguments& arguments);
Value array_sum(const Arguments& arguments);
Value array_product(const Arguments& arguments);

Value quotient_div(const Arguments& arguments);  // quotients.cpp
Value quotient_mod(const Arguments& arguments);
Value quotient_rem(const Arguments& arguments);
Value time_derivative(const Arguments& arguments);  // derivative.cpp

// Operators about events, in event_operators.cpp.
Value event_pre(const Arguments& arguments);
Value event_edge(const Arguments& arguments);
Value event_change(const Arguments& arguments);
Value event_sample(const Arguments& arguments);
Value event_initial(const Arguments& arguments);
Value delayed(const Arguments& arguments);
Value event_terminal(const Arguments& arguments);
// False, with an error, inside a function or where a value must be known before the run.
bool may_speak_of_events(const Arguments& arguments);
// Operators of clocks, in clock_operators.cpp.
Value clock_constructor(const Arguments& arguments);
Value clock_sample(const Arguments& arguments);
Value clock_hold(const Arguments& arguments);
Value clock_sub_sample(const Arguments& arguments);
Value clock_super_sample(const Arguments& arguments);
Value clock_shift_sample(const Arguments& arguments);
Value clock_back_sample(const Arguments& arguments);
Value clock_no_clock(const Arguments& arguments);
Value clock_previous(const Arguments& arguments);
Value clock_interval(const Arguments& arguments);
Value clock_first_tick(const Arguments& arguments);
// reinit and terminate outside of when clauses.
Value outside_of_when(const Arguments& arguments);

// A scalar as [1, 1], a vector as a column.
Value as_matrix(const Value& value);
// Joins along a dimension, counted from 1; the other sizes must agree.
Value concatenate(const Environment& at, int dimension, const std::vector<Value>& values, SourceRange range);

}  // namespace driftless::language
