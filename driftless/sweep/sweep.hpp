// Many runs of one compiled model with other parameters and starts, in several threads of one process or of
// several.
//
//   const Compiled compiled = compile(model);
//   sweep::run(compiled, plan, {.keep = {"x", "max(y)"}, .threads = 2}, [](const sweep::Row& row) { ...; return true;
//   });
//
// A run depends on its number alone: neither on the thread that does it, nor on the runs before. So any number of
// threads and processes gives the same bits, and a sweep that was interrupted goes on where it stopped.
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

// A run and what is kept of it. Of a run that was no success no results are kept: they are NaN.
struct Row {
  std::size_t run = 0;         // from 0
  std::vector<double> values;  // of what varies
  std::string outcome;         // for programs: "success", "step_too_small", ...; "refused": such values cannot be run
  std::string code;            // of a failure: "D0703"
  double reached = 0.0;
  std::vector<double> results;
  std::string message;                  // of a failure, one line
  std::vector<double> trajectory = {};  // at each time of Followed, of each of its names

  bool succeeded() const { return outcome == "success"; }
  void archive(Archive& archive);
};

struct Options {
  // Of each run: "x", the value at the stop time; "min(x)", "max(x)", the extreme ones of all output points. None: the
  // last values of all variables.
  std::vector<std::string> keep = {};
  std::vector<std::string> trajectories = {};  // variables of which all output points are kept
  RunInputs inputs = {};                       // of all runs; what varies is added. Its progress and rows are not used.
  unsigned threads = 1;                        // of each process
  std::size_t first = 0;                       // run: those before it are known
  Processes* processes = nullptr;              // that share the runs: each calls `run` with the same model and plan
  std::function<bool()> goes_on = {};  // asked ten times a second by the thread that calls: false ends the sweep
};

// What can be kept of every run: for "all variables", and to check names before the first run.
struct Kept {
  enum class What { Final, Smallest, Largest } what = What::Final;
  std::string text, name;
};
// Throws ModelError for a name that the model does not have.
std::vector<Kept> kept(const Model& model, const std::vector<std::string>& texts);

// Of which variables trajectories are kept, and at which times: the output points of all runs. Behind events it is the
// value after them that counts.
struct Followed {
  std::vector<std::string> names;
  std::vector<double> times;
};
// Throws ModelError for a name that the model does not have, and where the interval depends on parameters.
Followed followed(const Compiled& compiled, const Options& options);

// Rows come in the order of their numbers, one at a time, from any thread; false ends the sweep. Returns the number of
// rows that were handed over; only the process of rank 0 gets rows. Throws ModelError for a name that the model does
// not have, ProcessError if another process failed.
std::size_t run(const Compiled& compiled, const Plan& plan, const Options& options,
                const std::function<bool(const Row& row)>& take);

// The rows of `count` runs from `first` on, by the thread that calls: for whoever hands out blocks of runs himself.
std::vector<Row> run_block(const Compiled& compiled, const Plan& plan, const Options& options, std::size_t first,
                           std::size_t count);

// Of a model as it was read or built: changes if an equation or a number of it does.
std::uint64_t fingerprint(const Model& model);

}  // namespace driftless::sweep
