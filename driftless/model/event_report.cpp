#include "driftless/model/event_report.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/print.hpp"
#include "driftless/model/hold.hpp"

namespace driftless {
namespace {

std::string type_of(const DiscreteVariable& variable) {
  switch (variable.type) {
    case DiscreteType::Real: return "Real";
    case DiscreteType::Integer: return "Integer";
    case DiscreteType::Boolean: return "Boolean";
    case DiscreteType::Enumeration: return fmt::format("enumeration({})", fmt::join(variable.literals, ", "));
  }
  return "";
}

class Reporting {
 public:
  explicit Reporting(const Model& model) : model_(model), part_(model.discrete), names_(names_of(model)) {}

  EventReport go(std::span<const std::size_t> order) {
    for (const Held& held : part_.held)
      report_.relations.push_back({held.text, line(held.range), is_known_in_advance(held.expression)});
    for (const Sampling& sampling : part_.samplings)
      report_.samplings.push_back({"", model_[sampling.now].name, line(sampling.range)});
    for (const DiscreteVariable& variable : part_.variables)
      if (!variable.auxiliary)
        report_.variables.push_back(
            {variable.name, type_of(variable), variable.start, variable.fixed, line(variable.range)});
    add_equations(order);
    add_actions();
    for (const DiscreteEquation& equation : part_.initial_equations)
      report_.initial_equations.push_back({equation.label, equation.text, line(equation.range)});
    return std::move(report_);
  }

 private:
  int line(const SourceRange& range) const { return model_.sources ? model_.sources->line_of(range) : 0; }

  // c*time + r crosses 0, or an integer, at an instant that can be computed.
  bool is_known_in_advance(NodeId relation) {
    Pool& pool = *pool_;
    if (any_node(pool, relation, [&](NodeId id) { return pool[id].op == Op::Variable; })) return false;
    const Node node = pool[relation];
    const bool compares = node.op == Op::Less || node.op == Op::LessEqual;
    const NodeId function = compares ? pool.sub(node.operand(0), node.operand(1)) : node.operand(0);
    return linear_in(pool, function, pool.time()).has_value();
  }

  // The condition of a when clause that the equation determines, or null.
  const DiscreteVariable* condition_of(const DiscreteEquation& equation) const {
    for (const NodeId side : {equation.left, equation.right})
      if (const auto place = discrete_variable_of(model_, side); place && part_.variables[*place].auxiliary)
        return &part_.variables[*place];
    return nullptr;
  }

  void add_equations(std::span<const std::size_t> order) {
    std::vector<std::size_t> as_given(part_.equations.size());
    std::iota(as_given.begin(), as_given.end(), std::size_t{0});
    for (const std::size_t place : order.empty() ? std::span<const std::size_t>(as_given) : order) {
      const DiscreteEquation& equation = part_.equations[place];
      auto& list = condition_of(equation) ? report_.conditions : report_.equations;
      list.push_back({equation.label, equation.text, line(equation.range)});
    }
  }

  // "when h < 0" for `b and not pre(b)` with the condition b of a when clause.
  std::string described(NodeId condition) const {
    const Pool& pool = *model_.pool;
    const Node both = pool[condition];
    if (both.op == Op::And) {
      NodeId buffer[3];
      for (const NodeId operand : pool.operands(condition, buffer))
        if (const auto place = discrete_variable_of(model_, operand); place && part_.variables[*place].auxiliary)
          return "when " + part_.variables[*place].name;
    }
    return "where " + to_string(pool, condition, names_);
  }

  void add_actions() {
    for (const Reinit& reinit : part_.reinits)
      report_.actions.push_back({reinit.text, described(reinit.condition), line(reinit.range)});
    for (const Termination& termination : part_.terminations)
      report_.actions.push_back({fmt::format("terminate(\"{}\")", termination.message),
                                 described(termination.condition), line(termination.range)});
    for (const EventAssertion& assertion : part_.assertions)
      report_.actions.push_back({assertion.text, "at events", line(assertion.range)});
  }

  const Model& model_;
  const std::shared_ptr<Pool> pool_ = growable(model_.pool);
  const DiscretePart& part_;
  const Names names_;
  EventReport report_;
};

std::string place(int line) { return line > 0 ? fmt::format("line {}", line) : ""; }

// Columns side by side, all but the last padded to the widest.
std::vector<std::string> aligned_lines(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows)
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (k == widths.size()) widths.push_back(0);
      widths[k] = std::max(widths[k], row[k].size());
    }
  std::vector<std::string> lines;
  for (const auto& row : rows) {
    std::string text;
    for (std::size_t k = 0; k < row.size(); ++k)
      if (widths[k] > 0) text += fmt::format("{}{:<{}}", text.empty() ? "" : "  ", row[k], widths[k]);
    text.erase(text.find_last_not_of(' ') + 1);
    lines.push_back(std::move(text));
  }
  return lines;
}

// A label "line 7" already contains the place.
std::vector<std::string> equation_lines(const std::vector<EventReport::Equation>& equations) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& equation : equations)
    rows.push_back({equation.label.empty() ? place(equation.line) : equation.label, equation.text});
  return aligned_lines(rows);
}

std::string start_text(const EventReport::Variable& variable) {
  const bool is_boolean = variable.type == "Boolean";
  const std::string value =
      is_boolean ? (variable.start != 0.0 ? "true" : "false") : fmt::format("{:g}", variable.start);
  return fmt::format("{} {}", variable.fixed ? "starts with" : "pre at the start", value);
}

}  // namespace

EventReport report_events(const Model& model, std::span<const std::size_t> order) { return Reporting(model).go(order); }

std::vector<ReportSection> sections_of(const EventReport& report) {
  std::vector<std::vector<std::string>> causes, variables, actions;
  for (const auto& relation : report.relations)
    causes.push_back({relation.is_time_event ? "time event" : "state event", relation.text, place(relation.line)});
  for (const auto& sampling : report.samplings) causes.push_back({"time event", sampling.text, place(sampling.line)});
  for (const auto& variable : report.variables)
    variables.push_back({variable.name, variable.type, start_text(variable), place(variable.line)});
  for (const auto& action : report.actions) actions.push_back({action.text, action.condition, place(action.line)});
  std::vector<ReportSection> all{{"relations and samplings that cause events", aligned_lines(causes)},
                                 {"discrete variables", aligned_lines(variables)},
                                 {"when clauses", equation_lines(report.conditions)},
                                 {"discrete equations (in the order of evaluation)", equation_lines(report.equations)},
                                 {"discrete equations of the start", equation_lines(report.initial_equations)},
                                 {"at events", aligned_lines(actions)}};
  std::erase_if(all, [](const ReportSection& section) { return section.lines.empty(); });
  return all;
}

}  // namespace driftless
