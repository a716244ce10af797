#include "driftless/taylor/natural_system.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/function.hpp"
#include "driftless/reduce/definitions.hpp"

namespace driftless::taylor {
namespace {

class Renaming {
 public:
  explicit Renaming(const Reduced& reduced)
      : reduced_(reduced),
        own_model_(growable(reduced.model)),
        model_(*own_model_),
        pool_(*model_.pool),
        names_(model_.variables.size()) {}

  std::variant<NaturalSystem, std::string> make() {
    used_.assign(model_.equations.size(), false);
    const std::vector<Explicit> explicit_equations =
        choose_definitions(model_, reduced_.offsets, Definable::Everything);
    for (const Explicit& e : explicit_equations) take_alias(e);
    find_differentiated();
    for (const Explicit& e : explicit_equations) take_expression(e);
    return analysed();
  }

 private:
  // The replacement of a variable: a signed derivative of another one, or an expression.
  struct Name {
    enum class Kind { Itself, Alias, Expression } kind = Kind::Itself;
    VarId of{};
    int order = 0;
    double sign = 1.0;
    NodeId value{};
  };

  struct Leaf {
    VarId variable;
    int order;
    double sign;
  };
  std::optional<Leaf> signed_leaf(NodeId node) const {
    double sign = 1.0;
    if (pool_[node].op == Op::Neg) node = pool_[node].operand(0), sign = -1.0;
    const Node& leaf = pool_[node];
    if (leaf.op != Op::Variable) return {};
    return Leaf{VarId{static_cast<int>(leaf.a)}, static_cast<int>(leaf.b), sign};
  }

  Leaf resolved(Leaf leaf) const {
    for (const Name* name = &names_[index(leaf.variable)]; name->kind == Name::Kind::Alias;
         name = &names_[index(leaf.variable)])
      leaf = {name->of, leaf.order + name->order, leaf.sign * name->sign};
    return leaf;
  }

  bool is_free(VarId v) const { return names_[index(v)].kind == Name::Kind::Itself; }

  void take_alias(const Explicit& e) {
    const auto leaf = signed_leaf(e.value);
    if (!leaf) return;
    // v = ±der^m(w), or der^m(v) = ±w: the variable that is not differentiated is eliminated.
    if (e.order == 0 && name_alias(e.variable, *leaf))
      used_[index(e.equation)] = true;
    else if (leaf->order == 0 && name_alias(leaf->variable, {e.variable, e.order, leaf->sign}))
      used_[index(e.equation)] = true;
  }

  bool name_alias(VarId v, Leaf target) {
    if (!is_free(v)) return false;
    target = resolved(target);
    if (target.variable == v) return false;
    names_[index(v)] = {Name::Kind::Alias, target.variable, target.order, target.sign, {}};
    return true;
  }

  void find_differentiated() {
    differentiated_.assign(model_.variables.size(), false);
    for (std::size_t i = 0; i < model_.equations.size(); ++i) {
      if (used_[i]) continue;
      for (const NodeId node : variables_of(pool_, model_.equations[i].residual)) {
        const Leaf leaf = resolved(*signed_leaf(node));
        if (leaf.order > 0) differentiated_[index(leaf.variable)] = true;
      }
    }
    for (std::size_t v = 0; v < names_.size(); ++v)  // an alias needs the series of its variable
      if (names_[v].kind == Name::Kind::Alias) {
        const Leaf leaf = resolved({VarId{static_cast<int>(v)}, 0, 1.0});
        differentiated_[index(leaf.variable)] = true;
      }
  }

  void take_expression(const Explicit& e) {
    if (used_[index(e.equation)] || e.order > 0 || !is_free(e.variable) || differentiated_[index(e.variable)] ||
        reduced_.place({e.variable, 0}) != Place::Defined)
      return;
    if (any_node(pool_, in_unknowns(e.value), [&](NodeId n) {
          return pool_[n].op == Op::Variable && pool_[n].a == static_cast<std::uint32_t>(index(e.variable));
        }))
      return;
    names_[index(e.variable)] = {Name::Kind::Expression, {}, 0, 1.0, e.value};
    used_[index(e.equation)] = true;
  }

  // Replaces variables until only unknowns are left; there are no cycles.
  NodeId in_unknowns(NodeId expression) {
    for (;;) {
      Substitution once(pool_, [&](NodeId node) -> std::optional<NodeId> {
        if (pool_[node].op != Op::Variable) return {};
        const Node leaf = pool_[node];
        const Name& name = names_[leaf.a];
        if (name.kind == Name::Kind::Expression) return name.value;
        if (name.kind == Name::Kind::Itself) return {};
        const Leaf r = resolved({VarId{static_cast<int>(leaf.a)}, static_cast<int>(leaf.b), 1.0});
        const NodeId target = pool_.variable(r.variable, r.order);
        return r.sign < 0.0 ? pool_.neg(target) : target;
      });
      const NodeId next = once(expression);
      if (next == expression) return expression;
      expression = next;
    }
  }

  std::variant<NaturalSystem, std::string> analysed() {
    NaturalSystem system;
    system.model = own_model_;
    std::vector<int> number(names_.size(), -1);
    for (std::size_t v = 0; v < names_.size(); ++v)
      if (names_[v].kind == Name::Kind::Itself) {
        number[v] = static_cast<int>(system.unknowns.size());
        system.unknowns.push_back({VarId{static_cast<int>(v)}, 0, model_.variables[v].nominal});
      }
    structure::Signature signature(static_cast<int>(system.unknowns.size()));
    std::vector<structure::Entry> entries;
    for (std::size_t i = 0; i < model_.equations.size(); ++i) {
      if (used_[i]) continue;
      const NodeId residual = in_unknowns(model_.equations[i].residual);
      entries.clear();
      for (const NodeId leaf : variables_of(pool_, residual)) {  // ascending: the last order is the highest
        const structure::Col col{number[pool_[leaf].a]};
        const int order = static_cast<int>(pool_[leaf].b);
        if (!entries.empty() && entries.back().col == col)
          entries.back().sigma = order;
        else
          entries.push_back({col, order});
      }
      signature.add_row(entries);
      system.rows.push_back({residual, EqnId{static_cast<int>(i)}, 0});
    }
    const auto result = structure::analyze(signature);
    if (std::holds_alternative<structure::Singular>(result))
      return "its equations are singular once aliases and explicit equations are substituted";
    const auto& offsets = std::get<structure::Structure>(result).offsets;
    for (std::size_t i = 0; i < system.rows.size(); ++i) system.rows[i].c = offsets.c[i];
    for (std::size_t j = 0; j < system.unknowns.size(); ++j) system.unknowns[j].d = offsets.d[j];
    std::ranges::stable_sort(system.rows, std::ranges::greater{}, &Row::c);
    for (std::size_t v = 0; v < names_.size(); ++v) {
      Meaning& meaning = system.meanings.emplace_back();
      if (names_[v].kind == Name::Kind::Expression) continue;
      const Leaf leaf = resolved({VarId{static_cast<int>(v)}, 0, 1.0});
      meaning = {number[index(leaf.variable)], leaf.order, leaf.sign};
    }
    return system;
  }

  const Reduced& reduced_;
  std::shared_ptr<const Model> own_model_;
  const Model& model_;
  Pool& pool_;
  std::vector<Name> names_;  // by variable
  std::vector<bool> used_;   // by equation
  std::vector<bool> differentiated_;
};

std::string no_series(const Equation& equation, const Function& called) {
  return fmt::format("{} calls the function {}, {}: it has no Taylor series", equation.label, called.name,
                     called.foreign ? "which is external" : "whose loops depend on values");
}

}  // namespace

std::variant<NaturalSystem, std::string> natural_system(const Reduced& reduced) {
  const Model& model = *reduced.model;
  const Pool& pool = *model.pool;
  for (const Equation& equation : model.equations)
    for (const NodeId node : nodes_of(pool, equation.residual))
      if (pool[node].op == Op::Call) return no_series(equation, pool.function(pool.call_site(pool[node]).function));
  return Renaming(reduced).make();
}

}  // namespace driftless::taylor
