// A mixed problem of index 2 rewritten as a pure one, for `analyze --pure-index2`.
#pragma once

#include <memory>

#include <nlohmann/json.hpp>

#include "driftless/model/model.hpp"

namespace driftless::cli {

void print_pure_index2(const std::shared_ptr<const Model>& model);

// docs/command-line.md has the keys.
nlohmann::ordered_json pure_index2_to_json(const std::shared_ptr<const Model>& model);

}  // namespace driftless::cli
