#include "driftless/array/ranks.hpp"

#include <algorithm>
#include <functional>

#include "driftless/linear/equilibration.hpp"

namespace driftless {
namespace {

Eigen::MatrixXd columns_where(const Eigen::MatrixXd& matrix, const DerivativeArray& array,
                              const std::function<bool(Quantity)>& chosen) {
  std::vector<Eigen::Index> columns;
  for (std::size_t k = 0; k < array.unknowns().size(); ++k)
    if (chosen(array.unknowns()[k])) columns.push_back(static_cast<Eigen::Index>(k));
  return matrix(Eigen::all, columns);
}

}  // namespace

ArrayRanks ranks_of(const DerivativeArray& array, const Eigen::MatrixXd& jacobian) {
  const Eigen::Index rows = std::ssize(array.rows());
  const linear::Equilibration scale = linear::equilibrate(jacobian.topRows(rows));
  const Eigen::MatrixXd scaled = scale.rows.asDiagonal() * jacobian.topRows(rows) * scale.columns.asDiagonal();
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
