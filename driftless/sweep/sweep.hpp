// Many runs of one compiled model with other parameters and starts, in several threads of one process or of
// several.
//
//   const Compiled compiled = compile(model);
//   sweep::run(compiled, plan, {.keep = {"x", "max(y)"}, .threads = 2}, [](const sweep::Row& row) { ...; return true;
//   });
//
// A run depends on its number alone, neither on the thread that executes it nor on earlier runs. So any number of
// threads and processes gives identical results, and an interrupted sweep can be continued.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "driftless/compiled.hpp"
#include "driftless/sweep/processes.hpp"
#include "driftless/sweep/variation.hpp"

namespace driftless {
class Archive;
}

namespace driftless::sweep {

// A run and its kept results. The results of a run without success are NaN.
struct Row {
  std::size_t run = 0;         // from 0
  std::vector<double> values;  // of the varied quantities
  std::string outcome;         // for programs: "success", "step_too_small", ...; "refused": values that cannot be run
  std::string code;            // of a failure: "D0703"
  double reached = 0.0;
  std::vector<double> results;
  std::string message;                  // of a failure, one line
  std::vector<double> trajectory = {};  // at each time of Followed, of each of its names

  bool succeeded() const { return outcome == "success"; }
  void archive(Archive& archive);
};

struct Options {
  // The results of each run: "x", the value at the stop time; "min(x)", "max(x)", the extrema over all output points.
  // Empty: the last values of all variables.
  std::vector<std::string> keep = {};
  std::vector<std::string> trajectories = {};  // variables of which all output points are kept
  RunInputs inputs = {};                       // of all runs; what varies is added. Its progress and rows are not used.
  unsigned threads = 1;                        // of each process
  std::size_t first = 0;                       // run: the first run; earlier ones are known
  Processes* processes = nullptr;              // that share the runs: each calls `run` with the same model and plan
  std::function<bool()> goes_on = {};          // called ten times a second by the calling thread: false ends the sweep
};

// A result that is kept of every run.
struct Kept {
  enum class What { Final, Smallest, Largest } what = What::Final;
  std::string text, name;
};
// Throws ModelError for a name that the model does not have.
std::vector<Kept> kept(const Model& model, const std::vector<std::string>& texts);

// The variables whose trajectories are kept, and the times: the output points of all runs. At events the value after
// them is kept.
struct Followed {
  std::vector<std::string> names;
  std::vector<double> times;
};
// Throws ModelError for a name that the model does not have, and where the interval depends on parameters.
Followed followed(const Compiled& compiled, const Options& options);

// Rows come in the order of their numbers, one at a time, from any thread; false ends the sweep. Returns the number of
// rows that were passed on; only the process of rank 0 gets rows. Throws ModelError for a name that the model does not
// have, ProcessError if another process failed.
std::size_t run(const Compiled& compiled, const Plan& plan, const Options& options,
                const std::function<bool(const Row& row)>& take);

// The rows of `count` runs from `first` on, by the calling thread: for callers that distribute blocks of runs
// themselves.
std::vector<Row> run_block(const Compiled& compiled, const Plan& plan, const Options& options, std::size_t first,
                           std::size_t count);

// A hash of a model as read or built: changes with its equations and numbers.
std::uint64_t fingerprint(const Model& model);

}  // namespace driftless::sweep
