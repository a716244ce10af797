#include "driftless/array/ranks.hpp"

#include <algorithm>
#include <functional>

#include "driftless/linear/sparse_rank.hpp"

namespace driftless {
namespace {

using Matrix = Eigen::SparseMatrix<double>;

Matrix columns_where(const Matrix& matrix, const DerivativeArray& array, const std::function<bool(Quantity)>& chosen) {
  std::vector<Eigen::Triplet<double>> entries;
  int columns = 0;
  for (std::size_t k = 0; k < array.unknowns().size(); ++k) {
    if (!chosen(array.unknowns()[k])) continue;
    for (Matrix::InnerIterator it(matrix, static_cast<int>(k)); it; ++it)
      entries.emplace_back(static_cast<int>(it.row()), columns, it.value());
    ++columns;
  }
  Matrix result(matrix.rows(), columns);
  result.setFromTriplets(entries.begin(), entries.end());
  return result;
}

}  // namespace

ArrayRanks ranks_of(const DerivativeArray& array, const Matrix& jacobian) {
  const Eigen::Index rows = std::ssize(array.rows());
  const Matrix of_rows = jacobian.topRows(rows);
  const Matrix scaled = linear::in_units(of_rows, linear::equilibrate(of_rows));
  ArrayRanks ranks;
  ranks.rows = static_cast<int>(rows);
  ranks.variables = static_cast<int>(array.model().variables.size());
  ranks.below = array.count(ArrayPart::Below);
  const auto rank = [&](const std::function<bool(Quantity)>& chosen) {
    const linear::RevealedRank found = linear::revealed_rank(columns_where(scaled, array, chosen));
    ranks.clear = ranks.clear && found.is_clear();
    ranks.smallest_kept = std::min(ranks.smallest_kept, found.smallest_kept);
    ranks.largest_dropped = std::max(ranks.largest_dropped, found.largest_dropped);
    return found.rank;
  };
  const auto is_above = [&](Quantity q) { return array.part_of(q) == ArrayPart::Above; };
  ranks.above = rank(is_above);
  ranks.top_and_above = rank([&](Quantity q) { return array.part_of(q) != ArrayPart::Below; });
  ranks.all = rank([](Quantity) { return true; });
  // The first derivative of a variable that has none in the model counts among those to be determined.
  const auto is_rate = [&](Quantity q) { return q.order == std::max(1, array.highest_order(q.variable)); };
  const auto is_beyond = [&](Quantity q) { return q.order > std::max(1, array.highest_order(q.variable)); };
  const int beyond = rank(is_beyond);
  ranks.determines_rates = rank([&](Quantity q) { return is_rate(q) || is_beyond(q); }) == ranks.variables + beyond;
  return ranks;
}

}  // namespace driftless
