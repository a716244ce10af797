// The incidence matrix of a model in block triangular form, as data for the page: entry by entry for small models,
// counted in a raster for large ones.
#pragma once

#include <nlohmann/json.hpp>

#include "driftless/simulate.hpp"

namespace driftless::reporting {

using Json = nlohmann::ordered_json;

constexpr int largest_matrix_by_entries = 400;
constexpr int cells_of_raster = 240;

Json structure_data(const Analysis& analysis);

}  // namespace driftless::reporting
