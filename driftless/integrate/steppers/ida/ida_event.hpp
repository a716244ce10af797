// A call made to IDA after some number of steps. Its memory cannot be read: an archive holds the list of these calls
// instead, and a reader repeats them on a new instance, steps included.
#pragma once

#include <vector>

#include "driftless/archive/archive.hpp"
#include "driftless/integrate/system/problem.hpp"

namespace driftless {

struct IdaEvent {
  enum class Kind { NewStates, Restart } kind = Kind::NewStates;
  long steps = 0;                   // since the previous call
  std::vector<Combination> states;  // of the problem
  double time = 0.0, stop = 0.0;
  std::vector<double> y, yp;  // of a restart
  void archive(Archive& archive) { archive(kind, steps, states, time, stop, y, yp); }
};

}  // namespace driftless
