// Simplified Newton's iteration for the stages of a Radau step (radau.hpp), with the matrices that the stage solver
// has, and the weights that it shares with the error test.
#pragma once

#include <span>
#include <vector>

#include "driftless/archive/archive.hpp"
#include "driftless/integrate/steppers/newton_acceptance.hpp"
#include "driftless/integrate/steppers/radau/radau_formula.hpp"
#include "driftless/integrate/steppers/radau/stage_solver.hpp"
#include "driftless/integrate/steppers/radau/stages_on_rows.hpp"
#include "driftless/newton/iterate.hpp"

namespace driftless {

class RadauIteration {
 public:
  RadauIteration(Problem& problem, StageSolver& solver, StagesOnRows& on_rows, NewtonTest newton);

  // Sets the reciprocals of the errors that count as 1; an error of an unknown of index i counts h^(i-1) times.
  void set_weights(const RadauFormula& formula, double h, std::span<const double> y);
  std::span<const double> weights() const { return weights_; }

  struct Step {
    RadauFormula& formula;
    double t, h;
    std::span<const double> y;
    bool by_rows;                   // after every correction the rows are solved for everything but the states
    std::span<double> z, residual;  // of all stages: differences to y, and scratch
  };
  newton::Report operator()(const Step& step, Counts& counts);

  // Of the last iteration.
  int iterations() const { return iterations_; }
  double rate() const { return rate_; }
  double foretold_cut() const { return cut_; }  // 0, or a factor for the step size that would suffice

  void archive(Archive& archive) { archive(contraction_); }

 private:
  newton::Correction correct(const Step& step, Counts& counts);

  Problem& problem_;
  StageSolver& solver_;
  StagesOnRows& on_rows_;
  NewtonTest newton_;
  std::vector<double> weights_;
  int iterations_ = 0;
  double rate_ = 1.0;
  double contraction_ = 1.0;  // rate / (1 - rate): the remaining error relative to the last correction
  double cut_ = 0.0;
};

}  // namespace driftless
