// The matrices whose determinants tell of singular points, from the partial derivatives of the rows: one block after
// the other of what the rows determine whatever the choice of states is (fixed_rows.hpp), and for each choice all its
// candidates. Constant matrices are left out, and so are those of a choice that is another one again: the levels of a
// constraint have the same. One kernel evaluates all of them, each expression once.
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
  static constexpr std::size_t largest_block = 64;  // lines; more are not looked at
  std::vector<Block> blocks;
  std::vector<Candidates> choices;
  std::shared_ptr<const Kernel> kernel;  // null if nothing varies
  std::vector<int> value_of_entry;       // of each entry of System::jacobian; -1: it is none of the values

 private:
  class Drafter;
};

}  // namespace driftless
