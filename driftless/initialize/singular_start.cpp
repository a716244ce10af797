#include "driftless/initialize/singular_start.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "driftless/expr/calculus.hpp"
#include "driftless/linear/sparse_rank.hpp"

namespace driftless {
namespace {

constexpr std::size_t most_equations = 2000, most_of_block = 200;
constexpr double away = 1e-3;      // from the start, in parts of its values and nominal values
constexpr double vanishes = 1e-6;  // of the value of an entry away from the start

// Of a variable, a parameter or the time; NaN for what the reduction does not determine.
class ValuesAtStart {
 public:
  ValuesAtStart(const Reduced& base, const State& start) : base_(base), start_(start) {}

  double operator()(NodeId leaf) const {
    const Node& node = (*base_.model->pool)[leaf];
    if (node.op == Op::Time) return start_.t;
    if (node.op == Op::Parameter)
      return start_.parameters.empty() ? base_.model->parameters[node.a].value : start_.parameters[node.a];
    if (node.a >= base_.addresses.size() || node.b >= base_.addresses[node.a].size()) return std::nan("");
    const Reduced::Address& at = base_.addresses[node.a][node.b];
    if (at.place == Place::Slot) return start_.y[at.index];
    if (at.place == Place::Rate) return start_.yp[at.index];
    const NodeId value = base_.value_of({VarId{static_cast<int>(node.a)}, static_cast<int>(node.b)});
    return evaluate(*base_.model->pool, value, std::cref(*this));  // of slots and rates
  }

 private:
  const Reduced& base_;
  const State& start_;
};

// Near the start, but where the equations do not hold: in different but reproducible directions.
double away_from(const Model& model, const ValuesAtStart& values, NodeId leaf) {
  const Node& node = (*model.pool)[leaf];
  const double value = values(leaf);
  if (node.op != Op::Variable) return value;
  const double turn = 2.399963 * (1.0 + node.a + 0.618 * node.b);
  return value + away * std::sin(turn) * (std::abs(value) + model.variables[node.a].nominal);
}

struct Entry {
  int row, col;
  NodeId derivative;
};

// A diagonal block of the system Jacobian; empty if none of its entries can change, or if it is large.
std::vector<Entry> varying_block(const Model& model, const structure::Offsets& offsets, const structure::Block& block) {
  Pool& pool = *model.pool;
  std::vector<Entry> entries;
  if (block.rows.size() > most_of_block) return entries;
  bool varies = false;
  for (std::size_t k = 0; k < block.rows.size(); ++k) {
    const int i = index(block.rows[k]);
    for (const Partial& p : gradient(pool, model.equations[i].residual)) {
      const Node& leaf = pool[p.leaf];
      const auto col = std::ranges::find(block.cols, structure::Col{static_cast<int>(leaf.a)});
      if (col == block.cols.end() || static_cast<int>(leaf.b) != offsets.d[leaf.a] - offsets.c[i]) continue;
      entries.push_back({static_cast<int>(k), static_cast<int>(col - block.cols.begin()), p.derivative});
      varies = varies || !variables_of(pool, p.derivative).empty();
    }
  }
  return varies ? entries : std::vector<Entry>();
}

}  // namespace

bool may_be_singular_at_starts(const Model& model, const structure::Structure& shape) {
  return model.equations.size() <= most_equations &&
         std::ranges::any_of(shape.blocks, [&](const structure::Block& block) {
           return !varying_block(model, shape.offsets, block).empty();
         });
}

bool is_singular_at(const Reduced& base, const structure::Structure& shape, const State& start) {
  const Model& model = *base.model;
  const ValuesAtStart values(base, start);
  return std::ranges::any_of(shape.blocks, [&](const structure::Block& block) {
    const std::vector<Entry> entries = varying_block(model, shape.offsets, block);
    if (entries.empty()) return false;
    std::vector<Eigen::Triplet<double>> numbers;
    for (const Entry& entry : entries) {
      const double value = evaluate(*model.pool, entry.derivative, values);
      const double near =
          evaluate(*model.pool, entry.derivative, [&](NodeId leaf) { return away_from(model, values, leaf); });
      if (!std::isfinite(value) || !std::isfinite(near)) return false;
      if (std::abs(value) > vanishes * std::abs(near)) numbers.emplace_back(entry.row, entry.col, value);
    }
    const auto n = static_cast<Eigen::Index>(block.rows.size());
    Eigen::SparseMatrix<double> jacobian(n, n);
    jacobian.setFromTriplets(numbers.begin(), numbers.end());
    return linear::revealed_rank(linear::in_units(jacobian, linear::equilibrate(jacobian))).rank < n;
  });
}

}  // namespace driftless
