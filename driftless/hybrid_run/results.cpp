#include "driftless/hybrid_run/results.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <unordered_map>

#include "driftless/solution/join_certificates.hpp"

namespace driftless {
namespace {

constexpr std::size_t most_recorded = 10'000;  // events in Solution::events

Column::Discrete kind_of(DiscreteType type) {
  switch (type) {
    case DiscreteType::Integer: return Column::Discrete::Integer;
    case DiscreteType::Boolean: return Column::Discrete::Boolean;
    case DiscreteType::Enumeration: return Column::Discrete::Enumeration;
    default: return Column::Discrete::Real;
  }
}

std::size_t place(ParamId id) { return static_cast<std::size_t>(index(id)); }

double value_of_series(int k, std::span<const double> series) {
  return k >= 0 ? series[static_cast<std::size_t>(k)] : std::nan("");
}

}  // namespace

HybridResults::HybridResults(const HybridModes& modes, const IntegrateOptions& integration, Solution& solution)
    : modes_(modes),
      model_(modes.numbers()),
      part_(model_.discrete),
      solution_(solution),
      rows_(integration.rows),
      dense_(integration.dense),
      tolerance_(integration.tolerance),
      counts_(part_.held.size() + part_.samplings.size() + part_.inputs.size(), 0) {
  for (const DiscreteVariable& variable : part_.variables)
    if (!variable.auxiliary) discrete_columns_.push_back(place(variable.value));
}

// ---- rows

RowSink HybridResults::sink_of(HybridMode& mode) {
  RowSink sink;
  sink.keep_all = false;
  sink.row = [this, &mode](double t, std::span<const double> series) { return take_row(mode, t, series); };
  sink.begin = [this, &mode](const Solution&) {
    if (solution_.columns.empty()) describe_columns(mode.part);
    mode.series_of_column.clear();
    std::unordered_map<std::string_view, int> series;
    for (std::size_t k = 0; k < mode.part.columns.size(); ++k)
      if (!mode.part.columns[k].is_parameter) series.emplace(mode.part.columns[k].name, static_cast<int>(k));
    for (const Column& column : solution_.columns) {
      if (column.is_parameter || column.discrete != Column::Discrete::No) break;
      const auto found = series.find(column.name);
      mode.series_of_column.push_back(found == series.end() ? -1 : found->second);
    }
  };
  return sink;
}

void HybridResults::describe_columns(const Solution& part) {
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

// Makes room for a mode with more levels of constraints than earlier ones, whose residuals there do not exist.
void HybridResults::widen_drift(std::size_t levels) {
  std::vector<double> wide(solution_.times.size() * levels, 0.0);
  for (std::size_t row = 0; row < solution_.times.size(); ++row)
    for (std::size_t level = 0; level < solution_.drift_levels; ++level)
      wide[row * levels + level] = solution_.constraint_drift[row * solution_.drift_levels + level];
  solution_.constraint_drift = std::move(wide);
  solution_.drift_levels = levels;
}

bool HybridResults::take_row(const HybridMode& mode, double t, std::span<const double> series) {
  row_.clear();
  for (const int k : mode.series_of_column) row_.push_back(value_of_series(k, series));
  for (const std::size_t p : discrete_columns_) row_.push_back(mode.system->parameters()[p]);
  if (!rows_.keep_all) solution_.times.clear(), solution_.values.clear(), solution_.constraint_drift.clear();
  if (mode.part.drift_levels > solution_.drift_levels) widen_drift(mode.part.drift_levels);
  ++solution_.points;
  solution_.times.push_back(t);
  solution_.values.insert(solution_.values.end(), row_.begin(), row_.end());
  for (std::size_t level = 0; level < solution_.drift_levels; ++level)
    solution_.constraint_drift.push_back(level < mode.part.drift_levels ? mode.part.constraint_drift[level] : 0.0);
  return !rows_.row || rows_.row(t, row_);
}

void HybridResults::values_at(double t, const HybridMode& mode, std::span<const double> parameters,
                              std::vector<double>& series) {
  std::vector<double> part;
  mode.run->values_at(t, part);
  series.clear();
  for (const int k : mode.series_of_column) series.push_back(value_of_series(k, part));
  for (const std::size_t p : discrete_columns_) series.push_back(parameters[p]);
}

// ---- events

// Each cause by its number: held expressions, samplings, then inputs.
template <class Use>
void for_each_cause(const DiscretePart& part, const EventIteration::Causes& causes, const HybridResults::Sides& sides,
                    Use use) {
  for (const int k : causes.held) use(static_cast<std::size_t>(k));
  for (const int k : causes.samplings) use(part.held.size() + static_cast<std::size_t>(k));
  for (std::size_t k = 0; k < part.inputs.size(); ++k)
    if (const std::size_t p = place(part.inputs[k].origin); sides.parameters_before[p] != sides.parameters[p])
      use(part.held.size() + part.samplings.size() + k);
}

std::string HybridResults::text_of(std::size_t cause) const {
  if (cause < part_.held.size()) return part_.held[cause].text;
  cause -= part_.held.size();
  if (cause < part_.samplings.size()) return model_[part_.samplings[cause].now].name;
  return "input " + part_.inputs[cause - part_.samplings.size()].name;
}

std::vector<std::string> HybridResults::texts_of(const EventIteration::Causes& causes, const Sides& sides) const {
  std::vector<std::string> texts;
  for_each_cause(part_, causes, sides, [&](std::size_t cause) { texts.push_back(text_of(cause)); });
  return texts;
}

void HybridResults::count(const EventIteration::Causes& causes, const Sides& sides) {
  for_each_cause(part_, causes, sides, [&](std::size_t cause) {
    if (counts_[cause]++ == 0) order_.push_back(cause);
  });
}

void HybridResults::record(double t, const EventIteration::Causes& causes, const EventIteration::Result& result,
                           const Sides& sides) {
  count(causes, sides);
  if (dense_)
    next_ = {
        .held = causes.held, .held_values = causes.values, .samplings = causes.samplings, .reinits = result.reinits};
  ++solution_.statistics.events;
  solution_.statistics.event_iterations += result.iterations;
  const bool is_kept = solution_.events.size() < most_recorded;
  if (!is_kept && !rows_.event) return;
  Event event;
  event.time = t;
  event.causes = texts_of(causes, sides);
  event.iterations = result.iterations;
  for (const DiscreteVariable& variable : part_.variables) {
    const double was = sides.parameters_before[place(variable.value)], is = sides.parameters[place(variable.value)];
    if (was != is && !variable.auxiliary) event.discrete.push_back({variable.name, was, is});
  }
  event.impulses = result.impulses;
  if (sides.from.mode != sides.to.mode) event.mode = modes_[sides.to.mode].description;
  event.jumps = jumps(sides);
  if (rows_.event) rows_.event(event);
  if (!is_kept) return;
  next_.event = solution_.events.size();
  solution_.events.push_back(std::move(event));
}

// Jumps of variables with a memory by more than the tolerance.
std::vector<ChangeOfValue> HybridResults::jumps(const Sides& sides) const {
  const Reduced &old = modes_[sides.from.mode].reduced(), &reduced = modes_[sides.to.mode].reduced();
  std::vector<ChangeOfValue> jumps;
  for (std::size_t k = 0; k < sides.to.quantities.size(); ++k) {
    const Quantity q = reduced.quantities[k];
    const auto known = &old == &reduced ? old.quantities.begin() + static_cast<std::ptrdiff_t>(k)
                                        : std::ranges::lower_bound(old.quantities, q);
    if (reduced.place(q) != Place::Slot || known == old.quantities.end() || *known != q) continue;
    const double was = sides.from.quantities[static_cast<std::size_t>(known - old.quantities.begin())],
                 is = sides.to.quantities[k];
    const double size = std::max(std::abs(was), std::abs(is)) + model_[q.variable].nominal;
    if (std::abs(is - was) > tolerance_ * size) jumps.push_back({reduced.name(q), was, is});
  }
  return jumps;
}

// ---- dense output

void HybridResults::keep_segments(HybridMode& mode) {
  if (!dense_) return;
  std::vector<Segment>& segments = mode.part.segments;
  solution_.segments.insert(solution_.segments.end(), std::make_move_iterator(segments.begin()),
                            std::make_move_iterator(segments.end()));
  segments.clear();
}

void HybridResults::begin_epoch(double t, std::size_t mode, std::span<const double> parameters) {
  if (!dense_) return;
  const std::size_t before = mode_epochs_.empty() ? mode : mode_epochs_.back().mode;
  mode_epochs_.push_back({t, mode, modes_[mode].parameters_with_ends(parameters)});
  Epoch epoch = std::exchange(next_, {});
  epoch.from = t;
  epoch.parameters.assign(parameters.begin(), parameters.end());
  take_contacts(mode, before, epoch);
  epochs_.push_back(std::move(epoch));
}

// Where contacts begin or end, the event is described by the expressions found, which need not be relations of the
// model.
void HybridResults::take_contacts(std::size_t mode, std::size_t before, Epoch& epoch) {
  const std::vector<SurfaceContact>&contacts = modes_[mode].contacts, &old = modes_[before].contacts;
  const Epoch found = std::exchange(found_, {});
  if (!contacts.empty()) epoch.contact = std::make_shared<const Analysis>(modes_[mode].prepared->analysis);
  if (contacts == old) return;
  for (const SurfaceContact& contact : contacts) {
    epoch.is_weighed |= contact.pushes.size() > 1 || !contact.idle.empty();
    epoch.begins_rest |= contact.is_rest && std::ranges::find(old, contact) == old.end();
  }
  for (std::size_t k = 0; k < found.held.size(); ++k)
    if (std::ranges::find(epoch.held, found.held[k]) == epoch.held.end()) {
      epoch.held.push_back(found.held[k]);
      epoch.held_values.push_back(found.held_values[k]);
    }
}

// At the time of an event the observer uses the mode after it.
void HybridResults::make_observer() {
  struct Part {
    std::shared_ptr<System> system;
    decltype(Solution::observer) observer;
    std::vector<int> series_of_column;
    std::size_t series = 0;
  };
  std::vector<Part> parts;
  for (std::size_t k = 0; k < modes_.size(); ++k) {
    const HybridMode& mode = modes_[k];
    parts.push_back({mode.system, mode.part.observer, mode.series_of_column, mode.part.series()});
  }
  solution_.observer = [parts = std::move(parts), values = discrete_columns_, epochs = std::move(mode_epochs_)](
                           double t, std::vector<double>& y, std::vector<double>& yp, std::vector<double>& series) {
    const auto next = std::ranges::upper_bound(epochs, t, {}, &ModeEpoch::from);
    const ModeEpoch& epoch = next == epochs.begin() ? *next : *std::prev(next);
    const Part& part = parts[epoch.mode];
    part.system->set_parameters(epoch.parameters);
    std::vector<double> of_part(part.series);
    part.observer(t, y, yp, of_part);
    std::size_t column = 0;
    for (const int k : part.series_of_column) series[column++] = value_of_series(k, of_part);
    for (const std::size_t p : values) series[column++] = epoch.parameters[p];
  };
}

// ---- the end

void HybridResults::collect(std::size_t last) {
  const Solution& end = modes_[last].part;
  solution_.outcome = end.outcome;
  solution_.code = end.code;
  solution_.message = end.message;
  Statistics causes;
  for (const std::size_t cause : order_) causes.events_by_cause.emplace_back(text_of(cause), counts_[cause]);
  solution_.statistics.add(causes);
  for (std::size_t k = 0; k < modes_.size(); ++k) join(modes_[k].part);
  std::ranges::stable_sort(solution_.pivots, {}, &Pivot::time);
  solution_.statistics.modes = static_cast<int>(modes_.size());
  if (dense_) make_observer();
}

void HybridResults::join(const Solution& part) {
  solution_.statistics.add(part.statistics);
  solution_.details.insert(solution_.details.end(), part.details.begin(), part.details.end());
  for (const std::string& remark : part.remarks)
    if (std::ranges::find(solution_.remarks, remark) == solution_.remarks.end()) solution_.remarks.push_back(remark);
  solution_.pivots.insert(solution_.pivots.end(), part.pivots.begin(), part.pivots.end());
  add_to_certificate(solution_.certificate, part.certificate);
  if (solution_.invariants.empty()) solution_.invariants = part.invariants;
}

}  // namespace driftless
