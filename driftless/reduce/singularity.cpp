// Signature of a model, and the test whether the structure tells the truth.
#include <cmath>
#include <functional>
#include <random>

#include <Eigen/Dense>

#include "driftless/expr/calculus.hpp"
#include "driftless/linear/factorization.hpp"
#include "driftless/reduce/reduced.hpp"

namespace driftless {
namespace {

// Blocks up to this size are examined by a dense rank-revealing factorization; of larger ones only the regularity is
// known.
constexpr std::size_t dense_block = 120;
constexpr double rank_tolerance = 1e-10;

class GenericPoint {
 public:
  GenericPoint(const Model& model, const structure::Offsets& offsets, unsigned seed) : model_(model) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> noise(0.3, 1.1);
    time_ = model.experiment.start + noise(random);
    values_.resize(offsets.d.size());
    for (std::size_t j = 0; j < values_.size(); ++j) {
      const Variable& variable = model.variables[j];
      for (int k = 0; k <= offsets.d[j]; ++k) {
        const double size =
            variable.nominal * (1.0 + (k == 0 ? std::abs(variable.start.value_or(0.0)) / variable.nominal : 0.0));
        values_[j].push_back((k == 0 ? variable.start.value_or(0.0) : 0.0) + 0.1 * size * noise(random));
      }
    }
  }

  double operator()(NodeId leaf) const {
    const Node& node = (*model_.pool)[leaf];
    switch (node.op) {
      case Op::Time: return time_;
      case Op::Parameter: return model_.parameters[node.a].value;
      case Op::Variable: return values_[node.a][node.b];
      default: return std::nan("");
    }
  }

 private:
  const Model& model_;
  double time_;
  std::vector<std::vector<double>> values_;
};

struct BlockEntry {
  int row, col;
  NodeId derivative;
};

// The rank of a block at one point; the full size when an entry cannot be evaluated there (no verdict).
int rank_at(const Model& model, const std::vector<BlockEntry>& entries, int size, const GenericPoint& point) {
  std::vector<double> values;
  values.reserve(entries.size());
  for (const BlockEntry& e : entries) {
    values.push_back(evaluate(*model.pool, e.derivative, std::cref(point)));
    if (!std::isfinite(values.back())) return size;
  }
  if (static_cast<std::size_t>(size) <= dense_block) {
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(size, size);
    for (std::size_t k = 0; k < entries.size(); ++k) matrix(entries[k].row, entries[k].col) = values[k];
    for (int i = 0; i < size; ++i)
      if (const double largest = matrix.row(i).cwiseAbs().maxCoeff(); largest > 0.0) matrix.row(i) /= largest;
    for (int j = 0; j < size; ++j)
      if (const double largest = matrix.col(j).cwiseAbs().maxCoeff(); largest > 0.0) matrix.col(j) /= largest;
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(matrix);
    qr.setThreshold(rank_tolerance);
    return static_cast<int>(qr.rank());
  }
  std::vector<linear::Coordinate> coordinates;
  for (const BlockEntry& e : entries) coordinates.push_back({e.row, e.col});
  const linear::Assembly assembly = linear::assemble(size, coordinates);
  std::vector<double> assembled(assembly.pattern.rows.size(), 0.0);
  for (std::size_t k = 0; k < entries.size(); ++k) assembled[assembly.position[k]] += values[k];
  const auto factorization = linear::make_sparse(assembly.pattern);
  const bool regular = factorization->factorize(assembled) && factorization->pivot_ratio() > 1e-14;
  return regular ? size : size - 1;
}

}  // namespace

structure::Signature signature_of(const Model& model) {
  const Pool& pool = *model.pool;
  structure::Signature signature(static_cast<int>(model.variables.size()));
  std::vector<structure::Entry> entries;
  for (const Equation& equation : model.equations) {
    entries.clear();
    for (const NodeId leaf : variables_of(pool, equation.residual)) {  // ascending by (variable, order)
      const structure::Entry entry{structure::Col{static_cast<int>(pool[leaf].a)}, static_cast<int>(pool[leaf].b)};
      if (!entries.empty() && entries.back().col == entry.col)
        entries.back() = entry;
      else
        entries.push_back(entry);
    }
    signature.add_row(entries);
  }
  return signature;
}

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

}  // namespace driftless
