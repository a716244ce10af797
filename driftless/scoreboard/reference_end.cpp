#include "driftless/scoreboard/reference_end.hpp"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

namespace driftless::scoreboard {

std::optional<ReferenceEnd> reference_end(std::string_view model) {
  const auto text = reference_text(model);
  if (!text) return {};
  const auto file = nlohmann::ordered_json::parse(*text);
  const auto& points = file.at("points");
  ReferenceEnd end{points.back().at("t").get<double>(),
                   file.at("source").get<std::string>(),
                   {},
                   file.value("error_amplification", 1.0)};
  if (file.at("kind") == "closed form") end.source = "closed form: " + end.source;
  for (const auto& [name, value] : points.back().at("values").items()) {
    ReferenceEnd::Value last{name, value.get<double>(), 0.0};
    for (const auto& point : points)
      if (const auto found = point.at("values").find(name); found != point.at("values").end())
        last.scale = std::max(last.scale, std::abs(found->get<double>()));
    end.values.push_back(last);
  }
  return end;
}

}  // namespace driftless::scoreboard
