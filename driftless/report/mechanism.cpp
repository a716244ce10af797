#include "driftless/report/mechanism.hpp"

#include <string_view>

#include "driftless/report/mechanism_points.hpp"

namespace driftless::reporting {
namespace {

constexpr std::size_t most_shapes = 6'000;

}  // namespace

// "x1" names axis 0 as "#1", "r[2,1]" axis 1 as "r[#,1]" and axis 0 as "r[2,#]".
std::vector<AxisOfName> axes_of(const std::string& name) {
  std::vector<AxisOfName> axes;
  const auto add = [&](std::size_t at, int axis, bool is_subscript) {
    std::string stem = name;
    stem[at] = '#';
    axes.push_back({axis, std::move(stem), is_subscript});
  };
  const std::size_t dot = name.rfind('.'), open = name.rfind('[');
  const std::size_t begin = dot == name.npos || (open != name.npos && dot > open) ? 0 : dot + 1;
  for (std::size_t at = begin; at < std::min(open, name.size()); ++at) {
    if (const std::size_t axis = std::string_view("xyz").find(name[at]); axis != std::string_view::npos)
      add(at, static_cast<int>(axis), false);
    if (const std::size_t axis = std::string_view("XYZ").find(name[at]); axis != std::string_view::npos)
      add(at, static_cast<int>(axis), false);
  }
  for (std::size_t at = open; at != name.npos && at + 2 < name.size(); ++at)
    if ((name[at] == '[' || name[at] == ',') && (name[at + 2] == ',' || name[at + 2] == ']') && name[at + 1] >= '1' &&
        name[at + 1] <= '3')
      add(at + 1, name[at + 1] - '1', true);
  return axes;
}

Mechanism mechanism_of(const Model& model, const std::vector<int>& highest,
                       const std::vector<AnimatedShape>& declared) {
  Mechanism mechanism;
  if (!declared.empty()) {
    mechanism.shapes = declared;
    mechanism.is_declared = true;
    return mechanism;
  }
  mechanism.shapes = frames_and_parts(model);
  if (mechanism.shapes.empty()) mechanism.shapes = points_and_rods(model, highest);
  if (mechanism.shapes.size() > most_shapes) mechanism.shapes.clear();
  return mechanism;
}

}  // namespace driftless::reporting
