// The indices of a model as a person reads them.
#pragma once

#include <string>

#include "driftless/indices/indices.hpp"

namespace driftless {

// Lines without indentation: one for each definition, with what it rests on.
std::string report(const Indices& indices);

// "2" or "not determined".
std::string to_string(const std::optional<int>& index);

}  // namespace driftless
