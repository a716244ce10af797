#include "driftless/reduce/combined_variables.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/print.hpp"
#include "driftless/reduce/cancellation.hpp"
#include "driftless/reduce/vanishing_combination.hpp"

namespace driftless {
namespace {

class CombinedVariables {
 public:
  explicit CombinedVariables(BlockUnderRepair& at) : at_(at), pool_(at.pool()) {}

  bool run() {
    const auto found =
        find_vanishing_combination(pool_, at_.columns, static_cast<int>(at_.block.rows.size()), at_.points);
    if (!found) return false;
    const std::set<int> touched = touched_equations(*found);
    for (const int i : touched) at_.use_parameters_of(i);
    int highest = 0;
    for (const int i : touched) highest = std::max(highest, at_.c(i));
    for (const int place : found->rows)
      if (at_.d(at_.variable_at(place)) < highest) return false;
    for (const NodeId factor : found->factors)
      if (at_.depends_on_highest(factor, highest)) return false;

    const std::size_t l = variable_to_keep(*found);
    const int kept = at_.variable_at(found->rows[l]);
    const NodeId base = pool_.variable(VarId{kept}, at_.d(kept) - highest);
    std::map<int, NodeId> instead;  // replacements of x_j^(d_j - highest), by j
    int next = static_cast<int>(model().variables.size());
    for (std::size_t k = 0; k < found->rows.size(); ++k) {
      if (k == l) continue;
      const NodeId ratio = pool_.div(found->factors[k], found->factors[l]);
      instead[at_.variable_at(found->rows[k])] = pool_.add(pool_.variable(VarId{next++}, 0), pool_.mul(ratio, base));
    }
    add_variables(*found, l, highest);
    std::map<int, NodeId> results;
    for (const int i : touched)
      if (const auto result = substituted(i, instead, highest, kept)) results[i] = *result;
    if (results.size() < touched.size()) return false;
    add_equations(*found, l, highest, instead);
    for (const auto& [i, residual] : results) at_.replace(i, residual, model().equations[i].text);
    at_.note_values_used();
    return true;
  }

 private:
  Model& model() const { return *at_.state.model; }

  std::set<int> touched_equations(const VanishingCombination& found) const {
    std::set<int> touched;
    for (const int place : found.rows)
      for (const auto& [row, value] : at_.columns[place]) touched.insert(at_.equation_at(row));
    return touched;
  }

  std::size_t variable_to_keep(const VanishingCombination& found) const {
    for (std::size_t k = 0; k < found.rows.size(); ++k)
      if (at_.is_constant(found.factors[k])) return k;
    return 0;
  }

  std::string combined_name(const VanishingCombination& found, std::size_t k, std::size_t l, int highest) const {
    const int j = at_.variable_at(found.rows[k]), kept = at_.variable_at(found.rows[l]);
    const NodeId ratio = pool_.div(found.factors[k], found.factors[l]);
    const std::string x = derivative_name(model().variables[j].name, at_.d(j) - highest),
                      y = derivative_name(model().variables[kept].name, at_.d(kept) - highest);
    if (pool_.is_constant(ratio, 1.0)) return fmt::format("{} - {}", x, y);
    if (pool_.is_constant(ratio, -1.0)) return fmt::format("{} + {}", x, y);
    return fmt::format("{} - ({})*{}", x, to_string(pool_, ratio, names_of(model())), y);
  }

  // Adds the variables also to the generic points, with random values like the others.
  void add_variables(const VanishingCombination& found, std::size_t l, int highest) {
    for (std::size_t k = 0; k < found.rows.size(); ++k) {
      if (k == l) continue;
      const Variable& of = model().variables[at_.variable_at(found.rows[k])];
      Variable variable;
      variable.name = combined_name(found, k, l, highest);
      variable.range = of.range;
      variable.nominal = of.nominal;
      variable.state_select = StateSelect::Avoid;
      variable.auxiliary = true;
      at_.state.steps.push_back(fmt::format("{} becomes a variable of its own", variable.name));
      model().variables.push_back(std::move(variable));
      at_.state.least.push_back(0);
    }
    structure::Offsets offsets = at_.shape.offsets;
    offsets.d.resize(model().variables.size(), highest);
    at_.set_points(offsets);
  }

  std::optional<NodeId> substituted(int i, const std::map<int, NodeId>& instead, int highest, int kept) {
    const int times = highest - at_.c(i);
    Substitution substitution(pool_, [&](NodeId leaf) -> std::optional<NodeId> {
      if (pool_[leaf].op != Op::Variable) return {};
      const int j = static_cast<int>(pool_[leaf].a);
      const auto by = instead.find(j);
      if (by == instead.end() || static_cast<int>(pool_[leaf].b) != at_.d(j) - at_.c(i)) return {};
      return at_.derivative(by->second, times);
    });
    return at_.cancellation().without(substitution(model().equations[i].residual),
                                      {pool_.variable(VarId{kept}, at_.d(kept) - at_.c(i))});
  }

  void add_equations(const VanishingCombination& found, std::size_t l, int highest,
                     const std::map<int, NodeId>& instead) {
    for (std::size_t k = 0; k < found.rows.size(); ++k) {
      if (k == l) continue;
      const int j = at_.variable_at(found.rows[k]);
      const NodeId residual = pool_.sub(pool_.variable(VarId{j}, at_.d(j) - highest), instead.at(j));
      Equation equation;
      equation.residual = residual;
      equation.label = fmt::format("meaning of {}", combined_name(found, k, l, highest));
      equation.text = equation.label;
      equation.range = model().variables[j].range;
      model().equations.push_back(std::move(equation));
      at_.state.differentiations.emplace_back();
      at_.state.replaced.push_back(true);
    }
  }

  BlockUnderRepair& at_;
  Pool& pool_;
};

}  // namespace

bool combine_variables(BlockUnderRepair& at) { return CombinedVariables(at).run(); }

}  // namespace driftless
