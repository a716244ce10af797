#include "driftless/reduce/definitions.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <ranges>

#include "driftless/expr/calculus.hpp"
#include "driftless/reduce/observers.hpp"
#include "driftless/reduce/pivots.hpp"

namespace driftless {
namespace {

// Substituting an expression of L quantities into U equations replaces about L + U matrix entries by L * U.
constexpr std::size_t most_new_entries = 64;
// An expression of more quantities is never substituted into two or more equations.
constexpr std::size_t most_quantities = most_new_entries / 2;

VarId variable_of(const Pool& pool, NodeId leaf) { return VarId{static_cast<int>(pool[leaf].a)}; }
int order_of(const Pool& pool, NodeId leaf) { return static_cast<int>(pool[leaf].b); }

// May one divide by this coefficient: is it constant, and not zero for the present parameters?
bool is_safe_divisor(const Model& model, NodeId coefficient) {
  const std::optional<double> value = value_of_constant(model, coefficient);
  return value && std::isfinite(*value) && *value != 0.0;
}

struct Candidate {
  Explicit definition;
  std::vector<VarId> uses;   // other variables in the solved expression
  std::vector<VarId> tight;  // those of the same stage: only these can close a cycle
  bool accepted = true;
};

// 0 if the text looks like a definition (the quantity alone on one side), 1 for a highest derivative, 2 otherwise.
int reluctance(const Pool& pool, NodeId residual, NodeId leaf) {
  const Node& node = pool[residual];
  if (node.op == Op::Sub && (node.operand(0) == leaf || node.operand(1) == leaf)) return 0;
  return order_of(pool, leaf) > 0 ? 1 : 2;
}

class Chooser {
 public:
  Chooser(const Model& model, const structure::Offsets& offsets, Definable definable)
      : model_(model),
        pool_(*model.pool),
        offsets_(offsets),
        definable_(definable),
        pivots_(model, offsets),
        only_derivatives_(model.equations.size(), false) {}

  std::vector<Explicit> choose() {
    find_occurrences();
    do {
      collect();
      break_cycles();
      find_exponents();
    } while (free_exponents_of_rates());
    return limit_fill();
  }

 private:
  void find_occurrences() {
    const std::size_t n = model_.equations.size();
    leaves_.resize(n);
    occurrences_.resize(model_.variables.size());
    for (std::size_t i = 0; i < n; ++i) {
      leaves_[i] = variables_of(pool_, model_.equations[i].residual);
      for (const NodeId leaf : leaves_[i]) {  // ascending: the last order of a variable is its highest
        std::vector<Occurrence>& list = occurrences_[index(variable_of(pool_, leaf))];
        const Occurrence occurrence{static_cast<int>(i), order_of(pool_, leaf)};
        if (!list.empty() && list.back().equation == occurrence.equation)
          list.back() = occurrence;
        else
          list.push_back(occurrence);
      }
    }
  }

  // One candidate per equation, no variable twice; equations with few variables first, so that aliases win.
  void collect() {
    const std::size_t n = model_.equations.size();
    taken_.assign(n, false);
    defined_by_.assign(model_.variables.size(), -1);
    candidates_.clear();
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return leaves_[a].size() < leaves_[b].size(); });
    // Equations written as definitions come first, so that none loses its own variable to another.
    for (const int most : {0, 1, 2})
      for (const int i : order) propose(EqnId{i}, most);
  }

  void propose(EqnId equation, int most_reluctance) {
    const std::size_t i = index(equation);
    if (taken_[i]) return;
    const NodeId residual = model_.equations[i].residual;
    const int c = offsets_.c[i];
    NodeId best{};
    std::optional<LinearIn> best_form;
    int best_rank = most_reluctance + 1;
    int best_order = -1;
    std::size_t best_uses = 0;
    for (const NodeId leaf : leaves_[i]) {
      const VarId v = variable_of(pool_, leaf);
      const int order = order_of(pool_, leaf);
      if (defined_by_[index(v)] >= 0 || order != offsets_.d[index(v)] - c || !may_be_defined(v, order, c)) continue;
      if (only_derivatives_[i] && !is_highest_derivative(leaf)) continue;
      const int rank = reluctance(pool_, residual, leaf);
      if (rank == 2 && definable_ == Definable::NoConstraints && has_highest_derivative(equation)) continue;
      if (keeps_start(equation, leaf)) continue;
      const std::size_t uses = occurrences_[index(v)].size();
      // Among equals, define the highest derivative (der(x) = v defines der(x), so that v keeps its own equation),
      // then the variable that occurs least.
      if (rank > best_rank) continue;
      if (rank == best_rank && best_form && (order < best_order || (order == best_order && uses >= best_uses)))
        continue;
      auto form = linear_in(pool_, residual, leaf);
      if (!form || !is_safe_divisor(model_, form->coefficient)) continue;
      // Formulations that rewrite the constraints keep such definitions: their runs are compared with printed tables.
      if (rank > 0 && definable_ != Definable::NoConstraints && !pivots_.may_divide(equation, leaf)) continue;
      best = leaf, best_form = form, best_rank = rank, best_order = order, best_uses = uses;
    }
    if (!best_form) return;
    Candidate candidate;
    candidate.definition = {equation, variable_of(pool_, best), order_of(pool_, best),
                            pool_.div(pool_.neg(best_form->rest), best_form->coefficient)};
    VarId last{-1};
    for (const NodeId leaf : leaves_[i]) {
      const VarId v = variable_of(pool_, leaf);
      if (v == candidate.definition.variable) continue;
      if (v != last) candidate.uses.push_back(last = v);
      if (order_of(pool_, leaf) == offsets_.d[index(v)] - c) candidate.tight.push_back(v);
    }
    defined_by_[index(candidate.definition.variable)] = static_cast<int>(candidates_.size());
    taken_[i] = true;
    candidates_.push_back(std::move(candidate));
  }

  // Does the user's text contain a derivative of the variable?
  bool is_differentiated(VarId v) const {
    return std::ranges::any_of(occurrences_[index(v)], [](const Occurrence& o) { return o.order > 0; });
  }

  bool is_highest_derivative(NodeId leaf) const {
    const int order = order_of(pool_, leaf);
    return order > 0 && order == offsets_.d[index(variable_of(pool_, leaf))];
  }

  bool has_highest_derivative(EqnId equation) const {
    return std::ranges::any_of(leaves_[index(equation)], [&](NodeId leaf) {
      const int d = offsets_.d[index(variable_of(pool_, leaf))];
      return d > 0 && order_of(pool_, leaf) == d - offsets_.c[index(equation)];
    });
  }

  // A variable that the user wants as a state keeps its slots below the highest derivative.
  bool may_be_defined(VarId v, int order, int c) const {
    if (definable_ == Definable::AlgebraicVariables && offsets_.d[index(v)] > 0) return false;
    if (definable_ == Definable::NoConstraints && order == 0 && c > 0 && is_differentiated(v)) return false;
    const StateSelect select = model_[v].state_select;
    return order == offsets_.d[index(v)] || (select != StateSelect::Prefer && select != StateSelect::Always);
  }

  // A variable that may be a state and has a start is not defined by another one that has none: then its start is an
  // entry of the state vector and used exactly.
  bool keeps_start(EqnId equation, NodeId leaf) const {
    const auto has_start = [&](NodeId other) { return model_[variable_of(pool_, other)].start.has_value(); };
    const auto may_be_state = [&](NodeId other) {
      const VarId v = variable_of(pool_, other);
      const int order = order_of(pool_, other), d = offsets_.d[index(v)];
      return order == 0 && d > 0 && order == d - offsets_.c[index(equation)];
    };
    if (!has_start(leaf) || !may_be_state(leaf)) return false;
    return std::ranges::any_of(leaves_[index(equation)], [&](NodeId other) {
      if (other == leaf || has_start(other) || !may_be_state(other) ||
          defined_by_[index(variable_of(pool_, other))] >= 0)
        return false;
      const auto form = linear_in(pool_, model_.equations[index(equation)].residual, other);
      return form && is_safe_divisor(model_, form->coefficient);
    });
  }

  // In every strong component of "definition uses definition" the definition with the most uses is withdrawn, until no
  // cycle is left. Afterwards `order_` is a topological order.
  void break_cycles() {
    for (;;) {
      bool withdrew = false;
      order_.clear();
      for (const std::vector<int>& component : strong_components()) {
        if (component.size() == 1) {
          order_.push_back(component[0]);
          continue;
        }
        // Among equals the last one, so that earlier proposals stay.
        withdraw(*std::ranges::max_element(component | std::views::reverse, {},
                                           [&](int k) { return candidates_[k].uses.size(); }));
        withdrew = true;
      }
      if (!withdrew) return;
    }
  }

  void withdraw(int k) {
    candidates_[k].accepted = false;
    defined_by_[index(candidates_[k].definition.variable)] = -1;
  }

  // Strong components, dependencies first: the block triangular form of the accepted candidates, each matched with
  // itself.
  std::vector<std::vector<int>> strong_components() const {
    std::vector<int> accepted, number(candidates_.size(), -1);
    for (std::size_t k = 0; k < candidates_.size(); ++k)
      if (candidates_[k].accepted) {
        number[k] = static_cast<int>(accepted.size());
        accepted.push_back(static_cast<int>(k));
      }
    const int n = static_cast<int>(accepted.size());
    structure::Signature signature(n);
    structure::Matching matching;
    matching.size = n;
    std::vector<structure::Entry> entries;
    for (int i = 0; i < n; ++i) {
      entries.assign(1, {structure::Col{i}, 0});
      for (const VarId v : candidates_[accepted[i]].tight)
        if (const int k = defined_by_[index(v)]; k >= 0) entries.push_back({structure::Col{number[k]}, 0});
      std::ranges::sort(entries, {}, &structure::Entry::col);
      const auto repeated = std::ranges::unique(entries, {}, &structure::Entry::col);
      entries.erase(repeated.begin(), repeated.end());
      signature.add_row(entries);
      matching.col_of_row.push_back(structure::Col{i});
      matching.row_of_col.push_back(structure::Row{i});
    }
    std::vector<std::vector<int>> components;
    for (const structure::Block& block : block_triangular_form(signature, matching)) {
      std::vector<int>& component = components.emplace_back();
      for (const structure::Row row : block.rows) component.push_back(accepted[index(row)]);
    }
    return components;
  }

  // By equation: does it only compute a variable that nothing else needs?
  void find_observers() {
    std::vector<int> defines(model_.equations.size(), -1);
    for (const int k : order_) {
      const Explicit& e = candidates_[k].definition;
      if (e.order == 0 && offsets_.c[index(e.equation)] == 0 && offsets_.d[index(e.variable)] == 0)
        defines[index(e.equation)] = index(e.variable);
    }
    const std::vector<bool> needed = needed_variables(model_, defines);
    observes_.assign(defines.size(), false);
    for (std::size_t i = 0; i < defines.size(); ++i) observes_[i] = defines[i] >= 0 && !needed[defines[i]];
  }

  // Other equations that contain a defined quantity, as written or differentiated, and are part of the matrices.
  std::size_t uses_of(const Explicit& definition) const {
    return std::ranges::count_if(occurrences_[index(definition.variable)], [&](const Occurrence& o) {
      return o.equation != index(definition.equation) && !observes_[o.equation] &&
             o.order + offsets_.c[o.equation] >= definition.order;
    });
  }

  // Which quantities occur in arguments of exponentials, in the equations as written or after substituting definitions.
  void find_exponents() {
    exponent_order_.assign(model_.variables.size(), -1);
    const auto note = [&](NodeId argument) {
      for (const NodeId leaf : variables_of(pool_, argument)) {
        int& order = exponent_order_[index(variable_of(pool_, leaf))];
        order = std::max(order, order_of(pool_, leaf));
      }
    };
    for (const Equation& equation : model_.equations)
      for (const NodeId node : nodes_of(pool_, equation.residual))
        if (is_exponential(pool_[node].op)) note(pool_[node].operand(0));
    for (const int k : order_ | std::views::reverse) {
      const Explicit& definition = candidates_[k].definition;
      if (exponent_order_[index(definition.variable)] >= definition.order) note(definition.value);
    }
  }

  // From C der(u) = i the current is not defined if it enters the argument of an exponential: the rows would contain
  // exp(der(u)), and implicit methods know der(u) only as a difference by the step size. Such an equation may define
  // its derivative, or nothing. True if there are new ones: then all definitions must be chosen again.
  bool free_exponents_of_rates() {
    bool found = false;
    for (const int k : order_) {
      const Explicit& definition = candidates_[k].definition;
      const std::size_t i = index(definition.equation);
      if (only_derivatives_[i] || definition.order > exponent_order_[index(definition.variable)]) continue;
      const std::vector<NodeId> leaves = variables_of(pool_, definition.value);
      const auto is_rate = [&](NodeId leaf) {
        return is_highest_derivative(leaf) && defined_by_[index(variable_of(pool_, leaf))] < 0;
      };
      if (std::ranges::any_of(leaves, is_rate)) only_derivatives_[i] = found = true;
    }
    return found;
  }

  bool has_exponential(NodeId value) const {
    return any_node(pool_, value, [&](NodeId node) {
      return is_exponential(pool_[node].op) && !variables_of(pool_, pool_[node].operand(0)).empty();
    });
  }

  // Goes through the definitions in topological order, so that the variables in each substituted expression are known.
  // A definition stays only if substituting it is cheap and puts no exponential into the argument of another one:
  // Newton's iteration would then have to solve exp(exp(u)), while the variable as an unknown separates the two.
  std::vector<Explicit> limit_fill() {
    std::vector<std::vector<VarId>> behind(candidates_.size());
    std::vector<bool> exponential_behind(candidates_.size(), false);
    std::vector<Explicit> result;
    find_observers();
    for (const int k : order_) {
      const Candidate& candidate = candidates_[k];
      if (observes_[index(candidate.definition.equation)]) {  // not substituted into any solved equation
        result.push_back(candidate.definition);
        continue;
      }
      std::vector<VarId> variables;
      exponential_behind[k] = has_exponential(candidate.definition.value);
      for (const VarId v : candidate.uses) {
        const int other = defined_by_[index(v)];
        if (other >= 0 && exponential_behind[other]) exponential_behind[k] = true;
        if (other < 0 || behind[other].empty())
          variables.push_back(v);
        else
          variables.insert(variables.end(), behind[other].begin(), behind[other].end());
      }
      std::ranges::sort(variables);
      variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
      const std::size_t uses = uses_of(candidate.definition);
      const int exponent_order = exponent_order_[index(candidate.definition.variable)];
      if (exponential_behind[k] && exponent_order >= candidate.definition.order) {
        withdraw(k);
        continue;
      }
      if (variables.size() > 2 && uses > 1 && variables.size() * uses > most_new_entries) {
        withdraw(k);
        continue;
      }
      if (variables.size() > most_quantities) variables.resize(most_quantities + 1);  // no need to count further
      behind[k] = std::move(variables);
      result.push_back(candidate.definition);
    }
    return result;
  }

  const Model& model_;
  Pool& pool_;
  const structure::Offsets& offsets_;
  Definable definable_;
  Pivots pivots_;
  std::vector<std::vector<NodeId>> leaves_;
  struct Occurrence {
    int equation;
    int order;  // the highest
  };
  std::vector<std::vector<Occurrence>> occurrences_;  // by variable
  std::vector<int> exponent_order_;  // by variable: the highest order in an argument of an exponential, or -1
  std::vector<Candidate> candidates_;
  std::vector<bool> taken_;
  std::vector<bool> observes_;          // by equation
  std::vector<bool> only_derivatives_;  // by equation: may define a highest derivative only
  std::vector<int> defined_by_;
  std::vector<int> order_;
};

}  // namespace

bool is_exponential(Op op) { return op == Op::Exp || op == Op::Sinh || op == Op::Cosh; }

std::optional<double> value_of_constant(const Model& model, NodeId expression) {
  const Pool& pool = *model.pool;
  if (any_node(pool, expression, [&](NodeId n) {
        const Op op = pool[n].op;
        return op == Op::Variable || op == Op::Time || op == Op::Local ||
               (op == Op::Parameter &&
                (!model.parameters[pool[n].a].fixed || model.parameters[pool[n].a].role != Parameter::Role::Given));
      }))
    return {};
  return evaluate(pool, expression, [&](NodeId leaf) { return model[ParamId{static_cast<int>(pool[leaf].a)}].value; });
}

std::vector<Explicit> choose_definitions(const Model& model, const structure::Offsets& offsets, Definable definable) {
  return Chooser(model, offsets, definable).choose();
}

}  // namespace driftless
