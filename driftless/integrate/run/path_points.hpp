// A run without states: its points lie on a path of solutions of algebraic equations (path.hpp), which are solved at
// any time between two points. The present point of the run moves along the path.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "driftless/integrate/run/context.hpp"
#include "driftless/integrate/run/path.hpp"

namespace driftless {

class PathPoints {
 public:
  // From the present point of the run, at t.
  PathPoints(RunContext& run, double t);

  // False if the path ends before t: the present point is then where it ends.
  bool follow_to(double t);

  // Between a, where the path was followed from, and b, where the present point lies: the first event, if there is one.
  std::optional<EventSearch::Found> find_event(double a, double b);
  // Calls IntegrateOptions::step_taken for the part from a to `to`.
  void tell(double a, double b, double to);
  // The present point becomes that at t, which lies before it; dense output drops everything after t.
  void go_back_to(double t);

  // On the line between the last two points: where solving the equations for a value at t begins.
  void begin_at(double t, std::vector<double>& y, std::vector<double>& yp) const;

  void archive(Archive& archive) { archive(path_); }

 private:
  bool solve(double a, double b, double t);

  RunContext& run_;
  Path path_;
};

}  // namespace driftless
