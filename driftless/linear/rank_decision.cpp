#include "driftless/linear/rank_decision.hpp"

#include <algorithm>
#include <limits>

namespace driftless::linear {
namespace {

constexpr double surely_not_zero = 1e-8;  // relative to the size of the matrix

}  // namespace

RankDecision decide_rank(const Eigen::VectorXd& values, double scale, Eigen::Index dimension) {
  const double rounding =
      static_cast<double>(std::max<Eigen::Index>(dimension, 1)) * std::numeric_limits<double>::epsilon() * scale;
  const int size = static_cast<int>(values.size());
  // The value in place k, at least rounding; before the first one the size of the matrix, after the last one rounding.
  const auto at = [&](int k) { return k < 0 ? scale : k >= size ? rounding : std::max(values(k), rounding); };
  RankDecision best;
  double widest = 0.0, second = 1.0;
  for (int rank = size; rank >= 0; --rank) {
    if (rank > 0 && values(rank - 1) <= rounding) continue;            // it would keep rounding errors
    if (rank < size && values(rank) > surely_not_zero * scale) break;  // it would drop nonzero values
    const RankDecision cut{rank, size, at(rank - 1), at(rank)};
    second = std::max(second, std::min(cut.gap(), widest));
    if (cut.gap() > widest) {
      best = cut;
      widest = cut.gap();
    }
  }
  best.second_gap = second;
  return best;
}

const RankDecision& least_clear(const std::vector<RankDecision>& decisions) {
  return *std::ranges::min_element(decisions, {}, &RankDecision::gap);
}

}  // namespace driftless::linear
