#include "driftless/formulate/shape.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"

namespace driftless {
namespace {

std::string called(const Reduced& reduced, EqnId e) {
  return fmt::format("{} ({})", (*reduced.model)[e].label, (*reduced.model)[e].text);
}

const Reduced::Address& address(const Reduced& reduced, NodeId leaf) {
  const Node node = (*reduced.model->pool)[leaf];
  return reduced.addresses[node.a][node.b];
}

// Does an expression use a slot with the property?
template <class Property>
std::optional<int> slot_in(const Reduced& reduced, NodeId expression, const Property& has_property) {
  for (const NodeId leaf : variables_of(*reduced.model->pool, expression)) {
    const Reduced::Address& at = address(reduced, leaf);
    if (at.place == Place::Slot && has_property(reduced.slots[at.index])) return at.index;
  }
  return {};
}

Fit<Hessenberg> no_hessenberg(std::string why) { return {{}, std::move(why)}; }

// The residual as written, definitions substituted: a row, or an invariant of a rewrite.
std::optional<NodeId> lowest_level(const Reduced& reduced, EqnId e) {
  for (const DerivedEquation& row : reduced.rows)
    if (row.equation == e && row.level == 0) return row.residual;
  for (const Invariant& invariant : reduced.invariants)
    if (invariant.equation == e && invariant.level == 0) return invariant.residual;
  return {};
}

}  // namespace

Fit<Hessenberg> hessenberg_shape(const Reduced& reduced) {
  const std::vector<int>& c = reduced.offsets.c;
  Hessenberg shape;
  shape.order = c.empty() ? 0 : *std::ranges::max_element(c);
  if (shape.order == 0) return no_hessenberg("no equation has to be differentiated");
  for (std::size_t i = 0; i < c.size(); ++i) {
    const EqnId e{static_cast<int>(i)};
    const auto residual = lowest_level(reduced, e);
    if (c[i] == 0 || !residual) continue;  // no constraint, or it is used as a definition
    if (c[i] != shape.order)
      return no_hessenberg(fmt::format("{} is differentiated {} times, another equation {} times", called(reduced, e),
                                       c[i], shape.order));
    if (const auto other = slot_in(reduced, *residual, [&](const Slot& s) { return s.stage > -shape.order; }))
      return no_hessenberg(
          fmt::format("{} contains {}", called(reduced, e), reduced.name(reduced.slots[*other].quantity)));
    shape.constraints.push_back(e);
  }
  for (std::size_t s = 0; s < reduced.slots.size(); ++s) {
    const Quantity q = reduced.slots[s].quantity;
    if (reduced.offsets.d[index(q.variable)] == 0)
      shape.multipliers.push_back(static_cast<int>(s));
    else if (reduced.slots[s].stage == 0)
      shape.explicit_rates = false;
  }
  for (const Quantity q : reduced.quantities)
    if (reduced.place(q) == Place::Rate) shape.explicit_rates = false;
  if (shape.multipliers.size() != shape.constraints.size())
    return no_hessenberg(
        fmt::format("{} algebraic unknowns face {} constraints", shape.multipliers.size(), shape.constraints.size()));
  return {std::move(shape), {}};
}

bool Mechanical::holonomic() const {
  return std::ranges::all_of(joints, [](const Joint& joint) { return joint.holonomic; });
}

std::string describe_shape(const Reduced& reduced) {
  const auto count = [](std::size_t n, const std::string& what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  };
  if (const auto mechanical = mechanical_shape(reduced)) {
    const std::size_t joints = mechanical->joints.size(),
                      holonomic = std::ranges::count_if(mechanical->joints, &Mechanical::Joint::holonomic);
    std::string text = fmt::format("mechanical: {}", count(mechanical->coordinates.size(), "coordinate"));
    if (holonomic > 0) text += fmt::format(", {} of positions", count(holonomic, "constraint"));
    if (joints > holonomic) text += fmt::format(", {} of velocities", count(joints - holonomic, "constraint"));
    return text;
  }
  if (const auto hessenberg = hessenberg_shape(reduced))
    return fmt::format("Hessenberg form of index {}: {}", hessenberg->order + 1,
                       count(hessenberg->constraints.size(), "constraint"));
  const int most = reduced.offsets.c.empty() ? 0 : *std::ranges::max_element(reduced.offsets.c);
  if (most > 0) return fmt::format("general: equations are differentiated up to {}", count(most, "time"));
  std::string text =
      reduced.rows.empty() ? "ordinary differential equations" : "differential and algebraic equations of index 1";
  const auto invariants = std::ranges::count_if(reduced.invariants, &Invariant::of_model);
  if (invariants > 0) text += fmt::format(" with {}", count(invariants, "invariant"));
  return text;
}

}  // namespace driftless
