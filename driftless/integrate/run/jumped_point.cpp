#include "driftless/integrate/run/jumped_point.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

double value_or_zero(const Values& values, Quantity q) {
  const std::vector<double>& orders = values[index(q.variable)];
  if (q.order >= static_cast<int>(orders.size()) || !std::isfinite(orders[q.order])) return 0.0;
  return orders[q.order];
}

// The slots of prescribed quantities that can be states.
std::vector<int> slots_of(const Reduced& reduced, const std::vector<PrescribedValue>& prescribed) {
  std::vector<int> slots;
  for (const PrescribedValue& value : prescribed) {
    if (reduced.place(value.quantity) != Place::Slot) continue;
    const int slot = reduced.slot_of(value.quantity);
    if (std::ranges::find(reduced.kinematics, slot, &Kinematic::slot) != reduced.kinematics.end())
      slots.push_back(slot);
  }
  return slots;
}

}  // namespace

std::variant<State, std::string> jumped_point(System& system, double t, const Jumped& jumped,
                                              const std::vector<PrescribedValue>& prescribed) {
  const Reduced& reduced = system.reduced();
  std::vector<double> y, yp;
  for (const Slot& slot : reduced.slots) {
    const Quantity q = slot.quantity;
    y.push_back(value_or_zero(jumped.values, q));
    yp.push_back(value_or_zero(jumped.values, {q.variable, q.order + 1}));
  }
  const std::vector<int> set = slots_of(reduced, prescribed);
  auto found = changed_point(system, t, y, yp, set);
  if (set.empty() || std::holds_alternative<State>(found)) return found;
  // If constraints determine one prescribed quantity from the others, they give its value.
  return changed_point(system, t, std::move(y), std::move(yp), {});
}

}  // namespace driftless
