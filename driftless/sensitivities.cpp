#include "driftless/sensitivities.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "driftless/clock/processor_time.hpp"
#include "driftless/compiled_parts.hpp"
#include "driftless/simulation.hpp"
#include "driftless/solution/write_json.hpp"
#include "driftless/sensitivity_path.hpp"

namespace driftless {
namespace {

[[noreturn]] void refuse(Code code, const std::string& reason, const Model& model) {
  Diagnostics diagnostics;
  diagnostics.error(code, {}, reason);
  throw ModelError(diagnostics, *model.sources);
}

std::string quotient_unit(const std::string& unit, const std::string& by) {
  return by.empty() ? unit : fmt::format("{}/({})", unit.empty() ? "1" : unit, by);
}

bool has_sensitivity(const Column& column, const std::vector<InvariantEntry>& invariants) {
  if (column.discrete != Column::Discrete::No && column.discrete != Column::Discrete::Real) return false;
  return std::ranges::find(invariants, column.name, &InvariantEntry::name) == invariants.end();
}

std::string unit_of(const Model& model, const sensitivity::Direction& direction) {
  return direction.is_start ? model.variables[direction.place].unit : model.parameters[direction.place].unit;
}

// Which columns of the run have sensitivities, and where these are after the series of the run.
struct Layout {
  std::vector<std::size_t> of;  // columns of the run
  std::size_t series = 0;       // of the run
  std::size_t directions = 0;
  std::size_t size() const { return series + of.size() * directions; }

  void fill(const Eigen::MatrixXd& values, std::span<double> row) const {
    for (std::size_t k = 0; k < of.size(); ++k)
      for (std::size_t p = 0; p < directions; ++p)
        row[series + k * directions + p] = values(static_cast<Eigen::Index>(of[k]), static_cast<Eigen::Index>(p));
  }
};

Layout add_columns(const std::vector<sensitivity::Direction>& directions, const Model& model, Solution& solution) {
  Layout layout{{}, solution.series(), directions.size()};
  std::vector<Column> columns(solution.columns.begin(),
                              solution.columns.begin() + static_cast<std::ptrdiff_t>(layout.series));
  for (std::size_t k = 0; k < layout.series; ++k) {
    const Column column = solution.columns[k];
    if (!has_sensitivity(column, solution.invariants)) continue;
    layout.of.push_back(k);
    for (const sensitivity::Direction& direction : directions)
      columns.push_back({.name = sensitivity_name(column.name, direction.name),
                         .unit = quotient_unit(column.unit, unit_of(model, direction)),
                         .description = fmt::format("sensitivity of {} to {}{}", column.name,
                                                    direction.is_start ? "the start of " : "", direction.name),
                         .is_derivative = true});
  }
  columns.insert(columns.end(), solution.columns.begin() + static_cast<std::ptrdiff_t>(layout.series),
                 solution.columns.end());
  solution.columns = std::move(columns);
  return layout;
}

// Passes the output points of a run to a sink, as the run itself would have done.
void replay(const Solution& solution, const RowSink& rows) {
  if (!rows.row) return;
  Solution head = solution;
  head.times.clear();
  head.values.clear();
  if (rows.begin) rows.begin(head);
  const std::size_t series = solution.series();
  std::size_t event = 0;
  for (std::size_t k = 0; k < solution.times.size(); ++k) {
    const bool is_behind = k > 0 && solution.times[k] == solution.times[k - 1];
    while (rows.event && event < solution.events.size() &&
           (solution.events[event].time < solution.times[k] ||
            (is_behind && solution.events[event].time == solution.times[k])))
      rows.event(solution.events[event++]);
    if (!rows.row(solution.times[k], std::span(solution.values).subspan(k * series, series))) return;
  }
  for (; rows.event && event < solution.events.size(); ++event) rows.event(solution.events[event]);
}

}  // namespace

std::string sensitivity_name(const std::string& variable, const std::string& parameter) {
  return fmt::format("d({})/d({})", variable, parameter);
}

struct Sensitivities::Parts {
  Compiled compiled;
  std::vector<std::string> names;
  std::shared_ptr<SensitivityModes> modes = {};

  SensitiveSolution with_columns(const std::shared_ptr<Solution>& run, const RunInputs& inputs,
                                 std::vector<Epoch> epochs);
};

Sensitivities::Sensitivities(const Compiled& compiled, std::vector<std::string> names)
    : parts_(std::make_unique<Parts>(Parts{compiled, std::move(names)})) {
  try {
    sensitivity::directions_of(compiled.model(), parts_->names, {}, {});
  } catch (const sensitivity::UnknownDirection& error) {
    refuse(Code::UnknownName, error.what(), compiled.model());
  } catch (const sensitivity::NotAvailable& error) {
    refuse(Code::NoSensitivity, fmt::format("no sensitivities: {}", error.what()), compiled.model());
  }
  // The structure of the equations is the same whichever way a run takes.
  const Compiled::Parts& ways = *compiled.parts_;
  for (std::size_t k = 0;; ++k) try {
      parts_->modes = std::make_shared<SensitivityModes>(ways.way(k), parts_->names, compiled.options().backend);
      return;
    } catch (const ModelError&) {
      if (k + 1 >= ways.ways.attempts.size()) throw;
    } catch (const sensitivity::NotAvailable& error) {
      refuse(Code::NoSensitivity, fmt::format("no sensitivities: {}", error.what()), compiled.model());
    }
}

Sensitivities::~Sensitivities() = default;
Sensitivities::Sensitivities(Sensitivities&&) noexcept = default;
Sensitivities& Sensitivities::operator=(Sensitivities&&) noexcept = default;

const std::vector<std::string>& Sensitivities::names() const { return parts_->names; }

// The path lives as long as the dense output of the result.
SensitiveSolution Sensitivities::Parts::with_columns(const std::shared_ptr<Solution>& run, const RunInputs& inputs,
                                                     std::vector<Epoch> epochs) {
  const auto path = std::make_shared<SensitivityPath>(*modes, names, inputs, *run, std::move(epochs));
  SensitiveSolution solution{*run, names, {}};
  const Layout layout = add_columns(path->directions(), compiled.model(), solution);
  solution.values.assign(solution.times.size() * layout.size(), 0.0);
  Eigen::MatrixXd values;
  for (std::size_t k = 0; k < solution.times.size(); ++k) {
    const std::span<const double> series = std::span(run->values).subspan(k * layout.series, layout.series);
    const std::span<double> row = std::span(solution.values).subspan(k * layout.size(), layout.size());
    std::ranges::copy(series, row.begin());
    path->sensitivities(path->epoch_of_row(k), solution.times[k], series, values);
    layout.fill(values, row);
  }
  for (std::size_t k = 0; k < path->epochs().size(); ++k)
    if (const auto event = path->epochs()[k].event) {
      const Eigen::RowVectorXd& slopes = path->event_times()[k];
      solution.event_times.push_back({solution.events[*event].time, solution.events[*event].causes,
                                      std::vector<double>(slopes.begin(), slopes.end())});
    }
  for (const std::string& name : path->without_effect())
    solution.remarks.push_back(fmt::format(
        "nothing depends on the start of {}: it is a guess (fixed = false) that the equations correct", name));
  solution.remarks.push_back(fmt::format("sensitivities to {}: {} step{} of collocation along the run",
                                         fmt::join(names, ", "), path->steps(), path->steps() == 1 ? "" : "s"));
  solution.observer = [run, path, layout, modes = modes](double t, std::vector<double>& y, std::vector<double>& yp,
                                                         std::vector<double>& series) {
    std::vector<double> plain(layout.series);
    run->observer(t, y, yp, plain);
    Eigen::MatrixXd at;
    path->sensitivities(path->epoch_at(t), t, plain, at);
    std::ranges::copy(plain, series.begin());
    layout.fill(at, series);
  };
  return solution;
}

SensitiveSolution Sensitivities::run(const RunInputs& inputs) {
  RunInputs plain = inputs;
  plain.dense = true;
  plain.rows = {.row = [](double, std::span<const double>) { return true; }};
  Simulation simulation(parts_->compiled, plain);
  const auto run = std::make_shared<Solution>(simulation.finish());
  const RowSink rows = inputs.rows.row ? inputs.rows : parts_->compiled.options().rows;
  if (run->times.empty() || !(run->reached > run->start)) {
    replay(*run, rows);
    return {*run, parts_->names, {}};
  }
  const double begin = processor_seconds();
  try {
    SensitiveSolution solution = parts_->with_columns(run, inputs, simulation.epochs());
    solution.statistics.seconds.integrate += processor_seconds() - begin;
    replay(solution, rows);
    return solution;
  } catch (const sensitivity::NotAvailable& error) {
    refuse(Code::NoSensitivity, fmt::format("no sensitivities: {}", error.what()), parts_->compiled.model());
  }
}

SensitiveSolution simulate(const Compiled& compiled, const RunInputs& inputs, const std::vector<std::string>& names) {
  return Sensitivities(compiled, names).run(inputs);
}

std::string to_json(const SensitiveSolution& solution) {
  using Json = nlohmann::ordered_json;
  Json summary = Json::parse(to_json(static_cast<const Solution&>(solution)));
  Json times = Json::array();
  for (const EventTimeSensitivity& event : solution.event_times) {
    Json slopes = Json::object();
    for (std::size_t k = 0; k < event.slopes.size(); ++k) slopes[solution.sensitivities[k]] = event.slopes[k];
    times.push_back({{"time", event.time}, {"causes", event.causes}, {"slopes", std::move(slopes)}});
  }
  summary["sensitivities"] = {{"names", solution.sensitivities}, {"event_times", std::move(times)}};
  return summary.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string event_times_text(const SensitiveSolution& solution) {
  constexpr std::size_t shown = 10;
  if (solution.event_times.empty()) return {};
  std::string text = fmt::format("\n{:<14}", "event at t");
  for (const std::string& name : solution.sensitivities) text += fmt::format("  {:>18}", "d(t)/d(" + name + ")");
  text += "  cause\n";
  for (std::size_t k = 0; k < solution.event_times.size() && k < shown; ++k) {
    const EventTimeSensitivity& event = solution.event_times[k];
    text += fmt::format("{:<14.9g}", event.time);
    for (const double slope : event.slopes) text += fmt::format("  {:>18.9g}", slope);
    text += fmt::format("  {}\n", fmt::join(event.causes, ", "));
  }
  if (solution.event_times.size() > shown) text += fmt::format("and {} more\n", solution.event_times.size() - shown);
  return text;
}

}  // namespace driftless
