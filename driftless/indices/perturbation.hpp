// The perturbation index, measured: the smallest m such that disturbances δ of the equations change the solution by no
// more than a constant times max|δ| + max|δ'| + ... + max|δ^(m-1)| (Hairer, Lubich, Roche 1989).
//
// For p = 1, 2, ... the disturbances oscillate with frequencies ω that double from run to run, and their amplitude
// falls like ω^(1-p): the derivatives of δ up to order p - 1 are then bounded. If the deviation of the solution still
// grows with ω, the index is larger than p; the first p for which it does not grow is the estimate. With p = 1 the
// amplitude is the same for all frequencies and the deviation grows like ω^k: k is the exponent that is reported, and
// where the response is linear the index is k + 1. It is 0 if all deviations fall like 1/ω.
//
// The disturbances also have a constant part (perturbed_model.hpp), and deviations are measured from the solution with
// that part alone: so responses that are products of disturbances are detected with p > 1 too, as in the example of
// Campbell and Gear.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driftless/model/model.hpp"

namespace driftless {

// All frequencies with one p.
struct FrequencySweep {
  int p = 1;
  double amplitude = 0.0;           // of the constant part, in units of the terms of the equations
  std::vector<double> frequencies;  // ascending, rad per unit of time
  // Of the variable with the largest exponent:
  std::string variable;
  std::vector<double> deviations;  // the largest over the run, in the unit of the variable
  double exponent = 0.0;           // fitted at the higher frequencies: deviation ~ ω^exponent
  double misfit = 0.0;             // the largest difference to the exponent between two neighbouring frequencies
};

struct PerturbationProbe {
  std::optional<int> index;            // none: not determined
  std::string reason;                  // why not
  std::vector<FrequencySweep> sweeps;  // p = 1, 2, ... up to the index
};

// Runs the model many times. `at_most`: the largest p.
PerturbationProbe probe_perturbation_index(const std::shared_ptr<const Model>& model, int at_most);

}  // namespace driftless
