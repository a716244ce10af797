// Tests whether the system Jacobian is regular as its structure suggests.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>

#include <Eigen/Core>

#include "driftless/expr/calculus.hpp"
#include "driftless/linear/dense.hpp"
#include "driftless/linear/factorization.hpp"
#include "driftless/linear/graded_elimination.hpp"
#include "driftless/reduce/explain.hpp"
#include "driftless/reduce/generic_point.hpp"
#include "driftless/reduce/reduced.hpp"

namespace driftless {
namespace {

struct BlockEntry {
  int row, col;
  NodeId derivative;
};

using SparseRows = std::vector<std::vector<std::pair<int, double>>>;

// Larger blocks are factorized first, and their rank is determined only if that fails.
constexpr int large_block = 120;

bool is_regular(const SparseRows& rows) {
  std::vector<linear::Coordinate> coordinates;
  std::vector<double> values;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const auto& [col, value] : rows[i]) {
      coordinates.push_back({static_cast<int>(i), col});
      values.push_back(value);
    }
  const linear::Assembly assembly = linear::assemble(static_cast<int>(rows.size()), coordinates);
  std::vector<double> assembled(assembly.pattern.rows.size(), 0.0);
  for (std::size_t k = 0; k < values.size(); ++k) assembled[assembly.position[k]] += values[k];
  const auto factorization = linear::make_sparse(assembly.pattern);
  return factorization->factorize(assembled) && factorization->pivot_ratio() > 1e-14;
}

// The rank of a block at one point; the full size when an entry cannot be evaluated there (no verdict). Zeros are
// decided by bounds of rounding errors, so units of equations and unknowns do not matter.
int rank_at(const Model& model, const std::vector<BlockEntry>& entries, int size, const GenericPoint& point) {
  SparseRows rows(size);
  for (const BlockEntry& e : entries) {
    const double value = evaluate(*model.pool, e.derivative, std::cref(point));
    if (!std::isfinite(value)) return size;
    rows[e.row].emplace_back(e.col, value);
  }
  if (size > large_block && is_regular(rows)) return size;
  return linear::eliminate_by_grade(rows, std::vector<int>(size, 0)).rank();
}

// Weights of dependent rows whose weighted sum is zero, scaled to a largest term of 1. Empty if the rows are
// independent.
std::vector<double> vanishing_combination(const Eigen::MatrixXd& rows) {
  if (rows.cols() == 0) {  // all rows are empty: the first one is zero by itself
    std::vector<double> first(rows.rows(), 0.0);
    first[0] = 1.0;
    return first;
  }
  Eigen::MatrixXd scaled = rows;
  Eigen::VectorXd size(rows.rows());
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    const double largest = rows.row(i).cwiseAbs().maxCoeff();
    size[i] = largest > 0.0 ? largest : 1.0;
    scaled.row(i) /= size[i];
  }
  for (Eigen::Index j = 0; j < rows.cols(); ++j)
    if (const double largest = scaled.col(j).cwiseAbs().maxCoeff(); largest > 0.0) scaled.col(j) /= largest;
  const Eigen::MatrixXd kernel = linear::FullLu(scaled.transpose(), 1e-10).kernel();
  if (kernel.cols() == 0) return {};
  const Eigen::VectorXd weights = kernel.col(0);
  std::vector<double> result;
  for (Eigen::Index i = 0; i < rows.rows(); ++i) {
    const double share = weights[i] / weights.cwiseAbs().maxCoeff();
    result.push_back(std::abs(share) < 1e-9 ? 0.0 : share / size[i]);
  }
  return result;
}

}  // namespace

std::optional<HiddenSingularity> find_hidden_singularity(const Model& model, const structure::Structure& shape) {
  Pool& pool = *model.pool;
  const GenericPoint points[] = {GenericPoint(model, shape.offsets, 1), GenericPoint(model, shape.offsets, 2)};
  std::vector<int> local(model.variables.size(), -1);
  std::vector<BlockEntry> entries;
  for (std::size_t b = 0; b < shape.blocks.size(); ++b) {
    const structure::Block& block = shape.blocks[b];
    const int size = static_cast<int>(block.rows.size());
    for (int k = 0; k < size; ++k) local[index(block.cols[k])] = k;
    entries.clear();
    for (int k = 0; k < size; ++k) {
      const int i = index(block.rows[k]);
      const int c = shape.offsets.c[i];
      // ∂f^(c)/∂x^(d) = ∂f/∂x^(d-c): no differentiation with respect to time is needed (Griewank's lemma).
      for (const Partial& p : gradient(pool, model.equations[i].residual)) {
        const int j = static_cast<int>(pool[p.leaf].a), order = static_cast<int>(pool[p.leaf].b);
        if (local[j] >= 0 && order == shape.offsets.d[j] - c) entries.push_back({k, local[j], p.derivative});
      }
    }
    int rank = 0;
    for (const GenericPoint& point : points) rank = std::max(rank, rank_at(model, entries, size, point));
    for (const structure::Col j : block.cols) local[index(j)] = -1;
    if (rank < size) return HiddenSingularity{b, rank};
  }
  return {};
}

// The rows of the block at their highest level, with the derivatives by everything in them: the highest derivatives
// give the combination in which they cancel, all others whether it is zero.
HiddenDependence find_dependence(const Model& model, const structure::Structure& shape,
                                 const HiddenSingularity& hidden) {
  constexpr std::size_t largest = 400;
  const structure::Block& block = shape.blocks[hidden.block];
  HiddenDependence found;
  if (block.rows.size() > largest) return found;
  Pool& pool = *model.pool;
  TimeDerivative derivative(pool);
  const GenericPoint point(model, shape.offsets, 3);
  const Eigen::Index size = static_cast<Eigen::Index>(block.rows.size());
  std::map<NodeId, int> column;  // by handle: deterministic
  std::vector<std::tuple<int, int, double>> entries;
  std::vector<bool> highest;
  const auto add = [&](int row, NodeId leaf, NodeId slope) {
    const auto [place, fresh] = column.emplace(leaf, static_cast<int>(column.size()));
    if (fresh) {
      const Node& node = pool[leaf];
      const auto is_unknown = [&](structure::Col j) { return index(j) == static_cast<int>(node.a); };
      highest.push_back(node.op == Op::Variable && static_cast<int>(node.b) == shape.offsets.d[node.a] &&
                        std::ranges::any_of(block.cols, is_unknown));
    }
    entries.emplace_back(row, place->second, evaluate(pool, slope, std::cref(point)));
  };
  std::vector<NodeId> residuals;
  for (Eigen::Index k = 0; k < size; ++k) {
    const int i = index(block.rows[k]);
    residuals.push_back(derivative(model.equations[i].residual, shape.offsets.c[i]));
    for (const Partial& p : gradient(pool, residuals.back())) add(static_cast<int>(k), p.leaf, p.derivative);
    const NodeId by_time = partial(pool, residuals.back(), pool.time());
    if (!pool.is_constant(by_time, 0.0)) add(static_cast<int>(k), pool.time(), by_time);
  }
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(size, static_cast<Eigen::Index>(column.size())), top = all;
  for (const auto& [row, col, value] : entries) {
    if (!std::isfinite(value)) return found;
    all(row, col) = value;
    if (highest[col]) top(row, col) = value;
  }
  std::vector<double> weights = vanishing_combination(all);
  found.kind = weights.empty() ? HiddenDependence::Kind::HigherIndex : HiddenDependence::Kind::Dependent;
  if (weights.empty()) weights = vanishing_combination(top);
  bool affine = true;
  double sum = 0.0, terms = 0.0;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (weights[k] == 0.0) continue;
    found.equations.push_back(block.rows[k]);
    for (const Partial& p : gradient(pool, residuals[k])) affine = affine && variables_of(pool, p.derivative).empty();
    const double value = evaluate(pool, residuals[k], std::cref(point));
    sum += weights[k] * value;
    terms += std::abs(weights[k] * value);
  }
  std::ranges::sort(found.equations);
  if (found.kind == HiddenDependence::Kind::Dependent && affine)
    found.kind =
        std::abs(sum) <= 1e-12 * terms ? HiddenDependence::Kind::Redundant : HiddenDependence::Kind::Contradictory;
  found.left_over = sum;
  return found;
}

}  // namespace driftless
