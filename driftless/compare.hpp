// Formulations, methods and projections of a model side by side, each at several tolerances or step sizes, measured
// against one accurate run or against values from elsewhere.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "driftless/simulate.hpp"
#include "driftless/solution/comparison.hpp"

namespace driftless {

struct CompareOptions {
  SimulateOptions simulate = {};               // formulation, method, projection, tolerance and step are not used
  std::vector<Formulation> formulations = {};  // none: all, with their default parameters; with step sizes a few
  std::vector<Method> methods = {};            // none: bdf; with step sizes one of each kind
  std::vector<Projection> projections = {};    // none: no projection
  // Methods that choose their steps run at each tolerance, the others with each step size; dopri5 and radau3 accept
  // both. Neither given: the tolerance of the experiment annotation, or 1e-6.
  std::vector<double> tolerances = {}, steps = {};
  std::optional<Solution> reference = {};  // exact values at some of the output points
  std::string reference_name = {};         // of the file
};

// Every combination. Without a reference the errors are measured against the most exact run that succeeds: Taylor
// series in extended precision at 1e-17 (small models), in double precision at 1e-15, Radau at 1e-13, BDF at 1e-12 to
// 1e-9, all with dummy derivatives. Its accuracy is estimated by its distance from a run with a tolerance a hundred
// times larger. If the output points are not prescribed, they are chosen among the steps where all step sizes divide
// the interval: errors are those of the methods, not of interpolations. A model that cannot be simulated at all throws
// ModelError, and so does a reference without common times or variables. If the progress call interrupts a run, no
// further ones follow.
Comparison compare(std::shared_ptr<const Model> model, const CompareOptions& options = {});

}  // namespace driftless
