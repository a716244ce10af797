// From a model to a solution.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "driftless/array/array_index.hpp"
#include "driftless/choose/findings.hpp"
#include "driftless/compile/backend.hpp"
#include "driftless/diagnostics/diagnostic.hpp"
#include "driftless/formulate/formulation.hpp"
#include "driftless/integrate/run/pivot_mode.hpp"
#include "driftless/integrate/solve/projection.hpp"
#include "driftless/integrate/steppers/method.hpp"
#include "driftless/integrate/steppers/newton_acceptance.hpp"
#include "driftless/integrate/steppers/tolerances.hpp"
#include "driftless/model/model.hpp"
#include "driftless/reduce/reduced.hpp"
#include "driftless/reduce/repair.hpp"
#include "driftless/solution/row_sink.hpp"
#include "driftless/solution/solution.hpp"

namespace driftless {

// The results of the analysis, before any number is computed.
struct Analysis {
  std::shared_ptr<const Model> model;
  // The model as written if it has events, otherwise null. `model` is then its mode (hybrid/modes.hpp) in which the run
  // begins, judged by the starts of its variables.
  std::shared_ptr<const Model> whole;
  structure::Structure shape;
  std::optional<HiddenSingularity> hidden;  // the model has fewer states than its structure suggests
  std::shared_ptr<const Repair> repair;     // of such a structure, if `model` is the result of one
  std::optional<ArrayIndex> array_index;    // for the formulation by a derivative array
  std::shared_ptr<const ArraySystem> array;
  // If an array was chosen because the structure is misleading (analyze_for_runs): the singularity, and the number of
  // states suggested by the structure.
  std::optional<HiddenSingularity> misleading;
  int promised_states = 0;
  Formulation formulation;
  std::shared_ptr<const Reduced> base;     // with every level of every equation: initial values come from here
  std::shared_ptr<const Reduced> reduced;  // the equations that are integrated
  double seconds = 0.0;
  choose::Findings findings = {};  // findings of an earlier choice of the method
};

// Throws ModelError if the model is structurally singular, or if the formulation does not apply to it. A formulation
// `auto` is replaced by the one that suits the model and BDF (automatic.hpp).
Analysis analyze(std::shared_ptr<const Model> model, const Formulation& formulation = formulation::Dummy{});
Analysis analyze(Model model, const Formulation& formulation = formulation::Dummy{});

// The same, but if the structure of the model is misleading, no repair is found, and ranks show that a derivative array
// determines the solution, it replaces dummy derivatives (docs/derivative-array.md).
Analysis analyze_for_runs(std::shared_ptr<const Model> model, const Formulation& formulation = formulation::Dummy{});

// The same model in another formulation: its structure is not analyzed again.
Analysis analyze(const Analysis& known, const Formulation& formulation);

// Where the partial derivatives of Newton's iteration come from: from the expressions, or from difference quotients, as
// in codes that only get a residual.
enum class Derivatives { Exact, Differences };

struct SimulateOptions {
  std::optional<double> start = {}, stop = {};  // otherwise the model's experiment annotation
  NamedSignals inputs = {};                     // signals for the inputs of the model (model/signal.hpp)
  double tolerance = 1e-6;                      // relative, and absolute in units of each variable's nominal value
  Tolerances tolerances = {};                   // of single variables (integrate/tolerances.hpp)
  std::optional<int> intervals = {};            // otherwise from the annotation, or 500
  Formulation formulation = formulation::Dummy{};
  Method method = method::Auto{};             // chosen for the model and the tolerance (automatic.hpp)
  std::optional<Successors> successors = {};  // otherwise the defaults of the method (automatic.hpp)
  Projection projection = projection::None{};
  std::optional<double> step = {};      // a constant step size, for methods that have no error test
  std::optional<double> max_step = {};  // the longest step that a method may choose
  Backend backend = backend_available(Backend::Adaptive) ? Backend::Adaptive : Backend::Interpreter;
  PivotMode pivot = PivotMode::Continue;
  NewtonTest newton = NewtonTest::Two;
  Derivatives jacobian = Derivatives::Exact;
  long max_steps = 10'000'000;
  bool sliding = false;  // if a relation chatters, follow the sliding motion of Filippov (docs/events.md)
  bool dense = true;
  bool count_work = false;  // in Statistics::operations
  double repeat_seconds =
      0.0;  // seconds for which a successful integration is repeated; the shortest processor time is reported
  std::function<bool(double t)> progress = {};
  RowSink rows = {};  // where the output points go (solution/row_sink.hpp)
};

// The first takes the formulation from the analysis, the second from the options. A bad model throws ModelError; a
// numerical failure is a Solution with the corresponding outcome, which keeps all results so far.
Solution simulate(const Analysis& analysis, const SimulateOptions& options = {});
Solution simulate(Model model, const SimulateOptions& options = {});

}  // namespace driftless
