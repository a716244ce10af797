#include "driftless/integrate/checks/forcing_terms.hpp"

#include <algorithm>
#include <optional>
#include <span>

#include "driftless/expr/calculus.hpp"

namespace driftless {
namespace {

constexpr double highest_power = 8.0;  // of an oscillation that does not become a row of pulses

// What an expression is as a function of time. The order matters: a sum is what the last of its parts is.
enum class Course { Constant, Linear, Even, Uneven, OfUnknowns };

class Courses {
 public:
  explicit Courses(const Pool& pool) : pool_(pool) {}

  Course operator()(NodeId expression) {
    for (const NodeId id : nodes_of(pool_, expression))  // operands first
      if (!known_.contains(id)) known_.insert(id, of_node(id));
    return known_.at(expression);
  }
  bool is_of_time(Course course) const { return course != Course::Constant && course != Course::OfUnknowns; }

 private:
  Course of_node(NodeId id) const {
    const Node node = pool_[id];
    switch (node.op) {
      case Op::Constant:
      case Op::Parameter: return Course::Constant;
      case Op::Time: return Course::Linear;
      case Op::Variable:
      case Op::Local: return Course::OfUnknowns;
      default: break;
    }
    NodeId buffer[3];
    const std::span<const NodeId> operands = pool_.operands(id, buffer);
    Course last = Course::Constant;
    for (const NodeId operand : operands) last = std::max(last, known_.at(operand));
    if (last == Course::Constant || last >= Course::Uneven) return last;
    const bool first_moves = known_.at(operands[0]) != Course::Constant;
    switch (node.op) {
      case Op::Neg:
      case Op::Add:
      case Op::Sub: return last;
      case Op::Mul: return first_moves && known_.at(operands[1]) != Course::Constant ? Course::Even : last;
      case Op::Div: return known_.at(operands[1]) == Course::Constant ? last : Course::Uneven;
      case Op::Pow: return is_small_power(operands[1]) ? Course::Even : Course::Uneven;
      case Op::Sin:
      case Op::Cos: return Course::Even;
      default: return Course::Uneven;
    }
  }

  bool is_small_power(NodeId exponent) const {
    if (!pool_.is_constant(exponent)) return false;
    const double p = pool_.constant_value(exponent);
    return p == 1.0 || p == 2.0 || (p > 2.0 && p <= highest_power && p == static_cast<int>(p));
  }

  const Pool& pool_;
  NodeMap<Course> known_;
};

// Unknowns that are functions of time, found one after the other.
class KnownInTime {
 public:
  explicit KnownInTime(const Model& model) : model_(model), values_(model.variables.size()) {
    std::vector<std::vector<std::size_t>> equations_of(values_.size());
    std::vector<std::size_t> unknown(model.equations.size()), ready;
    for (std::size_t i = 0; i < model.equations.size(); ++i) {
      for (const VarId v : variables_in(i)) ++unknown[i], equations_of[place(v)].push_back(i);
      if (unknown[i] == 1) ready.push_back(i);
    }
    for (std::size_t k = 0; k < ready.size(); ++k) {
      const std::optional<VarId> found = solve(ready[k]);
      if (!found) continue;
      for (const std::size_t i : equations_of[place(*found)])
        if (--unknown[i] == 1) ready.push_back(i);
    }
  }

  // With these functions in the place of the unknowns.
  NodeId operator()(NodeId expression) {
    Substitution insert(*model_.pool, [&](NodeId leaf) -> std::optional<NodeId> {
      const Node node = (*model_.pool)[leaf];
      return node.op == Op::Variable && node.b == 0 ? values_[node.a] : std::nullopt;
    });
    return insert(expression);
  }
  bool are_none() const { return are_none_; }

 private:
  static std::size_t place(VarId v) { return static_cast<std::size_t>(index(v)); }

  std::vector<VarId> variables_in(std::size_t equation) const {
    std::vector<VarId> found;
    for (const NodeId leaf : variables_of(*model_.pool, model_.equations[equation].residual))
      if (const VarId v{static_cast<int>((*model_.pool)[leaf].a)}; found.empty() || found.back() != v)
        found.push_back(v);
    return found;
  }

  // The one unknown that is left in an equation, if the equation is linear in it.
  std::optional<VarId> solve(std::size_t equation) {
    Pool& pool = *model_.pool;
    const NodeId residual = (*this)(model_.equations[equation].residual);
    const std::vector<NodeId> leaves = variables_of(pool, residual);
    if (leaves.size() != 1 || pool[leaves[0]].b != 0) return {};
    const VarId v{static_cast<int>(pool[leaves[0]].a)};
    const std::optional<LinearIn> line = linear_in(pool, residual, leaves[0]);
    if (!line || values_[place(v)] || varies(pool, line->coefficient)) return {};
    values_[place(v)] = pool.neg(pool.div(line->rest, line->coefficient));
    are_none_ = false;
    return v;
  }

  const Model& model_;
  std::vector<std::optional<NodeId>> values_;
  bool are_none_ = true;
};

class Terms {
 public:
  explicit Terms(Pool& pool) : pool_(pool), course_(pool) {}

  // Of an expression with unknowns, or of a whole side without: its largest parts without.
  void collect(NodeId residual) {
    if (course_(residual) == Course::Uneven) return take(residual);
    if (course_(residual) != Course::OfUnknowns) return;
    const std::vector<NodeId> nodes = nodes_of(pool_, residual);
    for (auto id = nodes.rbegin(); id != nodes.rend(); ++id) {  // sums before their parts
      if (course_(*id) != Course::OfUnknowns || seen_.contains(*id)) continue;
      if (is_sum(*id)) {
        take_sum(*id);
        continue;
      }
      seen_.insert(*id);
      NodeId buffer[3];
      const auto operands = pool_.operands(*id, buffer);
      for (const NodeId operand : std::vector<NodeId>(operands.begin(), operands.end()))
        if (course_(operand) == Course::Uneven) take(operand);
    }
  }

  std::vector<NodeId> found() && { return std::move(found_); }

 private:
  bool is_sum(NodeId id) const {
    const Op op = pool_[id].op;
    return op == Op::Add || op == Op::Sub || op == Op::Neg;
  }

  // The parts that are functions of time, wherever they stand among those that are not: u in (u + x) - v.
  void take_sum(NodeId sum) {
    struct Part {
      NodeId id;
      bool is_subtracted;
    };
    std::optional<NodeId> total;
    for (std::vector<Part> stack{{sum, false}}; !stack.empty();) {
      const Part part = stack.back();
      stack.pop_back();
      const Course course = course_(part.id);
      if (course == Course::OfUnknowns && is_sum(part.id)) {
        seen_.insert(part.id);
        const Node node = pool_[part.id];
        stack.push_back({node.operand(0), part.is_subtracted != (node.op == Op::Neg)});
        if (node.op != Op::Neg) stack.push_back({node.operand(1), part.is_subtracted != (node.op == Op::Sub)});
      } else if (course == Course::Uneven) {
        const NodeId before = total.value_or(pool_.zero());
        total = part.is_subtracted ? pool_.sub(before, part.id) : pool_.add(before, part.id);
      }
    }
    if (total && course_(*total) == Course::Uneven) take(*total);
  }

  // A sum of several such parts shows what these do together, as a window does that opens and closes, and each of them
  // what the others are too large for.
  void take(NodeId term) {
    for (std::vector<NodeId> stack{term}; !stack.empty();) {
      const NodeId id = stack.back();
      stack.pop_back();
      if (seen_.contains(id)) continue;
      seen_.insert(id);
      const Node node = pool_[id];
      const auto uneven = [&](int k) { return course_(node.operand(k)) == Course::Uneven; };
      const bool is_sum = node.op == Op::Add || node.op == Op::Sub;
      const bool is_multiple = node.op == Op::Neg ||
                               (node.op == Op::Mul && (course_(node.operand(0)) == Course::Constant ||
                                                       course_(node.operand(1)) == Course::Constant)) ||
                               (node.op == Op::Div && course_(node.operand(1)) == Course::Constant);
      if (is_sum || is_multiple)
        for (const int k : {0, 1})
          if (k < arity(node.op) && uneven(k)) stack.push_back(node.operand(k));
      const bool is_bounded = !any_node(pool_, id, [&](NodeId n) { return pool_[n].op == Op::Call; });
      if (is_bounded && !is_multiple && (!is_sum || (uneven(0) && uneven(1)))) found_.push_back(id);
    }
  }

  Pool& pool_;
  Courses course_;
  NodeMap<bool> seen_;
  std::vector<NodeId> found_;
};

}  // namespace

std::vector<NodeId> forcing_terms(const Model& model) {
  Pool& pool = *model.pool;
  const bool has_time = std::ranges::any_of(model.equations, [&](const Equation& e) {
    return any_node(pool, e.residual, [&](NodeId id) { return pool[id].op == Op::Time; });
  });
  if (!has_time) return {};
  KnownInTime known(model);
  Terms terms(pool);
  for (const Equation& equation : model.equations)
    terms.collect(known.are_none() ? equation.residual : known(equation.residual));
  std::vector<NodeId> found = std::move(terms).found();
  std::ranges::sort(found);
  return found;
}

}  // namespace driftless
