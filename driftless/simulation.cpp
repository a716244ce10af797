#include "driftless/simulation.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "driftless/compiled_parts.hpp"
#include "driftless/joined_solution.hpp"
#include "driftless/run_point.hpp"
#include "driftless/simulation_parts.hpp"

namespace driftless {
namespace {

SimulateOptions with(SimulateOptions options, const RunInputs& inputs) {
  if (inputs.start) options.start = inputs.start;
  if (inputs.stop) options.stop = inputs.stop;
  if (inputs.tolerance) options.tolerance = *inputs.tolerance;
  if (inputs.step) options.step = inputs.step;
  if (inputs.max_step) options.max_step = inputs.max_step;
  if (inputs.intervals) options.intervals = inputs.intervals;
  if (inputs.dense) options.dense = *inputs.dense;
  if (inputs.progress) options.progress = inputs.progress;
  if (inputs.rows.row) options.rows = inputs.rows;
  return options;
}

}  // namespace

SimulateOptions Simulation::Parts::options() {
  SimulateOptions result = with(ways().ways.attempts[way], inputs);
  if (inputs.rows.row) result.rows = sink();
  return result;
}

void Simulation::Parts::check_tolerance() const {
  const SimulateOptions& given = ways().given;
  if (!inputs.tolerance || *inputs.tolerance == given.tolerance || given.tolerances.empty()) return;
  Diagnostics diagnostics;
  diagnostics.error(
      Code::WrongToleranceOf, {},
      fmt::format("tolerances of single variables were compiled for the tolerance {}: compile again for {}",
                  given.tolerance, *inputs.tolerance));
  throw ModelError(diagnostics, *compiled.model().sources);
}

double Simulation::Parts::start_time() {
  if (inputs.start) return *inputs.start;
  if (const auto& compiled_start = ways().ways.attempts[way].start) return *compiled_start;
  const std::shared_ptr<const Model>& model = ways().analysis.model;
  const bool follows_parameters =
      std::ranges::any_of(model->bindings, [](const Binding& binding) { return binding.of == Binding::Of::StartTime; });
  if (!follows_parameters) return model->experiment.start;
  return with_inputs(model, inputs.parameters, inputs.starts)->experiment.start;
}

// Signals of the run replace those that were compiled.
void Simulation::Parts::read_signals() {
  NamedSignals given = inputs.inputs;
  for (const auto& compiled_signal : ways().given.inputs)
    if (std::ranges::none_of(inputs.inputs, [&](const auto& own) { return own.first == compiled_signal.first; }))
      given.push_back(compiled_signal);
  if (given.empty()) return;
  const Model& model = *ways().analysis.model;
  const double start = start_time(), stop = options().stop.value_or(model.experiment.stop);
  signals = pieces_of(model, given, start, stop, options().tolerance);
  const structure::Offsets& offsets = ways().analysis.shape.offsets;
  check_smoothness(*driven(ways().analysis.model, signals, start), start, stop, offsets.d, offsets.c);
}

std::shared_ptr<const Model> Simulation::Parts::numbers_of(const RunInputs& given, double from) const {
  const std::shared_ptr<const Model>& model = ways().analysis.model;
  std::shared_ptr<const Model> result = driven(with_inputs(model, given.parameters, given.starts), signals, from);
  return result == model ? nullptr : result;
}

void Simulation::Parts::start() {
  const PreparedRun& prepared = ways().way(way);
  run = changed ? std::make_unique<StartedRun>(prepared, options(), numbers, *changed, first_output)
                : std::make_unique<StartedRun>(prepared, options(), numbers);
  first_output = run->first_output();
}

// Tries the next way after a failure that another method may avoid.
bool Simulation::Parts::takes_next_way() {
  const Solution& solution = run->solution();
  if (is_last() || !may_succeed_otherwise(solution.outcome)) return false;
  if (reason.empty()) reason = solution.message;
  way = solution.outcome == Outcome::TooManySteps ? ways().ways.attempts.size() - 1 : way + 1;  // then only the last
  run.reset();
  return true;
}

// The formulation or the method of a way may not apply; any other error of the model is found again.
bool Simulation::Parts::goes_this_way_to(double t) {
  try {
    if (!run) start();
    run->go_to(t);
    if (!run->has_ended()) return true;
    run->finish();
    return !takes_next_way();
  } catch (const ModelError& error) {
    if (is_last()) throw;
    if (reason.empty()) reason = error.diagnostics().all().empty() ? "" : error.diagnostics().all().front().message;
    ++way;
    run.reset();
    return false;
  }
}

void Simulation::Parts::go_straight_to(double t) {
  while (!goes_this_way_to(t)) held_back.clear();
  hand_out_up_to(t);
}

// If an input begins another polynomial, the run continues with its coefficients.
void Simulation::Parts::pass_input_events(double t) {
  while (numbers && run && numbers->discrete.is_empty()) {  // runs with events do it themselves
    const double event = next_input_event(*numbers, changed ? changed->t : run->start().t);
    if (event > t || event >= run->stop()) return;
    go_straight_to(event);
    if (run->has_ended() && run->reached() < event) return;
    time = event;
    change(inputs, {});
  }
}

void Simulation::Parts::go_to(double t) {
  pass_input_events(t);
  go_straight_to(t);
}

// Steps may end after the time to which the run is advanced. A change at that time would invalidate later points of the
// last step: so the sink gets points only when the run has been advanced beyond them.
RowSink Simulation::Parts::sink() {
  RowSink sink = inputs.rows;
  if (!sink.row) return sink;
  sink.row = [this](double t, std::span<const double> series) {
    if (!holds_back) return inputs.rows.row(t, series);
    held_back.push_back({.t = t, .series = {series.begin(), series.end()}});
    return !sink_is_full;
  };
  if (inputs.rows.event)
    sink.event = [this](const Event& event) {
      if (!holds_back) return inputs.rows.event(event);
      held_back.push_back({.t = event.time, .event = event});
    };
  return sink;
}

void Simulation::Parts::hand_out_up_to(double t) {
  for (; !held_back.empty() && held_back.front().t <= t; held_back.pop_front()) {
    const Row& first = held_back.front();
    if (first.event)
      inputs.rows.event(*first.event);
    else if (!sink_is_full)
      sink_is_full = !inputs.rows.row(first.t, first.series);
  }
}

void Simulation::Parts::add_words_on_method(Solution& solution) const {
  const std::optional<choose::Recommendation>& chosen = ways().ways.chosen;
  if (!chosen || !(reached_end(solution.outcome) || solution.outcome == Outcome::Interrupted)) return;
  solution.remarks.push_back(reason.empty() ? "method: " + choose::in_words(*chosen, ways().given.tolerance)
                                            : fmt::format("method: {}; {} would have been chosen, but {}",
                                                          to_string(ways().ways.attempts[way].method),
                                                          to_string(chosen->method), reason));
}

void Simulation::Parts::look() {
  if (series_at == time) return;
  run->values_at(time, series);
  series_at = time;
}

Simulation::Simulation(const Compiled& compiled, const RunInputs& inputs)
    : parts_(std::make_unique<Parts>(Parts{.compiled = compiled, .inputs = inputs})) {
  parts_->check_tolerance();
  parts_->read_signals();
  parts_->numbers = parts_->numbers_of(inputs, parts_->start_time());
  parts_->go_to(-std::numeric_limits<double>::infinity());
  parts_->time = parts_->run->reached();
}

Simulation::Simulation(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

double Simulation::time() const { return parts_->time; }
double Simulation::stop() const { return parts_->run->stop(); }
Outcome Simulation::outcome() const { return parts_->run->solution().outcome; }
const std::string& Simulation::message() const { return parts_->run->solution().message; }

Outcome Simulation::advance_to(double t) {
  if (!(t >= time() && t <= stop()))
    throw std::invalid_argument(
        fmt::format("the run is at t = {} and stops at {}: it cannot be advanced to {}", time(), stop(), t));
  parts_->go_to(t);
  parts_->time = std::min(t, parts_->run->reached());
  return parts_->time == t && outcome() != Outcome::NotKept ? Outcome::Success : outcome();
}

double Simulation::value(std::string_view name) const {
  const Solution& solution = parts_->run->solution();
  if (name == "time") return time();
  const auto column = solution.find(name);
  if (!column) throw std::out_of_range(fmt::format("{} has no variable or parameter '{}'", solution.model, name));
  if (solution.columns[*column].is_parameter) return solution.columns[*column].parameter_value;
  parts_->look();
  return parts_->series[*column];
}

void Simulation::set(const std::string& name, double value) { set(NamedValues{{name, value}}); }

void Simulation::set(const NamedValues& values) {
  RunInputs changed = parts_->inputs;
  NamedValues variables;
  const NamedPieces signals = parts_->signals;
  const std::vector<Parameter>& parameters = parts_->compiled.model().parameters;
  for (const auto& [name, value] : values) {
    if (parts_->hold_input(name, value)) continue;
    const bool is_parameter = std::ranges::find(parameters, name, &Parameter::name) != parameters.end();
    NamedValues& list = is_parameter ? changed.parameters : variables;
    std::erase_if(list, [&](const auto& known) { return known.first == name; });
    list.emplace_back(name, value);
  }
  try {
    parts_->change(std::move(changed), variables);
  } catch (...) {
    parts_->signals = signals;
    throw;
  }
}

// False if there is no such input.
bool Simulation::Parts::hold_input(const std::string& name, double value) {
  const Model& model = *ways().analysis.model;
  if (std::ranges::find(model.discrete.inputs, name, &ModelInput::name) == model.discrete.inputs.end()) return false;
  std::erase_if(signals, [&](const auto& known) { return known.first == name; });
  std::ranges::copy(pieces_of(model, {{name, InputTable{{time}, {value}}}}, time, run->stop(), options().tolerance),
                    std::back_inserter(signals));
  return true;
}

void Simulation::Parts::change(RunInputs changed_inputs, const NamedValues& variables) {
  if (run->has_ended() && run->reached() < run->stop())
    throw std::logic_error(fmt::format("the run has ended at t = {}: nothing can be changed", time));
  const std::shared_ptr<const Model>& model = ways().analysis.model;
  const std::shared_ptr<const Model> other = numbers_of(changed_inputs, time);
  State point = run->changed(time, other ? other : model, variables);
  std::vector<double> left;
  if (inputs.dense.value_or(ways().given.dense)) run->values_at(time, left);
  run->finish();
  Solution part = run->take_solution();
  keep_up_to(part, time);
  joined.add(part, run->epochs(), time, before ? before->events.size() : 0);
  joined.leave(std::move(left));
  if (before)
    append(*before, std::move(part));
  else
    before = std::move(part);
  inputs = std::move(changed_inputs);
  numbers = other;
  changed = std::move(point);
  held_back.clear();
  series_at.reset();
  run.reset();
  go_straight_to(-std::numeric_limits<double>::infinity());
}

RunPoint Simulation::point(std::vector<std::string>& given) const {
  for (const auto& [name, value] : parts_->inputs.parameters) given.push_back(name);
  return parts_->run->point_at(time());
}

Solution Simulation::solution() const {
  Solution part = parts_->run->solution();
  if (!parts_->before) return part;
  Solution whole = *parts_->before;
  append(whole, std::move(part));
  whole.segments.clear();  // an unfinished run has no dense output
  return whole;
}

const std::vector<Epoch>& Simulation::epochs() const {
  return parts_->joined.is_empty() ? parts_->run->epochs() : parts_->joined.epochs();
}

Solution Simulation::finish() {
  parts_->pass_input_events(std::numeric_limits<double>::infinity());
  parts_->hand_out_up_to(std::numeric_limits<double>::infinity());
  parts_->holds_back = false;
  parts_->go_to(std::numeric_limits<double>::infinity());
  Solution solution = parts_->run->take_solution();
  if (parts_->before) {
    parts_->joined.add(solution, parts_->run->epochs(), std::numeric_limits<double>::infinity(),
                       parts_->before->events.size());
    append(*parts_->before, std::move(solution));
    solution = std::move(*parts_->before);
    parts_->joined.give_to(solution);
  }
  parts_->add_words_on_method(solution);
  return solution;
}

}  // namespace driftless
