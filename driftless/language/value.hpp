// The value of an expression of the text while a model is flattened: a scalar or an array of nodes, all of one type.
// Arrays keep their shape until an equation needs scalars.
//
// Invariant: an array has as many elements as its shape says, the last subscript running fastest; of an array of
// records each record has as many elements as its layout says. Values are shared when copied and separated when
// changed, so that reading x[i] never copies x. Relations and Booleans are the numbers 1 and 0, enumeration literals
// their ordinals, strings the numbers of their contents (texts.hpp), external objects and functions their places in
// lists. A value of type Invalid results from an error already reported and makes everything computed from it invalid,
// silently.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/expr/pool.hpp"

namespace driftless::language {

enum class Type : std::uint8_t { Invalid, Real, Integer, Boolean, String, Enumeration, Record, Object, Function };

std::string to_string(Type type);

using Shape = std::vector<std::int64_t>;  // empty for a scalar

std::int64_t count(const Shape& shape);
std::string to_string(const Shape& shape);  // "a scalar", "[3]", "[2, 3]"
// "a", "a[3]", "a[2,1]": the k-th element by its name.
std::string element_name(const std::string& name, const Shape& shape, std::size_t k);
// "[2,1]" for the k-th element of an array.
std::string element_subscripts(const Shape& shape, std::size_t k);

// An element of a function's variable that has no value yet.
inline constexpr NodeId unassigned{0xffffffffU};

class Value;
struct Class;
struct RecordLayout;

// A member of a record: its type and shape, and its place among the elements of
// the record.
struct RecordMember {
  std::string name;
  Type type = Type::Invalid;
  Shape shape;
  const std::string* enumeration = nullptr;
  const RecordLayout* layout = nullptr;  // of a member that is a record itself
  std::size_t first = 0, size = 0;

  bool operator==(const RecordMember&) const = default;
};

// The members of a record in the order of their declaration. Equal layouts are
// one object, so pointers can be compared.
struct RecordLayout {
  std::vector<RecordMember> members;
  std::size_t size = 0;              // elements of one record
  const Class* operators = nullptr;  // the class of an operator record, whose functions are its operators

  const RecordMember* find(std::string_view name) const;
};

class Value {
 public:
  Value() = default;
  Value(Type type, NodeId scalar) : type_(type), scalar_(scalar) {}
  Value(Type type, Shape shape, std::vector<NodeId> elements);
  // A record, or an array of records: all elements of the first one, then those
  // of the second.
  static Value record(const RecordLayout* layout, Shape shape, std::vector<NodeId> elements);

  bool valid() const { return type_ != Type::Invalid; }
  Type type() const { return type_; }
  bool is_numeric() const { return type_ == Type::Real || type_ == Type::Integer; }
  bool is_scalar() const { return array_ == nullptr; }    // false for records
  const RecordLayout* layout() const { return layout_; }  // null unless it is a record
  bool is_record() const { return layout_ != nullptr; }
  // The same kind of value with other elements: an array of records if this is a record.
  Value like(Shape shape, std::vector<NodeId> elements) const;
  // The member of a record; of an array of records an array of members. Invalid
  // if there is none.
  Value member(std::string_view name) const;
  // The number of elements at one place of the shape.
  std::size_t stride() const { return layout_ ? layout_->size : 1; }
  NodeId scalar() const { return scalar_; }

  const Shape& shape() const;
  int rank() const { return static_cast<int>(shape().size()); }
  std::size_t size() const { return array_ ? array_->elements.size() : 1; }
  NodeId operator[](std::size_t k) const { return array_ ? array_->elements[k] : scalar_; }
  std::span<const NodeId> elements() const;

  // The enumeration that a value of type Enumeration belongs to, by its full name; null where it was not recorded.
  const std::string* enumeration() const { return enumeration_; }
  Value of_enumeration(const std::string* name) const;

  std::span<NodeId> change();  // the elements, no longer shared with other values
  Value with_type(Type type) const;

  bool operator==(const Value& other) const;

 private:
  struct Array {
    Shape shape;
    std::vector<NodeId> elements;
  };
  Type type_ = Type::Invalid;
  const std::string* enumeration_ = nullptr;
  const RecordLayout* layout_ = nullptr;
  NodeId scalar_{};
  std::shared_ptr<Array> array_;
};

}  // namespace driftless::language
