// The result of a run: the trajectory, how it ended, its statistics, and how well every constraint was kept.
// Independent of models, kernels and solvers.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driftless/diagnostics/code.hpp"
#include "driftless/solution/certificate.hpp"
#include "driftless/solution/event.hpp"

namespace driftless {

enum class Outcome {
  Success,
  InitializationFailed,  // no consistent start was found
  StepTooSmall,          // the error test or Newton failed repeatedly down to the smallest step
  TooManySteps,
  EvaluationFailed,   // an expression has no value (log of a negative number, division by zero)
  SingularIteration,  // the iteration matrix is singular: the model is singular at this point
  AssertionViolated,  // an assertion of the model does not hold
  Interrupted,
  OutOfMemory,       // the results so far are kept
  NotSatisfied,      // a point does not satisfy the equations that are solved: it is not delivered
  BoundaryUnsolved,  // no solution of the boundary value problem was found
  NotKept,           // the end was reached, but levels of constraints that the formulation does not impose drifted
};
const char* to_string(Outcome outcome);        // for people: "success", "step size too small", ...
const char* to_code(Outcome outcome);          // for programs: "success", "step_too_small", ...
std::optional<Code> code_of(Outcome outcome);  // the kind of failure; none of a success
// Was the stop time reached? Also true if constraints that the formulation does not impose have drifted.
constexpr bool reached_end(Outcome outcome) { return outcome == Outcome::Success || outcome == Outcome::NotKept; }

struct Column {
  std::string name{};  // "x", "der(x)"; time is not a column
  std::string unit{};
  std::string description{};
  bool is_derivative = false;
  bool is_parameter = false;
  double parameter_value = 0.0;  // for parameters: they have no series
  // Changes at events only. `literals`: the names of the values 1, 2, ... of an enumeration.
  enum class Discrete { No, Real, Integer, Boolean, Enumeration } discrete = Discrete::No;
  std::vector<std::string> literals{};
  void archive(Archive& archive);
};

// A quantity that the model declares constant, and how far it changed in the run. Its values are a column.
struct InvariantEntry {
  std::string name;
  int line = 0;                  // 0 if it has none
  double start = 0.0;            // its value at the start
  double max_deviation = 0.0;    // the largest |value - start| over the output points
  double at_time = 0.0;          // where that was
  double final_deviation = 0.0;  // value - start at the last output point
  void archive(Archive& archive);
};

struct Pivot {
  double time = 0.0;
  std::string out;      // no longer a state
  std::string in;       // a state from now on
  double margin = 0.0;  // the factor by which the new choice is better conditioned
  void archive(Archive& archive);
};

// Of matrices in Newton's iteration, in the 1-norm.
struct ConditionNumbers {
  double matrix = 0.0;  // unscaled: it grows like a power of 1/h with the index
  double scaled = 0.0;  // as it is factorized
};

// How the equations were evaluated during the integration: Compiled if any machine code was called.
enum class Evaluation { Unknown, Interpreted, Compiled };
const char* to_string(Evaluation evaluation);  // "unknown", "interpreted", "compiled"

// The work of a method, or of a part of it.
struct Counts {
  long steps = 0;
  long rejected_steps = 0;  // error test failures
  long convergence_failures = 0;
  long residual_evaluations = 0;
  long newton_iterations = 0;
  long jacobian_evaluations = 0;
  long factorizations = 0;
  long projections = 0;  // of the ends of steps
  Counts& operator+=(const Counts& other);
  void archive(Archive& archive);
};

struct Statistics : Counts {
  long pivots = 0;
  long events = 0, event_iterations = 0;
  std::vector<std::pair<std::string, long>> events_by_cause;  // how often each relation or sampling caused one
  int modes = 0;                                              // different structures of the equations; 0: no events
  double operations = 0.0;                                    // counted work (integrate/work.hpp), if requested
  double smallest_step = 0.0, largest_step = 0.0, mean_order = 0.0;
  ConditionNumbers largest_condition;  // 0: unknown
  Evaluation evaluation = Evaluation::Unknown;
  struct Seconds {
    double parse = 0.0, analyze = 0.0, compile = 0.0, initialize = 0.0, integrate = 0.0;
  } seconds;
  void add(const Statistics& other);  // of another part of the same run
  void archive(Archive& archive);
};

struct StructureSummary {
  int equations = 0;
  int unknowns = 0;
  int structural_index = 0;
  bool index_is_bound = false;  // the true index may be smaller
  int degrees_of_freedom = 0;
  std::vector<std::pair<std::string, int>> differentiations;  // equation label, how often; in model order
};

// Data of the solution of a boundary value problem besides its trajectory.
struct BoundarySummary {
  std::size_t intervals = 0;  // of the last mesh
  int meshes = 0, newton_iterations = 0;
  std::optional<double> error = {}, defect = {};  // relative to |x| + nominal; absent on a constant mesh
  struct Condition {
    std::string text;
    bool at_stop = false;
    double residual = 0.0;
  };
  std::vector<Condition> conditions;
};

// The polynomial of a step: y(t) = sum_k coefficients[k] * ((t - end) / h)^k on [begin, end].
struct Segment {
  double begin = 0.0, end = 0.0;
  int order = 0;
  std::vector<double> coefficients;  // (order + 1) rows of n values
  void archive(Archive& archive);
};

// The polynomial and its derivative at a time.
void evaluate(const Segment& segment, double time, std::vector<double>& y, std::vector<double>& yp);

// Thrown where dense output would deliver a point that does not satisfy the equations; says which equation, and by how
// much.
struct PointNotSatisfied : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Solution {
 public:
  std::string model;
  Outcome outcome = Outcome::Success;
  std::optional<Code> code;          // the kind of failure, often more specific than the outcome; none for a success
  std::string message;               // one sentence; empty on success
  std::vector<std::string> details;  // further lines: worst equation, values, advice
  std::vector<std::string> remarks;  // what the user should know although the run succeeded
  double start = 0.0, stop = 0.0, reached = 0.0;
  double tolerance = 0.0;
  std::optional<double> step;                   // constant; then there was no error test
  std::string formulation, method, projection;  // as the command line names them; no projection: "none"
  StructureSummary structure;
  Statistics statistics;
  Certificate certificate;
  double bound = 0.0;  // of relative residuals, for the verdict
  Verdict verdict() const;
  std::vector<InvariantEntry> invariants;
  std::vector<Pivot> pivots;
  std::vector<Event> events;                // the first ones if there are very many: statistics.events counts all
  std::optional<BoundarySummary> boundary;  // if it was solved as a boundary value problem

  // The trajectory at the output points, and at both sides of every event, which are two rows of the same time:
  // values[row * series() + column]. Parameters come last in `columns`
  // and have no series. A run whose points went to a sink (row_sink.hpp) may have kept the last one only.
  std::vector<Column> columns;
  std::vector<double> times;
  std::vector<double> values;
  std::size_t points = 0;  // delivered in all, kept or not

  // The largest residual of all constraints at each output point: constraint_drift[row * drift_levels + level].
  std::size_t drift_levels = 0;  // 0 if there are no constraints
  std::vector<double> constraint_drift;

  std::size_t series() const;  // number of columns that are not parameters
  std::optional<std::size_t> find(std::string_view name) const;
  double value(std::size_t row, std::size_t column) const { return values[row * series() + column]; }

  // By name, including "time" and parameters (constant in time); an unknown name throws std::out_of_range.
  std::vector<double> column(std::string_view name) const;
  double final(std::string_view name) const;  // NaN if the run has no output point

  // Dense output, if requested: every series at any time between start and reached, by the integrator's own
  // polynomials. At the time of an event these are the values right after it: the limit from the right; segments do not
  // overlap. A time outside, or a solution without dense output, throws std::out_of_range; a point that does not
  // satisfy the equations throws PointNotSatisfied.
  std::vector<double> at(double time) const;
  double at(double time, std::string_view name) const;
  std::vector<Segment> segments;
  // Turns the integrator's vector y and its derivative into the series.
  std::function<void(double time, std::vector<double>& y, std::vector<double>& yp, std::vector<double>& series)>
      observer;

  // Everything but the observer of dense output, which the run makes at its end.
  void archive(Archive& archive);

  double largest_residual() const;  // over the whole certificate: 0 if it is empty, NaN if any entry is
};

}  // namespace driftless
