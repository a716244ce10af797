// function f_x = der(f, x): the partial derivative of a function (Modelica 3.6, Section 12.7.2).
#pragma once

#include "driftless/language/functions.hpp"

namespace driftless::language {

bool is_derivative_of_function(const Instance& function);

// The derivatives of all outputs of the underlying function.
std::vector<Value> call_derivative(const Environment& at, Instance& function, const ast::Call& call, SourceRange range);

}  // namespace driftless::language
