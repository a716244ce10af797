// Where a sparse square matrix has entries.
#pragma once

#include <span>
#include <vector>

#include "driftless/archive/archive.hpp"

namespace driftless::linear {

// Compressed sparse columns; row indices ascend within a column.
struct Pattern {
  int size = 0;
  std::vector<int> starts;  // size + 1
  std::vector<int> rows;

  void archive(Archive& archive) { archive(size, starts, rows); }
};

// A coordinate (row, column) of the matrix.
struct Coordinate {
  int row;
  int col;
};

// The pattern that holds all coordinates, and for each coordinate its position among the values.
struct Assembly {
  Pattern pattern;
  std::vector<int> position;
};
Assembly assemble(int size, std::span<const Coordinate> coordinates);

}  // namespace driftless::linear
