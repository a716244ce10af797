// A model with disturbances in all of its equations, for measuring how strongly its solution depends on them:
//
//   0 = f_i + s_i (offset cos(i) + amplitude sin(ω (t - t_0) + φ_i)),
//
// with s_i as large as the terms of the equation, so that a disturbance of 1 is a large one in any units. The phases
// φ_i of neighbours differ by more than 90°, and no two are equal: disturbances of two equations can then enclose an
// area, which is what Lubich's example responds to (docs/index-definitions.md).
//
// Offset, amplitude and ω are parameters of the new model: it is analysed and compiled once.
#pragma once

#include <memory>
#include <string>

#include "driftless/model/model.hpp"

namespace driftless {

struct PerturbedModel {
  std::shared_ptr<const Model> model;
  std::string offset, amplitude, frequency;  // names of the parameters; all are 0 at first
};

// `time_scale` > 0: the size of a derivative is that of its variable divided by it. With `free_starts`, no start is
// fixed, so that values fixed on a constraint may follow it.
PerturbedModel perturbed_model(const std::shared_ptr<const Model>& model, double time_scale, bool free_starts);

}  // namespace driftless
