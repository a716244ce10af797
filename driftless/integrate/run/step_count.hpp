// The steps of a run: how many, how long, of which order, and whether they still advance.
#pragma once

#include "driftless/archive/archive.hpp"
#include "driftless/solution/solution.hpp"

namespace driftless {

class StepCount {
 public:
  // `interval`: the length of the interval of the run.
  StepCount(double start, double interval);

  // Counts a step of size h and this order that has reached t.
  void add(double t, double h, int order, Statistics& statistics);

  long steps() const { return steps_; }

  // Did the last ten thousand steps advance by almost nothing of the interval? Called after every step.
  bool crawls();

  void archive(Archive& archive) { archive(steps_, t_, milestone_.steps, milestone_.t); }

 private:
  double interval_, t_;
  long steps_ = 0;
  struct {
    long steps = 0;
    double t;
  } milestone_;
};

}  // namespace driftless
