// What an expression of the text stands for while a model is made flat: a scalar or an array of nodes, all of one
// type. Arrays keep their shape until an equation needs scalars.
//
// Invariant: an array has as many elements as its shape says, the last subscript running fastest. Values are
// shared when copied and separated when changed, so that reading x[i] never copies x. Relations and Booleans are
// the numbers 1 and 0, enumeration literals their ordinals; the contents of strings are not kept. A value of type
// Invalid comes from something already reported and makes everything it touches invalid, silently.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "driftless/expr/pool.hpp"

namespace driftless::language {

enum class Type : std::uint8_t { Invalid, Real, Integer, Boolean, String, Enumeration };

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

class Value {
 public:
  Value() = default;
  Value(Type type, NodeId scalar) : type_(type), scalar_(scalar) {}
  Value(Type type, Shape shape, std::vector<NodeId> elements);

  bool valid() const { return type_ != Type::Invalid; }
  Type type() const { return type_; }
  bool is_numeric() const { return type_ == Type::Real || type_ == Type::Integer; }
  bool is_scalar() const { return array_ == nullptr; }
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
  NodeId scalar_{};
  std::shared_ptr<Array> array_;
};

}  // namespace driftless::language
