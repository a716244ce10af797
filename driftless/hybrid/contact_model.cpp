#include "driftless/hybrid/contact_model.hpp"

#include <utility>

#include "driftless/hybrid/rest.hpp"
#include "driftless/hybrid/sliding.hpp"

namespace driftless {

std::variant<ContactModel, std::string> contact_model(const Model& model, std::span<const SurfaceContact> contacts) {
  ContactModel result{model, {}};
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const SurfaceContact& contact = contacts[k];
    if (contact.is_rest) {
      std::vector<RestPush> pushes;
      for (const SurfaceContact::Push& push : contact.pushes)
        pushes.push_back({push.reinit, push.weight,
                          push.turns ? coordinate_of(model, model.discrete.reinits[push.reinit]) : std::nullopt});
      std::vector<Quantity> idle;
      for (const std::size_t reinit : contact.idle)
        if (const auto coordinate = coordinate_of(model, model.discrete.reinits[reinit])) idle.push_back(*coordinate);
      auto rest = rest_model(result.model, contact.relation, pushes, idle);
      if (auto* why = std::get_if<std::string>(&rest)) return std::move(*why);
      auto& found = std::get<RestModel>(rest);
      result.model = std::move(found.model);
      result.ends.push_back({static_cast<int>(found.ends), k, 0.0});
      for (const std::size_t turned : found.turned) result.ends.push_back({static_cast<int>(turned), k, 0.0});
    } else {
      auto sliding = sliding_model(result.model, contact.relation, contact.same, contact.opposite);
      if (auto* why = std::get_if<std::string>(&sliding)) return std::move(*why);
      auto& found = std::get<SlidingModel>(sliding);
      result.model = std::move(found.model);
      result.ends.push_back({static_cast<int>(found.ends_true), k, 1.0});
      result.ends.push_back({static_cast<int>(found.ends_false), k, 0.0});
    }
  }
  return result;
}

CommonSurface common_surface(const Model& model, std::size_t held, std::size_t other) {
  const std::shared_ptr<Pool> pool = growable(model.pool);
  const Node a = (*pool)[model.discrete.held[held].expression], b = (*pool)[model.discrete.held[other].expression];
  const auto is_relation = [](const Node& node) { return node.op == Op::Less || node.op == Op::LessEqual; };
  if (!is_relation(a) || !is_relation(b)) return CommonSurface::None;
  const NodeId surface = pool->sub(a.operand(0), a.operand(1));
  if (surface == pool->sub(b.operand(0), b.operand(1))) return CommonSurface::Same;
  return surface == pool->sub(b.operand(1), b.operand(0)) ? CommonSurface::Opposite : CommonSurface::None;
}

}  // namespace driftless
