#include "driftless/events/order.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/model/hold.hpp"
#include "driftless/structure/blocks.hpp"

namespace driftless {
namespace {

using structure::Col;
using structure::Row;

// A side of an equation that is a discrete variable, or the negation of one.
struct Side {
  std::size_t variable;
  bool is_negated;
  bool is_pre;
};

class Order {
 public:
  Order(const Model& model, Diagnostics& diagnostics)
      : model_(model), part_(model.discrete), pool_(*model.pool), diagnostics_(diagnostics) {
    roles_.assign(model.parameters.size(), {});
    for (std::size_t v = 0; v < part_.variables.size(); ++v) {
      roles_[place(part_.variables[v].value)] = Role{v, false};
      roles_[place(part_.variables[v].pre)] = Role{v, true};
    }
  }

  DiscreteOrder operator()() {
    DiscreteOrder order;
    find_sides();
    const structure::Matching matching = structure::maximum_matching(candidates());
    if (!matching.is_perfect()) {
      name_unmatched(matching);
      return order;
    }
    order.assignments = sorted(matching);
    read_initial_equations(order);
    return order;
  }

 private:
  struct Role {
    std::size_t variable = 0;
    bool is_pre = false;
  };

  static std::size_t place(ParamId id) { return static_cast<std::size_t>(index(id)); }

  std::optional<Side> side_of(NodeId id) const {
    const bool is_negated = pool_[id].op == Op::Not;
    const Node node = pool_[is_negated ? pool_[id].operand(0) : id];
    if (node.op != Op::Parameter || !roles_[node.a]) return {};
    return Side{roles_[node.a]->variable, is_negated, roles_[node.a]->is_pre};
  }

  // The other side, solved for the variable on this side.
  NodeId solved_for(const Side& side, NodeId other) const {
    return side.is_negated ? pool_.unary(Op::Not, other) : other;
  }

  void find_sides() {
    for (const DiscreteEquation& equation : part_.equations) {
      auto& options = sides_.emplace_back();
      for (const auto& [mine, other] : {std::pair{equation.left, equation.right}, {equation.right, equation.left}})
        if (const auto side = side_of(mine); side && !side->is_pre)
          options.push_back({side->variable, solved_for(*side, other)});
    }
  }

  structure::Signature candidates() const {
    structure::Signature signature(static_cast<int>(part_.variables.size()));
    for (const auto& options : sides_) {
      std::vector<structure::Entry> row;
      for (const Option& option : options) row.push_back({Col{static_cast<int>(option.variable)}, 0});
      std::ranges::sort(row, {}, &structure::Entry::col);
      const auto [first, last] = std::ranges::unique(row, {}, &structure::Entry::col);
      row.erase(first, last);
      signature.add_row(row);
    }
    return signature;
  }

  void name_unmatched(const structure::Matching& matching) {
    std::vector<std::string> names;
    for (std::size_t v = 0; v < part_.variables.size(); ++v)
      if (matching.row_of(Col{static_cast<int>(v)}) == structure::no_row) names.push_back(part_.variables[v].name);
    for (std::size_t e = 0; e < part_.equations.size(); ++e) {
      const DiscreteEquation& equation = part_.equations[e];
      if (matching.col_of(Row{static_cast<int>(e)}) != structure::no_col) continue;
      const bool has_options = !sides_[e].empty();
      diagnostics_
          .error(Code::WrongDiscreteEquation, equation.range,
                 has_options
                     ? fmt::format("{}: {} determines no discrete variable that no other equation determines",
                                   equation.label, equation.text)
                     : fmt::format("{}: {} has no discrete variable alone on one side", equation.label, equation.text))
          .note("a discrete equation is evaluated at events, so it must give the value of one discrete variable");
    }
    if (!names.empty())
      diagnostics_
          .error(Code::WrongDiscreteEquation, part_.variables.empty() ? SourceRange{} : range_of(names.front()),
                 fmt::format("no equation determines the discrete variable{} {}", names.size() > 1 ? "s" : "",
                             fmt::join(names, ", ")))
          .note("assign it in a when clause or an algorithm, or give it an equation");
  }

  SourceRange range_of(const std::string& name) const {
    return std::ranges::find(part_.variables, name, &DiscreteVariable::name)->range;
  }

  // Values of discrete variables that an expression needs.
  std::vector<std::size_t> needs(NodeId expression) const {
    std::vector<std::size_t> needed;
    for (const NodeId id : nodes_of(pool_, expression))
      if (const Node node = pool_[id]; node.op == Op::Parameter && roles_[node.a] && !roles_[node.a]->is_pre)
        needed.push_back(roles_[node.a]->variable);
    std::ranges::sort(needed);
    return needed;
  }

  std::vector<DiscreteAssignment> sorted(const structure::Matching& matching) {
    structure::Signature dependence(static_cast<int>(part_.variables.size()));
    std::vector<NodeId> values;
    std::vector<std::vector<std::size_t>> needed;
    for (std::size_t e = 0; e < part_.equations.size(); ++e) {
      const auto variable = static_cast<std::size_t>(index(matching.col_of(Row{static_cast<int>(e)})));
      const auto option = std::ranges::find(sides_[e], variable, &Option::variable);
      values.push_back(option->value);
      needed.push_back(needs(option->value));
      std::vector<std::size_t> all = needed.back();
      if (!std::ranges::binary_search(all, variable)) all.insert(std::ranges::lower_bound(all, variable), variable);
      std::vector<structure::Entry> row;
      for (const std::size_t v : all) row.push_back({Col{static_cast<int>(v)}, 0});
      dependence.add_row(row);
    }
    std::vector<DiscreteAssignment> assignments;
    std::vector<std::optional<NodeId>> known(part_.variables.size());
    Substitution substitute(pool_, [&](NodeId leaf) -> std::optional<NodeId> {
      const Node node = pool_[leaf];
      if (node.op != Op::Parameter || !roles_[node.a] || roles_[node.a]->is_pre) return {};
      return known[roles_[node.a]->variable];
    });
    for (const structure::Block& block : structure::block_triangular_form(dependence, matching)) {
      const auto e = static_cast<std::size_t>(index(block.rows.front()));
      const auto v = static_cast<std::size_t>(index(block.cols.front()));
      if (block.rows.size() > 1 || std::ranges::binary_search(needed[e], v)) {
        name_loop(block);
        continue;
      }
      known[v] = substitute(values[e]);
      assignments.push_back({v, e, values[e], *known[v]});
    }
    return assignments;
  }

  void name_loop(const structure::Block& block) {
    std::vector<std::string> names;
    for (const Col c : block.cols) names.push_back(part_.variables[static_cast<std::size_t>(index(c))].name);
    const DiscreteEquation& first = part_.equations[static_cast<std::size_t>(index(block.rows.front()))];
    Diagnostic& error = diagnostics_.error(
        Code::DependsOnItself, first.range,
        names.size() == 1
            ? fmt::format("the discrete variable {} depends on itself at the same instant", names.front())
            : fmt::format("the discrete variables {} depend on each other in a circle at the same instant",
                          fmt::join(names, ", ")));
    for (const Row r : block.rows) {
      const DiscreteEquation& equation = part_.equations[static_cast<std::size_t>(index(r))];
      error.note(fmt::format("{}: {}", equation.label, equation.text), equation.range);
    }
    error.note("pre(v) is the value before the event: with it somewhere in the circle the values can be computed");
  }

  void read_initial_equations(DiscreteOrder& order) {
    for (std::size_t e = 0; e < part_.initial_equations.size(); ++e) {
      const DiscreteEquation& equation = part_.initial_equations[e];
      auto side = side_of(equation.left);
      NodeId other = equation.right;
      if (!side) side = side_of(equation.right), other = equation.left;
      if (!side) {
        diagnostics_.error(
            Code::WrongDiscreteEquation, equation.range,
            fmt::format("{}: {} has no discrete variable alone on one side", equation.label, equation.text));
        continue;
      }
      const NodeId value = solved_for(*side, other);
      (side->is_pre ? order.pre_at_start : order.at_start).push_back({side->variable, e, value, value});
    }
  }

  struct Option {
    std::size_t variable;
    NodeId value;
  };

  const Model& model_;
  const DiscretePart& part_;
  Pool& pool_;
  Diagnostics& diagnostics_;
  std::vector<std::optional<Role>> roles_;  // by parameter
  std::vector<std::vector<Option>> sides_;  // by equation
};

}  // namespace

DiscreteOrder order_of(const Model& model, Diagnostics& diagnostics) { return Order(model, diagnostics)(); }

}  // namespace driftless
