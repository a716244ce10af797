// The matrices whose determinants show singular points, made of partial derivatives of the rows: the blocks that do not
// depend on the choice of states (fixed_rows.hpp), and for each choice the matrix of all its candidates. Constant
// matrices are left out, and so are repetitions: all levels of a constraint have the same matrix. One kernel evaluates
// all of them, each expression once.
#pragma once

#include <memory>
#include <vector>

#include "driftless/integrate/states/fixed_rows.hpp"

namespace driftless {

struct ConstraintSlopes {
  // Made once for all runs.
  static std::shared_ptr<const ConstraintSlopes> of(const System& system);

  // Can the rows be taken apart like this?
  bool exist = false;

  struct Entry {
    int value, row, column;  // among the values of the kernel; in the matrix
  };
  struct Block {
    int lines;
    std::vector<Entry> entries;
  };
  struct Candidates {
    int rows, columns;
    std::vector<Entry> entries;
    std::vector<double> nominal;  // of each column
  };
  static constexpr std::size_t largest_block = 64;  // lines; larger ones are not checked
  std::vector<Block> blocks;
  std::vector<Candidates> choices;
  std::shared_ptr<const Kernel> kernel;  // null if nothing varies
  std::vector<int> value_of_entry;       // of each entry of System::jacobian; -1: it is not among the values

 private:
  class Drafter;
};

}  // namespace driftless
