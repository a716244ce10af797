// The index by every definition, for `analyze --index`.
#pragma once

#include <nlohmann/json.hpp>

#include "driftless/indices/indices.hpp"

namespace driftless::cli {

// docs/command-line.md has the keys.
nlohmann::ordered_json index_to_json(const Indices& indices);

}  // namespace driftless::cli
