// Several formulations of the same model side by side: what each run cost, how accurate it was, and how far it left
// the constraints. What failed or did not apply stays, with the reason.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "driftless/solution/solution.hpp"

namespace driftless {

struct ComparedRun {
  std::string formulation{};
  std::string not_applicable{};  // why it does not apply; then all that follows is without meaning
  double tolerance = 0.0;
  Outcome outcome = Outcome::Success;
  double reached = 0.0;  // the time
  Statistics statistics{};
  // The largest |value - reference| / (|reference| + nominal) over the output points after the start and over all
  // quantities but the highest derivatives; NaN if there was no point to compare.
  double error = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> drift{};     // the largest residual at each level: as written, differentiated once, ...;
                                   // empty if no output point after the start was reached
  std::vector<double> times{};     // the output points
  std::vector<double> residual{};  // there, the largest of the constraints as written; empty if there are none

  bool applies() const { return not_applicable.empty(); }
  bool succeeded() const { return applies() && outcome == Outcome::Success; }
};

struct Comparison {
  std::string model{};
  double start = 0.0, stop = 0.0;
  double reference_tolerance = 0.0;  // of the run with dummy derivatives that errors are measured against
  Outcome reference_outcome = Outcome::Success;
  double reference_reached = 0.0;
  std::vector<ComparedRun> runs{};  // by formulation, then by tolerance as asked for; one run if it does not apply
};

std::string tolerance_text(double tolerance);  // as people type it: "1e-6", "2.5e-7"

}  // namespace driftless
