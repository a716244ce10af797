#include "driftless/initialize/problem.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/initialize/rows.hpp"

namespace driftless {
namespace {

// Default guesses move before given ones. The highest derivative of each variable, such as multipliers and
// accelerations, moves first, so that positions and velocities do not change to keep a force near zero.
constexpr double reach_of_default = 1e2;
constexpr double reach_of_highest = 1e4;

class ProblemBuilder {
 public:
  ProblemBuilder(const Reduced& reduced, Diagnostics& diagnostics)
      : reduced_(reduced), model_(*reduced.model), pool_(*model_.pool), diagnostics_(diagnostics) {}

  InitialProblem build() {
    problem_.pool = model_.pool;
    count_extra_levels();
    add_unknowns();
    add_parameters();
    add_wishes_of_definitions();
    add_equations();
    add_conditions();
    for (const InitialRow& row : problem_.rows) problem_.conditions += row.kind != InitialRow::Kind::Equation;
    // Parameters that are not fixed have been counted.
    for (const int k : d()) problem_.degrees_of_freedom += k;
    for (const int k : c()) problem_.degrees_of_freedom -= k;
    replace_parameters();
    add_gradients();
    return std::move(problem_);
  }

 private:
  const std::vector<int>& c() const { return reduced_.offsets.c; }
  const std::vector<int>& d() const { return reduced_.offsets.d; }
  Quantity quantity_of(NodeId leaf) const {
    return {VarId{static_cast<int>(pool_[leaf].a)}, static_cast<int>(pool_[leaf].b)};
  }

  // How many levels beyond the reduction are needed? In an implicit system y' is determined only by the derivative of
  // the equations.
  void count_extra_levels() {
    extra_ = reduced_.implicit ? 1 : 0;
    for (const Equation& equation : model_.initial_equations)
      for (const NodeId leaf : variables_of(pool_, equation.residual)) {
        const Quantity q = quantity_of(leaf);
        const int above = q.order - d()[index(q.variable)];
        if (above > most_extra_levels)
          diagnostics_.error(
              Code::InitialDerivativeTooHigh, equation.range,
              fmt::format(
                  "{} is {} orders above the highest derivative that the equations determine; at most {} are supported",
                  reduced_.name(q), above, most_extra_levels));
        extra_ = std::max(extra_, std::min(above, most_extra_levels));
      }
  }

  int grade_of(const InitialUnknown& unknown, StateSelect select) const {
    const Quantity q = unknown.quantity;
    const int below = d()[index(q.variable)] - q.order;
    const bool wanted = select == StateSelect::Prefer || select == StateSelect::Always;
    if (below <= 0 && !(wanted && q.order == 0)) return unknown.given ? start_grade::guessed : start_grade::follows;
    if (select == StateSelect::Never) return start_grade::never;
    return start_grade::candidate + 10 * std::clamp(below, 1, 50) + static_cast<int>(select) +
           (unknown.given ? start_grade::with_start : 0);
  }

  void set_reach(InitialUnknown& unknown) const {
    unknown.reach = unknown.nominal * (unknown.given            ? 1.0
                                       : unknown.is_candidate() ? reach_of_default
                                                                : reach_of_highest);
  }

  void add_unknown(Quantity q) {
    const Variable& variable = model_[q.variable];
    InitialUnknown unknown;
    unknown.quantity = q;
    unknown.nominal = variable.nominal;
    unknown.given = q.order == 0 && variable.start.has_value();
    unknown.guess = unknown.given ? *variable.start : 0.0;
    if (q.order == 0) unknown.min = variable.min, unknown.max = variable.max;
    if (q.order == 0 && !unknown.given) unknown.guess = std::clamp(0.0, variable.min, variable.max);
    unknown.grade = grade_of(unknown, variable.state_select);
    set_reach(unknown);
    at_[q] = static_cast<int>(problem_.unknowns.size());
    problem_.unknowns.push_back(unknown);
  }

  void add_unknowns() {
    for (const Quantity q : reduced_.quantities)
      if (reduced_.place(q) != Place::Defined) add_unknown(q);
    for (int k = 1; k <= extra_; ++k)
      for (std::size_t j = 0; j < d().size(); ++j) add_unknown({VarId{static_cast<int>(j)}, d()[j] + k});
  }

  // A parameter that is not fixed is represented by an additional variable that the model does not have.
  void add_parameters() {
    for (std::size_t p = 0; p < model_.parameters.size(); ++p) {
      const Parameter& parameter = model_.parameters[p];
      if (parameter.fixed) continue;
      InitialUnknown unknown;
      unknown.quantity = {VarId{static_cast<int>(model_.variables.size() + p)}, 0};
      unknown.parameter = static_cast<int>(p);
      unknown.guess = parameter.value;
      unknown.given = true;
      unknown.nominal = parameter.nominal;
      unknown.grade = start_grade::parameter;
      unknown.reach = reach_of_default * parameter.nominal;
      at_[unknown.quantity] = static_cast<int>(problem_.unknowns.size());
      problem_.unknowns.push_back(unknown);
      ++problem_.degrees_of_freedom;
    }
  }

  void replace_parameters() {
    if (std::ranges::all_of(model_.parameters, &Parameter::fixed)) return;
    Substitution replace(pool_, [this](NodeId leaf) -> std::optional<NodeId> {
      if (pool_[leaf].op != Op::Parameter || model_.parameters[pool_[leaf].a].fixed) return {};
      return pool_.variable(VarId{static_cast<int>(model_.variables.size() + pool_[leaf].a)}, 0);
    });
    for (InitialRow& row : problem_.rows) row.residual = replace(row.residual);
  }

  // A start given for an alias counts for the quantity it is equal to. Any other defined quantity with a start that may
  // be a state becomes an unknown, with its definition as a row; and so does an algebraic one on which a partial
  // derivative of a row depends: its start selects one of several solutions.
  void add_wishes_of_definitions() {
    for (const Definition& definition : reduced_.definitions) {
      const Variable& variable = model_[definition.quantity.variable];
      if (definition.quantity.order != 0 || !variable.start) continue;
      if (take_as_alias(definition, variable)) continue;
      InitialUnknown unknown;
      unknown.quantity = definition.quantity;
      unknown.nominal = variable.nominal;
      unknown.guess = *variable.start;
      unknown.given = true;
      unknown.grade = grade_of(unknown, variable.state_select);
      if (!unknown.is_wish() && !occurs_nonlinearly(unknown.quantity)) continue;
      unknown.min = variable.min, unknown.max = variable.max;
      set_reach(unknown);
      at_[unknown.quantity] = static_cast<int>(problem_.unknowns.size());
      problem_.unknowns.push_back(unknown);
      const NodeId leaf = pool_.variable(definition.quantity.variable, 0);
      problem_.rows.push_back({InitialRow::Kind::Equation, pool_.sub(leaf, definition.value),
                               index(definition.equation), definition.level});
    }
  }

  // Tested in the equations as written, before definitions are substituted.
  bool occurs_nonlinearly(Quantity q) {
    if (!nonlinear_) {
      nonlinear_.emplace();
      for (const DerivedEquation& row : reduced_.rows)
        for (const Partial& p : gradient(pool_, model_[row.equation].residual))
          for (const NodeId leaf : variables_of(pool_, p.derivative)) nonlinear_->insert(quantity_of(leaf));
    }
    return nonlinear_->contains(q);
  }

  // The residual with defined quantities that are unknowns here not substituted.
  NodeId residual_of(const DerivedEquation& row) {
    if (row.level > 0) return row.residual;
    const NodeId written = model_[row.equation].residual;
    const bool keeps = std::ranges::any_of(variables_of(pool_, written), [&](NodeId leaf) {
      const Quantity q = quantity_of(leaf);
      return at_.contains(q) && reduced_.place(q) == Place::Defined;
    });
    return keeps ? substitute_(written) : row.residual;
  }

  bool take_as_alias(const Definition& definition, const Variable& variable) {
    NodeId value = definition.value;
    double sign = 1.0;
    if (pool_[value].op == Op::Neg) value = pool_[value].operand(0), sign = -1.0;
    if (pool_[value].op != Op::Variable) return false;
    const auto found = at_.find(quantity_of(value));
    if (found == at_.end()) return false;
    InitialUnknown& unknown = problem_.unknowns[found->second];
    if (unknown.given) return unknown.guess == sign * *variable.start;
    unknown.guess = sign * *variable.start;
    unknown.given = true;
    unknown.grade = std::max(grade_of(unknown, model_[unknown.quantity.variable].state_select),
                             grade_of(unknown, variable.state_select));
    set_reach(unknown);
    return true;
  }

  void add_row(int equation, int level) {
    problem_.rows.push_back({InitialRow::Kind::Equation,
                             substitute_(derivative_(model_.equations[equation].residual, level)), equation, level});
  }

  void add_equations() {
    for (const DerivedEquation& row : reduced_.rows)
      problem_.rows.push_back({InitialRow::Kind::Equation, residual_of(row), index(row.equation), row.level});
    // The rates at the start follow from the top level of every equation, including those that the run omits.
    std::vector<int> top(c().size(), 0);
    for (const DerivedEquation& row : reduced_.rows)
      top[index(row.equation)] = std::max(top[index(row.equation)], row.level);
    for (const Definition& definition : reduced_.definitions)
      top[index(definition.equation)] = std::max(top[index(definition.equation)], definition.level);
    const int n = static_cast<int>(c().size());
    for (int i = 0; i < n; ++i)
      if (top[i] < c()[i]) add_row(i, c()[i]);
    for (int k = 1; k <= extra_; ++k)
      for (int i = 0; i < n; ++i) add_row(i, c()[i] + k);
  }

  void add_conditions() {
    for (std::size_t j = 0; j < model_.variables.size(); ++j) {
      const Variable& variable = model_.variables[j];
      if (!variable.fixed) continue;
      const NodeId value = reduced_.value_of({VarId{static_cast<int>(j)}, 0});
      problem_.rows.push_back({InitialRow::Kind::Fixed, pool_.sub(value, pool_.constant(variable.start.value_or(0.0))),
                               static_cast<int>(j), 0});
    }
    for (std::size_t i = 0; i < model_.initial_equations.size(); ++i)
      problem_.rows.push_back(
          {InitialRow::Kind::Initial, substitute_(model_.initial_equations[i].residual), static_cast<int>(i), 0});
  }

  void add_gradients() {
    for (InitialRow& row : problem_.rows) {
      auto& entries = problem_.gradients.emplace_back();
      for (const Partial& p : gradient(pool_, row.residual)) {
        const auto found = at_.find(quantity_of(p.leaf));
        if (found != at_.end()) entries.emplace_back(found->second, p.derivative);
      }
      if (entries.empty()) row.terms = terms_of(row);
    }
  }

  // Terms of the condition as written, as constants may have been folded.
  std::vector<NodeId> terms_of(const InitialRow& row) {
    if (row.kind == InitialRow::Kind::Fixed) return {pool_.constant(model_.variables[row.source].start.value_or(0.0))};
    std::vector<NodeId> open{row.kind == InitialRow::Kind::Initial ? model_.initial_equations[row.source].residual
                                                                   : row.residual},
        terms;
    while (!open.empty()) {
      const NodeId id = open.back();
      open.pop_back();
      const Node node = pool_[id];
      if (node.op != Op::Add && node.op != Op::Sub && node.op != Op::Neg) {
        terms.push_back(substitute_(id));
        continue;
      }
      open.push_back(node.operand(0));
      if (node.op != Op::Neg) open.push_back(node.operand(1));
    }
    return terms;
  }

  const Reduced& reduced_;
  const Model& model_;
  Pool& pool_;
  Diagnostics& diagnostics_;
  InitialProblem problem_;
  std::map<Quantity, int> at_;
  std::optional<std::set<Quantity>> nonlinear_;
  int extra_ = 0;
  TimeDerivative derivative_{pool_};
  Substitution substitute_{pool_, [this](NodeId leaf) -> std::optional<NodeId> {
                             if (pool_[leaf].op != Op::Variable) return {};
                             const Quantity q = quantity_of(leaf);
                             if (q.order > d()[index(q.variable)] || reduced_.place(q) != Place::Defined) return {};
                             if (at_.contains(q)) return {};
                             return reduced_.value_of(q);
                           }};
};

}  // namespace

InitialProblem make_initial_problem(const Reduced& reduced, Diagnostics& diagnostics) {
  return ProblemBuilder(reduced, diagnostics).build();
}

PartialProblem part_of(const InitialProblem& whole, std::vector<int> rows) {
  PartialProblem part;
  part.rows = std::move(rows);
  part.problem.pool = whole.pool;
  part.problem.degrees_of_freedom = whole.degrees_of_freedom;
  part.problem.conditions = whole.conditions;
  std::map<int, int> place;
  for (const int row : part.rows)
    for (const auto& [col, derivative] : whole.gradients[row]) place[col] = 0;
  for (auto& [col, at] : place) {
    at = static_cast<int>(part.unknowns.size());
    part.unknowns.push_back(col);
    part.problem.unknowns.push_back(whole.unknowns[col]);
  }
  for (const int row : part.rows) {
    part.problem.rows.push_back(whole.rows[row]);
    auto& entries = part.problem.gradients.emplace_back();
    for (const auto& [col, derivative] : whole.gradients[row]) entries.emplace_back(place[col], derivative);
  }
  return part;
}

std::string name_of(const Reduced& reduced, const InitialUnknown& unknown) {
  return unknown.parameter >= 0 ? reduced.model->parameters[unknown.parameter].name : reduced.name(unknown.quantity);
}

std::string describe(const Reduced& reduced, const InitialRow& row) {
  const Model& model = *reduced.model;
  const auto times = [](int level) {
    return level == 0   ? std::string()
           : level == 1 ? " (differentiated once)"
           : level == 2 ? " (differentiated twice)"
                        : fmt::format(" (differentiated {} times)", level);
  };
  switch (row.kind) {
    case InitialRow::Kind::Equation: {
      const Equation& equation = model.equations[row.source];
      return fmt::format("{}: {}{}", equation.label, equation.text, times(row.level));
    }
    case InitialRow::Kind::Fixed: {
      const Variable& variable = model.variables[row.source];
      return fmt::format("the fixed start {} = {}", variable.name, variable.start.value_or(0.0));
    }
    case InitialRow::Kind::Initial: {
      const Equation& equation = model.initial_equations[row.source];
      return fmt::format("initial equation {}: {}", equation.label, equation.text);
    }
  }
  return {};
}

Kernels InitialKernels::of(const Name& name, const std::function<Kernels()>& make) {
  const std::lock_guard lock(making_);
  const auto found = known_.find(name);
  return found != known_.end() ? found->second : known_.emplace(name, make()).first->second;
}

std::shared_ptr<const RowLayout> InitialKernels::layout_of(const InitialProblem& problem,
                                                           const std::vector<std::vector<int>>& parts,
                                                           const std::function<RowLayout()>& make) {
  {
    const std::lock_guard lock(looking_);
    for (const auto& layout : latest_)
      if (layout && layout->is_of(problem, parts)) return layout;
  }
  auto made = std::make_shared<const RowLayout>(make());
  const std::lock_guard lock(looking_);
  latest_[next_++ % latest_.size()] = made;
  return made;
}

}  // namespace driftless
