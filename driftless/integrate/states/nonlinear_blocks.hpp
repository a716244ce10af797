// Which unknowns may have several values beside each other: those of blocks of the block triangular form in which a
// partial derivative by an unknown of the block varies with one. Unless it is certain that the block has one solution
// at most, whatever else is given (expr/injective.hpp), which depends on values of parameters.
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

// Of some rows of the system and as many unknowns. `entries`: of System::jacobian, at these places.
BlockEquations block_equations(const CompiledSystem& compiled, std::span<const int> rows,
                               std::span<const Unknown> unknowns, std::span<const int> entries,
                               std::span<const linear::Coordinate> coordinates);

// Have the equations of a block one solution at most, with the present parameters of a run? Events change parameters,
// but seldom those of a block.
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
  std::vector<int> slots;  // that such a derivative varies with, and that are no candidates for states
};

// Of all that the present states leave open.
std::vector<NonlinearBlock> nonlinear_blocks(const Problem& problem);

// Of what no choice of states changes (fixed_rows.hpp); null if the rows cannot be taken apart like that.
std::shared_ptr<const std::vector<NonlinearBlock>> fixed_nonlinear_blocks(const System& system);

}  // namespace driftless
