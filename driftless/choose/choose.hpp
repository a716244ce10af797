// From a model to a recommendation: a glance at the start or a trial run, indicators, decision.
#pragma once

#include <memory>
#include <optional>

#include "driftless/choose/decide.hpp"
#include "driftless/choose/findings.hpp"
#include "driftless/choose/indicators.hpp"
#include "driftless/compile/kernel.hpp"
#include "driftless/model/model.hpp"
#include "driftless/structure/analysis.hpp"

namespace driftless::choose {

// What may be done to find out. Steps that follow the tolerance find out the rest while they are made; for constant
// ones, and to tell a person, a short run is worth its time.
enum class Effort { Glance, Trial };

struct ChooseOptions {
  double start = 0.0, stop = 1.0, tolerance = 1e-6;
  std::optional<double> step = {};
  Effort effort = Effort::Trial;
  Backend backend = Backend::Interpreter;  // of the trial run
};

struct Choice {
  Indicators indicators;
  Recommendation recommendation;
  Findings findings;
};

// `base`: the reduction for dummy derivatives, `shape` the structure of its model; it is implicit where the structure
// promises more states than there are. A model that has no consistent start, or does not run, gets a recommendation by
// its structure alone.
Choice choose(std::shared_ptr<const Reduced> base, const structure::Structure& shape, const ChooseOptions& options);

}  // namespace driftless::choose
