// The determinant of a small matrix: its sign, and its size as a number that neither overflows nor underflows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>
#include <span>
#include <vector>

#include "driftless/archive/archive.hpp"
#include "driftless/linear/elimination.hpp"

namespace driftless::linear {

// mantissa * 2^exponent. A logarithm would say the same, but costs more than a small elimination.
class Magnitude {
 public:
  Magnitude() = default;
  explicit Magnitude(double size) : mantissa_(size) {}

  void multiply(double factor) {
    mantissa_ *= factor;
    if (!(mantissa_ > 1e-100 && mantissa_ < 1e100)) shift();
  }
  double log() const { return std::log(mantissa_) + exponent_ * std::numbers::ln2; }

  Magnitude reciprocal() const {
    Magnitude result(1.0 / mantissa_);
    result.exponent_ = -exponent_;
    return result;
  }

  // a / b
  friend double ratio(const Magnitude& a, const Magnitude& b) {
    const double quotient = a.mantissa_ / b.mantissa_;
    return a.exponent_ == b.exponent_ ? quotient : std::ldexp(quotient, a.exponent_ - b.exponent_);
  }
  friend const Magnitude& larger(const Magnitude& a, const Magnitude& b) { return ratio(b, a) > 1.0 ? b : a; }

  void archive(Archive& archive) { archive(mantissa_, exponent_); }

 private:
  void shift() {
    int by = 0;
    mantissa_ = std::frexp(mantissa_, &by);
    exponent_ += by;
  }

  double mantissa_ = 0.0;
  int exponent_ = 0;
};

struct Determinant {
  int sign = 0;    // 0: the matrix is nearly singular, or has values that are not finite
  Magnitude size;  // if sign != 0; otherwise 0
  void archive(Archive& archive) { archive(sign, size); }
};

// Of a matrix of one entry.
inline Determinant determinant_of(double entry) {
  const double size = std::abs(entry);
  if (!(size > 0.0) || !std::isfinite(size)) return {};
  return {entry < 0.0 ? -1 : 1, Magnitude(size)};
}

// Eliminates matrices of up to `largest` lines, whose entries are set one by one. Rows record where they have entries,
// so that the cost of a sparse matrix is about that of its entries.
class SmallMatrix {
 public:
  SmallMatrix() = default;
  explicit SmallMatrix(std::size_t largest)
      : words_((largest + word - 1) / word), values_(largest * largest), scale_(largest), where_(largest * words_) {}

  void clear(int lines) {
    lines_ = lines;
    std::fill_n(values_.begin(), static_cast<std::size_t>(lines) * lines, 0.0);
    std::fill_n(scale_.begin(), lines, 0.0);
    std::fill_n(where_.begin(), static_cast<std::size_t>(lines) * words_, 0);
  }
  void add(int row, int column, double value) {
    double& entry = at(row, column);
    entry += value;
    where_[static_cast<std::size_t>(row) * words_ + column / word] |= std::uint64_t{1} << column % word;
    if (const double size = std::abs(entry); size > scale_[row]) scale_[row] = size;
  }

  // By partial pivoting, with rows scaled to size 1. Overwrites the entries.
  Determinant determinant();

 private:
  static constexpr std::size_t word = 64;
  double& at(int i, int j) { return values_[static_cast<std::size_t>(i) * lines_ + j]; }
  std::uint64_t* where(int row) { return where_.data() + static_cast<std::size_t>(row) * words_; }
  void subtract(int above, int row);

  int lines_ = 0;
  std::size_t words_ = 0;
  std::vector<double> values_;        // by rows
  std::vector<double> scale_;         // the largest entry of each row, then its reciprocal
  std::vector<std::uint64_t> where_;  // words_ of each row: a bit for each column
};

// The determinant of matrices of one pattern whose values change little from call to call, by the same pivots as
// before. If these are not good, or the matrix is nearly singular, it is computed as above.
class RepeatedDeterminant {
 public:
  // No two entries are equal.
  RepeatedDeterminant(int lines, std::vector<Coordinate> entries);

  // The values in the order of the entries.
  Determinant operator()(std::span<const double> values);

 private:
  bool by_pivots(std::span<const double> values, Determinant& result);
  void find_parity();

  int lines_;
  std::vector<Coordinate> entries_;
  std::optional<Elimination> elimination_;  // of more than a few lines
  SmallMatrix matrix_;
  std::vector<double> size_of_row_;
  long choices_ = 0;  // the choice of pivots to which parity_ belongs
  int parity_ = 1;
};

}  // namespace driftless::linear
