// Comma-separated values (RFC 4180): a header "time,x,der(x),..." and one line per output point.
// Every number is the shortest decimal that reads back as the same double; parameters, which do
// not change, are left out.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "driftless/solution/solution.hpp"

namespace driftless {

[[nodiscard]] std::optional<std::string> write_csv(const Solution& solution, const std::filesystem::path& path);

}  // namespace driftless
