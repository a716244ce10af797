// From a model to a recommendation: linearization at the start or a trial run, indicators, decision.
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

// The allowed effort. With step size control the rest is found out during the run; for constant steps, and for reports,
// a short trial run is worth its time.
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

// `base`: the reduction for dummy derivatives, `shape` the structure of its model; it is implicit if the model has
// fewer states than its structure suggests. A model without a consistent start, or whose trial run fails, gets a
// recommendation by its structure alone.
Choice choose(std::shared_ptr<const Reduced> base, const structure::Structure& shape, const ChooseOptions& options);

}  // namespace driftless::choose
