#include "driftless/solution/comparison_json.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

namespace driftless {
namespace {

using Json = nlohmann::ordered_json;

Json code_or_null(const std::optional<Code>& code) { return code ? Json(to_string(*code)) : Json(nullptr); }

Json to_object(const ComparedRun& run, const std::vector<std::string>& invariants) {
  Json object{{"formulation", run.formulation}};
  if (!run.method.empty()) object.update({{"method", run.method}, {"projection", run.projection}});
  if (!run.applies()) {
    object["not_applicable"] = run.not_applicable;
    object["code"] = code_or_null(run.code);
    return object;
  }
  const Statistics& s = run.statistics;
  Json changes = Json::object();
  for (std::size_t k = 0; k < run.changes.size(); ++k) changes[invariants[k]] = run.changes[k].largest;
  object.update({{"tolerance", run.step ? Json(nullptr) : Json(run.tolerance)},
                 {"step", run.step ? Json(*run.step) : Json(nullptr)},
                 {"outcome", to_code(run.outcome)},
                 {"code", code_or_null(run.code)},
                 {"message", run.failure},
                 {"reached", run.reached},
                 {"steps", s.steps},
                 {"rejected_steps", s.rejected_steps},
                 {"residual_evaluations", s.residual_evaluations},
                 {"jacobian_evaluations", s.jacobian_evaluations},
                 {"factorizations", s.factorizations},
                 {"condition", s.largest_condition.matrix > 0.0 ? Json(s.largest_condition.matrix) : Json(nullptr)},
                 {"seconds", s.seconds.integrate},
                 {"error", run.error},
                 {"drift", run.drift},
                 {"invariants", std::move(changes)}});
  return object;
}

Json reference_of(const Comparison& comparison) {
  if (!comparison.reference_file.empty()) return {{"file", comparison.reference_file}};
  return {{"formulation", "dummy"},
          {"method", comparison.reference_method},
          {"tolerance", comparison.reference_tolerance},
          {"error", std::isnan(comparison.reference_error) ? Json() : Json(comparison.reference_error)},
          {"outcome", to_code(comparison.reference_outcome)},
          {"reached", comparison.reference_reached}};
}

}  // namespace

std::string to_json(const Comparison& comparison) {
  Json runs = Json::array();
  for (const ComparedRun& run : comparison.runs) runs.push_back(to_object(run, comparison.invariants));
  const Json object = {{"model", comparison.model},
                       {"start", comparison.start},
                       {"stop", comparison.stop},
                       {"reference", reference_of(comparison)},
                       {"runs", std::move(runs)}};
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace driftless
