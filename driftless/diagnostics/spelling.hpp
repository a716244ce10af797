// Suggests the intended name for one that does not exist.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

// The candidate that differs least from the name, if it is close enough to be a misspelling.
std::optional<std::string> nearest_name(std::string_view name, const std::vector<std::string_view>& candidates);

// ": did you mean 'x'?" or nothing.
std::string did_you_mean(std::string_view name, const std::vector<std::string_view>& candidates);

}  // namespace driftless
