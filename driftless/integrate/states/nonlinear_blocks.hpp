// Which unknowns may have several solutions: those of blocks of the block triangular form in which a partial derivative
// by an unknown of the block varies with an unknown of the block. Excepted are blocks that have at most one solution
// for all values of everything else (expr/injective.hpp), which depends on parameters.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "driftless/expr/injective.hpp"
#include "driftless/integrate/system/problem.hpp"
#include "driftless/integrate/system/unknowns.hpp"
#include "driftless/linear/pattern.hpp"

namespace driftless {

struct BlockEquations {
  MapOfUnknowns equations;
  std::vector<int> parameters;  // that occur in them, ascending
  std::vector<int> key;         // which rows and unknowns
};

// The block of some rows of the system and as many unknowns. `entries`: of System::jacobian, at these places.
BlockEquations block_equations(const CompiledSystem& compiled, std::span<const int> rows,
                               std::span<const Unknown> unknowns, std::span<const int> entries,
                               std::span<const linear::Coordinate> coordinates);

// Have the equations of a block at most one solution, with the present parameters of a run? The answer is kept until an
// event changes parameters of the block.
class OneSolution {
 public:
  explicit OneSolution(std::shared_ptr<const BlockEquations> block) : block_(std::move(block)) {}
  bool operator()(const System& system);

 private:
  std::shared_ptr<const BlockEquations> block_;
  long version_ = -1;
  std::vector<double> of_parameters_;
  bool answer_ = false;
};

struct NonlinearBlock {
  std::shared_ptr<const BlockEquations> equations;
  std::vector<int> slots;  // with which such a derivative varies, and that are no candidates for states
};

// The blocks of all unknowns that are no states at present.
std::vector<NonlinearBlock> nonlinear_blocks(const Problem& problem);

// The blocks that do not depend on the choice of states (fixed_rows.hpp); null if the rows cannot be split in this way.
std::shared_ptr<const std::vector<NonlinearBlock>> fixed_nonlinear_blocks(const System& system);

}  // namespace driftless
