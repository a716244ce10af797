#include "cli/analyze_events.hpp"

#include "cli/section.hpp"
#include "driftless/events/order.hpp"
#include "driftless/expr/print.hpp"
#include "driftless/hybrid/structural_conditions.hpp"
#include "driftless/model/event_report.hpp"

namespace driftless::cli {
namespace {

using Json = nlohmann::ordered_json;

Json equations_to_json(const std::vector<EventReport::Equation>& equations) {
  Json list = Json::array();
  for (const auto& equation : equations)
    list.push_back({{"equation", equation.label}, {"text", equation.text}, {"line", equation.line}});
  return list;
}

// With discrete equations in the order of evaluation.
EventReport report_of(const Model& model) {
  Model growing = model;
  growing.pool = growable(model.pool);
  Diagnostics diagnostics;
  std::vector<std::size_t> order;
  for (const DiscreteAssignment& assignment : order_of(growing, diagnostics).assignments)
    order.push_back(assignment.equation);
  return report_events(model, order.size() == model.discrete.equations.size() ? order : std::vector<std::size_t>{});
}

std::vector<std::string> structural_texts(const Model& model) {
  std::vector<std::string> texts;
  const Names names = names_of(model);
  for (const NodeId condition : structural_conditions(model)) texts.push_back(to_string(*model.pool, condition, names));
  return texts;
}

}  // namespace

void print_events(const Model& model) {
  if (model.discrete.is_empty()) return;
  for (const ReportSection& one : sections_of(report_of(model))) {
    Section section(one.title);
    for (const std::string& line : one.lines) section.line(line);
  }
  Section section("conditions that change the structure (docs/events.md)");
  for (const std::string& condition : structural_texts(model)) section.line(condition);
}

Json events_to_json(const Model& model) {
  const EventReport report = report_of(model);
  Json relations = Json::array(), samplings = Json::array(), variables = Json::array(), conditions = Json::array(),
       actions = Json::array();
  for (const auto& relation : report.relations)
    relations.push_back(
        {{"text", relation.text}, {"line", relation.line}, {"event", relation.is_time_event ? "time" : "state"}});
  for (const auto& sampling : report.samplings) samplings.push_back({{"text", sampling.text}, {"line", sampling.line}});
  for (const auto& variable : report.variables)
    variables.push_back({{"name", variable.name},
                         {"type", variable.type},
                         {"start", variable.start},
                         {"fixed", variable.fixed},
                         {"line", variable.line}});
  for (const auto& condition : report.conditions)
    conditions.push_back({{"text", condition.text}, {"line", condition.line}});
  for (const auto& action : report.actions)
    actions.push_back({{"text", action.text}, {"condition", action.condition}, {"line", action.line}});
  return {{"relations", std::move(relations)},
          {"samplings", std::move(samplings)},
          {"discrete_variables", std::move(variables)},
          {"when_clauses", std::move(conditions)},
          {"discrete_equations", equations_to_json(report.equations)},
          {"initial_equations", equations_to_json(report.initial_equations)},
          {"actions", std::move(actions)},
          {"structural_conditions", structural_texts(model)}};
}

}  // namespace driftless::cli
