// Annotations of a function that concern its calls (Modelica 3.6, Sections 12.7, 12.8 and 18.3).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/language/elaboration.hpp"

namespace driftless::language {

// The value of an entry in the annotations of a class or of its external clause; null if there is none.
const ast::Expression* annotated(const Instance& function, std::string_view name);
// True if the entry exists and is true.
bool is_annotated(const Instance& function, std::string_view name);

// smoothOrder = n: the call may be differentiated n times wherever its arguments may. Without it, a function that names
// its derivative is smooth of order 1, and so is the derivative if it names its own: f, f_d, f_dd.
std::optional<int> smooth_order(Instance& function);

// derivative(order = 1, noDerivative = k, zeroDerivative = n) = f_der: the first entry of order 1; null if there is
// none.
const ast::Modifier* derivative_annotation(const Instance& function);
// The names in noDerivative or zeroDerivative of a derivative annotation.
std::vector<std::string_view> names_in_derivative(const ast::Modifier& derivative, std::string_view attribute);
// The function that the annotation names; null, with an error, if there is none.
Instance* derivative_function(const Environment& at, const ast::Modifier& derivative);

}  // namespace driftless::language
