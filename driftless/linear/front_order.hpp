// How a large sparse matrix is eliminated in fronts: chosen once, with the values of one matrix, for all others of its
// pattern.
//
// The largest transversal (largest_transversal.hpp) becomes the diagonal, so that no pivot has to be a structural zero
// of [M G^T; G 0]. The parts of the block triangular form (parts.hpp) are eliminated one after the other, each in the
// order of its front tree (front_tree.hpp). A front takes its pivots from its own rows and columns as long as they are
// not small in their columns (threshold pivoting, Duff, Reid 1983); columns without a pivot are left to the parent.
#pragma once

#include <complex>
#include <optional>
#include <span>
#include <vector>

#include "driftless/linear/pattern.hpp"

namespace driftless::linear {

struct FrontOrder {
  struct Front {
    int first;     // place in `rows` and `columns`
    int size;      // number of rows and columns,
    int pivots;    // of which this many, the first, are eliminated
    int parent;    // that gets the remainder; -1: no remainder
    int depth;     // 0: no parent
    int given;     // the end of its entries among `entries`
    int children;  // the end of its children among `children`
    void archive(Archive& archive) { archive(first, size, pivots, parent, depth, given, children); }
  };
  struct Entry {
    int position;     // among the values
    int row, column;  // in the front
    void archive(Archive& archive) { archive(position, row, column); }
  };
  struct Part {
    int fronts;   // the end of its fronts
    int outside;  // the end of its entries among `outside`
    void archive(Archive& archive) { archive(fronts, outside); }
  };

  int size = 0;  // of the matrix
  std::vector<Front> fronts;
  std::vector<int> rows, columns;              // of the matrix, front by front
  std::vector<int> parent_row, parent_column;  // the same lines in the parent; unused for pivots
  std::vector<Entry> entries;
  std::vector<int> children;
  std::vector<Part> parts;     // in the order in which they are solved
  std::vector<Entry> outside;  // in columns of a part and rows of parts that are solved later

  void archive(Archive& archive) {
    archive(size, fronts, rows, columns, parent_row, parent_column, entries, children, parts, outside);
  }
};

// Pivots are at least `threshold` times as large as any entry of their column. Nothing if the matrix is singular.
template <class Number>  // double or std::complex<double>
std::optional<FrontOrder> choose_fronts(const Pattern& pattern, std::span<const Number> values, double threshold);

}  // namespace driftless::linear
