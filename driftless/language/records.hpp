// Records as values: read from the components of a record, made by its
// constructor, and passed to functions.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "driftless/language/functions.hpp"

namespace driftless::language {

bool is_record_class(const Class& candidate);

// The class itself if it has operators, otherwise null.
const Class* operators_of(const Class& of);

// A record of these members; `operators` is the class of an operator record.
Value make_record(Elaboration& all, const std::vector<std::pair<std::string, Value>>& members, const Class* operators);

// All members of a record that is a component of the model.
Value record_value(const Environment& at, Instance& record, SourceRange range);

// The same with the members that modifiers of its declaration give, result(re = re, im = im), evaluated there; `value`
// if there are none.
Value with_declared_members(const Environment& at, const Component& component, Value value);

// The record or array of records that a variable of a function holds before it
// has a value. Sizes `:` are 0.
Value unassigned_record(const Environment& at, const Component& component);

// Is the k-th element of a record, or of an array of records, a Real number?
bool is_real_element(const RecordLayout& layout, std::size_t k);

// Real members that no statement has assigned are NaN: a record may be passed on without them, but values computed from
// them are undefined.
Value with_undefined_members(Pool& pool, Value record);

// The value with its members in the order of `wanted`; invalid, with an error,
// if the members differ.
Value as_record(const Environment& at, const Value& value, const Value& wanted, SourceRange range,
                std::string_view what);

// R(1, b = 2): a call of the constructor of a record.
Value construct_record(const Environment& at, Instance& record, const ast::Call& call, SourceRange range);

// The elements of a variable of a function that the members and subscripts of a
// target select.
struct MemberPlaces {
  Value wanted;  // of the type and shape that is assigned
  std::vector<std::size_t> offsets;
};
std::optional<MemberPlaces> member_places(const Environment& at, const Value& variable, const ast::Reference& target);

}  // namespace driftless::language
