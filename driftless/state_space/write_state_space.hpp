// A linear system as text for people, as JSON and as files.
//
//   .json   everything
//   .mat    MATLAB level 4: A, B, C, D, x, dx, u, y; states, inputs, outputs as texts, one per row; eigenvalues
//   .csv    the matrix [A B; C D] with the names of its rows and columns
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "driftless/state_space/state_space.hpp"

namespace driftless {

std::string to_text(const StateSpace& system);
std::string to_json(const StateSpace& system);  // indented, ends with a line break

bool is_state_space_file(const std::filesystem::path& path);  // by its extension
// The error if it cannot be written. Precondition: is_state_space_file(path).
[[nodiscard]] std::optional<std::string> write_state_space(const StateSpace& system, const std::filesystem::path& path);

}  // namespace driftless
