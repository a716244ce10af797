// Which points of an interval are collocated.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace driftless::boundary {

inline constexpr int fewest_stages = 2, most_stages = 4;

struct CollocationMethod {
  enum class Points { Radau, Gauss };
  Points points = Points::Gauss;
  int stages = 3;  // order 2s - 1 (Radau IIA), 2s (Gauss)
  bool operator==(const CollocationMethod&) const = default;
};

// "radau2" .. "radau4", "gauss2" .. "gauss4": as the methods of `run`, the number is that of the stages.
std::string to_string(const CollocationMethod& method);
std::optional<CollocationMethod> parse_collocation_method(const std::string& text);
const std::vector<std::string>& collocation_method_names();

}  // namespace driftless::boundary
