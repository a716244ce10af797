#include "driftless/integrate/selection.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/Dense>

namespace driftless {
namespace {
// Up to this many rows every examination looks at all of T; beyond, only when the pivots of M have moved.
constexpr std::size_t small_choice = 24;
constexpr double moved_pivots = 0.7;
constexpr int longest_blind = 100;
// Choices up to this size are first made by QR with column pivoting, larger ones by sparse elimination.
constexpr std::size_t dense_choice = 200;
}  // namespace

StateSelection::StateSelection(const Reduced& reduced, const std::vector<std::vector<System::ChoiceEntry>>& entries,
                               double hysteresis)
    : reduced_(reduced), hysteresis_(hysteresis) {
  std::size_t offset = 0;
  for (std::size_t k = 0; k < reduced.choices.size(); ++k) {
    Part part;
    part.choice = &reduced.choices[k];
    part.entries = &entries[k];
    part.offset = offset;
    offset += entries[k].size();
    const std::size_t n = part.choice->kinematics.size();
    for (std::size_t j = 0; j < n; ++j)
      part.scale.push_back(reduced.slots[reduced.kinematics[part.choice->kinematics[j]].slot].nominal /
                           part.choice->preference[j]);
    part.by_candidate.resize(n);
    for (std::size_t e = 0; e < entries[k].size(); ++e) part.by_candidate[entries[k][e].candidate].push_back(static_cast<int>(e));
    part.column.resize(part.choice->rows.size());
    parts_.push_back(std::move(part));
  }
}

bool StateSelection::choose(std::span<const double> values) {
  bool regular = true;
  for (Part& part : parts_) regular = choose(part, values) && regular;
  collect();
  return regular;
}

bool StateSelection::choose(Part& part, std::span<const double> values) {
  const int m = static_cast<int>(part.choice->rows.size()), n = static_cast<int>(part.choice->kinematics.size());
  part.dependent.clear();
  if (m == n) {
    part.dependent.resize(n);
    std::iota(part.dependent.begin(), part.dependent.end(), 0);
    part.free.clear();
    return true;
  }
  const auto value = [&](int e) { return values[part.offset + e] * part.scale[(*part.entries)[e].candidate]; };
  std::vector<bool> chosen(n, false);
  bool regular = true;
  if (static_cast<std::size_t>(m) <= dense_choice) {
    Eigen::MatrixXd b = Eigen::MatrixXd::Zero(m, n);
    for (std::size_t e = 0; e < part.entries->size(); ++e)
      b((*part.entries)[e].row, (*part.entries)[e].candidate) = value(static_cast<int>(e));
    for (int i = 0; i < m; ++i)
      if (const double largest = b.row(i).cwiseAbs().maxCoeff(); largest > 0.0) b.row(i) /= largest;
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(b);
    const double first = std::abs(qr.matrixR()(0, 0)), last = std::abs(qr.matrixR()(m - 1, m - 1));
    if (!(last > 1e-12 * first)) {
      regular = false;
      const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> rows(b.transpose());
      dependent_row_ = part.choice->rows[rows.colsPermutation().indices()(m - 1)];
    }
    for (int k = 0; k < m; ++k) chosen[qr.colsPermutation().indices()(k)] = true;
  } else {
    // Gaussian elimination by rows, the largest entry of each eliminated row is its pivot.
    std::vector<std::vector<std::pair<int, double>>> rows(m);
    for (std::size_t e = 0; e < part.entries->size(); ++e)
      rows[(*part.entries)[e].row].emplace_back((*part.entries)[e].candidate, value(static_cast<int>(e)));
    std::vector<int> pivot_row(n, -1), marks(n, -1);
    std::vector<double> dense(n, 0.0);
    std::vector<int> pattern, heap;
    std::vector<int> position(n, -1);  // order in which a column was chosen
    std::vector<int> column_at;
    for (int i = 0; i < m; ++i) {
      pattern.clear();
      heap.clear();
      const auto touch = [&](int j) {
        if (marks[j] == i) return;
        marks[j] = i;
        dense[j] = 0.0;
        pattern.push_back(j);
        if (position[j] >= 0) heap.push_back(position[j]), std::push_heap(heap.begin(), heap.end(), std::greater<>());
      };
      for (const auto& [j, v] : rows[i]) touch(j), dense[j] += v;
      while (!heap.empty()) {
        std::pop_heap(heap.begin(), heap.end(), std::greater<>());
        const int j = column_at[heap.back()];
        heap.pop_back();
        const auto& above = rows[pivot_row[j]];  // its first entry is the pivot
        const double factor = dense[j] / above[0].second;
        dense[j] = 0.0;
        for (std::size_t k = 1; k < above.size(); ++k) touch(above[k].first), dense[above[k].first] -= factor * above[k].second;
      }
      int best = -1;
      for (const int j : pattern)
        if (position[j] < 0 && (best < 0 || std::abs(dense[j]) > std::abs(dense[best]))) best = j;
      if (best < 0 || !(std::abs(dense[best]) > 0.0)) {
        regular = false;
        dependent_row_ = part.choice->rows[i];
        for (best = 0; best < n && position[best] >= 0;) ++best;
        dense[best] = 1.0;
      }
      rows[i].assign(1, {best, dense[best]});
      for (const int j : pattern)
        if (j != best && position[j] < 0 && dense[j] != 0.0) rows[i].emplace_back(j, dense[j]);
      position[best] = i;
      column_at.push_back(best);
      pivot_row[best] = i;
      chosen[best] = true;
    }
  }
  part.free.clear();
  for (int j = 0; j < n; ++j) (chosen[j] ? part.dependent : part.free).push_back(j);
  analyse(part);
  part.unseen = longest_blind;
  return regular;
}

// The pattern of M, after its columns changed.
void StateSelection::analyse(Part& part) {
  std::vector<linear::Coordinate> coordinates;
  part.assembled.clear();
  for (std::size_t k = 0; k < part.dependent.size(); ++k)
    for (const int e : part.by_candidate[part.dependent[k]]) {
      coordinates.push_back({(*part.entries)[e].row, static_cast<int>(k)});
      part.assembled.push_back(e);
    }
  part.assembly = linear::assemble(static_cast<int>(part.dependent.size()), coordinates);
  part.values.assign(part.assembly.pattern.rows.size(), 0.0);
  part.factorization = linear::make_factorization(part.assembly.pattern);
}

bool StateSelection::factorize(Part& part, std::span<const double> values) {
  for (std::size_t k = 0; k < part.assembled.size(); ++k) {
    const int e = part.assembled[k];
    part.values[part.assembly.position[k]] = values[part.offset + e] * part.scale[(*part.entries)[e].candidate];
  }
  return part.factorization->factorize(part.values);
}

bool StateSelection::looks_unchanged(Part& part) {
  if (part.dependent.size() <= small_choice || ++part.unseen > longest_blind) return false;
  return part.factorization->pivot_ratio() > moved_pivots * part.reference_ratio;
}

Exchange StateSelection::best_exchange(Part& part, std::span<const double> values, int& row, int& col) {
  Exchange best;
  for (std::size_t j = 0; j < part.free.size(); ++j) {
    std::ranges::fill(part.column, 0.0);
    for (const int e : part.by_candidate[part.free[j]])
      part.column[(*part.entries)[e].row] = values[part.offset + e] * part.scale[part.free[j]];
    part.factorization->solve(part.column);
    for (std::size_t i = 0; i < part.column.size(); ++i)
      if (std::abs(part.column[i]) > best.margin) {
        best.margin = std::abs(part.column[i]);
        row = static_cast<int>(i), col = static_cast<int>(j);
      }
  }
  if (best.margin > 0.0) {
    best.out = part.choice->kinematics[part.free[col]];
    best.in = part.choice->kinematics[part.dependent[row]];
  }
  return best;
}

const std::vector<Exchange>& StateSelection::examine(std::span<const double> values) {
  exchanges_.clear();
  for (Part& part : parts_) {
    if (part.free.empty()) continue;
    const std::size_t limit = 4 * part.dependent.size();  // each exchange increases |det M|: this is never reached in practice
    for (std::size_t n = 0; n < limit; ++n) {
      if (!factorize(part, values)) {
        // M has become singular between two examinations: choose afresh, and say what left and what came.
        const std::vector<int> before = part.dependent;
        choose(part, values);
        std::vector<int> out, in;
        std::ranges::set_difference(part.dependent, before, std::back_inserter(out));
        std::ranges::set_difference(before, part.dependent, std::back_inserter(in));
        for (std::size_t k = 0; k < out.size(); ++k)
          exchanges_.push_back({part.choice->kinematics[out[k]], part.choice->kinematics[in[k]], HUGE_VAL});
        break;
      }
      if (n == 0 && looks_unchanged(part)) break;
      int row = -1, col = -1;
      const Exchange exchange = best_exchange(part, values, row, col);
      part.reference_ratio = part.factorization->pivot_ratio();
      part.unseen = 0;
      if (!(exchange.margin > hysteresis_)) break;
      exchanges_.push_back(exchange);
      std::swap(part.dependent[row], part.free[col]);
      std::ranges::sort(part.dependent);
      std::ranges::sort(part.free);
      analyse(part);
    }
  }
  if (!exchanges_.empty()) collect();
  return exchanges_;
}

void StateSelection::collect() {
  active_ = reduced_.permanent;
  for (const Part& part : parts_)
    for (const int j : part.free) active_.push_back(part.choice->kinematics[j]);
  std::ranges::sort(active_);
}

}  // namespace driftless
