#include "driftless/solution/comparison_json.hpp"

#include <nlohmann/json.hpp>

namespace driftless {
namespace {

using Json = nlohmann::ordered_json;

Json to_object(const ComparedRun& run) {
  Json object{{"formulation", run.formulation}};
  if (!run.applies()) {
    object["not_applicable"] = run.not_applicable;
    return object;
  }
  const Statistics& s = run.statistics;
  object.update({{"tolerance", run.tolerance},
                 {"outcome", to_code(run.outcome)},
                 {"reached", run.reached},
                 {"steps", s.steps},
                 {"rejected_steps", s.rejected_steps},
                 {"residual_evaluations", s.residual_evaluations},
                 {"jacobian_evaluations", s.jacobian_evaluations},
                 {"factorizations", s.factorizations},
                 {"seconds", s.seconds.integrate},
                 {"error", run.error},
                 {"drift", run.drift}});
  return object;
}

}  // namespace

std::string to_json(const Comparison& comparison) {
  Json runs = Json::array();
  for (const ComparedRun& run : comparison.runs) runs.push_back(to_object(run));
  const Json object = {{"model", comparison.model},
                       {"start", comparison.start},
                       {"stop", comparison.stop},
                       {"reference", {{"formulation", "dummy"},
                                      {"tolerance", comparison.reference_tolerance},
                                      {"outcome", to_code(comparison.reference_outcome)},
                                      {"reached", comparison.reference_reached}}},
                       {"runs", std::move(runs)}};
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace driftless
