// Which unknowns of the start are held at their starting values, and in which order the rows give the others.
//
// The rows leave as many unknowns open as there are missing conditions. They are chosen by grade (problem.hpp) in an
// elimination of the Jacobian (linear/graded_elimination.hpp): possible states with a start first, positions before
// velocities; unknowns that follow from others are held only if nothing else can be. The unknowns that remain are as
// many as there are independent rows, and the block triangular form gives the order in which they are computed.
#pragma once

#include <vector>

#include "driftless/initialize/rows.hpp"

namespace driftless {

struct StartPlan {
  struct Block {
    std::vector<int> rows, cols;
  };
  std::vector<Block> blocks;  // in the order of solution
  std::vector<int> surplus;   // rows that depend on the others
  std::vector<int> row_of;    // per unknown: the row that it is matched with; -1: held
};

// Plans with the Jacobian of all rows at some point. Entries without a value there count as nonzero.
StartPlan plan_start(const InitialProblem& problem, const std::vector<InitialRows::Entry>& jacobian);

}  // namespace driftless
