// Frames: connectors with a position in metres and a force in newton, with x, y (, z) and fx, fy (, fz), or with the
// arrays r or r_0 and f of two or three elements.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "driftless/report/mechanism_points.hpp"

namespace driftless::reporting {
namespace {

// The names of positions and forces in a connector.
struct Fields {
  std::array<std::string_view, 3> position, force;
};
constexpr Fields kinds[] = {
    {{".x", ".y", ".z"}, {".fx", ".fy", ".fz"}},
    {{".r[1]", ".r[2]", ".r[3]"}, {".f[1]", ".f[2]", ".f[3]"}},
    {{".r_0[1]", ".r_0[2]", ".r_0[3]"}, {".f[1]", ".f[2]", ".f[3]"}},
};

class Frames {
 public:
  explicit Frames(const Model& model) {
    const Pool& pool = *model.pool;
    for (std::uint32_t k = 0; k < pool.size(); ++k)
      if (const Node& node = pool[NodeId{k}]; node.op == Op::Variable && node.b == 0) leaves_[node.a] = NodeId{k};
    for (std::size_t k = 0; k < model.variables.size(); ++k) {
      const Variable& variable = model.variables[k];
      places_.emplace(variable.name, Known{static_cast<std::uint32_t>(k), variable.unit});
    }
    for (const Variable& variable : model.variables)
      for (const Fields& fields : kinds)
        if (variable.name.ends_with(fields.position[0]))
          add(variable.name.substr(0, variable.name.size() - fields.position[0].size()), fields);
  }

  // Parts with two frames, and without inner parts with frames, become lines; those with one frame points.
  std::vector<AnimatedShape> shapes() const {
    std::vector<AnimatedShape> result;
    for (auto part = parts_.begin(); part != parts_.end(); ++part) {
      const auto next = std::next(part);
      const bool has_inner = next != parts_.end() && next->first.starts_with(part->first + ".");
      const std::size_t frames = part->second.size();
      if (frames > 2 || (frames == 2 && has_inner)) continue;
      AnimatedShape shape;
      shape.kind = frames == 2 ? AnimatedShape::Kind::Line : AnimatedShape::Kind::Point;
      shape.name = part->first;
      shape.dimension = static_cast<int>(part->second.front().size());
      for (const auto& frame : part->second) {
        if (static_cast<int>(frame.size()) != shape.dimension) return {};
        shape.values.insert(shape.values.end(), frame.begin(), frame.end());
      }
      if (!result.empty() && result.front().dimension != shape.dimension) return {};
      result.push_back(std::move(shape));
    }
    return result;
  }

 private:
  struct Known {
    std::uint32_t variable;
    std::string_view unit;
  };

  std::optional<NodeId> find(const std::string& name, std::string_view unit) const {
    const auto found = places_.find(name);
    if (found == places_.end() || found->second.unit != unit) return {};
    const auto leaf = leaves_.find(found->second.variable);
    return leaf == leaves_.end() ? std::nullopt : std::optional(leaf->second);
  }

  // Adds at least two coordinates, and a third if there is one.
  void add(const std::string& frame, const Fields& fields) {
    std::vector<NodeId> ids;
    for (std::size_t k = 0; k < fields.position.size(); ++k) {
      const auto id = find(frame + std::string(fields.position[k]), "m");
      if (!id || !find(frame + std::string(fields.force[k]), "N")) break;
      ids.push_back(*id);
    }
    const std::size_t dot = frame.rfind('.');
    if (ids.size() >= 2 && dot != frame.npos) parts_[frame.substr(0, dot)].push_back(std::move(ids));
  }

  std::unordered_map<std::uint32_t, NodeId> leaves_;  // by variable
  std::unordered_map<std::string_view, Known> places_;
  std::map<std::string, std::vector<std::vector<NodeId>>> parts_;
};

}  // namespace

std::vector<AnimatedShape> frames_and_parts(const Model& model) {
  std::vector<AnimatedShape> shapes = Frames(model).shapes();
  const bool has_line =
      std::ranges::any_of(shapes, [](const AnimatedShape& s) { return s.kind == AnimatedShape::Kind::Line; });
  return has_line ? shapes : std::vector<AnimatedShape>{};
}

}  // namespace driftless::reporting
