// Finds a start by plan: held unknowns keep their starts exactly, the others are computed block by block; if a block
// has no solution, the smallest set of held unknowns around it is released and everything there changes as little as
// possible.
#pragma once

#include <memory>
#include <vector>

#include "driftless/initialize/plan.hpp"
#include "driftless/initialize/search.hpp"

namespace driftless {

struct FoundStart {
  bool evaluated = true;
  bool solved = false;
  std::vector<double> values;  // of all unknowns
  std::shared_ptr<const StartPlan> plan;
  std::vector<int> released;  // unknowns that the plan holds but that had to move
  double missed = 0.0;
  Trials trials;
  std::vector<int> suspects;  // rows, if it was not solved: the block that failed and those that it depends on

  bool is_held(int unknown) const;
};

// The best start from several plans: the first that moves no given start of a possible state, otherwise the one that
// moves the fewest, and among those the one that moves them least, in units of their nominal values. `numbers`: the
// model with the parameters of the run.
FoundStart find_start(const Model& numbers, const InitialProblem& problem, double t);

// Given starts of possible states that are not what the user wrote.
std::vector<int> moved_starts(const InitialProblem& problem, const std::vector<double>& values);

}  // namespace driftless
