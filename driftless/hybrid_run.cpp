#include "driftless/hybrid_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/events/start_guess.hpp"
#include "driftless/expr/calculus.hpp"
#include "driftless/hybrid/jump.hpp"
#include "driftless/hybrid/rest.hpp"
#include "driftless/hybrid/sliding.hpp"
#include "driftless/integrate/run/jumped_point.hpp"
#include "driftless/model/drive.hpp"
#include "driftless/started_run.hpp"

namespace driftless {
namespace {

constexpr double never = -std::numeric_limits<double>::infinity();
constexpr int most_starts = 100;
constexpr double small_move = 1e-12;           // of a state that is held, by solving the equations
constexpr double part_of_accumulation = 1e-6;  // of the run: infinitely many events within it are one
constexpr std::size_t most_recorded = 10'000;  // events in Solution::events
constexpr std::size_t events_of_chatter = 50;
constexpr double interval_of_chatter = 1e-10;  // of the run, for so many events

Column::Discrete kind_of(DiscreteType type) {
  switch (type) {
    case DiscreteType::Integer: return Column::Discrete::Integer;
    case DiscreteType::Boolean: return Column::Discrete::Boolean;
    case DiscreteType::Enumeration: return Column::Discrete::Enumeration;
    default: return Column::Discrete::Real;
  }
}

std::size_t place(ParamId id) { return static_cast<std::size_t>(index(id)); }

}  // namespace

// The equations of one structure, and their run as far as it has come.
struct HybridRun::Mode {
  const PreparedRun* prepared = nullptr;
  std::string description;
  std::shared_ptr<const Model> numbers;
  std::shared_ptr<System> system;
  std::unique_ptr<DiscreteSystem> discrete;
  std::unique_ptr<EventSearch> relations;
  std::unique_ptr<JumpIntoMode> jump;  // made by the first jump, and
  std::unique_ptr<System> base;        // with every level of every equation, if the integrated system has not
  Solution part;
  std::unique_ptr<Run> run;           // null: none has begun
  std::vector<int> series_of_column;  // by column of the whole: a series of the part, or -1

  const Reduced& reduced() const { return system->reduced(); }
  void observe(double t, ContinuousPoint& point) const {
    point.quantities.resize(reduced().quantities.size());
    system->observe({t, point.y, point.yp}, point.quantities);
  }
};

HybridRun::HybridRun(const PreparedRun& prepared, const SimulateOptions& options, std::shared_ptr<const Model> numbers,
                     const IntegrateOptions& integration, Solution& solution)
    : prepared_(prepared),
      options_(options),
      numbers_(numbers ? std::move(numbers) : prepared.analysis.model),
      part_(numbers_->discrete),
      solution_(solution),
      integration_(integration),
      rows_(integration.rows) {
  Diagnostics diagnostics;
  if (options_.step)
    diagnostics.error(Code::MethodNotApplicable, {},
                      "constant steps do not end at events: a model with events needs a method that chooses its steps");
  numbers_ = growable(numbers_);
  order_of(*numbers_, diagnostics);
  if (diagnostics.has_errors()) throw ModelError(diagnostics, *numbers_->sources);
  for (const Parameter& parameter : numbers_->parameters) parameters_.push_back(parameter.value);
  ContinuousEquations& equations = *this;
  iteration_ = std::make_unique<EventIteration>(*numbers_, equations);
  find_start();
}

HybridRun::~HybridRun() = default;

DiscreteSystem& HybridRun::discrete(std::size_t mode) { return *modes_[mode]->discrete; }

// ---- start

// The model of a mode, with the numbers of the run.
std::shared_ptr<const Model> HybridRun::numbers_of(const Mode& mode, std::span<const double> parameters) const {
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

std::size_t HybridRun::mode_for(std::span<const double> parameters) {
  const PreparedRun::Mode found = prepared_.mode_at(parameters);
  if (contact_ && contact_->number == found.number) return contact_->mode;
  const auto known = std::ranges::find(numbers_of_modes_, found.number);
  if (known != numbers_of_modes_.end()) return static_cast<std::size_t>(known - numbers_of_modes_.begin());
  const std::size_t k = add_mode(*found.prepared, found.description, parameters);
  numbers_of_modes_[k] = found.number;
  return k;
}

std::size_t HybridRun::add_mode(const PreparedRun& prepared, std::string description,
                                std::span<const double> parameters) {
  auto mode = std::make_unique<Mode>();
  mode->prepared = &prepared;
  mode->description = std::move(description);
  mode->numbers = numbers_of(*mode, parameters);
  mode->system = std::make_shared<System>(prepared.system, mode->numbers, parameters_of(*mode, parameters));
  mode->discrete = std::make_unique<DiscreteSystem>(*prepared.system);
  if (!mode->discrete->missing().empty()) {
    Diagnostics diagnostics;
    diagnostics.error(Code::NotSupported, {},
                      fmt::format("not supported yet: {} in a relation or a when clause, where the equations do not "
                                  "determine this derivative",
                                  mode->discrete->missing()));
    throw ModelError(diagnostics, *numbers_->sources);
  }
  mode->relations = std::make_unique<EventSearch>(*mode->system, options_.tolerance);
  modes_.push_back(std::move(mode));
  numbers_of_modes_.push_back(-1);
  return modes_.size() - 1;
}

// Equations of a contact have relations of their own behind those of the model: its ends, which are false.
std::vector<double> HybridRun::parameters_of(const Mode& mode, std::span<const double> parameters) const {
  std::vector<double> all(parameters.begin(), parameters.end());
  all.resize(mode.numbers->parameters.size(), 0.0);
  return all;
}

bool HybridRun::try_start(State& start, ContinuousPoint& point) {
  point.mode = mode_for(parameters_);
  Mode& mode = *modes_[point.mode];
  Diagnostics diagnostics;
  auto found = start_of(*mode.prepared, numbers_of(mode, parameters_), solution_.start, diagnostics);
  if (diagnostics.has_errors()) throw ModelError(diagnostics, *numbers_->sources);
  if (const auto* why = std::get_if<NoConsistentStart>(&found)) {
    solution_.outcome = Outcome::InitializationFailed;
    solution_.code = why->code;
    solution_.message = why->message;
    solution_.details = why->details;
    return false;
  }
  start = std::get<State>(std::move(found));
  if (!start.parameters.empty()) parameters_ = start.parameters;
  start = extended(std::move(start), *mode.prepared->analysis.reduced);
  mode.system->set_parameters(parameters_of(mode, parameters_));
  point.y = start.y;
  point.yp = start.yp;
  mode.observe(start.t, point);
  return true;
}

void HybridRun::find_start() {
  parameters_ = guessed_parameters(*numbers_, solution_.start);
  if (part_.initial) parameters_[place(*part_.initial)] = 1.0;
  State start;
  ContinuousPoint point;
  int tries = 0;
  do {
    if (++tries > most_starts) {
      solution_.outcome = Outcome::InitializationFailed;
      solution_.code = Code::EventUnresolved;
      solution_.message = "discrete variables and relations change again and again while the start is looked for";
      ended_ = true;
      return;
    }
    if (!try_start(start, point)) {
      ended_ = true;
      return;
    }
  } while (iteration_->update_start(start.t, parameters_, point));
  solution_.remarks = start.remarks;
  mode_ = point.mode;
  begin_run(mode_, start);
  if (ended_) return;
  if (integration_.dense) epochs_.push_back({start.t, mode_, parameters_of(*modes_[mode_], parameters_)});
  if (part_.initial) parameters_[place(*part_.initial)] = 0.0;
  for (const DiscreteVariable& variable : part_.variables)
    parameters_[place(variable.pre)] = parameters_[place(variable.value)];
  EventIteration::Causes causes;
  causes.samplings = samplings_at(start.t);
  iterate_at(start.t, causes, point);
}

// A sampling that begins at the start, or has one of its instants there.
std::vector<int> HybridRun::samplings_at(double t) const {
  const auto value = [&](NodeId leaf) { return parameters_[(*numbers_->pool)[leaf].a]; };
  std::vector<int> due;
  for (std::size_t k = 0; k < part_.samplings.size(); ++k) {
    const double first = evaluate(*numbers_->pool, part_.samplings[k].start, value);
    const double interval = evaluate(*numbers_->pool, part_.samplings[k].interval, value);
    const double number = std::round((t - first) / interval);
    if (number >= 0.0 && first + number * interval == t) due.push_back(static_cast<int>(k));
  }
  return due;
}

void HybridRun::begin_run(std::size_t k, const State& start) {
  Mode& mode = *modes_[k];
  IntegrateOptions integration = integration_;
  integration.first_output = integration_.first_output.value_or(solution_.start);
  integration.rows = {};
  integration.rows.keep_all = false;
  integration.rows.row = [this, &mode](double t, std::span<const double> series) { return take_row(mode, t, series); };
  integration.rows.begin = [this, &mode](const Solution&) {
    if (solution_.columns.empty()) describe_columns();
    mode.series_of_column.clear();
    for (const Column& column : solution_.columns) {
      if (column.is_parameter || column.discrete != Column::Discrete::No) break;
      const auto found = mode.part.find(column.name);
      mode.series_of_column.push_back(found && !mode.part.columns[*found].is_parameter ? static_cast<int>(*found) : -1);
    }
  };
  mode.system->set_parameters(parameters_of(mode, parameters_));
  mode.run = std::make_unique<Run>(mode.system, start, integration, mode.part);
  mode.run->go_to(never);
  ended_ = mode.run->has_ended();
}

// ---- events

void HybridRun::go_to(double t) {
  while (!ended_) {
    Run& run = *modes_[mode_]->run;
    run.go_to(t);
    solution_.reached = modes_[mode_]->part.reached;
    keep_segments();
    if (run.has_ended()) {
      ended_ = true;
      pass_terminal_event();
    }
    if (ended_ || !run.event()) return;
    handle_event();
  }
}

// At the end of a run that has reached it, terminal() becomes true.
void HybridRun::pass_terminal_event() {
  if (!part_.terminal || solution_.reached < solution_.stop) return;
  const Mode& mode = *modes_[mode_];
  ContinuousPoint point{mode_, mode.run->end_y(), mode.run->end_yp(), {}, {}};
  mode.observe(solution_.reached, point);
  EventIteration::Causes causes;
  causes.terminal = true;
  iterate_at(solution_.reached, causes, std::move(point));
  ended_ = true;
}

// What the present mode has kept for dense output becomes part of the whole.
void HybridRun::keep_segments() {
  if (!integration_.dense) return;
  std::vector<Segment>& segments = modes_[mode_]->part.segments;
  solution_.segments.insert(solution_.segments.end(), std::make_move_iterator(segments.begin()),
                            std::make_move_iterator(segments.end()));
  segments.clear();
}

void HybridRun::handle_event() {
  const Mode& mode = *modes_[mode_];
  const EventSearch::Found& found = *mode.run->event();
  ContinuousPoint point{mode_, mode.run->point().y, mode.run->point().yp, {}, {}};
  mode.observe(found.at, point);
  EventIteration::Causes causes;
  causes.samplings = found.samplings;
  const double t = found.at;
  const bool leaves = leaves_contact(found);
  for (std::size_t k = 0; k < found.held.size(); ++k)
    if (found.held[k] < static_cast<int>(part_.held.size())) {
      causes.held.push_back(found.held[k]);
      causes.values.push_back(found.values[k]);
    }
  if (leaves) {
    contact_.reset();
    accumulations_.clear();
    recent_.clear();
  }
  iterate_at(t, causes, std::move(point), leaves);
}

void HybridRun::iterate_at(double t, const EventIteration::Causes& causes, ContinuousPoint point, bool is_event) {
  const ContinuousPoint from = point;
  const std::vector<double> before = parameters_;
  set_inputs(*numbers_, t, parameters_);
  const EventIteration::Result result = (*iteration_)(t, causes, parameters_, point);
  if (!result.converged && begins_to_slide(t, result, before, from)) return;
  if (!result.converged) {
    parameters_ = before;
    modes_[mode_]->run->set_parameters(parameters_of(*modes_[mode_], before));
    return end_at(t, Outcome::StepTooSmall, result.reason, Code::EventUnresolved);
  }
  if (!is_event && causes.held.empty() && causes.samplings.empty() && parameters_ == before) return;
  record_event(t, causes, result, before, from, point);
  if (result.violated) {
    const EventAssertion& assertion = part_.assertions[*result.violated];
    return end_at(
        t, Outcome::AssertionViolated,
        fmt::format("{}: the assertion {} is violated: {}", assertion.label, assertion.text, assertion.message), {});
  }
  if (comes_to_rest(t, causes, result, from, point) || is_endless(t)) return;
  go_on(t, point);
  if (result.terminate && !ended_) {
    solution_.remarks.push_back(fmt::format("the model ended the run at t = {:.9g}: {}", t, *result.terminate));
    ended_ = true;
  }
}

void HybridRun::held(double t, std::span<const double> parameters, const ContinuousPoint& point,
                     std::span<const int> found, EventSearch::Side side, std::span<double> values) {
  Mode& mode = *modes_[point.mode];
  EventSearch& relations = mode.run ? mode.run->events() : *mode.relations;
  // A relation that the mode makes an equation keeps its value.
  std::vector<double> all;
  const std::vector<double> present = parameters_of(mode, parameters);
  for (const Held& relation : mode.numbers->discrete.held) all.push_back(present[place(relation.held)]);
  relations.take_parameters(present);
  if (modes_[mode_]->run)
    relations.new_values(t, point.quantities, found, all, side);
  else
    relations.values_at(t, point.quantities, all);
  std::copy_n(all.begin(), values.size(), values.begin());
  if (contact_ && contact_->mode == point.mode)  // on its surface a relation has no value of its own
    values[contact_->relation] = parameters[place(part_.held[contact_->relation].held)];
}

bool HybridRun::solve(double t, std::span<const double> parameters, const ContinuousPoint& from,
                      std::span<const SetQuantity> set, ContinuousPoint& to, std::string& reason) {
  to.mode = mode_for(parameters);
  to.impulses.clear();
  Mode& mode = *modes_[to.mode];
  mode.system->set_parameters(parameters_of(mode, parameters));
  if (to.mode == from.mode && keeps_states(mode, t, from, set, to)) return true;
  return jump(mode, t, parameters, from, set, to, reason);
}

// The states keep their values, or take those that are set, and the equations give the rest. False if that would change
// anything else that has a memory: then it is a jump.
bool HybridRun::keeps_states(Mode& mode, double t, const ContinuousPoint& from, std::span<const SetQuantity> set,
                             ContinuousPoint& to) {
  const Reduced& reduced = mode.reduced();
  if (!mode.run) return false;
  if (!set.empty() && !reduced.choices.empty()) return false;
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
  return true;
}

bool HybridRun::jump(Mode& mode, double t, std::span<const double> parameters, const ContinuousPoint& from,
                     std::span<const SetQuantity> set, ContinuousPoint& to, std::string& reason) {
  const Analysis& analysis = mode.prepared->analysis;
  if (!mode.jump) {
    mode.jump = std::make_unique<JumpIntoMode>(analysis.base);
    if (&mode.reduced() != analysis.base.get())
      mode.base = std::make_unique<System>(
          std::make_shared<const CompiledSystem>(growable(analysis.base), Backend::Interpreter), nullptr,
          parameters_of(mode, parameters));
  }
  System& base = mode.base ? *mode.base : *mode.system;
  const std::vector<double> all = parameters_of(mode, parameters);
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
  auto jumped = (*mode.jump)(t, before, all, prescribed, std::max(options_.tolerance, 1e-9));
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
  mode.observe(t, to);
  return true;
}

void HybridRun::go_on(double t, const ContinuousPoint& point) {
  mode_ = point.mode;
  Mode& mode = *modes_[mode_];
  if (mode.run) {
    mode.run->set_parameters(parameters_of(mode, parameters_));
    mode.run->go_on(t, point.y, point.yp);
    ended_ = mode.run->has_ended();
  } else {
    State start;
    start.t = t;
    start.y = point.y;
    start.yp = point.yp;
    begin_run(mode_, start);
  }
  solution_.reached = t;
  if (integration_.dense) epochs_.push_back({t, mode_, parameters_of(mode, parameters_)});
}

void HybridRun::record_event(double t, const EventIteration::Causes& causes, const EventIteration::Result& result,
                             std::span<const double> before, const ContinuousPoint& from, const ContinuousPoint& to) {
  Statistics& statistics = solution_.statistics;
  ++statistics.events;
  statistics.event_iterations += result.iterations;
  std::vector<std::string> texts;
  for (const int k : causes.held) texts.push_back(part_.held[static_cast<std::size_t>(k)].text);
  for (const int k : causes.samplings)
    texts.push_back((*numbers_)[part_.samplings[static_cast<std::size_t>(k)].now].name);
  for (const ModelInput& input : part_.inputs)
    if (before[place(input.origin)] != parameters_[place(input.origin)]) texts.push_back("input " + input.name);
  for (const std::string& text : texts) {
    const auto known = std::ranges::find(statistics.events_by_cause, text, &std::pair<std::string, long>::first);
    if (known == statistics.events_by_cause.end())
      statistics.events_by_cause.emplace_back(text, 1);
    else
      ++known->second;
  }
  const bool is_kept = solution_.events.size() < most_recorded;
  if (!is_kept && !rows_.event) return;
  Event event;
  event.time = t;
  event.causes = std::move(texts);
  event.iterations = result.iterations;
  for (const DiscreteVariable& variable : part_.variables) {
    const double was = before[place(variable.value)], is = parameters_[place(variable.value)];
    if (was != is && !variable.auxiliary) event.discrete.push_back({variable.name, was, is});
  }
  event.impulses = result.impulses;
  if (from.mode != to.mode) event.mode = modes_[to.mode]->description;
  const Reduced &old = modes_[from.mode]->reduced(), &reduced = modes_[to.mode]->reduced();
  for (std::size_t k = 0; k < to.quantities.size(); ++k) {
    const Quantity q = reduced.quantities[k];
    const auto known = std::ranges::lower_bound(old.quantities, q);
    if (reduced.place(q) != Place::Slot || known == old.quantities.end() || *known != q) continue;
    const double was = from.quantities[static_cast<std::size_t>(known - old.quantities.begin())], is = to.quantities[k];
    const double size = std::max(std::abs(was), std::abs(is)) + (*numbers_)[q.variable].nominal;
    if (std::abs(is - was) > options_.tolerance * size) event.jumps.push_back({reduced.name(q), was, is});
  }
  if (rows_.event) rows_.event(event);
  if (is_kept) solution_.events.push_back(std::move(event));
}

// ---- contacts

// Reinits that a relation causes after ever shorter times, so short that nothing of them is seen: the relation is a
// constraint from here on.
bool HybridRun::comes_to_rest(double t, const EventIteration::Causes& causes, const EventIteration::Result& result,
                              const ContinuousPoint& from, const ContinuousPoint& to) {
  if (result.reinits.empty() || causes.held.size() != 1 || contact_) return false;
  const int k = causes.held.front();
  Accumulation& accumulation = accumulations_[k];
  accumulation.add(t);
  const std::optional<double> remaining = accumulation.remaining();
  if (!remaining || *remaining > part_of_accumulation * (solution_.stop - solution_.start)) return false;
  const Model& model = *modes_[mode_]->prepared->analysis.model;
  for (const std::size_t r : reinits_of(model, static_cast<std::size_t>(k))) {
    const Quantity q{part_.reinits[r].variable, part_.reinits[r].order};
    const Reduced& reduced = modes_[to.mode]->reduced();
    const auto known = std::ranges::lower_bound(reduced.quantities, q) - reduced.quantities.begin();
    const auto at = static_cast<std::size_t>(known);
    auto rest = rest_model(model, static_cast<std::size_t>(k), r, to.quantities[at] > from.quantities[at]);
    auto* found = std::get_if<RestModel>(&rest);
    if (!found) continue;
    contact_ = Contact{modes_.size(), numbers_of_modes_[mode_], static_cast<std::size_t>(k), {}};
    contact_->ends.emplace_back(static_cast<int>(found->ends), 0.0);
    if (enter_contact(t, std::move(found->model),
                      fmt::format("the events of {} accumulate at t = {:.12g}, where the motion comes to rest",
                                  part_.held[static_cast<std::size_t>(k)].text, t + *remaining),
                      to))
      return true;
    contact_.reset();
  }
  return false;
}

bool HybridRun::begins_to_slide(double t, const EventIteration::Result& result, std::span<const double> before,
                                const ContinuousPoint& from) {
  if (!options_.sliding || result.flipping.size() != 1 || contact_) return false;
  const std::size_t k = result.flipping.front();
  parameters_.assign(before.begin(), before.end());
  auto sliding = sliding_model(*modes_[mode_]->prepared->analysis.model, k);
  auto* found = std::get_if<SlidingModel>(&sliding);
  if (!found) {
    solution_.details.push_back(std::get<std::string>(sliding));
    return false;
  }
  contact_ = Contact{modes_.size(), numbers_of_modes_[mode_], k, {}};
  contact_->ends.emplace_back(static_cast<int>(found->ends_true), 1.0);
  contact_->ends.emplace_back(static_cast<int>(found->ends_false), 0.0);
  if (enter_contact(t, std::move(found->model),
                    fmt::format("from t = {:.9g} on the solution slides along {}", t, part_.held[k].text), from))
    return true;
  contact_.reset();
  return false;
}

// From a point on the surface, up to rounding errors. False if there is no motion with these equations.
bool HybridRun::enter_contact(double t, Model model, std::string note, const ContinuousPoint& from) {
  try {
    Analysis analysis = analyze(std::move(model), modes_[mode_]->prepared->analysis.formulation);
    of_contacts_.push_back(std::make_unique<PreparedRun>(prepare(std::move(analysis), options_)));
    const std::size_t k = add_mode(*of_contacts_.back(), note, parameters_);
    ContinuousPoint to{k, {}, {}, {}, {}};
    std::string reason;
    if (!jump(*modes_[k], t, parameters_, from, {}, to, reason)) {
      solution_.details.push_back(std::move(reason));
      return false;
    }
    solution_.remarks.push_back(std::move(note));
    go_on(t, to);
    return true;
  } catch (const ModelError& error) {
    for (const Diagnostic& diagnostic : error.diagnostics().all()) solution_.details.push_back(diagnostic.message);
    return false;
  }
}

bool HybridRun::leaves_contact(const EventSearch::Found& found) {
  if (!contact_ || contact_->mode != mode_) return false;
  for (const auto& [held, value] : contact_->ends)
    if (std::ranges::find(found.held, held) != found.held.end()) {
      parameters_[place(part_.held[contact_->relation].held)] = value;
      return true;
    }
  return false;
}

bool HybridRun::is_endless(double t) {
  recent_.push_back(t);
  if (recent_.size() < events_of_chatter) return false;
  const double advance = t - recent_.front();
  recent_.erase(recent_.begin());
  if (advance > interval_of_chatter * (solution_.stop - solution_.start)) return false;
  const std::vector<std::string> causes =
      solution_.events.empty() ? std::vector<std::string>{} : solution_.events.back().causes;
  end_at(t, Outcome::StepTooSmall,
         fmt::format("{} events follow each other within {:.2g} ({})", events_of_chatter, advance,
                     fmt::join(causes, ", ")),
         Code::EndlessJumps);
  return true;
}

void HybridRun::end_at(double t, Outcome outcome, std::string reason, std::optional<Code> code) {
  solution_.reached = t;
  modes_[mode_]->run->end_at_event({outcome, std::move(reason), Advice::GoOn, code});
  ended_ = true;
}

// ---- results

void HybridRun::describe_columns() {
  const Solution& part = modes_[mode_]->part;
  for (const Column& column : part.columns)
    if (!column.is_parameter) solution_.columns.push_back(column);
  for (const DiscreteVariable& variable : part_.variables) {
    if (variable.auxiliary) continue;
    Column column{.name = variable.name, .unit = variable.unit, .description = variable.description};
    column.discrete = kind_of(variable.type);
    column.literals = variable.literals;
    solution_.columns.push_back(std::move(column));
  }
  for (const Column& column : part.columns)
    if (column.is_parameter) solution_.columns.push_back(column);
  solution_.drift_levels = part.drift_levels;
  solution_.bound = part.bound;
  if (rows_.begin) rows_.begin(solution_);
}

bool HybridRun::take_row(const Mode& mode, double t, std::span<const double> series) {
  row_.clear();
  for (const int k : mode.series_of_column) row_.push_back(k >= 0 ? series[static_cast<std::size_t>(k)] : std::nan(""));
  for (const DiscreteVariable& variable : part_.variables)
    if (!variable.auxiliary) row_.push_back(mode.system->parameters()[place(variable.value)]);
  if (!rows_.keep_all) solution_.times.clear(), solution_.values.clear(), solution_.constraint_drift.clear();
  ++solution_.points;
  solution_.times.push_back(t);
  solution_.values.insert(solution_.values.end(), row_.begin(), row_.end());
  for (std::size_t level = 0; level < solution_.drift_levels; ++level)
    solution_.constraint_drift.push_back(level < mode.part.drift_levels ? mode.part.constraint_drift[level] : 0.0);
  return !rows_.row || rows_.row(t, row_);
}

void HybridRun::values_at(double t, std::vector<double>& series) {
  const Mode& mode = *modes_[mode_];
  std::vector<double> part;
  mode.run->values_at(t, part);
  series.clear();
  for (const int k : mode.series_of_column) series.push_back(k >= 0 ? part[static_cast<std::size_t>(k)] : std::nan(""));
  for (const DiscreteVariable& variable : part_.variables)
    if (!variable.auxiliary) series.push_back(parameters_[place(variable.value)]);
}

void HybridRun::finish() {
  if (std::exchange(finished_, true) || modes_.empty() || !modes_[mode_]->run) return;
  for (const auto& mode : modes_)
    if (mode->run) mode->run->finish();
  collect_results();
}

void HybridRun::collect_results() {
  const Solution& last = modes_[mode_]->part;
  solution_.outcome = last.outcome;
  solution_.code = last.code;
  solution_.message = last.message;
  for (const auto& mode : modes_) {
    const Solution& part = mode->part;
    solution_.statistics.add(part.statistics);
    solution_.details.insert(solution_.details.end(), part.details.begin(), part.details.end());
    for (const std::string& remark : part.remarks)
      if (std::ranges::find(solution_.remarks, remark) == solution_.remarks.end()) solution_.remarks.push_back(remark);
    solution_.pivots.insert(solution_.pivots.end(), part.pivots.begin(), part.pivots.end());
    for (const CertificateEntry& entry : part.certificate) {
      const auto known = std::ranges::find_if(solution_.certificate, [&](const CertificateEntry& other) {
        return other.constraint == entry.constraint && other.level == entry.level;
      });
      if (known == solution_.certificate.end())
        solution_.certificate.push_back(entry);
      else
        include(*known, entry);
    }
    if (solution_.invariants.empty()) solution_.invariants = part.invariants;
  }
  std::ranges::stable_sort(solution_.pivots, {}, &Pivot::time);
  solution_.statistics.modes = static_cast<int>(modes_.size());
  if (integration_.dense) make_observer();
}

// At the time of an event, what is in force behind it.
void HybridRun::make_observer() {
  struct Part {
    std::shared_ptr<System> system;
    decltype(Solution::observer) observer;
    std::vector<int> series_of_column;
    std::size_t series = 0;
  };
  std::vector<Part> parts;
  for (const auto& mode : modes_)
    parts.push_back({mode->system, mode->part.observer, mode->series_of_column, mode->part.series()});
  std::vector<std::size_t> values;
  for (const DiscreteVariable& variable : part_.variables)
    if (!variable.auxiliary) values.push_back(place(variable.value));
  solution_.observer = [parts = std::move(parts), values = std::move(values), epochs = std::move(epochs_)](
                           double t, std::vector<double>& y, std::vector<double>& yp, std::vector<double>& series) {
    const auto next = std::ranges::upper_bound(epochs, t, {}, &Epoch::from);
    const Epoch& epoch = next == epochs.begin() ? *next : *std::prev(next);
    const Part& part = parts[epoch.mode];
    part.system->set_parameters(epoch.parameters);
    std::vector<double> of_part(part.series);
    part.observer(t, y, yp, of_part);
    std::size_t column = 0;
    for (const int k : part.series_of_column)
      series[column++] = k >= 0 ? of_part[static_cast<std::size_t>(k)] : std::nan("");
    for (const std::size_t p : values) series[column++] = epoch.parameters[p];
  };
}

}  // namespace driftless
