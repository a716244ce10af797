// The signature matrix: for each equation, which variables occur and in which highest derivative.
// It is the only data about a model in structure/: integers, no expressions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace driftless::structure {

enum class Row : std::int32_t {};  // an equation
enum class Col : std::int32_t {};  // a variable
constexpr std::int32_t index(Row r) { return static_cast<std::int32_t>(r); }
constexpr std::int32_t index(Col c) { return static_cast<std::int32_t>(c); }
inline constexpr Row no_row{-1};
inline constexpr Col no_col{-1};

struct Entry {
  Col col;
  int sigma;  // order of the highest derivative of the variable in the equation, >= 0
  friend bool operator==(const Entry&, const Entry&) = default;
};

// Sparse, by rows; the columns of a row are strictly ascending. A variable that does not occur has no entry.
class Signature {
 public:
  explicit Signature(int cols) : cols_(cols) {}
  void add_row(std::span<const Entry> entries);

  int rows() const { return static_cast<int>(starts_.size()) - 1; }
  int cols() const { return cols_; }
  std::span<const Entry> row(Row r) const {
    const auto i = index(r);
    return {entries_.data() + starts_[i], starts_[i + 1] - starts_[i]};
  }
  std::size_t entries() const { return entries_.size(); }

 private:
  int cols_;
  std::vector<std::size_t> starts_{0};
  std::vector<Entry> entries_;
};

// Per column, the highest order in which the variable occurs anywhere; 0 if it does not occur.
std::vector<int> highest_orders(const Signature& signature);

}  // namespace driftless::structure
