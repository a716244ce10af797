#include "driftless/pencil/null_space.hpp"

#include <algorithm>

#include "driftless/linear/rank_decision.hpp"
#include "driftless/linear/svd.hpp"

namespace driftless::pencil {
namespace {

constexpr double points[] = {0.7368062997280773, -1.3247179572447460, 0.2914061632450};
constexpr double zero_entry = 1e-8;  // of vectors of length 1

void mark(std::vector<bool>& marks, const Eigen::MatrixXd& vectors) {
  for (Eigen::Index i = 0; i < vectors.rows(); ++i)
    if (vectors.row(i).norm() > zero_entry) marks[static_cast<std::size_t>(i)] = true;
}

std::vector<int> marked(const std::vector<bool>& marks) {
  std::vector<int> result;
  for (std::size_t k = 0; k < marks.size(); ++k)
    if (marks[k]) result.push_back(static_cast<int>(k));
  return result;
}

}  // namespace

NullSpaces find_null_spaces(const Pencil& pencil) {
  const auto n = static_cast<std::size_t>(pencil.size());
  NullSpaces result;
  std::vector<bool> rows(n, false), cols(n, false);
  for (const double lambda : points) {
    const Eigen::MatrixXd matrix = pencil.A + lambda * pencil.B;
    const linear::Svd svd = linear::svd(matrix);
    const double scale = std::max(svd.values(0), 1e-300);
    const int rank = linear::decide_rank(svd.values, scale, pencil.size()).rank;
    if (rank < result.rank) continue;  // an eigenvalue of the regular part
    if (rank > result.rank) {
      rows.assign(n, false);
      cols.assign(n, false);
    }
    result.rank = rank;
    const Eigen::Index null = pencil.size() - rank;
    mark(rows, svd.U.rightCols(null));
    mark(cols, svd.V.rightCols(null));
  }
  result.rows = marked(rows);
  result.cols = marked(cols);
  return result;
}

}  // namespace driftless::pencil
