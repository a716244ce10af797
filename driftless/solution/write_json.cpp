#include "driftless/solution/write_json.hpp"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "driftless/solution/event_text.hpp"
#include "driftless/solution/output_file.hpp"

namespace driftless {
namespace {

using Json = nlohmann::ordered_json;

// Turns numbers into JSON and remembers the names of those that JSON cannot express.
class Numbers {
 public:
  Json operator()(double value, const std::string& name) {
    if (std::isfinite(value)) return value;
    if (lost_.empty() || lost_.back() != name) lost_.push_back(name);
    return nullptr;
  }

  std::string remark() const {
    constexpr std::size_t shown = 5;
    std::string text;
    for (std::size_t k = 0; k < lost_.size() && k < shown; ++k) text += (k == 0 ? "" : ", ") + lost_[k];
    if (lost_.size() > shown) text += " and " + std::to_string(lost_.size() - shown) + " more";
    return text.empty() ? text : "not finite and therefore null: " + text;
  }

 private:
  std::vector<std::string> lost_;
};

// An object with names of the user as keys. Should a name occur twice, the second gets a number: "x (2)". ordered_json
// searches all keys at every insertion; here members are only appended, so that 10^5 of them stay cheap.
class NamedValues {
 public:
  void append(const std::string& name, Json value) {
    std::string key = name;
    for (int k = 2; !keys_.insert(key).second; ++k) key = name + " (" + std::to_string(k) + ")";
    members_.emplace_back(std::move(key), std::move(value));
  }
  Json take() {
    Json object = Json::object();
    std::vector<Json::object_t::value_type>& members = object.get_ref<Json::object_t&>();
    members = std::move(members_);
    return object;
  }

 private:
  std::set<std::string> keys_;
  std::vector<Json::object_t::value_type> members_;
};

Json structure_of(const StructureSummary& structure) {
  // Large models list only equations that were differentiated.
  constexpr std::size_t few = 50;
  NamedValues differentiations;
  for (const auto& [label, times] : structure.differentiations) {
    if (times > 0 || structure.differentiations.size() <= few) differentiations.append(label, times);
  }
  return {{"equations", structure.equations},
          {"unknowns", structure.unknowns},
          {"structural_index", structure.structural_index},
          {"degrees_of_freedom", structure.degrees_of_freedom},
          {"differentiations", differentiations.take()}};
}

Json statistics_of(const Statistics& statistics, Numbers& number) {
  const Statistics::Seconds& seconds = statistics.seconds;
  return {
      {"steps", statistics.steps},
      {"rejected_steps", statistics.rejected_steps},
      {"residual_evaluations", statistics.residual_evaluations},
      {"jacobian_evaluations", statistics.jacobian_evaluations},
      {"factorizations", statistics.factorizations},
      {"pivots", statistics.pivots},
      {"evaluation", to_string(statistics.evaluation)},
      {"condition", statistics.largest_condition.matrix > 0.0 ? number(statistics.largest_condition.matrix, "condition")
                                                              : Json(nullptr)},
      {"seconds", Json{{"parse", number(seconds.parse, "seconds")},
                       {"analyze", number(seconds.analyze, "seconds")},
                       {"compile", number(seconds.compile, "seconds")},
                       {"initialize", number(seconds.initialize, "seconds")},
                       {"integrate", number(seconds.integrate, "seconds")}}}};
}

const char* to_string(Column::Discrete type) {
  switch (type) {
    case Column::Discrete::No: return "continuous";
    case Column::Discrete::Real: return "Real";
    case Column::Discrete::Integer: return "Integer";
    case Column::Discrete::Boolean: return "Boolean";
    case Column::Discrete::Enumeration: return "enumeration";
  }
  return "unknown";
}

// Types of discrete columns, and the numbers that Integers, Booleans and enumerations are, without a decimal point.
class DiscreteColumns {
 public:
  DiscreteColumns(const std::vector<Column>& columns, Numbers& number) : number_(number) {
    for (const Column& column : columns)
      if (column.discrete != Column::Discrete::No) by_name_.emplace(column.name, &column);
  }

  Json value(const std::string& name, double value) {
    const auto found = by_name_.find(name);
    const bool whole = found != by_name_.end() && has_whole_numbers(*found->second);
    if (whole && std::abs(value) < 1e15 && value == std::round(value)) return std::llround(value);
    return number_(value, name);
  }

  Json change(const ChangeOfValue& change) {
    return {{"name", change.name}, {"from", value(change.name, change.from)}, {"to", value(change.name, change.to)}};
  }

  static Json types(const std::vector<Column>& columns) {
    NamedValues types;
    for (const Column& column : columns) {
      if (column.discrete == Column::Discrete::No) continue;
      Json type = {{"type", to_string(column.discrete)}};
      if (column.discrete == Column::Discrete::Enumeration) type["literals"] = column.literals;
      types.append(column.name, std::move(type));
    }
    return types.take();
  }

 private:
  Numbers& number_;
  std::map<std::string, const Column*> by_name_;
};

Json event_of(const Event& event, DiscreteColumns& columns, Numbers& number) {
  Json discrete = Json::array(), jumps = Json::array(), impulses = Json::array();
  for (const ChangeOfValue& change : event.discrete) discrete.push_back(columns.change(change));
  for (const ChangeOfValue& jump : event.jumps) jumps.push_back(columns.change(jump));
  for (const Impulse& impulse : event.impulses)
    impulses.push_back({{"name", impulse.name},
                        {"size", number(impulse.size, "the impulse of " + impulse.name)},
                        {"unit", impulse.unit}});
  return {{"time", number(event.time, "the time of an event")},
          {"causes", event.causes},
          {"iterations", event.iterations},
          {"discrete", std::move(discrete)},
          {"jumps", std::move(jumps)},
          {"impulses", std::move(impulses)},
          {"mode", event.mode.empty() ? Json(nullptr) : Json(event.mode)}};
}

// The number of events by cause; the list has only the first ones of very many.
Json events_of(const Solution& solution, DiscreteColumns& columns, Numbers& number) {
  const Statistics& statistics = solution.statistics;
  NamedValues causes;
  for (const auto& [cause, times] : statistics.events_by_cause) causes.append(cause, times);
  Json list = Json::array();
  for (const Event& event : solution.events) list.push_back(event_of(event, columns, number));
  return {{"number", statistics.events},
          {"iterations", statistics.event_iterations},
          {"modes", statistics.modes},
          {"causes", causes.take()},
          {"discrete", DiscreteColumns::types(solution.columns)},
          {"list", std::move(list)}};
}

Json boundary_of(const BoundarySummary& boundary, Numbers& number) {
  Json conditions = Json::array();
  for (const BoundarySummary::Condition& condition : boundary.conditions)
    conditions.push_back({{"text", condition.text},
                          {"at", condition.at_stop ? "stop" : "start"},
                          {"residual", number(condition.residual, "the residual of " + condition.text)}});
  return {{"mesh_intervals", boundary.intervals},
          {"meshes", boundary.meshes},
          {"newton_iterations", boundary.newton_iterations},
          {"error", boundary.error ? number(*boundary.error, "error") : Json(nullptr)},
          {"defect", boundary.defect ? number(*boundary.defect, "defect") : Json(nullptr)},
          {"conditions", std::move(conditions)}};
}

Json certificate_of(const Solution& solution, Numbers& number) {
  Json certificate = Json::array();
  for (const CertificateEntry& entry : solution.certificate) {
    certificate.push_back({{"constraint", entry.constraint},
                           {"line", entry.line},
                           {"level", entry.level},
                           {"max_residual", number(entry.max_residual, "the residual of " + entry.constraint)},
                           {"max_relative", number(entry.max_relative, "the residual of " + entry.constraint)},
                           {"imposed", entry.imposed},
                           {"kept", entry.kept(solution.bound)}});
  }
  return certificate;
}

Json invariants_of(const Solution& solution, Numbers& number) {
  Json invariants = Json::array();
  for (const InvariantEntry& entry : solution.invariants) {
    invariants.push_back({{"name", entry.name},
                          {"line", entry.line},
                          {"start", number(entry.start, entry.name)},
                          {"max_deviation", number(entry.max_deviation, "the deviation of " + entry.name)},
                          {"final_deviation", number(entry.final_deviation, "the deviation of " + entry.name)}});
  }
  return invariants;
}

}  // namespace

std::string to_json(const Solution& solution) {
  Numbers number;
  Json time = {{"start", number(solution.start, "start")},
               {"stop", number(solution.stop, "stop")},
               {"reached", number(solution.reached, "reached")}};
  Json tolerance = number(solution.tolerance, "tolerance");
  Json statistics = statistics_of(solution.statistics, number);

  Json certificate = certificate_of(solution, number);
  Json invariants = invariants_of(solution, number);
  DiscreteColumns discrete(solution.columns, number);
  Json events = has_events(solution) ? events_of(solution, discrete, number) : Json(nullptr);
  NamedValues final;
  for (std::size_t k = 0; k < solution.series() && !solution.times.empty(); ++k) {
    const std::string& name = solution.columns[k].name;
    final.append(name, discrete.value(name, solution.value(solution.times.size() - 1, k)));
  }

  std::string message = solution.message;
  if (const std::string remark = number.remark(); !remark.empty()) {
    message += (message.empty() ? "" : "; ") + remark;
  }

  Json summary = {{"model", solution.model},
                  {"outcome", to_code(solution.outcome)},
                  {"code", solution.code ? Json(to_string(*solution.code)) : Json(nullptr)},
                  {"message", std::move(message)},
                  {"time", std::move(time)},
                  {"structure", structure_of(solution.structure)},
                  {"formulation", solution.formulation},
                  {"method", solution.method},
                  {"projection", solution.projection},
                  {"tolerance", std::move(tolerance)},
                  {"step", solution.step ? Json(*solution.step) : Json(nullptr)},
                  {"statistics", std::move(statistics)},
                  {"verdict", solution.verdict() == Verdict::Kept ? "kept" : "not_kept"},
                  {"bound", solution.bound},
                  {"certificate", std::move(certificate)},
                  {"invariants", std::move(invariants)},
                  {"final", final.take()},
                  {"details", solution.details},
                  {"remarks", solution.remarks}};
  if (!events.is_null()) summary["events"] = std::move(events);
  if (solution.boundary) summary["boundary"] = boundary_of(*solution.boundary, number);
  return summary.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::optional<std::string> write_json(const Solution& solution, const std::filesystem::path& path) {
  return write_file(path, to_json(solution));
}

}  // namespace driftless
