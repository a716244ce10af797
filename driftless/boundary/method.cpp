#include "driftless/boundary/method.hpp"

#include <algorithm>

namespace driftless::boundary {
namespace {

std::vector<CollocationMethod> all_methods() {
  std::vector<CollocationMethod> all;
  for (const auto points : {CollocationMethod::Points::Radau, CollocationMethod::Points::Gauss})
    for (int stages = fewest_stages; stages <= most_stages; ++stages) all.push_back({points, stages});
  return all;
}

}  // namespace

std::string to_string(const CollocationMethod& method) {
  return (method.points == CollocationMethod::Points::Radau ? "radau" : "gauss") + std::to_string(method.stages);
}

std::optional<CollocationMethod> parse_collocation_method(const std::string& text) {
  for (const CollocationMethod& method : all_methods())
    if (to_string(method) == text) return method;
  return std::nullopt;
}

const std::vector<std::string>& collocation_method_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const CollocationMethod& method : all_methods()) list.push_back(to_string(method));
    return list;
  }();
  return names;
}

}  // namespace driftless::boundary
