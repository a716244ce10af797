// The values that the equations of a mode give right after an event: with unchanged states, or by a jump.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/hybrid_run/modes.hpp"
#include "driftless/integrate/run/jumped_point.hpp"

namespace driftless {
namespace {

constexpr double small_move = 1e-12;         // of a state that is held, by solving the equations
constexpr double part_of_tolerance = 0.01;   // by which a variable whose derivative occurs may move without an impulse
constexpr double size_of_stroke = 100.0;     // in units of the tolerance: a jump whose impulses have a sign
constexpr std::size_t most_steps_kept = 64;  // discrete variables may take any number of values

}  // namespace

bool HybridModes::solve(double t, std::span<const double> parameters, const ContinuousPoint& from,
                        std::span<const SetQuantity> set, ContinuousPoint& to, Unsolved& why) {
  if (set.empty() && is_known(from, parameters)) {  // no number in the equations has changed
    to = from;
    to.quantities = known_.quantities;  // those of `from` may belong to other numbers
    to.impulses.clear();
    to.is_struck = false;
    return true;
  }
  const auto mode_there = at(parameters, why);
  if (!mode_there) return false;
  to.mode = *mode_there;
  to.impulses.clear();
  to.is_struck = false;
  HybridMode& mode = *modes_[to.mode];
  mode.set_parameters(parameters);
  const bool is_kept = to.mode == from.mode && keeps_states(mode, t, from, set, to);
  if (!is_kept && !jump(t, parameters, from, set, to, why.reason)) return false;
  know(to, parameters);
  return true;
}

void HybridModes::begin_event(double t, const ContinuousPoint& point, std::span<const double> parameters) {
  know(point, parameters);
  HybridMode& mode = *modes_[point.mode];
  residuals_before_.clear();
  if (!mode.leaves_constraints_out()) return;
  mode.set_parameters(parameters);
  mode.inspect(t, point, observed_, residuals_before_);
}

bool HybridModes::is_known(const ContinuousPoint& point, std::span<const double> parameters) const {
  if (point.mode != known_.mode || point.y != known_.y || point.yp != known_.yp) return false;
  if (modes_[point.mode]->contacts != contacts_) return false;  // one has ended or begun
  return std::ranges::equal(in_equations_, known_.numbers, {},
                            [&](ParamId id) { return parameters[static_cast<std::size_t>(index(id))]; });
}

void HybridModes::know(const ContinuousPoint& point, std::span<const double> parameters) {
  known_.mode = point.mode;
  known_.y = point.y;
  known_.yp = point.yp;
  known_.quantities = point.quantities;
  take_numbers(parameters, known_.numbers);
}

void HybridModes::take_numbers(std::span<const double> parameters, std::vector<double>& numbers) const {
  numbers.clear();
  for (const ParamId id : in_equations_) numbers.push_back(parameters[static_cast<std::size_t>(index(id))]);
}

void HybridModes::keep_step(std::size_t mode, std::span<const double> parameters) {
  auto& steps = modes_[mode]->steps;
  take_numbers(parameters, numbers_in_equations_);
  const double h = modes_[mode]->run->next_step_size();
  if (const auto known = steps.find(numbers_in_equations_); known != steps.end())
    known->second = h;
  else if (steps.size() < most_steps_kept)
    steps.emplace(numbers_in_equations_, h);
}

double HybridModes::step_for(std::size_t mode, std::span<const double> parameters) {
  take_numbers(parameters, numbers_in_equations_);
  const auto known = modes_[mode]->steps.find(numbers_in_equations_);
  return known == modes_[mode]->steps.end() ? HUGE_VAL : known->second;
}

bool HybridModes::same_equations(std::span<const double> parameters, std::span<const double> others) const {
  return std::ranges::all_of(in_equations_, [&](ParamId id) {
    return parameters[static_cast<std::size_t>(index(id))] == others[static_cast<std::size_t>(index(id))];
  });
}

// Keeps the states or sets those in `set`, and computes the rest from the equations. False if that would change any
// other quantity with a memory: then it is a jump.
bool HybridModes::keeps_states(HybridMode& mode, double t, const ContinuousPoint& from,
                               std::span<const SetQuantity> set, ContinuousPoint& to) {
  const Reduced& reduced = mode.reduced();
  if (!mode.run) return false;
  // Constraints may determine other values from those that are set, also where a formulation leaves them out.
  if (!set.empty() && !(reduced.choices.empty() && mode.prepared->analysis.base->choices.empty())) return false;
  to.y = from.y;
  to.yp = from.yp;
  for (const SetQuantity& quantity : set) {
    if (reduced.place(quantity.quantity) != Place::Slot) return false;
    to.y[static_cast<std::size_t>(reduced.slot_of(quantity.quantity))] = quantity.value;
  }
  const std::vector<double> held = to.y;
  if (!mode.run->solve(t, to.y, to.yp)) return false;
  for (const Kinematic& kinematic : reduced.kinematics) {
    const auto s = static_cast<std::size_t>(kinematic.slot);
    if (std::abs(to.y[s] - held[s]) > small_move * (std::abs(held[s]) + reduced.slots[s].nominal)) return false;
  }
  mode.observe(t, to);
  return keeps_differentiated(mode, from, set, to, tolerance_) && keeps_constraints(mode, t, to);
}

// Constraints that a formulation does not impose may contain numbers that the event changes: the ratio of a gear.
bool HybridModes::keeps_constraints(HybridMode& mode, double t, const ContinuousPoint& to) {
  if (!mode.leaves_constraints_out()) return true;
  mode.inspect(t, to, observed_, residuals_);
  if (residuals_.size() != residuals_before_.size()) return false;
  const std::size_t checks = residuals_.size() / 2;
  for (std::size_t k = 0; k < checks; ++k) {
    const double growth = std::abs(residuals_[k]) - std::abs(residuals_before_[k]);
    if (growth > part_of_tolerance * tolerance_ * residuals_[checks + k]) return false;
  }
  return true;
}

// x = if u > 0 then 1 else 0 has no state, but where der(x) occurs its jump is an impulse there.
bool HybridModes::keeps_differentiated(const HybridMode& mode, const ContinuousPoint& from,
                                       std::span<const SetQuantity> set, const ContinuousPoint& to, double tolerance) {
  if (!set.empty()) return true;  // variables move with the states that are set
  const Reduced& reduced = mode.reduced();
  for (std::size_t k = 0; k < reduced.quantities.size(); ++k) {
    const Quantity q = reduced.quantities[k];
    if (q.order >= mode.memory[static_cast<std::size_t>(index(q.variable))]) continue;
    const double size = std::abs(from.quantities[k]) + (*mode.numbers)[q.variable].nominal;
    if (std::abs(to.quantities[k] - from.quantities[k]) > part_of_tolerance * tolerance * size) return false;
  }
  return true;
}

bool HybridModes::jump(double t, std::span<const double> parameters, const ContinuousPoint& from,
                       std::span<const SetQuantity> set, ContinuousPoint& to, std::string& reason) {
  HybridMode& mode = *modes_[to.mode];
  const Analysis& analysis = mode.prepared->analysis;
  if (analysis.array || modes_[from.mode]->prepared->analysis.array) {
    reason = fmt::format("{} tells no values behind a jump: use another formulation", to_string(analysis.formulation));
    return false;
  }
  const std::vector<double> all = mode.parameters_with_ends(parameters);
  if (!mode.jump) {
    mode.jump = std::make_unique<JumpIntoMode>(analysis.base);
    if (&mode.reduced() != analysis.base.get())
      mode.base = std::make_unique<System>(
          std::make_shared<const CompiledSystem>(growable(analysis.base), Backend::Interpreter), nullptr, all);
  }
  System& base = mode.base ? *mode.base : *mode.system;
  base.set_parameters(all);
  Values before(mode.numbers->variables.size());
  const Reduced& old = modes_[from.mode]->reduced();
  for (std::size_t k = 0; k < old.quantities.size(); ++k) {
    const Quantity q = old.quantities[k];
    const auto v = static_cast<std::size_t>(index(q.variable));
    if (v >= before.size()) continue;
    before[v].resize(std::max(before[v].size(), static_cast<std::size_t>(q.order) + 1), std::nan(""));
    before[v][static_cast<std::size_t>(q.order)] = from.quantities[k];
  }
  std::vector<PrescribedValue> prescribed;
  for (const SetQuantity& quantity : set) prescribed.push_back({quantity.quantity, quantity.value});
  auto jumped = (*mode.jump)(t, before, all, prescribed, std::max(tolerance_, 1e-9));
  if (const auto* why = std::get_if<std::string>(&jumped)) {
    reason = *why;
    return false;
  }
  auto point = jumped_point(base, t, std::get<Jumped>(jumped), prescribed);
  if (const auto* why = std::get_if<std::string>(&point)) {
    reason = *why;
    return false;
  }
  State state = extended(std::get<State>(std::move(point)), *analysis.reduced);
  to.y = std::move(state.y);
  to.yp = std::move(state.yp);
  to.impulses = std::move(std::get<Jumped>(jumped).impulses);
  to.is_struck = std::ranges::any_of(std::get<Jumped>(jumped).jumps, [&](const ChangeOfValue& change) {
    return std::abs(change.to - change.from) > size_of_stroke * tolerance_ * std::abs(change.from);
  });
  mode.observe(t, to);
  reason = contradicted_contact(*modes_[from.mode], mode, before, to);
  return reason.empty();
}

// A jump in which a sliding contact gets an impulse towards its surface, or one at rest is pulled, means that the
// contact ends. Empty if there is none. Values may move onto the surface within errors.
std::string HybridModes::contradicted_contact(const HybridMode& old, const HybridMode& mode, const Values& before,
                                              const ContinuousPoint& to) const {
  if (old.contacts != mode.contacts) return {};  // one begins: the rest of its impacts is lost; or one has ended
  const std::vector<Quantity>& quantities = mode.reduced().quantities;
  bool moves = false;
  for (std::size_t k = 0; k < quantities.size() && !moves && !mode.contacts.empty(); ++k) {
    const Quantity q = quantities[k];
    const auto v = static_cast<std::size_t>(index(q.variable));
    if (q.order >= mode.memory[v] || q.order >= static_cast<int>(before[v].size())) continue;
    const double from = before[v][static_cast<std::size_t>(q.order)];
    const double size = std::abs(from) + (*mode.numbers)[q.variable].nominal;
    moves = std::abs(to.quantities[k] - from) > size_of_stroke * tolerance_ * size;
  }
  for (std::size_t k = 0; moves && k < mode.contacts.size(); ++k) {
    const SurfaceContact& contact = mode.contacts[k];
    const std::string& unknown = mode.numbers->variables[numbers_->variables.size() + k].name;
    const auto impulse = std::ranges::find(to.impulses, unknown, &Impulse::name);
    if (impulse == to.impulses.end() || impulse->size == 0.0) continue;
    const bool rises = contact.pushes.size() != 1 || contact.pushes[0].weight > 0.0;
    if (!contact.is_rest || (impulse->size > 0.0) != rises)
      return fmt::format("the values behind the event leave the surface of {}",
                         numbers_->discrete.held[contact.relation].text);
  }
  return {};
}

}  // namespace driftless
