#include "driftless/saved_run.hpp"

#include <string_view>

namespace driftless {

void archive_inputs(Archive& archive, RunInputs& inputs) {
  archive(inputs.parameters, inputs.starts, inputs.start, inputs.stop, inputs.tolerance, inputs.step, inputs.max_step,
          inputs.intervals, inputs.dense);
}

void archive_signals(Archive& archive, NamedPieces& signals) {
  std::size_t count = signals.size();
  archive(count);
  if (archive.is_reading()) signals.clear();
  for (std::size_t k = 0; k < count; ++k) {
    if (archive.is_reading()) signals.emplace_back();
    auto& [name, signal] = signals[k];
    std::size_t pieces = signal.pieces.size();
    archive(name, signal.known.first, signal.known.second, pieces);
    if (archive.is_reading()) signal.pieces.resize(pieces);
    for (SignalPiece& piece : signal.pieces)
      archive(piece.from, piece.origin, piece.c[0], piece.c[1], piece.c[2], piece.c[3], piece.jumps);
  }
}

void archive_state(Archive& archive, State& state) {
  archive(state.t, state.y, state.yp, state.remarks, state.degrees_of_freedom, state.index_one, state.parameters);
}

std::uint64_t fingerprint(const Model& model) {
  std::uint64_t hash = 14695981039346656037ull;  // FNV-1a
  const auto add = [&](std::string_view text) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
    hash = (hash ^ 0xffu) * 1099511628211ull;
  };
  for (const Variable& variable : model.variables) add(variable.name);
  for (const Parameter& parameter : model.parameters) add(parameter.name);
  for (const Equation& equation : model.equations) add(equation.label), add(equation.text);
  return hash;
}

}  // namespace driftless
