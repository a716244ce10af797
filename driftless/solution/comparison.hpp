// Several runs of the same model side by side, by formulation, method and projection: what each cost, how accurate it
// was, and how far it left the constraints and changed the invariants. Runs that failed or did not apply are kept, with
// the reason.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "driftless/solution/solution.hpp"

namespace driftless {

struct ComparedRun {
  std::string formulation{}, method{}, projection{};  // as the command line names them
  std::string not_applicable{};  // why it does not apply; then all other fields are meaningless. Without a method: the
                                 // formulation applies with no method
  double tolerance = 0.0;
  std::optional<double> step{};  // constant; then the tolerance is meaningless
  Outcome outcome = Outcome::Success;
  std::optional<Code> code{};  // of the refusal or of the failure; none on success
  std::string failure{};       // why it stopped, as text; empty on success
  double reached = 0.0;        // the time
  Statistics statistics{};
  // The largest |value - reference| / (|reference| + nominal) over the output points after the start and over all
  // quantities but the highest derivatives; NaN if there was no point to compare.
  double error = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> drift{};     // the largest residual at each level: as written, differentiated once, ...;
                                   // empty if no output point after the start was reached
  std::vector<double> times{};     // the output points
  std::vector<double> residual{};  // there, the largest of the constraints as written; empty if there are none
  struct Change {
    double largest = 0.0;
    std::vector<double> over_time{};  // |value - start| at the output points
  };
  std::vector<Change> changes{};  // of each invariant

  bool applies() const { return not_applicable.empty(); }
  bool succeeded() const { return applies() && reached_end(outcome); }
};

struct Comparison {
  std::string model{};
  double start = 0.0, stop = 0.0;
  std::string reference_file{};      // errors are measured against its values; empty: against a reference run,
  std::string reference_method{};    // with dummy derivatives, by this method
  double reference_tolerance = 0.0;  // at this tolerance
  // The distance of the reference from a run with a tolerance a hundred times larger, measured like the errors; NaN:
  // unknown.
  double reference_error = std::numeric_limits<double>::quiet_NaN();
  Outcome reference_outcome = Outcome::Success;
  double reference_reached = 0.0;
  std::vector<std::string> invariants{};  // their names
  // Ordered by formulation, method, projection, then by tolerance or step size as requested; one run if it does not
  // apply.
  std::vector<ComparedRun> runs{};
};

// The respects in which the runs that apply differ.
struct Varying {
  bool formulation = false, method = false, projection = false;
};
Varying varying(const Comparison& comparison);

// The name that distinguishes a run from the others, without its tolerance or step size: "ggl, radau3".
std::string name_of(const ComparedRun& run, const Varying& varying);

std::string tolerance_text(double tolerance);      // as people type it: "1e-6", "2.5e-7"
std::string setting_text(const ComparedRun& run);  // "tolerance 1e-6", "step 0.01"

}  // namespace driftless
