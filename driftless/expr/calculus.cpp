#include "driftless/expr/calculus.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "driftless/expr/apply.hpp"
#include "driftless/expr/derivative_table.hpp"
#include "driftless/expr/function.hpp"

namespace driftless {
namespace {

bool is_leaf(Op op) { return op <= Op::Local; }

// Is it a leaf whose value the user of the expression gives?
bool is_symbol(Op op) { return is_leaf(op) && op != Op::Constant; }

bool always(NodeId) { return true; }

// The nodes that a walk has met. A thread keeps one table for its walks, which is emptied in constant time; a walk that
// another one begins on its way has a table of its own.
class Met {
 public:
  explicit Met(NodeId root) : table_(kept_.is_lent ? own_ : kept_), borrows_(&table_ == &kept_) {
    if (borrows_) kept_.is_lent = true;
    if (table_.walk_of.size() <= index(root)) table_.walk_of.resize(index(root) + index(root) / 2 + 1, 0);
    if (++table_.walk == 0) std::fill(table_.walk_of.begin(), table_.walk_of.end(), 0), table_.walk = 1;
    table_.nodes.clear();
  }
  ~Met() {
    if (borrows_) kept_.is_lent = false;
  }
  Met(const Met&) = delete;
  Met& operator=(const Met&) = delete;

  bool contains(NodeId id) const { return table_.walk_of[index(id)] == table_.walk; }
  void insert(NodeId id) {
    table_.walk_of[index(id)] = table_.walk;
    table_.nodes.push_back(id);
  }
  std::size_t size() const { return table_.nodes.size(); }
  NodeId operator[](std::size_t i) const { return table_.nodes[i]; }  // in the order in which they were met
  std::vector<NodeId> sorted() {
    std::sort(table_.nodes.begin(), table_.nodes.end());
    return table_.nodes;
  }

 private:
  struct Table {
    std::vector<std::uint32_t> walk_of;  // of each node, the last that met it
    std::vector<NodeId> nodes;           // that the present walk has met
    std::uint32_t walk = 0;
    bool is_lent = false;
  };
  static thread_local Table kept_;
  Table own_;
  Table& table_;
  const bool borrows_;
};

thread_local Met::Table Met::kept_;

// Meets the nodes that can be reached from the root. Nodes not accepted by `enter` are left out; the operands of nodes
// not accepted by `descend` are not visited.
template <typename Enter, typename Descend = bool (*)(NodeId)>
void walk(Met& met, const Pool& pool, NodeId root, Enter enter, Descend descend = always) {
  if (!enter(root)) return;
  met.insert(root);
  NodeId buffer[3];
  for (std::size_t i = 0; i < met.size(); ++i) {  // breadth first: the result is its own queue
    if (is_leaf(pool[met[i]].op) || !descend(met[i])) continue;
    for (const NodeId operand : pool.operands(met[i], buffer))
      if (!met.contains(operand) && enter(operand)) met.insert(operand);
  }
}

// The same nodes, ascending.
template <typename Enter, typename Descend = bool (*)(NodeId)>
std::vector<NodeId> reachable(const Pool& pool, NodeId root, Enter enter, Descend descend = always) {
  Met met(root);
  walk(met, pool, root, enter, descend);
  return met.sorted();
}

// One operand at a time: these stay valid while the pool grows.
int operand_count(const Pool& pool, NodeId id) {
  const Node& node = pool[id];
  return node.op == Op::Call ? static_cast<int>(pool.call_site(node).arguments.size()) : arity(node.op);
}

NodeId operand_at(const Pool& pool, NodeId id, int k) {
  const Node& node = pool[id];
  return node.op == Op::Call ? pool.call_site(node).arguments[static_cast<std::size_t>(k)] : node.operand(k);
}

std::vector<NodeId> operand_list(const Pool& pool, NodeId id) {
  NodeId buffer[3];
  const auto operands = pool.operands(id, buffer);
  return {operands.begin(), operands.end()};
}

bool by_variable(const Pool& pool, NodeId x, NodeId y) {
  return std::pair(pool[x].a, pool[x].b) < std::pair(pool[y].a, pool[y].b);
}

void sort_by_variable(const Pool& pool, std::vector<NodeId>& leaves) {
  std::sort(leaves.begin(), leaves.end(), [&](NodeId x, NodeId y) { return by_variable(pool, x, y); });
}

}  // namespace

std::vector<NodeId> nodes_of(const Pool& pool, NodeId expression) { return reachable(pool, expression, always); }

std::vector<NodeId> variables_of(const Pool& pool, NodeId expression) {
  std::vector<NodeId> leaves = nodes_of(pool, expression);
  std::erase_if(leaves, [&](NodeId id) { return pool[id].op != Op::Variable; });
  sort_by_variable(pool, leaves);
  return leaves;
}

bool any_node(const Pool& pool, NodeId expression, const std::function<bool(NodeId)>& predicate) {
  bool found = false;
  Met met(expression);
  walk(met, pool, expression, [&](NodeId id) { return !found && !(found = predicate(id)); });
  return found;
}

bool varies(const Pool& pool, NodeId expression) {
  return any_node(pool, expression, [&](NodeId id) { return pool[id].op == Op::Variable || pool[id].op == Op::Time; });
}

// ---- forward derivatives

Differential::Differential(Pool& pool, OfLeaf of_leaf, OfLeaf when_leaf_moves)
    : pool_(pool),
      of_leaf_(std::move(of_leaf)),
      has_choices_(static_cast<bool>(when_leaf_moves)),
      activity_(pool, [this, when = std::move(when_leaf_moves)](NodeId leaf) {
        if (pool_.is_constant(of_leaf_(leaf), 0.0)) return pool_.zero();
        return when ? when(leaf) : pool_.one();
      }) {}

NodeId Differential::operator()(NodeId expression) {
  const auto unseen = reachable(pool_, expression, [&](NodeId id) { return !memo_.contains(id); });
  for (const NodeId id : unseen) {
    const Op op = pool_[id].op;
    memo_[id] = op == Op::Constant ? pool_.zero() : is_symbol(op) ? of_leaf_(id) : of_operation(id);
  }
  return memo_.at(expression);
}

NodeId Differential::of_operation(NodeId id) {
  const Op op = pool_[id].op;
  if (is_choice(op)) {
    has_choices_ = true;
    const Branches branches = branches_of(pool_, id);
    return pool_.if_else(branches.condition, memo_.at(branches.then), memo_.at(branches.otherwise));
  }
  const bool guarded = has_choices_ && may_be_steep(op);
  NodeId sum = pool_.zero();
  for (int k = 0; k < operand_count(pool_, id); ++k) {
    const NodeId operand = operand_at(pool_, id, k), differential = memo_.at(operand);
    if (pool_.is_constant(differential, 0.0)) continue;
    const NodeId term = times_partial(pool_, id, k, differential);
    sum = pool_.add(sum, guarded ? where(pool_, activity_(operand), term) : term);
  }
  return sum;
}

TimeDerivative::TimeDerivative(Pool& pool)
    : differential_(pool, [&pool](NodeId leaf) {
        const Node node = pool[leaf];
        if (node.op == Op::Time) return pool.one();
        if (node.op != Op::Variable) return pool.zero();
        return pool.variable(VarId{static_cast<std::int32_t>(node.a)}, static_cast<int>(node.b) + 1);
      }) {}

NodeId TimeDerivative::operator()(NodeId expression, int times) {
  for (int i = 0; i < times; ++i) expression = differential_(expression);
  return expression;
}

NodeId partial(Pool& pool, NodeId expression, NodeId leaf) {
  Differential differential(pool, [&](NodeId other) { return other == leaf ? pool.one() : pool.zero(); });
  return differential(expression);
}

// ---- the gradient, by reverse accumulation

namespace {

// Adjoints are expressions: walking from the root to the leaves, every node passes its adjoint, times its partial
// derivatives, to its operands. Linear in the size of the expression, however many leaves there are.
class Gradient {
 public:
  explicit Gradient(Pool& pool) : pool_(pool) {}

  // Choices are differentiated innermost first; outside of them the gradient of a choice is known
  // like that of a leaf. Operands have smaller handles, so "innermost first" is a loop.
  std::vector<Partial> operator()(NodeId expression) {
    const std::vector<NodeId> nodes = nodes_of(pool_, expression);
    for (const NodeId id : nodes) {
      if (!is_choice(pool_[id].op)) continue;
      const Branches branches = branches_of(pool_, id);
      of_choice_[id] = chosen(branches.condition, sweep(branches.then), sweep(branches.otherwise));
    }
    return of_choice_.size() > 0 ? sweep(expression) : sweep(expression, nodes);
  }

 private:
  std::vector<Partial> sweep(NodeId root) {
    return sweep(root, reachable(pool_, root, always, [&](NodeId id) { return !is_choice(pool_[id].op); }));
  }

  // `nodes`: those from the root to the leaves and choices.
  std::vector<Partial> sweep(NodeId root, const std::vector<NodeId>& nodes) {
    NodeMap<NodeId> adjoints;
    adjoints.insert(root, pool_.one());
    const auto accumulate = [&](NodeId id, NodeId term) {
      if (pool_.is_constant(term, 0.0)) return;
      const NodeId* sum = adjoints.find(id);
      adjoints[id] = sum ? pool_.add(*sum, term) : term;
    };

    std::vector<NodeId> leaves;
    for (auto i = nodes.rbegin(); i != nodes.rend(); ++i) {
      const NodeId id = *i;
      if (!adjoints.contains(id)) continue;
      const NodeId adjoint = adjoints.at(id);
      if (is_choice(pool_[id].op)) {
        for (const Partial& partial : of_choice_.at(id)) {
          leaves.push_back(partial.leaf);
          accumulate(partial.leaf, times_chosen(adjoint, partial.derivative));
        }
      } else if (pool_[id].op == Op::Variable) {
        leaves.push_back(id);
      } else {
        const bool guarded = of_choice_.size() > 0 && may_be_steep(pool_[id].op);
        for (int k = 0; k < operand_count(pool_, id); ++k) {
          const NodeId operand = operand_at(pool_, id, k);
          const Op op = pool_[operand].op;
          if (op != Op::Variable && is_leaf(op)) continue;
          const NodeId term = times_partial(pool_, id, k, adjoint);
          accumulate(operand, guarded ? where(pool_, activity_(operand), term) : term);
        }
      }
    }

    sort_by_variable(pool_, leaves);
    leaves.erase(std::unique(leaves.begin(), leaves.end()), leaves.end());
    std::vector<Partial> result;
    for (const NodeId leaf : leaves) {
      const NodeId derivative = adjoints.at(leaf);
      if (!pool_.is_constant(derivative, 0.0)) result.push_back({leaf, derivative});
    }
    return result;
  }

  // The adjoint is not multiplied into the inactive branch, where it may be infinite.
  NodeId times_chosen(NodeId adjoint, NodeId derivative) {
    const Node node = pool_[derivative];
    if (node.op != Op::IfElse) return pool_.mul(adjoint, derivative);
    const auto times = [&](NodeId factor) {
      return pool_.is_constant(factor, 0.0) ? factor : pool_.mul(adjoint, factor);
    };
    return pool_.if_else(node.operand(0), times(node.operand(1)), times(node.operand(2)));
  }

  // Merges the gradients of the two branches; a leaf that only one of them has is 0 in the other.
  std::vector<Partial> chosen(NodeId condition, const std::vector<Partial>& then,
                              const std::vector<Partial>& otherwise) {
    std::vector<Partial> merged;
    auto a = then.begin();
    auto b = otherwise.begin();
    while (a != then.end() || b != otherwise.end()) {
      const bool in_a = a != then.end() && (b == otherwise.end() || !by_variable(pool_, b->leaf, a->leaf));
      const bool in_b = b != otherwise.end() && (a == then.end() || !by_variable(pool_, a->leaf, b->leaf));
      const NodeId leaf = in_a ? a->leaf : b->leaf;
      const NodeId derivative_a = in_a ? (a++)->derivative : pool_.zero();
      const NodeId derivative_b = in_b ? (b++)->derivative : pool_.zero();
      merged.push_back({leaf, pool_.if_else(condition, derivative_a, derivative_b)});
    }
    return merged;
  }

  Pool& pool_;
  NodeMap<std::vector<Partial>> of_choice_;
  Activity activity_{pool_,
                     [this](NodeId leaf) { return pool_[leaf].op == Op::Variable ? pool_.one() : pool_.zero(); }};
};

}  // namespace

std::vector<Partial> gradient(Pool& pool, NodeId expression) { return Gradient(pool)(expression); }

// ---- replacing, solving, evaluating

NodeId with_operands(Pool& pool, NodeId id, std::span<const NodeId> operands) {
  const Node node = pool[id];
  if (node.op == Op::Call) {
    const CallSite& site = pool.call_site(node);
    return pool.call(site.function, site.output, operands);
  }
  switch (arity(node.op)) {
    case 1: return pool.unary(node.op, operands[0]);
    case 2: return pool.binary(node.op, operands[0], operands[1]);
    case 3: return pool.if_else(operands[0], operands[1], operands[2]);
    default: return id;
  }
}

NodeId Substitution::operator()(NodeId expression) {
  const auto unseen = reachable(pool_, expression, [&](NodeId id) { return !memo_.contains(id); });
  for (const NodeId id : unseen) {
    if (is_leaf(pool_[id].op)) {
      memo_[id] = is_symbol(pool_[id].op) ? replacement_(id).value_or(id) : id;
      continue;
    }
    const std::vector<NodeId> before = operand_list(pool_, id);
    std::vector<NodeId> after = before;
    for (NodeId& operand : after) operand = memo_.at(operand);
    memo_[id] = after == before ? id : with_operands(pool_, id, after);
  }
  return memo_.at(expression);
}

std::optional<LinearIn> linear_in(Pool& pool, NodeId expression, NodeId leaf) {
  NodeMap<LinearIn> known;  // of the nodes that contain the leaf
  const auto parts = [&](NodeId id) {
    const LinearIn* found = known.find(id);
    return found ? *found : LinearIn{pool.zero(), id};
  };
  for (const NodeId id : nodes_of(pool, expression)) {
    if (id == leaf) known[id] = {pool.one(), pool.zero()};
    const std::vector<NodeId> operands = operand_list(pool, id);
    if (std::none_of(operands.begin(), operands.end(), [&](NodeId o) { return known.contains(o); })) continue;

    const Op op = pool[id].op;
    const bool second_is_free = operands.size() == 2 && !known.contains(operands[1]);
    const LinearIn a = parts(operands[0]);
    if (op == Op::Neg) {
      known[id] = {pool.neg(a.coefficient), pool.neg(a.rest)};
    } else if (op == Op::Add || op == Op::Sub) {
      const LinearIn b = parts(operands[1]);
      known[id] = {pool.binary(op, a.coefficient, b.coefficient), pool.binary(op, a.rest, b.rest)};
    } else if ((op == Op::Mul || op == Op::Div) && second_is_free) {
      known[id] = {pool.binary(op, a.coefficient, operands[1]), pool.binary(op, a.rest, operands[1])};
    } else if (op == Op::Mul && !known.contains(operands[0])) {
      const LinearIn b = parts(operands[1]);
      known[id] = {pool.mul(operands[0], b.coefficient), pool.mul(operands[0], b.rest)};
    } else {
      return std::nullopt;
    }
  }
  return parts(expression);
}

double evaluate(const Pool& pool, NodeId expression, const std::function<double(NodeId leaf)>& value_of_leaf) {
  NodeMap<double> values;
  for (const NodeId id : nodes_of(pool, expression)) {
    const Node& node = pool[id];
    if (node.op == Op::Constant) {
      values[id] = pool.constant_value(id);
    } else if (is_symbol(node.op)) {
      values[id] = value_of_leaf(id);
    } else if (node.op == Op::Call) {
      const CallSite& site = pool.call_site(node);
      const Function& function = pool.function(site.function);
      std::vector<double> locals(static_cast<std::size_t>(function.locals));
      std::transform(site.arguments.begin(), site.arguments.end(), locals.begin(),
                     [&](NodeId argument) { return values.at(argument); });
      const auto parameter = [&](NodeId leaf) { return value_of_leaf(leaf); };
      values[id] = evaluate_function(pool, function, site.output, parameter, locals);
    } else {
      const int n = arity(node.op);
      const auto value = [&](int k) { return k < n ? values.at(node.operand(k)) : 0.0; };
      values[id] = apply(node.op, value(0), value(1), value(2));
    }
  }
  return values.at(expression);
}

}  // namespace driftless
