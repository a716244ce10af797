#include "driftless/reduce/combined_equations.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/print.hpp"
#include "driftless/reduce/cancellation.hpp"
#include "driftless/reduce/vanishing_combination.hpp"

namespace driftless {
namespace {

constexpr double rounding = 1e-9;
constexpr double not_small = 0.1;  // of the factor of an equation, relative to the largest

class CombinedEquations {
 public:
  CombinedEquations(BlockUnderRepair& at, std::optional<Contradiction>& contradiction)
      : at_(at), pool_(at.pool()), contradiction_(contradiction) {}

  EquationsCombined run() {
    const auto found = find_vanishing_combination(pool_, at_.rows, static_cast<int>(at_.block.cols.size()), at_.points);
    if (!found) return EquationsCombined::No;
    int lowest = at_.c(at_.equation_at(found->rows[0]));
    for (const int row : found->rows) lowest = std::min(lowest, at_.c(at_.equation_at(row)));
    for (const NodeId factor : found->factors)
      if (at_.depends_on_highest(factor, lowest)) return EquationsCombined::No;

    NodeId sum = pool_.zero();
    Differentiations differentiations;
    for (std::size_t k = 0; k < found->rows.size(); ++k) {
      const int i = at_.equation_at(found->rows[k]), times = at_.c(i) - lowest;
      at_.use_parameters_of(i);
      sum = pool_.add(sum, pool_.mul(found->factors[k], at_.derivative(model().equations[i].residual, times)));
      for (const auto& [equation, count] : at_.state.differentiations[i]) {
        int& most = differentiations[equation];
        most = std::max(most, count + times);
      }
    }
    std::set<NodeId> highest;
    for (const structure::Col col : at_.block.cols)
      if (const int j = index(col); at_.d(j) >= lowest) highest.insert(pool_.variable(VarId{j}, at_.d(j) - lowest));
    std::optional<NodeId> combined = at_.cancellation().without(sum, highest);
    if (combined) combined = at_.cancellation().without(*combined, at_.cancellation().cancelled_in(*combined));
    if (!combined) return EquationsCombined::No;

    const int l = equation_to_replace(*found, lowest);
    const std::string text = text_of(*found, lowest);
    if (vanishes(*combined, *found, lowest))
      return leave_out(l, text) ? EquationsCombined::LeftOut : EquationsCombined::No;
    if (variables_of(pool_, *combined).empty()) {
      if (at_.with_values)
        note_contradiction(*found, text, *combined);  // a contradiction for the present parameters only, perhaps
      return EquationsCombined::No;
    }
    at_.state.steps.push_back(
        fmt::format("{} is replaced by {}, in which the highest derivatives cancel", model().equations[l].label, text));
    at_.replace(l, *combined, text);
    at_.state.differentiations[l] = std::move(differentiations);
    at_.note_values_used();
    return EquationsCombined::Combined;
  }

 private:
  Model& model() const { return *at_.state.model; }

  void note_contradiction(const VanishingCombination& found, const std::string& text, NodeId left) {
    if (contradiction_) return;
    contradiction_ = Contradiction{{}, text, to_string(pool_, left, names_of(model()))};
    for (const int row : found.rows) contradiction_->equations.push_back(model().equations[at_.equation_at(row)]);
  }

  // Is the combination zero at all points?
  bool vanishes(NodeId combined, const VanishingCombination& found, int lowest) {
    return std::ranges::all_of(at_.points, [&](const GenericPoint& point) {
      double terms = 0.0;
      for (std::size_t k = 0; k < found.rows.size(); ++k) {
        const int i = at_.equation_at(found.rows[k]);
        const NodeId term = at_.derivative(model().equations[i].residual, at_.c(i) - lowest);
        terms += std::abs(evaluate(pool_, pool_.mul(found.factors[k], term), std::cref(point)));
      }
      return std::abs(evaluate(pool_, combined, std::cref(point))) <= rounding * terms;
    });
  }

  // Removes an equation that follows from others. Some forces are then not unique: the smallest ones are used, which
  // are orthogonal to all forces in equilibrium, v with J v = 0 for all other equations.
  bool leave_out(int l, const std::string& text) {
    if (at_.c(l) == 0) return false;  // here a result itself, not only a constraint force, would not be unique
    const auto is_force = [&](int j) { return at_.d(j) == 0; };
    const auto found = find_vanishing_combination(pool_, all_columns_without(l),
                                                  static_cast<int>(model().equations.size()), at_.points, is_force);
    if (!found) return false;
    // A variable that only one equation contains is a result, computed from the others.
    std::vector<int> occurrences(model().variables.size(), 0);
    for (const Equation& equation : model().equations)
      for (const NodeId leaf : variables_of(pool_, equation.residual)) ++occurrences[pool_[leaf].a];
    NodeId balance = pool_.zero();
    std::vector<std::string> names;
    for (std::size_t k = 0; k < found->rows.size(); ++k) {
      const int j = found->rows[k];
      if (occurrences[j] < 2) continue;
      const double nominal = model().variables[j].nominal;
      const NodeId weight = pool_.constant(1.0 / (nominal * nominal));
      balance = pool_.add(balance, pool_.mul(pool_.mul(weight, found->factors[k]), pool_.variable(VarId{j}, 0)));
      names.push_back(model().variables[j].name);
    }
    if (names.empty()) return false;
    at_.state.steps.push_back(
        fmt::format("{} is left out, since nothing is left of {}; not unique, and taken as small as possible: {}",
                    model().equations[l].label, text, fmt::join(names, ", ")));
    const std::string label = fmt::format("instead of {}", model().equations[l].label);
    at_.replace(l, balance, fmt::format("least size of {}", fmt::join(names, ", ")));
    model().equations[l].label = label;
    at_.state.differentiations[l].clear();
    at_.note_values_used();
    return true;
  }

  // The columns of J as lists by row.
  ExpressionRows all_columns_without(int l) {
    ExpressionRows columns(model().variables.size());
    for (int i = 0; i < static_cast<int>(model().equations.size()); ++i)
      if (i != l)
        for (const Partial& p : gradient(pool_, model().equations[i].residual))
          if (const int j = static_cast<int>(pool_[p.leaf].a); static_cast<int>(pool_[p.leaf].b) == at_.d(j) - at_.c(i))
            columns[j].push_back({i, at_.with_values ? at_.with_present_values(p.derivative) : p.derivative});
    return columns;
  }

  // An equation whose factor cannot be zero, if there is one, otherwise one whose factor is not small at the starts; of
  // several the longest, which is least like a definition.
  int equation_to_replace(const VanishingCombination& found, int lowest) const {
    std::vector<double> at_starts;
    for (const NodeId factor : found.factors)
      at_starts.push_back(std::abs(evaluate(pool_, factor, [this](NodeId leaf) { return value_at_starts(leaf); })));
    const double largest = *std::ranges::max_element(at_starts);
    int best = -1;
    std::tuple<bool, bool, std::size_t> rank;
    for (std::size_t k = 0; k < found.rows.size(); ++k) {
      const int i = at_.equation_at(found.rows[k]);
      if (at_.c(i) != lowest) continue;
      const std::tuple<bool, bool, std::size_t> own{at_.is_constant(found.factors[k]),
                                                    at_starts[k] >= not_small * largest,
                                                    variables_of(pool_, model().equations[i].residual).size()};
      if (best < 0 || own > rank) best = i, rank = own;
    }
    return best;
  }

  double value_at_starts(NodeId leaf) const {
    const Node& node = pool_[leaf];
    if (node.op == Op::Time) return model().experiment.start;
    if (node.op == Op::Parameter) return model().parameters[node.a].value;
    return node.b == 0 ? model().variables[node.a].start.value_or(0.0) : 0.0;
  }

  std::string text_of(const VanishingCombination& found, int lowest) const {
    std::string text;
    for (std::size_t k = 0; k < found.rows.size(); ++k) {
      const int i = at_.equation_at(found.rows[k]);
      std::string term = "(" + model().equations[i].label + ")";
      for (int times = lowest; times < at_.c(i); ++times) term = "der" + (times == lowest ? term : "(" + term + ")");
      NodeId factor = found.factors[k];
      const bool negative = at_.is_constant(factor) && evaluate(pool_, factor, std::cref(at_.points[0])) < 0.0;
      if (negative) factor = pool_.neg(factor);
      if (!pool_.is_constant(factor, 1.0)) {
        const std::string printed = to_string(pool_, factor, names_of(model()));
        term = (printed.find_first_of("+- ") == std::string::npos ? printed : "(" + printed + ")") + "*" + term;
      }
      text += text.empty() ? (negative ? "-" : "") : negative ? " - " : " + ";
      text += term;
    }
    return text;
  }

  BlockUnderRepair& at_;
  Pool& pool_;
  std::optional<Contradiction>& contradiction_;
};

}  // namespace

EquationsCombined combine_equations(BlockUnderRepair& at, std::optional<Contradiction>& contradiction) {
  return CombinedEquations(at, contradiction).run();
}

}  // namespace driftless
