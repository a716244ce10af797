// T = M^-1 N for m columns M of an m x n matrix and the others N, by Gauss-Jordan elimination: exchanging column i of M
// with column j of N multiplies det M by T_ij. For matrices of a few hundred entries, most of them 0.
#pragma once

#include <span>
#include <vector>

namespace driftless {

class ExchangeTable {
 public:
  ExchangeTable() = default;
  ExchangeTable(int rows, int columns);  // rows <= columns

  void clear();                                 // all entries become 0
  void set(int row, int column, double value);  // of the matrix; its first m columns are M
  bool reduce();                                // false: M is singular
  double entry(int row, int column) const { return values_[at(row, rows_ + column)]; }  // of T, after `reduce`

  struct Entry {
    int row = -1, column = -1;
    double size = 0.0;
  };
  Entry largest() const;  // of T, the first by rows; row = -1 if T is 0

 private:
  std::size_t at(int row, int column) const { return static_cast<std::size_t>(row) * columns_ + column; }
  std::span<double> from(int row, int column) { return {&values_[at(row, column)], &values_[at(row, 0)] + columns_}; }
  int pivot_row(int column) const;

  int rows_ = 0, columns_ = 0;
  std::vector<double> values_;  // by rows
  std::vector<double> size_;    // of each row: its largest entry
};

}  // namespace driftless
