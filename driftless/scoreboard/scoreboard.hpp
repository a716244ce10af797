// Every shipped model with every method, at several tolerances: how many digits it reached at the end, how long the
// integration took, how many steps; failures and refusals are listed with their reasons.
//
// The digits are -log10 of the largest relative error at the end, over the differential variables: those with a
// derivative in the differentiated equations (positions, velocities that have a name, concentrations; no multipliers,
// no derivatives). If a value is small compared to the largest size of the variable during the run, the error is
// relative to a thousandth of that size, as a variable that passes through zero has no relative accuracy.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "driftless/scoreboard/reference_end.hpp"
#include "driftless/scoreboard/verdict.hpp"
#include "driftless/simulate.hpp"

namespace driftless::scoreboard {

struct Entry {
  std::string method{};                     // as requested
  std::string formulation{}, projection{};  // as run
  std::string chosen{};                     // the choice of `auto` with its reason
  std::string begun_with{};                 // the method of the first step
  double tolerance = 0.0;
  std::string not_applicable{};  // the reason; then the fields below are meaningless
  Outcome outcome = Outcome::Success;
  std::string failure{};  // why it stopped, as text; empty on success
  double reached = 0.0;   // the time
  double digits = std::numeric_limits<double>::quiet_NaN();
  double error = std::numeric_limits<double>::quiet_NaN();  // verdict.hpp
  double seconds = 0.0;  // processor time of the integration alone, the shortest of several runs
  Statistics statistics{};

  bool applies() const { return not_applicable.empty(); }
  bool succeeded() const { return applies() && outcome == Outcome::Success; }
};

// All runs of one model, by method, then by tolerance.
struct Sheet {
  std::string model{};  // the file, without its ending
  double start = 0.0, stop = 0.0;
  int degrees_of_freedom = 0;  // 0: the model has no states, and no method is used
  std::string reference{};
  double condition = 1.0;               // verdict.hpp
  std::vector<std::string> measured{};  // the variables
  std::vector<Entry> entries{};

  // A success whose error is beyond what its tolerance and the condition of the model explain.
  bool is_false(const Entry& entry) const {
    return entry.succeeded() && !(entry.error <= most_tolerances * condition * entry.tolerance);
  }
};

struct Board {
  std::vector<std::string> methods{};
  std::vector<double> tolerances{};
  std::vector<Sheet> sheets{};
  bool interrupted = false;  // the last sheet is not complete
};

struct BoardOptions {
  std::vector<std::string> models = {};  // none: all_models()
  std::vector<Method> methods = {};      // none: all that choose their steps
  std::vector<double> tolerances = {1e-4, 1e-6, 1e-8, 1e-10};
  bool measure_condition = true;
  double repeat_seconds = 0.05;  // seconds for which a run is repeated, to find its shortest time
  // A run that takes this many times the shortest at its tolerance so far, and longer than `patience`, is ended.
  double most_times_the_best = 20.0, patience = 0.5, most_seconds = 30.0;
  // Called during every run; false ends the board, which keeps its results.
  std::function<bool(const std::string& model, const std::string& method)> progress = {};
};

// All methods that choose their steps by a tolerance, and `auto`.
const std::vector<Method>& all_methods();

// The models that can be run, in alphabetical order: those of models/, and those of models/unseen ("unseen/robertson"),
// which were not used to choose any constant of the program.
std::vector<std::string> all_models();
std::vector<std::string> unseen_models();

// Precondition: the models are among all_models() and unseen_models().
Board run(const BoardOptions& options);

// The differential variables of the model that the reference has; all of the reference if there are none.
std::vector<std::string> measured_variables(const Analysis& analysis, const ReferenceEnd& end);

double digits(const Solution& solution, const ReferenceEnd& end, const std::vector<std::string>& measured);

}  // namespace driftless::scoreboard
