#include "driftless/solution/write_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

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
  // Large models list only what was differentiated.
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

}  // namespace

std::string to_json(const Solution& solution) {
  Numbers number;
  Json time = {{"start", number(solution.start, "start")},
               {"stop", number(solution.stop, "stop")},
               {"reached", number(solution.reached, "reached")}};
  Json tolerance = number(solution.tolerance, "tolerance");
  Json statistics = statistics_of(solution.statistics, number);

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

  Json invariants = Json::array();
  for (const InvariantEntry& entry : solution.invariants) {
    invariants.push_back({{"name", entry.name},
                          {"line", entry.line},
                          {"start", number(entry.start, entry.name)},
                          {"max_deviation", number(entry.max_deviation, "the deviation of " + entry.name)},
                          {"final_deviation", number(entry.final_deviation, "the deviation of " + entry.name)}});
  }

  NamedValues final;
  for (std::size_t k = 0; k < solution.series() && !solution.times.empty(); ++k) {
    const std::string& name = solution.columns[k].name;
    final.append(name, number(solution.value(solution.times.size() - 1, k), name));
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
  if (solution.boundary) summary["boundary"] = boundary_of(*solution.boundary, number);
  return summary.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::optional<std::string> write_json(const Solution& solution, const std::filesystem::path& path) {
  return write_file(path, to_json(solution));
}

}  // namespace driftless
