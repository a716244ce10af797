// The summary of a run for programs: one JSON object with a fixed order of keys (docs/solution.md).
// JSON has no NaN and no infinity: they become null, and "message" names these values.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "driftless/solution/solution.hpp"

namespace driftless {

std::string to_json(const Solution& solution);  // indented, ends with a line break
[[nodiscard]] std::optional<std::string> write_json(const Solution& solution, const std::filesystem::path& path);

}  // namespace driftless
