// Points and rods: sums of squares of coordinate differences in the equations of a model.
#include "driftless/report/mechanism_points.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "driftless/expr/calculus.hpp"

namespace driftless::reporting {
namespace {

constexpr std::array<std::string_view, 6> lengths{"m", "mm", "cm", "dm", "km", "um"};

using Corner = std::vector<NodeId>;  // its coordinates

class Search {
 public:
  Search(const Model& model, const std::vector<int>& highest) : model_(model), pool_(*model.pool), highest_(highest) {
    for (const Equation& equation : model.equations) remember_definition(equation.residual);
  }

  std::vector<AnimatedShape> find() {
    for (const Equation& equation : model_.equations) look_at(equation.residual);
    return shapes();
  }

 private:
  // Both ends of the line whose squared length is a sum.
  struct Ends {
    Corner from, to;
  };

  bool is_variable(NodeId id) const { return id != at_zero && pool_[id].op == Op::Variable && pool_[id].b == 0; }
  VarId variable(NodeId id) const { return VarId{static_cast<std::int32_t>(pool_[id].a)}; }
  const std::string& name(NodeId id) const { return model_[variable(id)].name; }

  // dx = x2 - x1, or dx = x: records the definition of a difference.
  void remember_definition(NodeId residual) {
    const Node& n = pool_[residual];
    if (n.op != Op::Sub || !is_variable(n.operand(0))) return;
    const NodeId value = n.operand(1);
    if (is_variable(value) || is_difference(value)) definitions_.emplace(n.operand(0), value);
  }

  bool is_end(NodeId id) const { return is_variable(id) || !varies(pool_, id); }
  bool is_difference(NodeId id) const {
    const Node& n = pool_[id];
    return n.op == Op::Sub && is_end(n.operand(0)) && is_end(n.operand(1));
  }

  // a - b as (a, b); nothing for other nodes.
  std::optional<std::pair<NodeId, NodeId>> difference(NodeId id) const {
    if (const auto known = definitions_.find(id); known != definitions_.end()) id = known->second;
    if (is_variable(id)) return std::pair(id, at_zero);
    if (!is_difference(id)) return {};
    return std::pair(pool_[id].operand(0), pool_[id].operand(1));
  }

  std::optional<NodeId> squared(NodeId id) const {
    const Node& n = pool_[id];
    if (n.op == Op::Pow && pool_.is_constant(n.operand(1), 2.0)) return n.operand(0);
    if (n.op == Op::Mul && n.operand(0) == n.operand(1)) return n.operand(0);
    return {};
  }

  // The differences of a sum of two or three squares.
  std::vector<std::pair<NodeId, NodeId>> differences(NodeId sum) const {
    std::vector<NodeId> terms{sum};
    while (terms.size() < 4 && pool_[terms.front()].op == Op::Add) {
      const Node& n = pool_[terms.front()];
      terms.front() = n.operand(0);
      terms.insert(terms.begin() + 1, n.operand(1));
    }
    std::vector<std::pair<NodeId, NodeId>> result;
    if (terms.size() < 2 || terms.size() > 3) return {};
    for (const NodeId term : terms) {
      const auto base = squared(term);
      const auto one = base ? difference(*base) : std::nullopt;
      if (!one) return {};
      result.push_back(*one);
    }
    return result;
  }

  bool is_position(NodeId id) const {
    const auto k = static_cast<std::size_t>(index(variable(id)));
    const std::string& unit = model_.variables[k].unit;
    return k < highest_.size() && highest_[k] >= 2 &&
           (unit.empty() || std::ranges::find(lengths, unit) != lengths.end());
  }

  // Are all coordinates variables with matching names, in the order x, y, z, or is none a variable?
  bool is_corner(const Corner& corner) const {
    const auto variables = std::ranges::count_if(corner, [&](NodeId id) { return is_variable(id); });
    if (variables == 0) return true;
    if (static_cast<std::size_t>(variables) != corner.size() || !std::ranges::all_of(corner, [&](NodeId id) {
          return is_position(id) && model_[variable(id)].unit == model_[variable(corner[0])].unit;
        }))
      return false;
    const bool has_unit = !model_[variable(corner[0])].unit.empty();
    for (const AxisOfName& first : axes_of(name(corner[0]))) {
      if (first.axis != 0 || (first.is_subscript && !has_unit)) continue;
      const auto fits = [&](std::size_t k) {
        return std::ranges::any_of(axes_of(name(corner[k])), [&](const AxisOfName& other) {
          return other.axis == static_cast<int>(k) && other.stem == first.stem &&
                 other.is_subscript == first.is_subscript;
        });
      };
      bool all = true;
      for (std::size_t k = 1; k < corner.size(); ++k) all = all && fits(k);
      if (all) return true;
    }
    return false;
  }

  // Terms may be in any order, and each difference may have either sign: finds the arrangement in which names match.
  std::optional<Ends> ends_of(std::vector<std::pair<NodeId, NodeId>> terms) const {
    if (terms.empty()) return {};
    std::vector<std::size_t> order(terms.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    do
      for (unsigned signs = 0; signs < 1u << (terms.size() - 1); ++signs) {
        Ends ends;
        for (std::size_t k = 0; k < terms.size(); ++k) {
          auto [from, to] = terms[order[k]];
          if (signs >> k & 1u) std::swap(from, to);
          ends.from.push_back(to), ends.to.push_back(from);
        }
        const bool moves = is_variable(ends.from[0]) || is_variable(ends.to[0]);
        if (moves && is_corner(ends.from) && is_corner(ends.to)) return ends;
      }
    while (std::ranges::next_permutation(order).found);
    return {};
  }

  // The sum that an equation keeps constant, directly or under a root.
  std::optional<NodeId> constant_sum(NodeId residual) const {
    const Node& n = pool_[residual];
    if (n.op != Op::Sub && n.op != Op::Add) return {};
    for (const int side : {0, 1}) {
      if (varies(pool_, n.operand(1 - side))) continue;
      const NodeId sum = n.operand(side);
      return pool_[sum].op == Op::Sqrt ? pool_[sum].operand(0) : sum;
    }
    return {};
  }

  void look_at(NodeId residual) {
    if (const auto sum = constant_sum(residual))
      if (const auto ends = ends_of(differences(*sum))) {
        rods_.push_back(*ends);
        corners_.insert(ends->from), corners_.insert(ends->to);
        return;
      }
    for (const NodeId id : nodes_of(pool_, residual))
      if (pool_[id].op == Op::Add)
        if (const auto ends = ends_of(differences(id)))
          for (const Corner* corner : {&ends->from, &ends->to})
            if (is_variable(corner->front())) corners_.insert(*corner);
  }

  std::vector<AnimatedShape> shapes() const {
    std::vector<AnimatedShape> result;
    if (corners_.empty()) return result;
    const std::size_t dimension = corners_.begin()->size();
    if (!std::ranges::all_of(corners_, [&](const Corner& corner) { return corner.size() == dimension; })) return result;
    for (const Ends& rod : rods_) {
      AnimatedShape line{AnimatedShape::Kind::Line, "", static_cast<int>(dimension), rod.from, {}};
      line.values.insert(line.values.end(), rod.to.begin(), rod.to.end());
      result.push_back(std::move(line));
    }
    for (const Corner& corner : corners_) {
      std::string names;
      if (is_variable(corner[0]))
        for (const NodeId id : corner) names += (names.empty() ? "" : ", ") + name(id);
      result.push_back({AnimatedShape::Kind::Point, names, static_cast<int>(dimension), corner, {}});
    }
    return result;
  }

  const Model& model_;
  const Pool& pool_;
  const std::vector<int>& highest_;
  std::map<NodeId, NodeId> definitions_;
  std::vector<Ends> rods_;
  std::set<Corner> corners_;
};

}  // namespace

std::vector<AnimatedShape> points_and_rods(const Model& model, const std::vector<int>& highest) {
  return Search(model, highest).find();
}

}  // namespace driftless::reporting
