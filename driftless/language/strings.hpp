// Values of type String, and how numbers are written.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "driftless/language/builtins.hpp"

namespace driftless::language {

Value string_value(Elaboration& all, std::string_view text);
// Nothing if it is not a scalar String, or if it is known only during the run.
std::optional<std::string> known_text(const Elaboration& all, const Value& value);
// The text to be shown, with values of the run as their expressions.
std::optional<std::string> shown_text(const Elaboration& all, const Value& value);
// May one of the texts of a choice be known only during the run?
bool has_indefinite_text(const Elaboration& all, NodeId choice);
// Applies `combine` to each pair of texts of two choices; nothing if one of them has indefinite texts.
std::optional<NodeId> combined_texts(Elaboration& all, const Value& left, const Value& right,
                                     const std::function<NodeId(const std::string&, const std::string&)>& combine);
Value joined(const Environment& at, const Value& left, const Value& right, SourceRange range);
// Reports a decision by a String that is known only during the run, which is not supported yet.
Value refuse_changing_text(const Environment& at, SourceRange range);

// String(x, ...) (Modelica 3.6, Section 3.7.1).
Value string_of(const Environment& at, const ast::Call& call, SourceRange range);

}  // namespace driftless::language
