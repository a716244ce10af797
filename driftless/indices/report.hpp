// The indices of a model as text for people.
#pragma once

#include <string>

#include "driftless/indices/indices.hpp"

namespace driftless {

// Lines without indentation: one for each definition, with its evidence.
std::string report(const Indices& indices);

// "2" or "not determined".
std::string to_string(const std::optional<int>& index);

}  // namespace driftless
