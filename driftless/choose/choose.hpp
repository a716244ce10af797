// From a model to a recommendation: a glance at the start or a trial run, indicators, decision.
#pragma once

#include <memory>
#include <optional>

#include "driftless/choose/decide.hpp"
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

// What was found on the way, so that nobody has to find it again.
struct Findings {
  std::shared_ptr<const Reduced> levels = {};   // the reduction with all levels of all constraints
  std::shared_ptr<const Reduced> started = {};  // the reduction whose consistent start is known
  std::shared_ptr<const State> start = {};
  std::shared_ptr<const CompiledSystem> compiled = {};  // of `started`, if a run may use it
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
