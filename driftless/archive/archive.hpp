// Values to bytes and back, bit for bit. A class lists its state once, for both directions:
//
//   void archive(Archive& archive) { archive(time_, order_, history_); }
//
//   Archive writer;                 Archive reader(bytes);
//   stepper.archive(writer);        other.archive(reader);   // now in the same state
//   writer.bytes();
//
// Bytes are those of the machine that wrote them: for the same program on the same kind of machine. Mismatches throw an
// ArchiveError and are never misread: `section` writes a name that must be found again.
#pragma once

#include <array>
#include <cfloat>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "driftless/archive/archive_error.hpp"

namespace driftless {

class Archive {
 public:
  Archive() = default;                                                                       // writes
  explicit Archive(std::span<const std::byte> bytes) : unread_(bytes), is_reading_(true) {}  // reads; bytes must live

  bool is_reading() const { return is_reading_; }
  const std::vector<std::byte>& bytes() const { return written_; }
  std::size_t bytes_left() const { return unread_.size(); }

  // Begins the data of `name`.
  void section(std::string_view name);

  // A value that must be the same when read: the size of a system, the name of a method.
  template <class T>
  void expect(const T& value, std::string_view what) {
    T found = value;
    (*this)(found);
    if (!(found == value)) throw ArchiveError("the saved run has another " + std::string(what));
  }

  template <class... T>
  void operator()(T&... values) {
    (one(values), ...);
  }

 private:
  // Arithmetic types and enumerations, and compiler extensions such as 128-bit numbers.
  template <class T>
  static constexpr bool is_number = std::is_trivially_copyable_v<T> && !std::is_class_v<T> && !std::is_pointer_v<T>;

  // Bytes of a number that hold its value. The padding bytes of 80-bit numbers are undefined.
  template <class T>
  static constexpr std::size_t size_of_value = std::is_same_v<T, long double>&& LDBL_MANT_DIG == 64 ? 10 : sizeof(T);

  template <class T>
  void one(T& value) {
    if constexpr (is_number<T>)
      copy(&value, size_of_value<T>);
    else
      value.archive(*this);
  }
  template <class T>
  void one(std::complex<T>& value) {
    copy(&value, sizeof value);
  }
  template <class T, class Allocator>
  void one(std::vector<T, Allocator>& values) {
    values.resize(length(values.size()));
    elements(values);
  }
  void one(std::vector<bool>& values);
  void one(std::string& text) {
    text.resize(length(text.size()));
    copy(text.data(), text.size());
  }
  template <class T>
  void one(std::deque<T>& values) {
    values.resize(length(values.size()));
    for (T& value : values) one(value);
  }
  template <class T, std::size_t N>
  void one(std::array<T, N>& values) {
    elements(values);
  }
  template <class T, std::size_t N>
  void one(T (&values)[N]) {
    for (T& value : values) one(value);
  }
  template <class A, class B>
  void one(std::pair<A, B>& pair) {
    one(pair.first), one(pair.second);
  }
  template <class T>
  void one(std::optional<T>& value) {
    bool there = value.has_value();
    one(there);
    if (there && !value) value.emplace();
    if (!there) value.reset();
    if (value) one(*value);
  }

  template <class Values>
  void elements(Values& values) {
    using T = typename Values::value_type;
    if constexpr (is_number<T> && size_of_value<T> == sizeof(T))
      copy(values.data(), values.size() * sizeof(T));
    else
      for (T& value : values) one(value);
  }

  std::size_t length(std::size_t size);
  void copy(void* value, std::size_t size);

  std::vector<std::byte> written_;
  std::span<const std::byte> unread_;
  bool is_reading_ = false;
};

}  // namespace driftless
