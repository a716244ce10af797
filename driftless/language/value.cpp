#include "driftless/language/value.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>

namespace driftless::language {

std::string to_string(Type type) {
  switch (type) {
    case Type::Invalid: return "invalid";
    case Type::Real: return "Real";
    case Type::Integer: return "Integer";
    case Type::Boolean: return "Boolean";
    case Type::String: return "String";
    case Type::Enumeration: return "enumeration";
    case Type::Record: return "record";
    case Type::Object: return "external object";
    case Type::Function: return "a function";
  }
  return {};
}

std::int64_t count(const Shape& shape) {
  std::int64_t product = 1;
  for (const std::int64_t size : shape) product *= size;
  return product;
}

std::string to_string(const Shape& shape) {
  return shape.empty() ? "a scalar" : fmt::format("[{}]", fmt::join(shape, ", "));
}

std::string element_subscripts(const Shape& shape, std::size_t k) {
  std::vector<std::size_t> subscripts(shape.size());
  for (std::size_t d = shape.size(); d-- > 0;) {
    const auto size = static_cast<std::size_t>(shape[d]);
    subscripts[d] = k % size + 1;
    k /= size;
  }
  return fmt::format("[{}]", fmt::join(subscripts, ","));
}

std::string element_name(const std::string& name, const Shape& shape, std::size_t k) {
  return shape.empty() ? name : name + element_subscripts(shape, k);
}

Value::Value(Type type, Shape shape, std::vector<NodeId> elements) : type_(type) {
  assert(count(shape) == static_cast<std::int64_t>(elements.size()));
  if (shape.empty())
    scalar_ = elements.front();
  else
    array_ = std::make_shared<Array>(Array{std::move(shape), std::move(elements)});
}

const RecordMember* RecordLayout::find(std::string_view name) const {
  const auto found = std::ranges::find(members, name, &RecordMember::name);
  return found == members.end() ? nullptr : &*found;
}

Value Value::record(const RecordLayout* layout, Shape shape, std::vector<NodeId> elements) {
  assert(count(shape) * static_cast<std::int64_t>(layout->size) == static_cast<std::int64_t>(elements.size()));
  Value made;
  made.type_ = Type::Record;
  made.layout_ = layout;
  made.array_ = std::make_shared<Array>(Array{std::move(shape), std::move(elements)});
  return made;
}

Value Value::like(Shape shape, std::vector<NodeId> elements) const {
  if (layout_) return record(layout_, std::move(shape), std::move(elements));
  return Value(type_, std::move(shape), std::move(elements)).of_enumeration(enumeration_);
}

Value Value::member(std::string_view name) const {
  const RecordMember* found = layout_ ? layout_->find(name) : nullptr;
  if (!found) return {};
  std::vector<NodeId> own;
  for (std::size_t k = found->first; k < size(); k += layout_->size)
    own.insert(own.end(), array_->elements.begin() + static_cast<std::ptrdiff_t>(k),
               array_->elements.begin() + static_cast<std::ptrdiff_t>(k + found->size));
  Shape whole = shape();
  whole.insert(whole.end(), found->shape.begin(), found->shape.end());
  if (found->layout) return record(found->layout, std::move(whole), std::move(own));
  return Value(found->type, std::move(whole), std::move(own)).of_enumeration(found->enumeration);
}

const Shape& Value::shape() const {
  static const Shape scalar;
  return array_ ? array_->shape : scalar;
}

std::span<const NodeId> Value::elements() const {
  return array_ ? std::span<const NodeId>(array_->elements) : std::span<const NodeId>(&scalar_, 1);
}

std::span<NodeId> Value::change() {
  if (!array_) return {&scalar_, 1};
  if (array_.use_count() > 1) array_ = std::make_shared<Array>(*array_);
  return array_->elements;
}

Value Value::with_type(Type type) const {
  Value copy = *this;
  copy.type_ = type;
  return copy;
}

Value Value::of_enumeration(const std::string* name) const {
  Value copy = *this;
  copy.enumeration_ = name;
  return copy;
}

bool Value::operator==(const Value& other) const {
  if (type_ != other.type_ || layout_ != other.layout_) return false;
  if (array_ && array_ == other.array_) return true;
  return shape() == other.shape() && std::ranges::equal(elements(), other.elements());
}

}  // namespace driftless::language
