// Which unknowns of the start are held at their starting values, and in which order the rows give the others.
//
// The rows leave as many unknowns open as there are missing conditions. They are chosen by grade (problem.hpp) in an
// elimination of the Jacobian (linear/graded_elimination.hpp): possible states with a start first, positions before
// velocities; unknowns that follow from others are held only if nothing else can be. The unknowns that remain are as
// many as there are independent rows, and the block triangular form gives the order in which they are computed.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "driftless/initialize/rows.hpp"

namespace driftless {

struct StartPlan {
  struct Block {
    std::vector<int> rows, cols;
  };
  std::vector<Block> blocks;            // in the order of solution
  std::vector<int> surplus;             // rows that depend on the others
  std::vector<std::vector<int>> parts;  // the rows of the blocks, then the surplus, if there is any
  std::vector<int> row_of;              // per unknown: the row that it is matched with; -1: held
};

class StartPlanner {
 public:
  explicit StartPlanner(const InitialProblem& problem);

  // From the Jacobian of all rows at some point. Entries that have no value there count as present.
  std::shared_ptr<const StartPlan> operator()(std::span<const InitialRows::Entry> jacobian);

 private:
  const InitialProblem& problem_;
  std::vector<int> grade_;
  std::vector<double> scale_;
  std::vector<std::vector<std::pair<int, double>>> rows_;
};

}  // namespace driftless
