// Expressions typeset by the browser: MathML straight from the graph, with fractions, roots, powers, dots for time
// derivatives, Greek letters and subscripts for names such as lambda1 or r[2].
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "driftless/expr/print.hpp"

namespace driftless::reporting {

// A name with this many time derivatives: dots up to three, a number in parentheses beyond.
std::string mathml_name(std::string_view name, int derivatives = 0);

// The content of <math>. Nothing if it would be too long to be read: a graph can be exponentially long.
std::optional<std::string> mathml(const Pool& pool, NodeId expression, const Names& names);

// residual = 0, written as left = right where the residual is such a difference.
std::optional<std::string> mathml_equation(const Pool& pool, NodeId residual, const Names& names);

}  // namespace driftless::reporting
