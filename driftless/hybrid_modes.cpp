#include "driftless/hybrid_modes.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/events/start_guess.hpp"
#include "driftless/expr/calculus.hpp"
#include "driftless/integrate/run/jumped_point.hpp"

namespace driftless {
namespace {

constexpr double small_move = 1e-12;         // of a state that is held, by solving the equations
constexpr double part_of_tolerance = 0.01;   // by which a variable whose derivative occurs may move without an impulse
constexpr double size_of_stroke = 100.0;     // in units of the tolerance: a jump whose impulses have a sign
constexpr std::size_t most_steps_kept = 64;  // discrete variables may take any number of values

std::string message_of(const ModelError& error) {
  return error.diagnostics().all().empty() ? error.what() : error.diagnostics().all().front().message;
}

}  // namespace

void HybridMode::observe(double t, ContinuousPoint& point) const {
  point.quantities.resize(reduced().quantities.size());
  system->observe({t, point.y, point.yp}, point.quantities);
}

bool HybridMode::leaves_constraints_out() const {
  const Analysis& analysis = prepared->analysis;
  return analysis.base && &reduced() != analysis.base.get() && !analysis.base->choices.empty();
}

void HybridMode::inspect(double t, const ContinuousPoint& point, std::vector<double>& quantities,
                         std::vector<double>& residuals_and_sizes) const {
  quantities.resize(reduced().quantities.size());
  residuals_and_sizes.resize(2 * system->checks().size());
  system->inspect({t, point.y, point.yp}, quantities, residuals_and_sizes);
}

std::vector<double> HybridMode::parameters_with_ends(std::span<const double> parameters) const {
  std::vector<double> all(parameters.begin(), parameters.end());
  all.resize(numbers->parameters.size(), 0.0);
  return all;
}

void HybridMode::set_parameters(std::span<const double> parameters) {
  if (parameters.size() == numbers->parameters.size())
    system->set_parameters(parameters);
  else
    system->set_parameters(parameters_with_ends(parameters));
}

void HybridMode::set_parameters_of_run(std::span<const double> parameters) {
  if (parameters.size() == numbers->parameters.size())
    run->set_parameters(parameters);
  else
    run->set_parameters(parameters_with_ends(parameters));
}

HybridModes::HybridModes(const PreparedRun& prepared, const SimulateOptions& options,
                         std::shared_ptr<const Model> numbers)
    : prepared_(prepared),
      options_(options),
      tolerance_(options.tolerance),
      uses_differences_(options.jacobian == Derivatives::Differences),
      numbers_(std::move(numbers)),
      in_equations_(event_numbers_in_equations(*numbers_)) {
  if (!prepared.analysis.whole) return;  // the branches of all modes, and the conditions that choose between them
  const std::vector<ParamId> of_whole = event_numbers_in_equations(*prepared.analysis.whole);
  in_equations_.insert(in_equations_.end(), of_whole.begin(), of_whole.end());
  std::ranges::sort(in_equations_);
  const auto twice = std::ranges::unique(in_equations_);
  in_equations_.erase(twice.begin(), twice.end());
}

std::shared_ptr<const Model> HybridModes::numbers_of(const HybridMode& mode, std::span<const double> parameters) const {
  auto model = std::make_shared<Model>(*mode.prepared->analysis.model);
  for (std::size_t v = 0; v < numbers_->variables.size(); ++v) {
    model->variables[v].start = numbers_->variables[v].start;
    model->variables[v].min = numbers_->variables[v].min;
    model->variables[v].max = numbers_->variables[v].max;
  }
  for (std::size_t p = 0; p < parameters.size(); ++p) model->parameters[p].value = parameters[p];
  model->discrete.inputs = numbers_->discrete.inputs;
  return model;
}

std::size_t HybridModes::any_regular() {
  std::vector<double> parameters;
  const Model& whole = prepared_.analysis.whole ? *prepared_.analysis.whole : *prepared_.analysis.model;
  for (const Parameter& parameter : whole.parameters) parameters.push_back(parameter.value);
  Unsolved why;
  return at(parameters, why).value();
}

std::optional<std::size_t> HybridModes::at(std::span<const double> parameters, Unsolved& why) {
  const PreparedRun::Mode found = prepared_.mode_at(parameters);
  if (!found.prepared) {
    why = {fmt::format("with {} the equations are singular: {}", found.description, found.why), found.excess, {}};
    if (held_in_equations_.empty()) held_in_equations_ = held_in_equations(*numbers_);
    for (const int equation : found.equations) {
      const auto& held = held_in_equations_[static_cast<std::size_t>(equation)];
      why.involved.insert(why.involved.end(), held.begin(), held.end());
    }
    return {};
  }
  if (!contacts_.empty()) return at_contacts(found, parameters, why);
  if (const auto known = known_mode({found.number, 0})) return known;
  const std::size_t k = add(found.prepared, found.description, parameters);
  numbers_of_modes_[k] = {found.number, 0};
  return k;
}

std::optional<std::size_t> HybridModes::known_mode(NumbersOfMode numbers) const {
  for (std::size_t k = 0; k < modes_.size(); ++k)
    if (numbers_of_modes_[k] == numbers && modes_[k]->contacts == contacts_) return k;
  return {};
}

// The equations of the contacts may make conditions structural that the model itself has not as such: a floor that
// tilts at an instant. So the model with contacts has modes of its own.
std::optional<std::size_t> HybridModes::at_contacts(const PreparedRun::Mode& of_model,
                                                    std::span<const double> parameters, Unsolved& why) {
  const OfContacts* made = with_contacts(of_model, why);
  if (!made) return {};
  std::vector<double> all(parameters.begin(), parameters.end());
  all.resize(made->run->analysis.model->parameters.size(), 0.0);
  PreparedRun::Mode found{0, made->run.get(), {}};
  if (made->run->has_modes()) found = made->run->mode_at(all);
  if (!found.prepared) {
    why.reason =
        fmt::format("{}: with {} the equations are singular: {}", made->description, found.description, found.why);
    return {};
  }
  const NumbersOfMode numbers{of_model.number, found.number};
  if (const auto known = known_mode(numbers)) return known;
  try {
    const std::size_t k = add(found.prepared, made->description, parameters);
    modes_[k]->contacts = contacts_;
    modes_[k]->ends = made->ends;
    numbers_of_modes_[k] = numbers;
    return k;
  } catch (const ModelError& error) {
    why.reason = message_of(error);
    return {};
  }
}

// Nothing: they have no equations in this mode of the model.
const HybridModes::OfContacts* HybridModes::with_contacts(const PreparedRun::Mode& of_model, Unsolved& why) {
  const auto is_this = [&](const OfContacts& other) {
    return other.number == of_model.number && other.contacts == contacts_;
  };
  if (const auto known = std::ranges::find_if(of_contacts_, is_this); known != of_contacts_.end()) {
    why.reason = known->why;
    return known->run ? &*known : nullptr;
  }
  OfContacts& made =
      of_contacts_.emplace_back(OfContacts{of_model.number, contacts_, of_model.description, {}, {}, {}});
  const Analysis& analysis = of_model.prepared->analysis;
  auto model = contact_model(*analysis.model, contacts_);
  if (const auto* reason = std::get_if<std::string>(&model)) {
    why.reason = made.why = *reason;
    return nullptr;
  }
  auto& found = std::get<ContactModel>(model);
  for (const SurfaceContact& contact : contacts_) {
    const std::string& text = numbers_->discrete.held[contact.relation].text;
    made.description += fmt::format("{}{} {}", made.description.empty() ? "" : ", ",
                                    contact.is_rest ? "at rest on" : "sliding along", text);
  }
  made.ends = std::move(found.ends);
  try {
    made.run = std::make_unique<PreparedRun>(
        prepare_as_asked(std::make_shared<const Model>(std::move(found.model)), analysis.formulation, options_));
    return &made;
  } catch (const ModelError& error) {
    why.reason = made.why = message_of(error);
    return nullptr;
  }
}

std::size_t HybridModes::add(const PreparedRun* prepared, std::string description, std::span<const double> parameters) {
  auto mode = std::make_unique<HybridMode>();
  mode->prepared = prepared;
  mode->description = std::move(description);
  mode->numbers = numbers_of(*mode, parameters);
  mode->system = std::make_shared<System>(prepared->system, mode->numbers, mode->parameters_with_ends(parameters));
  mode->met_with.assign(parameters.begin(), parameters.end());
  if (uses_differences_) mode->system->use_difference_quotients();
  mode->discrete = std::make_unique<DiscreteSystem>(*prepared->system);
  if (!mode->discrete->missing().empty()) {
    Diagnostics diagnostics;
    diagnostics.error(Code::NotSupported, {},
                      fmt::format("not supported yet: {} in a relation or a when clause, where the equations do not "
                                  "determine this derivative",
                                  mode->discrete->missing()));
    throw ModelError(diagnostics, *numbers_->sources);
  }
  mode->relations = std::make_unique<EventSearch>(*mode->system, tolerance_);
  mode->memory.assign(mode->numbers->variables.size(), 0);
  const Pool& pool = *mode->numbers->pool;
  for (const Equation& equation : mode->numbers->equations)
    for (const NodeId leaf : variables_of(pool, equation.residual))
      mode->memory[pool[leaf].a] = std::max(mode->memory[pool[leaf].a], static_cast<int>(pool[leaf].b));
  modes_.push_back(std::move(mode));
  numbers_of_modes_.push_back({});
  return modes_.size() - 1;
}

void HybridModes::clear() {
  contacts_.clear();
  modes_.clear();
  numbers_of_modes_.clear();
  of_contacts_.clear();
  known_ = {};
}

// ---- behind an event

bool HybridModes::solve(double t, std::span<const double> parameters, const ContinuousPoint& from,
                        std::span<const SetQuantity> set, ContinuousPoint& to, Unsolved& why) {
  if (set.empty() && is_known(from, parameters)) {  // nothing that the equations contain has changed
    to = from;
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

// The states keep their values, or take those that are set, and the equations give the rest. False if that would change
// anything else that has a memory: then it is a jump.
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

// What a formulation does not impose may have numbers that the event changes: the ratio of a gear.
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

// What slides has no impulse along the way to its surface, and what rests is not pulled: such a jump says that the
// contact ends. Empty: there is none. Values may move onto the surface by what errors explain.
std::string HybridModes::contradicted_contact(const HybridMode& old, const HybridMode& mode, const Values& before,
                                              const ContinuousPoint& to) const {
  if (old.contacts != mode.contacts) return {};  // one begins: what is left of its impacts is lost, or one has ended
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
