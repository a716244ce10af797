#include "driftless/reduce/repair.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/print.hpp"
#include "driftless/reduce/cancellation.hpp"
#include "driftless/reduce/differentiation_index.hpp"
#include "driftless/reduce/signature.hpp"
#include "driftless/reduce/vanishing_combination.hpp"

namespace driftless {
namespace {

constexpr double rounding = 1e-9;
constexpr int most_steps = 1000;
constexpr double not_small = 0.1;  // of the factor of an equation, beside the largest

class Repairer {
 public:
  Repairer(std::shared_ptr<const Model> model, structure::Structure shape)
      : shape_(std::move(shape)), derivative_(*model->pool) {
    state_.model = std::make_shared<Model>(*model);
    result_.as_written = std::move(model);
    result_.shape_as_written = shape_;
    state_.least.assign(state_.model->variables.size(), 0);
    for (std::size_t i = 0; i < state_.model->equations.size(); ++i)
      state_.differentiations.push_back({{static_cast<int>(i), 0}});
    state_.replaced.assign(state_.model->equations.size(), false);
  }

  // Conversions of the block alone come first; where they leave a structure without any transversal, or do not apply,
  // the whole system is looked at: an equation may follow from those of several blocks.
  std::optional<Repair> run(HiddenSingularity hidden) {
    for (int step = 0; step < most_steps; ++step) {
      if (!improve(shape_.blocks[hidden.block]) && !improve(whole())) return {};
      const auto next = find_hidden_singularity(*state_.model, shape_);
      if (!next) return finish();
      hidden = *next;
    }
    return {};
  }

  const std::optional<Contradiction>& contradiction() const { return contradiction_; }

 private:
  Pool& pool() const { return *state_.model->pool; }
  int c(int i) const { return shape_.offsets.c[i]; }
  int d(int j) const { return shape_.offsets.d[j]; }

  enum class Kind { Equations, Variables };
  enum class Conversion {
    None,
    Combined,  // there are fewer degrees of freedom now
    LeftOut,   // there is one equation less that says nothing
  };

  // What conversions change, so that one can be taken back.
  struct State {
    std::shared_ptr<Model> model;
    std::vector<int> least;  // orders of derivatives that the user's equations contain, by variable
    std::vector<Differentiations> differentiations;
    std::vector<bool> replaced;
    std::vector<std::string> steps;
  };

  structure::Block whole() const {
    structure::Block all;
    for (std::size_t i = 0; i < state_.model->equations.size(); ++i)
      all.rows.push_back(structure::Row{static_cast<int>(i)});
    for (std::size_t j = 0; j < state_.model->variables.size(); ++j)
      all.cols.push_back(structure::Col{static_cast<int>(j)});
    return all;
  }

  bool improve(structure::Block block) {
    block_ = std::move(block);
    for (const bool other_parameters : {true, false})
      for (const Kind kind : {Kind::Equations, Kind::Variables}) {
        State before = state_;
        before.model = std::make_shared<Model>(*state_.model);
        with_values_ = !other_parameters;
        set_points(shape_.offsets);
        read_jacobian();
        const Conversion conversion = kind == Kind::Equations ? combine_equations()
                                      : combine_variables()   ? Conversion::Combined
                                                              : Conversion::None;
        if (conversion != Conversion::None && takes_structure(conversion)) return true;
        points_.clear();
        state_ = std::move(before);
      }
    return false;
  }

  bool takes_structure(Conversion conversion) {
    auto analyzed = structure::analyze(signature_of(*state_.model), state_.least);
    auto* shape = std::get_if<structure::Structure>(&analyzed);
    if (!shape) return false;
    if (conversion == Conversion::Combined && shape->degrees_of_freedom >= shape_.degrees_of_freedom) return false;
    shape_ = std::move(*shape);
    return true;
  }

  void set_points(const structure::Offsets& offsets) {
    points_.clear();
    for (const unsigned seed : {11u, 12u, 13u, 14u}) points_.emplace_back(*state_.model, offsets, seed, !with_values_);
  }

  // Rows and columns of the block.
  void read_jacobian() {
    const int size = static_cast<int>(block_.rows.size());
    std::map<int, int> place;
    for (int k = 0; k < size; ++k) place[index(block_.cols[k])] = k;
    rows_.assign(size, {});
    columns_.assign(size, {});
    used_parameters_.clear();
    for (int k = 0; k < size; ++k) {
      const int i = index(block_.rows[k]);
      for (const Partial& p : gradient(pool(), state_.model->equations[i].residual)) {
        const int j = static_cast<int>(pool()[p.leaf].a), order = static_cast<int>(pool()[p.leaf].b);
        const auto at = place.find(j);
        if (at == place.end() || order != d(j) - c(i)) continue;
        const NodeId entry = with_values_ ? with_present_values(p.derivative) : p.derivative;
        rows_[k].push_back({at->second, entry});
        columns_[at->second].push_back({k, entry});
      }
    }
  }

  NodeId with_present_values(NodeId expression) {
    Substitution values(pool(), [&](NodeId leaf) -> std::optional<NodeId> {
      if (pool()[leaf].op != Op::Parameter) return {};
      used_parameters_.insert(static_cast<int>(pool()[leaf].a));
      return pool().constant(state_.model->parameters[pool()[leaf].a].value);
    });
    return values(expression);
  }

  int equation_at(int place) const { return index(block_.rows[place]); }
  int variable_at(int place) const { return index(block_.cols[place]); }
  bool is_constant(NodeId factor) const { return pool()[factor].op == Op::Constant; }

  // Does an expression depend on a variable of the block with this many of its highest orders missing?
  bool depends_on_highest(NodeId expression, int missing) const {
    return std::ranges::any_of(variables_of(pool(), expression), [&](NodeId leaf) {
      const int j = static_cast<int>(pool()[leaf].a);
      const auto is_here = [&](structure::Col col) { return index(col) == j; };
      return static_cast<int>(pool()[leaf].b) >= d(j) - missing && std::ranges::any_of(block_.cols, is_here);
    });
  }

  Cancellation cancellation() const { return {pool(), points_}; }
  NodeId derivative(NodeId expression, int times) { return derivative_(expression, times); }

  // ---- equations

  Conversion combine_equations() {
    const auto found = find_vanishing_combination(pool(), rows_, static_cast<int>(block_.cols.size()), points_);
    if (!found) return Conversion::None;
    int lowest = c(equation_at(found->rows[0]));
    for (const int row : found->rows) lowest = std::min(lowest, c(equation_at(row)));
    for (const NodeId factor : found->factors)
      if (depends_on_highest(factor, lowest)) return Conversion::None;

    NodeId sum = pool().zero();
    Differentiations differentiations;
    for (std::size_t k = 0; k < found->rows.size(); ++k) {
      const int i = equation_at(found->rows[k]), times = c(i) - lowest;
      use_parameters_of(i);
      sum = pool().add(sum, pool().mul(found->factors[k], derivative(state_.model->equations[i].residual, times)));
      for (const auto& [equation, count] : state_.differentiations[i]) {
        int& most = differentiations[equation];
        most = std::max(most, count + times);
      }
    }
    std::set<NodeId> highest;
    for (const structure::Col col : block_.cols)
      if (const int j = index(col); d(j) >= lowest) highest.insert(pool().variable(VarId{j}, d(j) - lowest));
    std::optional<NodeId> combined = cancellation().without(sum, highest);
    if (combined) combined = cancellation().without(*combined, cancellation().cancelled_in(*combined));
    if (!combined) return Conversion::None;

    const int l = equation_to_replace(*found, lowest);
    const std::string text = text_of(*found, lowest);
    if (vanishes(*combined, *found, lowest)) return leave_out(l, text) ? Conversion::LeftOut : Conversion::None;
    if (variables_of(pool(), *combined).empty()) {
      if (with_values_)
        note_contradiction(*found, text, *combined);  // other parameters may agree, the present ones do not
      return Conversion::None;
    }
    state_.steps.push_back(fmt::format("{} is replaced by {}, in which the highest derivatives cancel",
                                       state_.model->equations[l].label, text));
    replace(l, *combined, text);
    state_.differentiations[l] = std::move(differentiations);
    note_values_used();
    return Conversion::Combined;
  }

  void note_contradiction(const VanishingCombination& found, const std::string& text, NodeId left) {
    if (contradiction_) return;
    contradiction_ = Contradiction{{}, text, to_string(pool(), left, names_of(*state_.model))};
    for (const int row : found.rows) contradiction_->equations.push_back(state_.model->equations[equation_at(row)]);
  }

  // Is nothing left of the combination, wherever one looks?
  bool vanishes(NodeId combined, const VanishingCombination& found, int lowest) {
    return std::ranges::all_of(points_, [&](const GenericPoint& point) {
      double terms = 0.0;
      for (std::size_t k = 0; k < found.rows.size(); ++k) {
        const int i = equation_at(found.rows[k]);
        const NodeId term = derivative(state_.model->equations[i].residual, c(i) - lowest);
        terms += std::abs(evaluate(pool(), pool().mul(found.factors[k], term), std::cref(point)));
      }
      return std::abs(evaluate(pool(), combined, std::cref(point))) <= rounding * terms;
    });
  }

  // An equation that follows from others is left out. Some forces then are not unique: the least ones are taken, which
  // are orthogonal to those that balance each other, v with J v = 0 for all other equations.
  bool leave_out(int l, const std::string& text) {
    if (c(l) == 0) return false;  // what is not unique would be an answer, not a force behind a constraint
    const auto is_force = [&](int j) { return d(j) == 0; };
    const auto found = find_vanishing_combination(pool(), all_columns_without(l),
                                                  static_cast<int>(state_.model->equations.size()), points_, is_force);
    if (!found) return false;
    // What one equation alone contains is a result, computed from the others.
    std::vector<int> occurrences(state_.model->variables.size(), 0);
    for (const Equation& equation : state_.model->equations)
      for (const NodeId leaf : variables_of(pool(), equation.residual)) ++occurrences[pool()[leaf].a];
    NodeId balance = pool().zero();
    std::vector<std::string> names;
    for (std::size_t k = 0; k < found->rows.size(); ++k) {
      const int j = found->rows[k];
      if (occurrences[j] < 2) continue;
      const double nominal = state_.model->variables[j].nominal;
      const NodeId weight = pool().constant(1.0 / (nominal * nominal));
      balance = pool().add(balance, pool().mul(pool().mul(weight, found->factors[k]), pool().variable(VarId{j}, 0)));
      names.push_back(state_.model->variables[j].name);
    }
    if (names.empty()) return false;
    state_.steps.push_back(
        fmt::format("{} is left out, since nothing is left of {}; not unique, and taken as small as possible: {}",
                    state_.model->equations[l].label, text, fmt::join(names, ", ")));
    const std::string label = fmt::format("instead of {}", state_.model->equations[l].label);
    replace(l, balance, fmt::format("least size of {}", fmt::join(names, ", ")));
    state_.model->equations[l].label = label;
    state_.differentiations[l].clear();
    note_values_used();
    return true;
  }

  // The columns of J as lists by row.
  ExpressionRows all_columns_without(int l) {
    ExpressionRows columns(state_.model->variables.size());
    for (int i = 0; i < static_cast<int>(state_.model->equations.size()); ++i)
      if (i != l)
        for (const Partial& p : gradient(pool(), state_.model->equations[i].residual))
          if (const int j = static_cast<int>(pool()[p.leaf].a); static_cast<int>(pool()[p.leaf].b) == d(j) - c(i))
            columns[j].push_back({i, with_values_ ? with_present_values(p.derivative) : p.derivative});
    return columns;
  }

  // One whose factor cannot vanish, if there is such a one, otherwise one whose factor is not small at the starts; the
  // longest of them, which is least of a definition.
  int equation_to_replace(const VanishingCombination& found, int lowest) const {
    std::vector<double> at_starts;
    for (const NodeId factor : found.factors)
      at_starts.push_back(std::abs(evaluate(pool(), factor, [this](NodeId leaf) { return value_at_starts(leaf); })));
    const double largest = *std::ranges::max_element(at_starts);
    int best = -1;
    std::tuple<bool, bool, std::size_t> rank;
    for (std::size_t k = 0; k < found.rows.size(); ++k) {
      const int i = equation_at(found.rows[k]);
      if (c(i) != lowest) continue;
      const std::tuple<bool, bool, std::size_t> own{is_constant(found.factors[k]), at_starts[k] >= not_small * largest,
                                                    variables_of(pool(), state_.model->equations[i].residual).size()};
      if (best < 0 || own > rank) best = i, rank = own;
    }
    return best;
  }

  double value_at_starts(NodeId leaf) const {
    const Node& node = pool()[leaf];
    if (node.op == Op::Time) return state_.model->experiment.start;
    if (node.op == Op::Parameter) return state_.model->parameters[node.a].value;
    return node.b == 0 ? state_.model->variables[node.a].start.value_or(0.0) : 0.0;
  }

  std::string text_of(const VanishingCombination& found, int lowest) const {
    std::string text;
    for (std::size_t k = 0; k < found.rows.size(); ++k) {
      const int i = equation_at(found.rows[k]);
      std::string term = "(" + state_.model->equations[i].label + ")";
      for (int times = lowest; times < c(i); ++times) term = "der" + (times == lowest ? term : "(" + term + ")");
      NodeId factor = found.factors[k];
      const bool negative = is_constant(factor) && evaluate(pool(), factor, std::cref(points_[0])) < 0.0;
      if (negative) factor = pool().neg(factor);
      if (!pool().is_constant(factor, 1.0)) {
        const std::string printed = to_string(pool(), factor, names_of(*state_.model));
        term = (printed.find_first_of("+- ") == std::string::npos ? printed : "(" + printed + ")") + "*" + term;
      }
      text += text.empty() ? (negative ? "-" : "") : negative ? " - " : " + ";
      text += term;
    }
    return text;
  }

  // ---- variables

  bool combine_variables() {
    const auto found = find_vanishing_combination(pool(), columns_, static_cast<int>(block_.rows.size()), points_);
    if (!found) return false;
    const std::set<int> touched = touched_equations(*found);
    for (const int i : touched) use_parameters_of(i);
    int highest = 0;
    for (const int i : touched) highest = std::max(highest, c(i));
    for (const int place : found->rows)
      if (d(variable_at(place)) < highest) return false;
    for (const NodeId factor : found->factors)
      if (depends_on_highest(factor, highest)) return false;

    const std::size_t l = variable_to_keep(*found);
    const int kept = variable_at(found->rows[l]);
    const NodeId base = pool().variable(VarId{kept}, d(kept) - highest);
    std::map<int, NodeId> instead;  // of x_j^(d_j - highest), by j
    int next = static_cast<int>(state_.model->variables.size());
    for (std::size_t k = 0; k < found->rows.size(); ++k) {
      if (k == l) continue;
      const NodeId ratio = pool().div(found->factors[k], found->factors[l]);
      instead[variable_at(found->rows[k])] = pool().add(pool().variable(VarId{next++}, 0), pool().mul(ratio, base));
    }
    add_variables(*found, l, highest);
    std::map<int, NodeId> results;
    for (const int i : touched)
      if (const auto result = substituted(i, instead, highest, kept)) results[i] = *result;
    if (results.size() < touched.size()) return false;
    add_equations(*found, l, highest, instead);
    for (const auto& [i, residual] : results) replace(i, residual, state_.model->equations[i].text);
    note_values_used();
    return true;
  }

  std::set<int> touched_equations(const VanishingCombination& found) const {
    std::set<int> touched;
    for (const int place : found.rows)
      for (const auto& [row, value] : columns_[place]) touched.insert(equation_at(row));
    return touched;
  }

  std::size_t variable_to_keep(const VanishingCombination& found) const {
    for (std::size_t k = 0; k < found.rows.size(); ++k)
      if (is_constant(found.factors[k])) return k;
    return 0;
  }

  std::string combined_name(const VanishingCombination& found, std::size_t k, std::size_t l, int highest) const {
    const int j = variable_at(found.rows[k]), kept = variable_at(found.rows[l]);
    const NodeId ratio = pool().div(found.factors[k], found.factors[l]);
    const std::string x = derivative_name(state_.model->variables[j].name, d(j) - highest),
                      y = derivative_name(state_.model->variables[kept].name, d(kept) - highest);
    if (pool().is_constant(ratio, 1.0)) return fmt::format("{} - {}", x, y);
    if (pool().is_constant(ratio, -1.0)) return fmt::format("{} + {}", x, y);
    return fmt::format("{} - ({})*{}", x, to_string(pool(), ratio, names_of(*state_.model)), y);
  }

  // And to the points, where their values are as free as those of the others.
  void add_variables(const VanishingCombination& found, std::size_t l, int highest) {
    for (std::size_t k = 0; k < found.rows.size(); ++k) {
      if (k == l) continue;
      const Variable& of = state_.model->variables[variable_at(found.rows[k])];
      Variable variable;
      variable.name = combined_name(found, k, l, highest);
      variable.range = of.range;
      variable.nominal = of.nominal;
      variable.state_select = StateSelect::Avoid;
      variable.auxiliary = true;
      state_.steps.push_back(fmt::format("{} becomes a variable of its own", variable.name));
      state_.model->variables.push_back(std::move(variable));
      state_.least.push_back(0);
    }
    structure::Offsets offsets = shape_.offsets;
    offsets.d.resize(state_.model->variables.size(), highest);
    set_points(offsets);
  }

  std::optional<NodeId> substituted(int i, const std::map<int, NodeId>& instead, int highest, int kept) {
    const int times = highest - c(i);
    Substitution substitution(pool(), [&](NodeId leaf) -> std::optional<NodeId> {
      if (pool()[leaf].op != Op::Variable) return {};
      const int j = static_cast<int>(pool()[leaf].a);
      const auto by = instead.find(j);
      if (by == instead.end() || static_cast<int>(pool()[leaf].b) != d(j) - c(i)) return {};
      return derivative(by->second, times);
    });
    return cancellation().without(substitution(state_.model->equations[i].residual),
                                  {pool().variable(VarId{kept}, d(kept) - c(i))});
  }

  void add_equations(const VanishingCombination& found, std::size_t l, int highest,
                     const std::map<int, NodeId>& instead) {
    for (std::size_t k = 0; k < found.rows.size(); ++k) {
      if (k == l) continue;
      const int j = variable_at(found.rows[k]);
      const NodeId residual = pool().sub(pool().variable(VarId{j}, d(j) - highest), instead.at(j));
      Equation equation;
      equation.residual = residual;
      equation.label = fmt::format("meaning of {}", combined_name(found, k, l, highest));
      equation.text = equation.label;
      equation.range = state_.model->variables[j].range;
      state_.model->equations.push_back(std::move(equation));
      state_.differentiations.emplace_back();
      state_.replaced.push_back(true);
    }
  }

  // ---- what both do

  void replace(int i, NodeId residual, const std::string& text) {
    Equation& equation = state_.model->equations[i];
    if (!state_.replaced[i]) {
      for (const NodeId leaf : variables_of(pool(), equation.residual)) {
        int& least = state_.least[pool()[leaf].a];
        least = std::max(least, static_cast<int>(pool()[leaf].b));
      }
      state_.model->replaced.push_back(equation);
      state_.replaced[i] = true;
      equation.label += " combined";
    }
    equation.residual = residual;
    equation.text = text;
    equation.simplified.reset();
  }

  // What is seen to cancel with the present values may not do so with others.
  void use_parameters_of(int equation) {
    for (const NodeId node : nodes_of(pool(), state_.model->equations[equation].residual))
      if (pool()[node].op == Op::Parameter) used_parameters_.insert(static_cast<int>(pool()[node].a));
  }

  void note_values_used() {
    if (!with_values_) return;
    for (const int p : used_parameters_) state_.model->parameters[p].structural = true;
  }

  Repair finish() {
    const int bound = bound_of_index(*state_.model, state_.differentiations);
    const std::optional<int> exact = differentiation_index(*result_.as_written, bound);
    result_.index = exact.value_or(bound);
    result_.index_is_exact = exact.has_value();
    result_.model = state_.model;
    result_.steps = std::move(state_.steps);
    result_.shape = std::move(shape_);
    return std::move(result_);
  }

  State state_;
  structure::Structure shape_;
  TimeDerivative derivative_;  // all models here share one pool
  Repair result_;
  std::optional<Contradiction> contradiction_;  // the first one that was seen
  // Of the block at hand:
  structure::Block block_;
  std::vector<GenericPoint> points_;
  ExpressionRows rows_, columns_;
  std::set<int> used_parameters_;
  bool with_values_ = false;
};

}  // namespace

RepairResult repair(const std::shared_ptr<const Model>& model, const structure::Structure& shape,
                    const HiddenSingularity& hidden) {
  Repairer repairer(model, shape);
  RepairResult result{repairer.run(hidden), {}};
  if (!result.repair) result.contradiction = repairer.contradiction();
  return result;
}

}  // namespace driftless
