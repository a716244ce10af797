// The events of a model: what `driftless analyze` prints about relations, discrete variables and when clauses.
#pragma once

#include <nlohmann/json.hpp>

#include "driftless/model/model.hpp"

namespace driftless::cli {

void print_events(const Model& model);
nlohmann::ordered_json events_to_json(const Model& model);

}  // namespace driftless::cli
