// What a saved run holds besides the numbers of its parts: the inputs it was started with, and what tells whether it
// was saved for the same model.
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

// Of names and equations: what a saved run and the model that it is restored for must have in common.
std::uint64_t fingerprint(const Model& model);

}  // namespace driftless
