#include "driftless/structure/analysis.hpp"

#include <algorithm>
#include <cassert>
#include <functional>
#include <limits>
#include <queue>
#include <tuple>
#include <utility>

#include "driftless/structure/hopcroft_karp.hpp"

namespace driftless::structure {

namespace {

int slack(const Offsets& offsets, Row row, const Entry& entry) {
  return offsets.d[index(entry.col)] - offsets.c[index(row)] - entry.sigma;
}

// The primal-dual method for the assignment problem max sum sigma_{i,T(i)}, started at the smallest dual point
// c = 0, d_j = max_i sigma_ij. In turn: match as many rows as the entries without slack allow; raise the offsets of the
// rows that cannot be matched, and of the rows and columns on their alternating paths, just until a free column is
// reached.
//
// Every raise is forced: no feasible offsets with equality on a transversal lie below the result, so the
// optimal dual point that is reached is the smallest one (docs/structure.md has the proof). At most
// 2 sqrt(n max sigma) raises, each one multi-source Dijkstra.
class PrimalDual {
 public:
  PrimalDual(const Signature& signature, std::span<const int> least)
      : signature_(signature),
        matching_(signature.rows(), signature.cols()),
        offsets_{std::vector<int>(signature.rows()), highest_orders(signature)},
        distance_(signature.cols(), unreached) {
    for (std::size_t j = 0; j < least.size(); ++j) offsets_.d[j] = std::max(offsets_.d[j], least[j]);
  }

  std::pair<Matching, Offsets> solve() {
    HopcroftKarp tight(signature_, matching_,
                       [this](Row row, const Entry& entry) { return slack(offsets_, row, entry) == 0; });
    for (tight.run(); !matching_.is_perfect(); tight.run()) raise_offsets();
    return {std::move(matching_), std::move(offsets_)};
  }

 private:
  static constexpr int unreached = std::numeric_limits<int>::max();

  // Shortest alternating paths from all free rows, slack being length. A column at distance s < reach, and the
  // row matched with it, rise by reach - s: no slack becomes negative, that of matched entries stays zero, and that of
  // every entry on the shortest path to a free column becomes zero.
  void raise_offsets() {
    free_rows_.clear();
    for (int i = 0; i < signature_.rows(); ++i) {
      if (matching_.col_of(Row{i}) == no_col) free_rows_.push_back(Row{i});
    }
    reach_ = unreached;
    for (const Row row : free_rows_) relax(row, 0);
    while (!open_.empty()) {
      const auto [distance, col] = open_.top();
      open_.pop();
      if (distance == distance_[index(col)] && distance < reach_) relax(matching_.row_of(col), distance);
    }
    assert(reach_ != unreached && "a perfect matching exists, so a free column can be reached");

    for (const Row row : free_rows_) offsets_.c[index(row)] += reach_;
    for (const Col col : reached_) {
      const int rise = std::max(0, reach_ - std::exchange(distance_[index(col)], unreached));
      offsets_.d[index(col)] += rise;
      offsets_.c[index(matching_.row_of(col))] += rise;
    }
    reached_.clear();
  }

  void relax(Row row, int distance_of_row) {
    for (const Entry& entry : signature_.row(row)) {
      const int distance = distance_of_row + slack(offsets_, row, entry);
      if (distance >= std::min(reach_, distance_[index(entry.col)])) continue;
      if (matching_.row_of(entry.col) == no_row) {
        reach_ = distance;
      } else {
        if (distance_[index(entry.col)] == unreached) reached_.push_back(entry.col);
        distance_[index(entry.col)] = distance;
        open_.push({distance, entry.col});
      }
    }
  }

  const Signature& signature_;
  Matching matching_;
  Offsets offsets_;
  std::vector<Row> free_rows_;
  std::vector<int> distance_;  // of matched columns
  std::vector<Col> reached_;   // columns with a distance
  int reach_ = 0;              // distance of the nearest free column so far
  using Open = std::pair<int, Col>;
  std::priority_queue<Open, std::vector<Open>, std::greater<>> open_;
};

int structural_index(const Offsets& offsets) {
  if (offsets.c.empty()) return 0;
  return *std::ranges::max_element(offsets.c) + (*std::ranges::min_element(offsets.d) == 0 ? 1 : 0);
}

// sum d - sum c, added pairwise along the transversal: each difference is a sigma, so large offsets cannot overflow.
int degrees_of_freedom(const Offsets& offsets, const Matching& transversal) {
  int sum = 0;
  for (std::size_t i = 0; i < offsets.c.size(); ++i) sum += offsets.d[index(transversal.col_of_row[i])] - offsets.c[i];
  return sum;
}

}  // namespace

Signature system_jacobian_pattern(const Signature& signature, const Offsets& offsets) {
  Signature pattern(signature.cols());
  std::vector<Entry> kept;
  for (int i = 0; i < signature.rows(); ++i) {
    kept.clear();
    for (const Entry& entry : signature.row(Row{i})) {
      if (slack(offsets, Row{i}, entry) == 0) kept.push_back(entry);
    }
    pattern.add_row(kept);
  }
  return pattern;
}

std::variant<Structure, Singular> analyze(const Signature& signature, std::span<const int> least) {
  Matching matching = maximum_matching(signature);
  if (!matching.is_perfect()) {
    DulmageMendelsohn parts = dulmage_mendelsohn(signature, matching);
    return Singular{std::move(matching), std::move(parts)};
  }
  Structure structure;
  std::tie(structure.transversal, structure.offsets) = PrimalDual(signature, least).solve();
  structure.blocks =
      block_triangular_form(system_jacobian_pattern(signature, structure.offsets), structure.transversal);
  structure.structural_index = structural_index(structure.offsets);
  structure.degrees_of_freedom = degrees_of_freedom(structure.offsets, structure.transversal);
  return structure;
}

}  // namespace driftless::structure
