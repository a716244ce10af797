#include "driftless/initialize/explain.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/initialize/contradiction.hpp"
#include "driftless/reduce/conflict.hpp"
#include "driftless/reduce/undefined.hpp"
#include "driftless/structure/dulmage_mendelsohn.hpp"

namespace driftless {
namespace {

constexpr double met = 1e-8;  // a condition with a smaller residual does not count as violated

std::string number(double v) { return fmt::format("{:.6g}", v); }

class Explanation {
 public:
  Explanation(const Reduced& reduced, const InitialProblem& problem, const FoundStart& found, double t)
      : reduced_(reduced), problem_(problem), values_(found.values), t_(t) {
    std::vector<int> all(problem.rows.size());
    std::iota(all.begin(), all.end(), 0);
    InitialRows rows(*reduced.model, problem, t, {all});
    rows.set_values(values_);
    const std::span<const double> residual = rows.residual(0);
    raw_.assign(residual.begin(), residual.end());
    std::vector<double> slope(raw_.size(), 0.0);
    for (const InitialRows::Entry& entry : rows.jacobian(0))
      slope[entry.row] = std::max(slope[entry.row], std::abs(entry.value) * problem.unknowns[entry.col].nominal);
    for (std::size_t i = 0; i < raw_.size(); ++i)
      missed_.push_back(std::abs(raw_[i]) / (slope[i] > 0.0 && std::isfinite(slope[i]) ? slope[i] : 1.0));
    largest_ = raw_.empty() ? 0.0 : std::ranges::max(missed_);
  }

  NoConsistentStart not_evaluated() const {
    NoConsistentStart why;
    why.evaluation_failed = true;
    why.code = Code::NoValueAtStart;
    why.message = "the equations cannot be evaluated at the start";
    for (std::size_t i = 0; i < raw_.size() && why.details.size() < most_details; ++i)
      if (!std::isfinite(raw_[i]))
        why.details.push_back(
            fmt::format("in {}: {}", describe(reduced_, problem_.rows[i]), undefined(problem_.rows[i].residual)));
    for (std::size_t i = 0; i < raw_.size() && why.details.empty(); ++i)
      for (const Partial& p : gradient(*reduced_.model->pool, problem_.rows[i].residual))
        if (const std::string what = undefined(p.derivative); !what.empty())
          why.details.push_back(fmt::format("in a derivative of {}: {}", describe(reduced_, problem_.rows[i]), what));
    why.details.push_back("give start values at which every expression has a value");
    return why;
  }

  NoConsistentStart not_solved(const std::vector<int>& conflict) const {
    NoConsistentStart why;
    const int surplus = problem_.conditions - problem_.degrees_of_freedom;
    std::string counts;
    if (surplus > 0)
      counts = fmt::format("{} initial conditions for {} degree{} of freedom: ", problem_.conditions,
                           problem_.degrees_of_freedom, problem_.degrees_of_freedom == 1 ? "" : "s");
    const bool proven = is_contradiction(reduced_, problem_, t_);
    why.code = surplus > 0                   ? Code::TooManyConditions
               : proven && !conflict.empty() ? Code::ConditionsContradict
               : proven                      ? Code::NoSolutionAtStart
                                             : Code::StartNotFound;
    if (!conflict.empty() && proven) {
      why.message = fmt::format("{}{} {}", counts, descriptions(conflict),
                                conflict.size() == 1 ? "contradicts the equations" : "cannot hold together");
    } else if (!conflict.empty()) {
      why.message = fmt::format("{}no start was found at which {} {}", counts, descriptions(conflict),
                                conflict.size() == 1 ? "holds" : "hold together");
    } else if (surplus > 0 && proven) {
      why.message = counts + "they contradict each other or the equations";
    } else {
      why.message = counts + (proven ? "the equations have no solution at the start"
                                     : "no consistent initial values were found near the start values");
    }
    if (conflict.empty()) name_equations_in_conflict(why.details);
    list_missed(conflict, why.details);
    if (why.details.empty()) name_ties(conflict, why.details);
    why.details.push_back(
        !conflict.empty()
            ? fmt::format("{}{} or change its value", proven ? "" : "give better start values, or ",
                          conflict.size() == 1 ? "remove this condition" : "remove one of these conditions")
        : proven ? "remove or change one of these equations"
                 : "give better start values for these variables; or do these equations have no solution?");
    return why;
  }

 private:
  static constexpr std::size_t most_details = 8;

  // Lists the equations with the largest residuals at the best point found, each at its lowest level, as higher levels
  // follow.
  void list_missed(const std::vector<int>& conflict, std::vector<std::string>& details) const {
    std::vector<int> missed;
    for (std::size_t i = 0; i < problem_.rows.size(); ++i) {
      if (missed_[i] < std::max(met, 1e-3 * largest_)) continue;
      const InitialRow& row = problem_.rows[i];
      if (!conflict.empty() && row.kind != InitialRow::Kind::Equation) continue;
      const auto same = std::ranges::find_if(
          missed, [&](int k) { return problem_.rows[k].kind == row.kind && problem_.rows[k].source == row.source; });
      if (same == missed.end())
        missed.push_back(static_cast<int>(i));
      else if (row.level < problem_.rows[*same].level)
        *same = static_cast<int>(i);
    }
    std::ranges::stable_sort(missed, std::greater<>(), [&](int i) { return missed_[i]; });
    for (std::size_t k = 0; k < missed.size() && k < most_details; ++k)
      details.push_back(fmt::format("{}{} is missed by {} at {}", conflict.empty() ? "" : "as close as possible, ",
                                    describe(reduced_, problem_.rows[missed[k]]), number(raw_[missed[k]]),
                                    values_in(missed[k])));
    if (missed.size() > most_details) details.push_back(fmt::format("... and {} more", missed.size() - most_details));
  }

  // The user's equations from which the rows were made, and those that define quantities in them. None if parameters
  // are unknowns of the start.
  std::vector<EqnId> equations_as_written() const {
    const Model& model = *reduced_.model;
    if (std::ranges::any_of(model.parameters, [](const Parameter& parameter) { return !parameter.fixed; })) return {};
    std::map<VarId, EqnId> defined;
    for (const Definition& definition : reduced_.definitions)
      if (definition.level == 0) defined.emplace(definition.quantity.variable, definition.equation);
    std::set<EqnId> found;
    for (const InitialRow& row : problem_.rows)
      if (row.kind == InitialRow::Kind::Equation && row.level == 0) found.insert(EqnId{row.source});
    std::vector<EqnId> list(found.begin(), found.end());
    for (std::size_t k = 0; k < list.size(); ++k)
      for (const NodeId leaf : variables_of(*model.pool, model[list[k]].residual))
        if (const auto other = defined.find(VarId{static_cast<int>((*model.pool)[leaf].a)});
            other != defined.end() && found.insert(other->second).second)
          list.push_back(other->second);
    std::ranges::sort(list);
    return list;
  }

  // For a single equation its residual says as much.
  void name_equations_in_conflict(std::vector<std::string>& details) const {
    const auto found = find_conflict(*reduced_.model, equations_as_written());
    if (!found || found->equations.size() < 2) return;
    if (auto words = conflict_in_words(*reduced_.model, found->equations)) details.push_back(std::move(*words));
  }

  // Names constraints that contain all variables whose starts are in conflict, as with capacitors in a loop: they
  // became aliases of each other, so that no residual shows them.
  void name_ties(const std::vector<int>& conflict, std::vector<std::string>& details) const {
    const Model& model = *reduced_.model;
    const auto is_fixed = [&](int i) { return problem_.rows[i].kind == InitialRow::Kind::Fixed; };
    if (conflict.size() < 2 || !std::ranges::all_of(conflict, is_fixed)) return;
    for (std::size_t e = 0; e < model.equations.size() && details.size() < most_details; ++e) {
      const std::vector<NodeId> leaves = variables_of(*model.pool, model.equations[e].residual);
      const auto contains = [&](int i) {
        return std::ranges::any_of(
            leaves, [&](NodeId leaf) { return static_cast<int>((*model.pool)[leaf].a) == problem_.rows[i].source; });
      };
      if (reduced_.offsets.c[e] > 0 && std::ranges::all_of(conflict, contains))
        details.push_back(fmt::format("{}: {} ties them together, so that not each of them can be chosen",
                                      model.equations[e].label, model.equations[e].text));
    }
  }

  std::string descriptions(const std::vector<int>& rows) const {
    std::vector<std::string> list;
    for (std::size_t k = 0; k < rows.size() && k < most_details; ++k)
      list.push_back(describe(reduced_, problem_.rows[rows[k]]));
    if (rows.size() > most_details) list.push_back(fmt::format("{} more", rows.size() - most_details));
    const std::string last = std::move(list.back());
    list.pop_back();
    return list.empty() ? last : fmt::format("{} and {}", fmt::join(list, ", "), last);
  }

  std::string undefined(NodeId expression) const {
    // Replaces the variables that represent parameters by these parameters.
    const Model& model = *reduced_.model;
    const std::uint32_t variables = static_cast<std::uint32_t>(model.variables.size());
    Substitution rename(*model.pool, [&](NodeId leaf) -> std::optional<NodeId> {
      const Node node = (*model.pool)[leaf];
      if (node.op != Op::Variable || node.a < variables) return {};
      return model.pool->parameter(ParamId{static_cast<int>(node.a - variables)});
    });
    return undefined_operation(model, rename(expression), [&](NodeId leaf) {
      const Node& node = (*model.pool)[leaf];
      if (node.op == Op::Time) return t_;
      if (node.op == Op::Parameter)
        return value({VarId{static_cast<int>(variables + node.a)}, 0}).value_or(model.parameters[node.a].value);
      return value({VarId{static_cast<int>(node.a)}, static_cast<int>(node.b)}).value_or(std::nan(""));
    });
  }

  std::optional<double> value(Quantity q) const {
    const auto found = std::ranges::find(problem_.unknowns, q, &InitialUnknown::quantity);
    if (found == problem_.unknowns.end()) return {};
    const double v = values_[found - problem_.unknowns.begin()];
    return std::abs(v) < 1e-12 * found->nominal ? 0.0 : v;  // rounding errors are not reported
  }

  std::string values_in(int row) const {
    const Pool& pool = *reduced_.model->pool;
    std::vector<std::string> parts;
    for (const NodeId leaf : variables_of(pool, problem_.rows[row].residual)) {
      const Quantity q{VarId{static_cast<int>(pool[leaf].a)}, static_cast<int>(pool[leaf].b)};
      if (parts.size() == 6) {
        parts.push_back("...");
        break;
      }
      const auto found = std::ranges::find(problem_.unknowns, q, &InitialUnknown::quantity);
      if (const auto v = value(q)) parts.push_back(fmt::format("{} = {}", name_of(reduced_, *found), number(*v)));
    }
    return parts.empty() ? "every point" : fmt::format("{}", fmt::join(parts, ", "));
  }

  const Reduced& reduced_;
  const InitialProblem& problem_;
  const std::vector<double>& values_;
  std::vector<double> raw_, missed_;  // residuals, and in units of nominal values
  double largest_ = 0.0;
  double t_;
};

}  // namespace

std::vector<int> smallest_conflict(const Reduced& reduced, const InitialProblem& problem, double t) {
  std::vector<bool> out(problem.rows.size(), false);
  const auto can_hold = [&] {
    InitialProblem part = problem;
    part.rows.clear();
    part.gradients.clear();
    for (std::size_t i = 0; i < problem.rows.size(); ++i)
      if (!out[i]) {
        part.rows.push_back(problem.rows[i]);
        part.gradients.push_back(problem.gradients[i]);
      }
    return part.rows.empty() || find_start(*reduced.model, part, t).solved;
  };
  std::vector<int> conditions;
  for (std::size_t i = 0; i < problem.rows.size(); ++i)
    if (problem.rows[i].kind != InitialRow::Kind::Equation) conditions.push_back(static_cast<int>(i));
  if (conditions.empty() || conditions.size() > 40 || problem.unknowns.size() > 1000) return {};
  for (const int i : conditions) out[i] = true;
  if (!can_hold()) return {};
  for (const int i : conditions) out[i] = false;
  std::vector<int> conflict;
  for (const int i : conditions) {
    out[i] = true;
    if (!can_hold()) continue;
    out[i] = false;
    conflict.push_back(i);
  }
  return conflict;
}

namespace {

// Rows that are connected by unknowns.
std::vector<std::vector<int>> components_of(const InitialProblem& problem) {
  structure::Signature signature(static_cast<int>(problem.unknowns.size()));
  std::vector<structure::Row> rows;
  std::vector<structure::Col> cols;
  for (std::size_t k = 0; k < problem.unknowns.size(); ++k) cols.push_back(structure::Col{static_cast<int>(k)});
  for (std::size_t i = 0; i < problem.rows.size(); ++i) {
    std::vector<structure::Entry> entries;
    for (const auto& [col, derivative] : problem.gradients[i]) entries.push_back({structure::Col{col}, 0});
    std::ranges::sort(entries, {}, &structure::Entry::col);
    signature.add_row(entries);
    rows.push_back(structure::Row{static_cast<int>(i)});
  }
  std::vector<std::vector<int>> result;
  for (const structure::Component& component : structure::connected_components(signature, rows, cols)) {
    if (component.rows.empty()) continue;
    std::vector<int>& list = result.emplace_back();
    for (const structure::Row row : component.rows) list.push_back(index(row));
  }
  return result;
}

}  // namespace

GuiltyPart guilty_part(const Reduced& reduced, const InitialProblem& problem, double t, const FoundStart& found) {
  std::vector<std::vector<int>> suspects{found.suspects};
  for (std::vector<int>& rows : components_of(problem)) suspects.push_back(std::move(rows));
  for (std::vector<int>& rows : suspects) {
    if (rows.empty() || rows.size() == problem.rows.size()) continue;
    PartialProblem part = part_of(problem, std::move(rows));
    if (FoundStart alone = find_start(*reduced.model, part.problem, t); !alone.solved)
      return {std::move(part), std::move(alone)};
  }
  std::vector<int> all(problem.rows.size());
  std::iota(all.begin(), all.end(), 0);
  GuiltyPart whole{{problem, all, {}}, found};
  whole.part.unknowns.resize(problem.unknowns.size());
  std::iota(whole.part.unknowns.begin(), whole.part.unknowns.end(), 0);
  return whole;
}

NoConsistentStart explain_failure(const Reduced& reduced, const InitialProblem& problem, double t,
                                  const FoundStart& found) {
  if (!found.evaluated) return Explanation(reduced, problem, found, t).not_evaluated();
  const GuiltyPart guilty = guilty_part(reduced, problem, t, found);
  const Explanation explanation(reduced, guilty.part.problem, guilty.found, t);
  if (!guilty.found.evaluated) return explanation.not_evaluated();
  return explanation.not_solved(smallest_conflict(reduced, guilty.part.problem, t));
}

}  // namespace driftless
