#include "driftless/hybrid/impulses.hpp"

#include <algorithm>

#include "driftless/expr/calculus.hpp"
#include "driftless/reduce/signature.hpp"

namespace driftless {

JumpInputs::JumpInputs(const Model& model, const structure::Offsets& offsets)
    : variables_(static_cast<int>(model.variables.size())) {
  layout_.parameters = static_cast<int>(model.parameters.size());
  int next = 1 + layout_.parameters;
  for (const int d : offsets.d) {
    first_.push_back(next);
    next += d + 1;
  }
  impulses_ = next;
  before_ = impulses_ + variables_;
  layout_.inputs = before_ + variables_ + 1;
  layout_.variable = [first = first_, highest = offsets.d, n = variables_, impulses = impulses_, before = before_,
                      growth = layout_.inputs - 1](VarId id, int order) {
    const int j = index(id);
    if (j < n) return order <= highest[j] ? first[j] + order : -1;
    if (j == 2 * n) return growth;
    return (order == 0 ? impulses : before) + j - n;
  };
}

Impulses::Impulses(std::shared_ptr<const Reduced> reduced, const JumpInputs& inputs)
    : reduced_(std::move(reduced)), inputs_(inputs) {
  const structure::Signature tight =
      structure::system_jacobian_pattern(signature_of(*reduced_->model), reduced_->offsets);
  blocks_ = structure::block_triangular_form(tight, structure::maximum_matching(tight));
  block_of_variable_.resize(tight.cols());
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    for (const structure::Col col : blocks_[b].cols) block_of_variable_[index(col)] = static_cast<int>(b);
  for (int i = 0; i < tight.rows(); ++i) {
    auto& variables = tight_.emplace_back();
    for (const structure::Entry& entry : tight.row(structure::Row{i})) variables.push_back(index(entry.col));
  }
}

std::vector<bool> Impulses::impulsive_blocks(const std::vector<bool>& violated) const {
  std::vector<bool> impulsive(blocks_.size(), false);
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    impulsive[b] = std::ranges::any_of(blocks_[b].rows, [&](structure::Row row) {
      return violated[index(row)] ||
             std::ranges::any_of(tight_[index(row)], [&](int j) { return impulsive[block_of_variable_[j]]; });
    });
  return impulsive;
}

ImpulseEquations& Impulses::of(const std::vector<bool>& violated, const std::vector<bool>& prescribed) {
  std::pair name(impulsive_blocks(violated), prescribed);
  const auto found = known_.find(name);
  if (found != known_.end()) return found->second;
  ImpulseEquations made = make(name.first, prescribed);
  return known_.emplace(std::move(name), std::move(made)).first->second;
}

namespace {

// The equations of a jump, collected block by block.
class Collector {
 public:
  Collector(const Reduced& reduced, const JumpInputs& inputs, const std::vector<structure::Block>& blocks,
            const std::vector<int>& block_of_variable, const std::vector<std::vector<int>>& tight,
            const std::vector<bool>& impulsive, const std::vector<bool>& prescribed)
      : reduced_(reduced),
        inputs_(inputs),
        blocks_(blocks),
        block_of_variable_(block_of_variable),
        tight_(tight),
        impulsive_(impulsive),
        prescribed_(prescribed),
        pool_(*reduced.model->pool),
        is_needed_(blocks.size(), false) {}

  ImpulseEquations collect() {
    const std::vector<bool> is_kept = kept_blocks();
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      if (is_kept[b]) add_impulsive(blocks_[b]);
    while (!needed_.empty()) {
      const int b = needed_.back();
      needed_.pop_back();
      add_finite(blocks_[b]);
    }
    std::ranges::sort(result_.impulsive);
    result_.residuals = residuals_;
    result_.numeric = std::make_unique<NumericEquations>(reduced_.model->pool, inputs_.layout(), residuals_, unknowns_);
    return std::move(result_);
  }

 private:
  int c(int i) const { return reduced_.offsets.c[i]; }
  int d(int j) const { return reduced_.offsets.d[j]; }
  NodeId residual(int i) const { return reduced_.model->equations[i].residual; }
  bool has_impulse(int j) const { return impulsive_[block_of_variable_[j]]; }
  bool is_highest(NodeId leaf) const { return static_cast<int>(pool_[leaf].b) == d(static_cast<int>(pool_[leaf].a)); }
  double nominal(int j) const { return reduced_.model->variables[j].nominal; }

  void add_row(int equation, NodeId residual) {
    residuals_.push_back(residual);
    result_.equations.push_back(equation);
    result_.bent.push_back(is_bent(residual));
  }

  // Does a coefficient change with the size of an impulse? With its sign it may.
  bool is_bent(NodeId residual) const {
    const NodeId growth = inputs_.growth_leaf(pool_);
    NodeMap<bool> grows;
    NodeId buffer[3];
    for (const NodeId id : nodes_of(pool_, residual)) {
      const auto operand_grows = [&](NodeId operand) { return grows.at(operand); };
      grows.insert(id, id == growth || (!is_piecewise_constant(pool_[id].op) &&
                                        std::ranges::any_of(pool_.operands(id, buffer), operand_grows)));
    }
    return grows.at(residual);
  }

  template <class Found>
  bool uses(const structure::Block& block, const Found& found) const {
    return std::ranges::any_of(block.rows, [&](structure::Row row) {
      return std::ranges::any_of(tight_[index(row)], [&](int j) { return found(block_of_variable_[j]); });
    });
  }

  // The blocks with impulses, without those of unknowns without memory that depend nonlinearly on impulses, such as the
  // square of a force, and on which nothing else depends: these have no finite value.
  std::vector<bool> kept_blocks() {
    const int count = static_cast<int>(blocks_.size());
    std::vector<bool> follows_bent(count, false), kept(count, false), used(count, false);
    for (int b = 0; b < count; ++b)
      follows_bent[b] =
          impulsive_[b] && (uses(blocks_[b], [&](int other) { return other < b && follows_bent[other]; }) ||
                            std::ranges::any_of(blocks_[b].rows, [&](structure::Row row) {
                              return c(index(row)) == 0 && is_bent(impulse_equation(index(row)));
                            }));
    for (int b = count - 1; b >= 0; --b) {
      kept[b] = impulsive_[b] && (used[b] || !follows_bent[b] || !is_algebraic(blocks_[b]));
      if (!kept[b]) continue;
      uses(blocks_[b], [&](int other) {
        used[other] = true;
        return false;
      });
    }
    return kept;
  }

  bool is_algebraic(const structure::Block& block) const {
    return std::ranges::all_of(block.rows, [&](structure::Row row) { return c(index(row)) == 0; }) &&
           std::ranges::all_of(block.cols, [&](structure::Col col) { return d(index(col)) == 0; });
  }

  void add_impulsive(const structure::Block& block) {
    for (const structure::Row row : block.rows) {
      const int i = index(row);
      const NodeId equation = c(i) > 0 ? derivative_(residual(i), c(i) - 1) : impulse_equation(i);
      need_values_in(equation);
      add_row(i, equation);
    }
    for (const structure::Col col : block.cols) {
      const int j = index(col);
      result_.impulsive.push_back(j);
      const bool jumps = d(j) > 0 && !prescribed_[j];
      unknowns_.push_back({jumps ? pool_.variable(VarId{j}, d(j) - 1) : inputs_.impulse_leaf(pool_, j), nominal(j)});
    }
  }

  // sum ∂f/∂x_j^(d_j) Z_j over the variables with impulses.
  NodeId impulse_equation(int i) {
    NodeId sum = pool_.zero();
    for (const Partial& p : gradient(pool_, residual(i))) {
      const int j = static_cast<int>(pool_[p.leaf].a);
      if (!is_highest(p.leaf) || !has_impulse(j)) continue;
      const NodeId coefficient = grown_(p.derivative);
      sum = pool_.add(sum, pool_.mul(coefficient, impulse(j)));
    }
    return sum;
  }

  NodeId impulse(int j) const {
    if (d(j) == 0 || prescribed_[j]) return inputs_.impulse_leaf(pool_, j);
    return pool_.sub(pool_.variable(VarId{j}, d(j) - 1), inputs_.before_leaf(pool_, j));
  }

  // Quantities of stage 0 without impulse that coefficients contain: their equations after the jump are added.
  void need_values_in(NodeId expression) {
    for (const NodeId leaf : variables_of(pool_, expression)) {
      const auto j = pool_[leaf].a;
      if (j >= reduced_.model->variables.size() || !is_highest(leaf)) continue;
      const int b = block_of_variable_[j];
      if (impulsive_[b] || is_needed_[b]) continue;
      is_needed_[b] = true;
      needed_.push_back(b);
    }
  }

  void add_finite(const structure::Block& block) {
    for (const structure::Row row : block.rows) {
      const int i = index(row);
      const NodeId highest = derivative_(residual(i), c(i));
      need_values_in(highest);
      add_row(i, highest);
    }
    for (const structure::Col col : block.cols)
      unknowns_.push_back({pool_.variable(VarId{index(col)}, d(index(col))), nominal(index(col))});
  }

  const Reduced& reduced_;
  const JumpInputs& inputs_;
  const std::vector<structure::Block>& blocks_;
  const std::vector<int>& block_of_variable_;
  const std::vector<std::vector<int>>& tight_;
  const std::vector<bool>& impulsive_;
  const std::vector<bool>& prescribed_;
  Pool& pool_;
  TimeDerivative derivative_{pool_};
  // An unknown with an impulse is Z_j / h.
  Substitution grown_{pool_, [this](NodeId leaf) -> std::optional<NodeId> {
                        const Node node = pool_[leaf];
                        if (node.op != Op::Variable || !is_highest(leaf)) return {};
                        const int j = static_cast<int>(node.a);
                        if (!has_impulse(j)) return {};
                        return pool_.mul(inputs_.growth_leaf(pool_), impulse(j));
                      }};
  std::vector<NodeId> residuals_;
  std::vector<NumericUnknown> unknowns_;
  std::vector<int> needed_;
  std::vector<bool> is_needed_;
  ImpulseEquations result_;
};

}  // namespace

ImpulseEquations Impulses::make(const std::vector<bool>& impulsive, const std::vector<bool>& prescribed) const {
  return Collector(*reduced_, inputs_, blocks_, block_of_variable_, tight_, impulsive, prescribed).collect();
}

}  // namespace driftless
