#include "driftless/integrate/straight_rows.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/node_map.hpp"

namespace driftless {
namespace {

// Unknowns, and products in the elimination. Beyond that tables run as fast, and code takes its time to be made.
constexpr int most_unknowns = 24;
constexpr long most_products = 600;

long products_in(const linear::Elimination::Order& order) {
  long products = 0;
  for (std::size_t k = 0; k < order.pivots.size(); ++k)
    for (int e = order.starts[k]; e < order.pivots[k]; ++e) {
      const int j = order.columns[e];
      products += order.starts[j + 1] - order.pivots[j];
    }
  return products;
}

// A = L U as linear::Elimination computes it: l_kj, 1/u_kk, u_kj.
std::vector<NodeId> factors_of(Pool& pool, const linear::Elimination::Order& order, std::span<const NodeId> entries) {
  const std::size_t size = order.pivots.size();
  std::vector<NodeId> factors(order.columns.size()), row(size);
  for (std::size_t k = 0; k < size; ++k) {
    const int begin = order.starts[k], pivot = order.pivots[k], end = order.starts[k + 1];
    for (int e = begin; e < end; ++e)
      row[order.columns[e]] = order.sources[e] < 0 ? pool.zero() : entries[order.sources[e]];
    for (int e = begin; e < pivot; ++e) {
      const int j = order.columns[e], first = order.pivots[j];
      factors[e] = pool.mul(row[j], factors[first]);
      for (int u = first + 1; u < order.starts[j + 1]; ++u) {
        NodeId& target = row[order.columns[u]];
        target = pool.sub(target, pool.mul(factors[e], factors[u]));
      }
    }
    factors[pivot] = pool.div(pool.one(), row[k]);
    for (int e = pivot + 1; e < end; ++e) factors[e] = row[order.columns[e]];
  }
  return factors;
}

// The solution of L U z = -b.
std::vector<NodeId> solution_of(Pool& pool, const linear::Elimination::Order& order, std::span<const NodeId> factors,
                                std::span<const NodeId> b) {
  const std::size_t size = order.pivots.size();
  std::vector<NodeId> x(size), z(size);
  for (std::size_t k = 0; k < size; ++k) {
    x[k] = pool.neg(b[order.row_of[k]]);
    for (int e = order.starts[k]; e < order.pivots[k]; ++e)
      x[k] = pool.sub(x[k], pool.mul(factors[e], x[order.columns[e]]));
  }
  for (std::size_t k = size; k-- > 0;) {
    for (int e = order.pivots[k] + 1; e < order.starts[k + 1]; ++e)
      x[k] = pool.sub(x[k], pool.mul(factors[e], x[order.columns[e]]));
    x[k] = pool.mul(x[k], factors[order.pivots[k]]);
    z[order.column_of[k]] = x[k];
  }
  return z;
}

}  // namespace

std::unique_ptr<StraightRows> StraightRows::of(System& system, const Expressions& rows,
                                               std::span<const double> entries) {
  const int size = static_cast<int>(rows.unknowns.size());
  if (size > most_unknowns) return nullptr;
  linear::Elimination elimination(size, rows.places);
  if (!elimination.choose_pivots(entries) || products_in(elimination.order()) > most_products) return nullptr;

  const Model& model = *system.reduced().model;
  Pool& pool = *model.pool;
  NodeMap<NodeId> z_of;  // unknown -> solution
  Substitution known(pool, [&](NodeId leaf) -> std::optional<NodeId> {
    const Node node = pool[leaf];
    if (node.op == Op::Parameter) return pool.constant(model.parameters[node.a].value);
    const NodeId* z = z_of.find(leaf);
    return z ? std::optional(*z) : std::nullopt;
  });
  const auto all_known = [&](std::vector<NodeId> expressions) {
    for (NodeId& expression : expressions) expression = known(expression);
    return expressions;
  };
  const std::vector<NodeId> factors = factors_of(pool, elimination.order(), all_known(rows.entries));
  KernelSource source{"straight rows", solution_of(pool, elimination.order(), factors, all_known(rows.b))};
  for (int k = 0; k < size; ++k) z_of.insert(rows.unknowns[k], source.outputs[k]);
  for (const std::vector<NodeId>& part : {all_known(rows.rates), factors})
    source.outputs.insert(source.outputs.end(), part.begin(), part.end());

  auto result = std::unique_ptr<StraightRows>(new StraightRows(std::move(elimination), rows.rates.size()));
  result->kernel_ = std::move(system.compile(std::span(&source, 1)).front());
  result->values_.resize(source.outputs.size());
  result->work_.resize(result->kernel_->work_size());
  return result;
}

StraightRows::StraightRows(linear::Elimination order, std::size_t rates)
    : unknowns_(order.size()), rates_(rates), elimination_(std::move(order)) {}

bool StraightRows::operator()(std::span<const double> inputs) {
  (*kernel_)(inputs.data(), values_.data(), work_.data());
  has_factors_ = false;
  double sum = 0.0;
  for (std::size_t k = 0; k < unknowns_ + rates_; ++k) sum += values_[k];
  return std::isfinite(sum) && elimination_.pivots_serve(std::span(values_).subspan(unknowns_ + rates_));
}

void StraightRows::solve(std::span<double> b) {
  if (!has_factors_) elimination_.take_factors(std::span(values_).subspan(unknowns_ + rates_));
  has_factors_ = true;
  elimination_.solve(b);
}

}  // namespace driftless
