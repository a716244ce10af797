// How large an error is, in units that do not depend on the model: relative to the values and their nominal sizes.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "driftless/expr/calculus.hpp"
#include "driftless/simulate.hpp"
#include "tests/models/reference.hpp"

namespace driftless {

struct Worst {
  double error = 0.0;
  std::string name;
  double t = 0.0;
  void see(double candidate, const std::string& who, double when);  // NaN is the worst of all
};

// max |computed - reference| / (|reference| + nominal) over all points and variables of the reference, by dense output.
Worst error_against(const Reference& reference, const Model& model, const Solution& solution);

// max |difference| / (|value| + nominal) over all output points and all variables; derivatives have no tolerance of
// their own.
Worst distance(const Model& model, const Solution& one, const Solution& other);

// An expression along a trajectory. If every variable v has the relative error ε, the value is wrong by at most about ε
// size(), size = sum |∂/∂v| (|v| + nominal).
class Probe {
 public:
  Probe(const Model& model, NodeId expression);
  struct Sample {
    double value = 0.0, size = 0.0;
  };
  Sample operator()(const Solution& solution, double t, std::span<const double> series) const;

 private:
  const Model& model_;
  std::shared_ptr<Pool> pool_;
  NodeId expression_;
  std::vector<Partial> gradient_;
};

// max |residual| / size of every constraint below its highest level, at the integrator's own steps, before anything is
// projected.
Worst residuals_at_steps(const Analysis& analysis, const Solution& solution);

}  // namespace driftless
