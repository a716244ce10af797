#include "driftless/integrate/solve/inlined_linear_solve.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/node_map.hpp"
#include "driftless/expr/parameter_terms.hpp"

namespace driftless {
namespace {

// Limits of unknowns, and of products in the elimination. Beyond these, tables run as fast, and compiling takes long.
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

std::optional<InlinedLinearSolve> InlinedLinearSolve::of(const CompiledSystem& system,
                                                         const std::shared_ptr<Pool>& pool, const Expressions& rows,
                                                         std::span<const double> entries) {
  const int size = static_cast<int>(rows.unknowns.size());
  if (size > most_unknowns) return {};
  linear::Elimination elimination(size, rows.places);
  if (!elimination.choose_pivots(entries) || products_in(elimination.order()) > most_products) return {};
  return with_order(system, pool, rows, std::move(elimination));
}

InlinedLinearSolve InlinedLinearSolve::read(Archive& archive, const CompiledSystem& system,
                                            const std::shared_ptr<Pool>& pool, const Expressions& rows) {
  linear::Elimination elimination(static_cast<int>(rows.unknowns.size()), rows.places);
  archive(elimination);
  return with_order(system, pool, rows, std::move(elimination));
}

// The elimination is written out once for every order of the pivots.
InlinedLinearSolve InlinedLinearSolve::with_order(const CompiledSystem& system, const std::shared_ptr<Pool>& pool,
                                                  const Expressions& rows, linear::Elimination elimination) {
  std::vector<int> key = elimination.order().row_of;
  key.insert(key.end(), elimination.order().column_of.begin(), elimination.order().column_of.end());
  for (const NodeId leaf : rows.unknowns) key.push_back(static_cast<int>(index(leaf)));
  const auto kernels = system.part<Written>(
      key, [&] { return std::make_shared<const Written>(write(system, pool, rows, elimination)); });
  InlinedLinearSolve result(std::move(elimination), rows.rates.size());
  result.kernel_ = kernels->rows;
  result.terms_ = kernels->terms;
  result.values_.resize(result.kernel_->outputs());
  result.work_.resize(std::max(result.kernel_->work_size(), result.terms_->work_size()));
  return result;
}

InlinedLinearSolve::Written InlinedLinearSolve::write(const CompiledSystem& system, const std::shared_ptr<Pool>& lower,
                                                      const Expressions& rows, const linear::Elimination& elimination) {
  const std::shared_ptr<Pool> own = growable(lower);
  Pool& pool = *own;
  const int size = static_cast<int>(rows.unknowns.size());
  const std::vector<NodeId> factors = factors_of(pool, elimination.order(), rows.entries);
  KernelSource source{"straight rows", solution_of(pool, elimination.order(), factors, rows.b)};
  NodeMap<NodeId> z_of;  // unknown -> solution
  for (int k = 0; k < size; ++k) z_of.insert(rows.unknowns[k], source.outputs[k]);
  Substitution known(pool, [&](NodeId leaf) {
    const NodeId* z = z_of.find(leaf);
    return z ? std::optional(*z) : std::nullopt;
  });
  for (const NodeId rate : rows.rates) source.outputs.push_back(known(rate));
  source.outputs.insert(source.outputs.end(), factors.begin(), factors.end());

  const int first = static_cast<int>(system.reduced().addresses.size());
  ParameterTerms with_terms(pool, VarId{first});
  for (NodeId& output : source.outputs) output = with_terms(output);
  InputLayout layout = system.layout();
  layout.inputs += static_cast<int>(with_terms.terms().size());
  layout.variable = [&](VarId v, int order) {
    return index(v) < first ? system.layout().variable(v, order) : system.layout().inputs + index(v) - first;
  };
  const KernelSource terms{"terms of parameters", with_terms.terms()};
  return {.rows = compile(own, {&source, 1}, layout, system.backend()).kernels.front(),
          .terms = compile(own, {&terms, 1}, system.layout(), Backend::Interpreter).kernels.front()};
}

void InlinedLinearSolve::begin(std::vector<double>& inputs) {
  const std::size_t before = inputs.size();
  inputs.resize(before + terms_->outputs());
  std::vector<double> values(terms_->outputs());
  (*terms_)(inputs.data(), values.data(), work_.data());
  std::ranges::copy(values, inputs.begin() + static_cast<std::ptrdiff_t>(before));
}

InlinedLinearSolve::InlinedLinearSolve(linear::Elimination order, std::size_t rates)
    : unknowns_(order.size()), rates_(rates), elimination_(std::move(order)) {}

bool InlinedLinearSolve::operator()(std::span<const double> inputs) {
  (*kernel_)(inputs.data(), values_.data(), work_.data());
  has_factors_ = false;
  double sum = 0.0;
  for (std::size_t k = 0; k < unknowns_ + rates_; ++k) sum += values_[k];
  return std::isfinite(sum) && elimination_.pivots_serve(std::span(values_).subspan(unknowns_ + rates_));
}

void InlinedLinearSolve::solve(std::span<double> b) {
  if (!has_factors_) elimination_.take_factors(std::span(values_).subspan(unknowns_ + rates_));
  has_factors_ = true;
  elimination_.solve(b);
}

}  // namespace driftless
