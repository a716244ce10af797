// The contents of a saved run besides the data of its parts: the inputs it was started with, and a fingerprint of its
// model.
#pragma once

#include <cstdint>

#include "driftless/archive/archive.hpp"
#include "driftless/initialize/initialize.hpp"
#include "driftless/model/drive.hpp"
#include "driftless/compiled.hpp"

namespace driftless {

void archive_inputs(Archive& archive, RunInputs& inputs);  // without signals, sink and progress
void archive_signals(Archive& archive, NamedPieces& signals);
void archive_state(Archive& archive, State& state);

// A hash of names and equations, which must agree for a saved run and the model it is restored for.
std::uint64_t fingerprint(const Model& model);

}  // namespace driftless
