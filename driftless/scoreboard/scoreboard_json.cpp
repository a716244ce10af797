#include "driftless/scoreboard/scoreboard_json.hpp"

#include <nlohmann/json.hpp>

namespace driftless::scoreboard {
namespace {

using Json = nlohmann::ordered_json;

Json to_object(const Entry& entry) {
  Json object{{"method", entry.method}};
  if (!entry.applies()) {
    object["not_applicable"] = entry.not_applicable;
    return object;
  }
  const Statistics& s = entry.statistics;
  object.update({{"formulation", entry.formulation},
                 {"projection", entry.projection},
                 {"tolerance", entry.tolerance},
                 {"outcome", to_code(entry.outcome)},
                 {"message", entry.failure},
                 {"reached", entry.reached},
                 {"digits", entry.digits},
                 {"error", entry.error},
                 {"seconds", entry.seconds},
                 {"compile_seconds", s.seconds.compile},
                 {"operations", s.operations},
                 {"steps", s.steps},
                 {"rejected_steps", s.rejected_steps},
                 {"residual_evaluations", s.residual_evaluations},
                 {"jacobian_evaluations", s.jacobian_evaluations},
                 {"factorizations", s.factorizations}});
  if (!entry.chosen.empty()) object["chosen"] = entry.chosen;
  return object;
}

Json to_object(const Sheet& sheet) {
  Json runs = Json::array();
  for (const Entry& entry : sheet.entries) runs.push_back(to_object(entry));
  return {{"model", sheet.model},         {"start", sheet.start},
          {"stop", sheet.stop},           {"degrees_of_freedom", sheet.degrees_of_freedom},
          {"reference", sheet.reference}, {"condition", sheet.condition},
          {"measured", sheet.measured},   {"runs", std::move(runs)}};
}

}  // namespace

std::string to_json(const Board& board) {
  Json sheets = Json::array();
  for (const Sheet& sheet : board.sheets) sheets.push_back(to_object(sheet));
  const Json object = {{"methods", board.methods}, {"tolerances", board.tolerances}, {"models", std::move(sheets)}};
  return object.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace driftless::scoreboard
