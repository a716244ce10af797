// Names in a sentence: "a, b and c", and how many more there are.
#pragma once

#include <string>
#include <vector>

namespace driftless {

std::string list_names(std::vector<std::string> names);

}  // namespace driftless
