#include "driftless/reduce/possible_states.hpp"

namespace driftless {

PossibleStates possible_states(const Reduced& r) {
  PossibleStates states;
  const auto name = [&](int k) { return r.name(r.slots[r.kinematics[k].slot].quantity); };
  for (const int k : r.permanent) states.always.push_back(name(k));
  for (const Quantity q : r.quantities)
    if (r.place(q) == Place::Rate && !r.implicit) states.always.push_back(r.name({q.variable, q.order - 1}));
  for (const Choice& choice : r.choices) {
    PossibleStates::Choice one{choice.kinematics.size() - choice.rows.size(), {}};
    for (const int k : choice.kinematics) one.candidates.push_back(name(k));
    if (one.number > 0) states.choices.push_back(std::move(one));
  }
  return states;
}

}  // namespace driftless
