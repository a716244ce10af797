#include "driftless/hybrid_run/modes.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "driftless/events/start_guess.hpp"
#include "driftless/expr/calculus.hpp"

namespace driftless {
namespace {

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

// With the equations of the contacts, further conditions may be structural: a floor that tilts at an instant. So the
// model with contacts has its own modes.
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

// Null if the contacts have no equations in this mode of the model.
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

}  // namespace driftless
