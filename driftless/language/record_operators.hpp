// The operators of operator records (Modelica 3.6, Chapter 14): '+' of Complex is a function of the record's class.
#pragma once

#include "driftless/language/functions.hpp"

namespace driftless::language {

// Is one of them an operator record, or an array of them?
bool has_record_operators(const Value& left, const Value& right);

Value apply_record_operator(const Environment& at, ast::BinaryOperator op, const Value& left, const Value& right,
                            SourceRange range);
Value apply_record_operator(const Environment& at, ast::UnaryOperator op, const Value& operand, SourceRange range);

// The function of the operator 'constructor' that takes these arguments; null if the record is made from its members,
// or, with an error, if several functions take them.
Instance* record_constructor(const Environment& at, Instance& record, const ast::Call& call, SourceRange range);
// The operator 'String', for a record and formatting options; nothing if no function takes these values.
std::optional<Value> text_of_record(const Environment& at, const std::vector<Value>& values, SourceRange range);
// The sum of a vector of operator records.
Value sum_of_records(const Environment& at, const Value& vector, SourceRange range);

}  // namespace driftless::language
