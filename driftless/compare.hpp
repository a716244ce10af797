// Formulations of a model side by side, each at several tolerances, measured against one accurate run.
#pragma once

#include <memory>
#include <vector>

#include "driftless/simulate.hpp"
#include "driftless/solution/comparison.hpp"

namespace driftless {

struct CompareOptions {
  SimulateOptions simulate = {};              // its formulation and tolerance are not used
  std::vector<double> tolerances = {};        // none: that of the experiment annotation, or 1e-6
  std::vector<Formulation> formulations = {};  // none: all, with their default parameters
};

// The reference is a run with dummy derivatives at a thousandth of the smallest tolerance, but not below 1e-12. A model
// that cannot be simulated at all throws ModelError. A run that the progress call interrupts is the last.
Comparison compare(std::shared_ptr<const Model> model, const CompareOptions& options = {});

}  // namespace driftless
