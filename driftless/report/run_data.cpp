#include "driftless/report/run_data.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "driftless/report/encoding.hpp"

namespace driftless::reporting {
namespace {

constexpr std::size_t most_doubles = 150'000;  // values of all series
constexpr std::size_t most_floats = 450'000;
constexpr std::size_t most_events = 2'000;
constexpr std::size_t most_pivots = 4'000;
constexpr std::size_t most_state_lines = 40;
constexpr std::size_t most_bars = 30;

// JSON has no infinity and no NaN: they become null.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

int kind_of(const Column& column) {
  if (column.discrete != Column::Discrete::No) return 2;
  return column.is_derivative ? 1 : 0;
}

}  // namespace

namespace {

// Packs values with the precision that fits the size limit.
void pack(Json& column, const std::vector<double>& values, std::size_t values_in_all) {
  if (values_in_all <= most_doubles) {
    column["values"] = packed_doubles(values);
  } else if (values_in_all <= most_floats) {
    column["values"] = packed_floats(values);
  } else {
    Scaled scaled = packed_shorts(values);
    column["low"] = scaled.low, column["high"] = scaled.high, column["values"] = std::move(scaled.text);
  }
}

}  // namespace

Json series_data(const KeptRows& rows, const std::vector<std::string>& shown) {
  const std::size_t values = rows.times().size() * rows.columns().size();
  Json columns = Json::array(), drift = Json::array(), descriptions = Json::array();
  std::map<std::string, std::size_t> described;
  for (std::size_t k = 0; k < rows.columns().size(); ++k) {
    const Column& column = rows.columns()[k];
    Json one = {{"name", column.name}};
    if (!column.unit.empty()) one["unit"] = column.unit;
    if (!column.description.empty()) {
      const auto [place, is_new] = described.try_emplace(column.description, described.size());
      if (is_new) descriptions.push_back(column.description);
      one["about"] = place->second;
    }
    if (const int kind = kind_of(column)) one["kind"] = kind;
    if (!column.literals.empty()) one["literals"] = column.literals;
    pack(one, rows.values_of(k), values);
    columns.push_back(std::move(one));
  }
  for (std::size_t level = 0; level < rows.levels(); ++level) drift.push_back(packed_floats(rows.drift_of(level)));
  return {{"times", packed_doubles(rows.times())},
          {"bytes", values <= most_doubles  ? 8
                    : values <= most_floats ? 4
                                            : 2},
          {"columns", std::move(columns)},
          {"descriptions", std::move(descriptions)},
          {"columns_in_all", rows.columns_in_all()},
          {"rows_in_all", rows.rows_in_all()},
          {"shown", shown},
          {"drift", std::move(drift)}};
}

Json events_data(const Solution& solution) {
  Json events = Json::array(), pivots = Json::array();
  for (std::size_t k = 0; k < std::min(most_events, solution.events.size()); ++k) {
    const Event& event = solution.events[k];
    events.push_back({event.time, fmt::format("{}", fmt::join(event.causes, ", "))});
  }
  const std::size_t stride = 1 + solution.pivots.size() / most_pivots;
  for (std::size_t k = 0; k < solution.pivots.size(); k += stride)
    pivots.push_back({solution.pivots[k].time, solution.pivots[k].out, solution.pivots[k].in});
  return {{"events", std::move(events)},
          {"events_in_all", solution.statistics.events},
          {"pivots", std::move(pivots)},
          {"pivots_in_all", solution.statistics.pivots}};
}

Json states_data(const Solution& solution, const std::optional<PossibleStates>& possible) {
  if (solution.pivots.empty()) return nullptr;
  std::map<std::string, Json> spans;
  std::map<std::string, double> since;
  std::vector<std::string> order;
  std::set<std::string> known;
  const auto meet = [&](const std::string& name) {
    if (known.insert(name).second) order.push_back(name), spans[name] = Json::array();
  };
  if (possible)
    for (const PossibleStates::Choice& choice : possible->choices)
      for (const std::string& name : choice.candidates) meet(name);
  for (const Pivot& pivot : solution.pivots) {
    if (pivot.out == "chart") continue;
    meet(pivot.out), meet(pivot.in);
    // Without a record of the start: a quantity that is first exchanged out has been a state until then.
    const auto begun = since.find(pivot.out);
    spans[pivot.out].push_back({begun == since.end() ? solution.start : begun->second, pivot.time});
    if (begun != since.end()) since.erase(begun);
    since[pivot.in] = pivot.time;
  }
  for (const auto& [name, begin] : since) spans[name].push_back({begin, solution.reached});
  Json lines = Json::array();
  // Quantities with changes come first, as they are of interest.
  std::ranges::stable_sort(order, [&](const auto& a, const auto& b) { return spans[a].size() > spans[b].size(); });
  for (std::size_t k = 0; k < std::min(order.size(), most_state_lines); ++k)
    lines.push_back({order[k], std::move(spans[order[k]])});
  return {{"lines", std::move(lines)}, {"candidates", order.size()}};
}

Json certificate_data(const Solution& solution) {
  std::vector<std::size_t> order(solution.certificate.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  if (order.size() > most_bars) {
    const auto size = [&](std::size_t k) {
      const double relative = solution.certificate[k].max_relative;
      return std::isnan(relative) ? HUGE_VAL : relative;
    };
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return size(a) > size(b); });
    order.resize(most_bars);
  }
  Json entries = Json::array();
  for (const std::size_t k : order) {
    const CertificateEntry& e = solution.certificate[k];
    entries.push_back({{"label", e.constraint},
                       {"text", e.text},
                       {"level", e.level},
                       {"residual", number(e.max_residual)},
                       {"relative", number(e.max_relative)},
                       {"at", number(e.at_time)},
                       {"kept", e.kept(solution.bound)}});
  }
  return {{"bound", solution.bound}, {"entries", std::move(entries)}, {"in_all", solution.certificate.size()}};
}

Json animation_data(const Animation& animation) {
  if (animation.is_empty()) return nullptr;
  const Scaled values = packed_shorts(animation.values());
  if (!(values.high > values.low)) return nullptr;
  const Mechanism& mechanism = animation.mechanism();
  Json shapes = Json::array();
  for (std::size_t k = 0; k < mechanism.shapes.size(); ++k) {
    const AnimatedShape& shape = mechanism.shapes[k];
    const char* kinds[] = {"point", "line", "circle"};
    shapes.push_back({{"kind", kinds[static_cast<int>(shape.kind)]},
                      {"name", shape.name},
                      {"at", animation.places_of(k)},
                      {"elastic", animation.is_elastic(k)}});
  }
  return {{"dimension", mechanism.shapes.front().dimension},
          {"declared", mechanism.is_declared},
          {"coordinates", animation.coordinates()},
          {"times", packed_doubles(animation.times())},
          {"low", values.low},
          {"high", values.high},
          {"values", values.text},
          {"shapes", std::move(shapes)}};
}

}  // namespace driftless::reporting
