#include "driftless/formulate/coordinates.hpp"

#include <fmt/format.h>

namespace driftless {

Coordinates coordinates_of(const Reduced& r) {
  const Pool& pool = *r.model->pool;
  const auto called = [&](int slot) { return r.name(r.slots[slot].quantity); };
  Coordinates result;
  std::vector<Motion>& motion = result.motion;
  motion.assign(r.slots.size(), Motion::Algebraic);
  for (const Kinematic& k : r.kinematics) motion[k.slot] = Motion::FirstOrder;
  for (const Quantity q : r.quantities)
    if (r.place(q) == Place::Rate) motion[r.slot_of(q)] = Motion::FirstOrder;
  const std::vector<Motion> differentiated = motion;
  for (const Kinematic& k : r.kinematics) {
    const int velocity = r.slot_at(pool[k.rate]);
    if (velocity < 0 || differentiated[velocity] == Motion::Algebraic) continue;
    result.pairs.push_back({k.slot, velocity});
    motion[k.slot] = Motion::Position;
  }
  for (const auto& [position, velocity] : result.pairs) {
    if (motion[velocity] == Motion::Position && result.why_not.empty())
      result.why_not = fmt::format("{} is differentiated more than twice", called(position));
    motion[velocity] = Motion::Velocity;
  }
  for (std::size_t s = 0; s < motion.size() && result.why_not.empty(); ++s)
    if (motion[s] == Motion::FirstOrder)
      result.why_not = fmt::format("{} is neither a position nor the velocity of one", called(static_cast<int>(s)));
  if (result.pairs.empty() && result.why_not.empty()) result.why_not = "no variable is differentiated twice";
  return result;
}

}  // namespace driftless
