#include "driftless/integrate/steppers/tolerances.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/diagnostics/spelling.hpp"

namespace driftless {
namespace {

bool is_named(const std::string& quantity, const std::string& name) {
  return quantity == name || quantity.starts_with(name + "[");
}

// Is the variable in the error test of explicit methods, that is, differentiated?
bool is_differential(const Reduced& reduced, int slot) {
  const Quantity q = reduced.slots[slot].quantity;
  return std::ranges::any_of(reduced.kinematics, [&](const Kinematic& k) { return k.slot == slot; }) ||
         std::ranges::any_of(reduced.quantities, [&](Quantity other) {
           return other == Quantity{q.variable, q.order + 1} && reduced.place(other) == Place::Rate;
         });
}

// An unknown that a formulation added: its nominal value keeps it out of all tests.
bool is_added(const Reduced& reduced, int slot) {
  return reduced.base && index(reduced.slots[slot].quantity.variable) >=
                             static_cast<decltype(index(VarId{}))>(reduced.base->model->variables.size());
}

std::string unknown(const Reduced& reduced, const std::string& name) {
  for (const Quantity q : reduced.quantities)
    if (is_named(reduced.name(q), name))
      return fmt::format(
          "{} is computed from other variables by its own equation, so there is no error of it to test: "
          "give a tolerance for those",
          name);
  std::vector<std::string> names;
  for (const Slot& slot : reduced.slots) names.push_back(reduced.name(slot.quantity));
  return fmt::format("there is no variable '{}' to give a tolerance for{}", name,
                     did_you_mean(name, {names.begin(), names.end()}));
}

}  // namespace

std::variant<Reduced, std::string> with_tolerances(const Reduced& reduced, const Tolerances& given, double tolerance,
                                                   const Method& method) {
  if (!controls_step(method) || std::holds_alternative<method::Taylor>(method))
    return fmt::format("{} has no error test of single variables: give tolerances for them with bdf, radau or explicit",
                       to_string(method));
  const bool tests_all = std::holds_alternative<method::Bdf>(method) || std::holds_alternative<method::Ida>(method) ||
                         std::holds_alternative<method::Radau>(method);
  Reduced result = reduced;
  for (const auto& [name, value] : given) {
    if (!(value > 0.0) || !(value <= 1.0))
      return fmt::format("the tolerance {} of {} is not between 0 and 1", value, name);
    bool found = false;
    for (std::size_t s = 0; s < result.slots.size(); ++s) {
      const std::string quantity = result.name(result.slots[s].quantity);
      const bool multiplier = is_added(reduced, static_cast<int>(s)) && quantity.starts_with(name + "(");
      if (!is_named(quantity, name) && !multiplier) continue;
      found = true;
      if (!tests_all && !is_differential(reduced, static_cast<int>(s)))
        return fmt::format(
            "{} follows from the states, and the error test of {} sees only these: give a tolerance for "
            "it with bdf or radau",
            name, to_string(method));
      result.slots[s].allowance = value / tolerance;
      result.slots[s].tested = true;
      if (is_added(reduced, static_cast<int>(s))) result.slots[s].nominal = 1.0;
    }
    if (!found) return unknown(reduced, name);
  }
  return result;
}

}  // namespace driftless
