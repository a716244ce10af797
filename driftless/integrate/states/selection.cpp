#include "driftless/integrate/states/selection.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include <Eigen/Core>

#include "driftless/linear/dense.hpp"

namespace driftless {
namespace {
constexpr std::size_t small_choice = 24;  // rows up to which all of T is computed

// One row of a choice, sparse: (candidate, value).
using SparseRow = std::vector<std::pair<int, double>>;

// A column that occurs in no other row is preferred as pivot if its entry is at least this part of the largest in the
// row: it causes no fill.
constexpr double own_column = 0.3;

// A large choice is examined when a value has changed by this part of the largest in its row. As exchanges take factors
// of two, none is missed.
constexpr double noticeable = 0.05;

// A row whose rest is at most this, relative to its largest entry, depends on the others.
constexpr double vanished = 1e-12;

// Gaussian elimination by rows in the given order; the largest entry of each row, after elimination with the rows
// before it, is its pivot. `weight` favours candidates. Returns the pivots, and the first row that has none in
// `dependent` (the lowest free candidate takes its place).
std::vector<int> eliminate(std::vector<SparseRow> rows, const std::vector<int>& order, const std::vector<int>& home,
                           const std::vector<double>& weight, int& dependent) {
  const int candidates = static_cast<int>(home.size());
  std::vector<int> position(candidates, -1), marks(candidates, -1), pivots, pattern, heap;
  std::vector<double> dense(candidates, 0.0);
  for (std::size_t step = 0; step < order.size(); ++step) {
    const int i = order[step];
    pattern.clear();
    const auto touch = [&](int j) {
      if (marks[j] == i) return;
      marks[j] = i;
      dense[j] = 0.0;
      pattern.push_back(j);
      if (position[j] >= 0) heap.push_back(position[j]), std::ranges::push_heap(heap, std::greater<>());
    };
    double largest = 0.0;
    for (const auto& [j, v] : rows[i]) touch(j), dense[j] += v, largest = std::max(largest, std::abs(v));
    while (!heap.empty()) {  // earlier pivots in the order in which they were chosen
      std::ranges::pop_heap(heap, std::greater<>());
      const SparseRow& above = rows[order[heap.back()]];  // its first entry is the pivot
      heap.pop_back();
      const double factor = dense[above[0].first] / above[0].second;
      dense[above[0].first] = 0.0;
      for (std::size_t k = 1; k < above.size(); ++k)
        touch(above[k].first), dense[above[k].first] -= factor * above[k].second;
    }
    int best = -1, own = -1;
    const auto size = [&](int j) { return std::abs(dense[j]) * weight[j]; };
    for (const int j : pattern) {
      if (position[j] >= 0) continue;
      if (best < 0 || size(j) > size(best)) best = j;
      if (home[j] == i && (own < 0 || size(j) > size(own))) own = j;
    }
    if (own >= 0 && std::abs(dense[own]) >= own_column * std::abs(dense[best])) best = own;
    if (best < 0 || !(std::abs(dense[best]) > vanished * largest)) {
      if (dependent < 0) dependent = i;
      for (best = 0; position[best] >= 0;) ++best;
      dense[best] = 1.0;
    }
    rows[i].assign(1, {best, dense[best]});
    for (const int j : pattern)
      if (j != best && position[j] < 0 && dense[j] != 0.0) rows[i].emplace_back(j, dense[j]);
    position[best] = static_cast<int>(step);
    pivots.push_back(best);
  }
  return pivots;
}

}  // namespace

StateSelection::StateSelection(const Reduced& reduced, const std::vector<std::vector<System::ChoiceEntry>>& entries,
                               double hysteresis)
    : reduced_(reduced), hysteresis_(hysteresis) {
  std::size_t offset = 0;
  for (std::size_t k = 0; k < reduced.choices.size(); ++k) {
    if (!reduced.choices[k].roles.empty()) {
      arrays_.emplace_back(reduced, reduced.choices[k], entries[k], offset, hysteresis);
      offset += entries[k].size();
      continue;
    }
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
    for (std::size_t e = 0; e < entries[k].size(); ++e)
      part.by_candidate[entries[k][e].candidate].push_back(static_cast<int>(e));
    if (part.is_small())
      part.table = ExchangeTable(static_cast<int>(part.choice->rows.size()), static_cast<int>(n)), part.place.resize(n);
    else
      part.peel();
    parts_.push_back(std::move(part));
  }
  find_twins();
}

void StateSelection::find_twins() {
  std::map<VarId, int> last;  // part that chooses this variable first
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    Part& part = parts_[k];
    const VarId first = reduced_.slots[reduced_.kinematics[part.choice->kinematics[0]].slot].quantity.variable;
    const auto [found, is_new] = last.try_emplace(first, static_cast<int>(k));
    if (is_new) continue;
    const Part& other = parts_[std::exchange(found->second, static_cast<int>(k))];
    const auto same = [](const System::ChoiceEntry& a, const System::ChoiceEntry& b) {
      return a.row == b.row && a.candidate == b.candidate;
    };
    if (part.is_small() && other.scale == part.scale && std::ranges::equal(*other.entries, *part.entries, same))
      part.twin = static_cast<int>(&other - parts_.data());
  }
}

bool StateSelection::Part::is_small() const { return choice->rows.size() <= small_choice; }

// Rows with a column that occurs in no other row come first; removing them gives other rows such columns: trees and
// chains are eliminated from their ends without fill. The remaining rows keep their order.
void StateSelection::Part::peel() {
  const std::size_t m = choice->rows.size();
  home.assign(by_candidate.size(), -1);
  std::vector<int> users(by_candidate.size());
  std::vector<std::vector<int>> by_row(m);
  for (std::size_t e = 0; e < entries->size(); ++e) by_row[(*entries)[e].row].push_back((*entries)[e].candidate);
  std::vector<bool> done(m, false);
  std::vector<int> lonely;
  for (std::size_t j = 0; j < users.size(); ++j)
    if ((users[j] = static_cast<int>(by_candidate[j].size())) == 1) lonely.push_back(static_cast<int>(j));
  for (std::size_t k = 0; k < lonely.size(); ++k) {
    for (const int e : by_candidate[lonely[k]]) {
      const int i = (*entries)[e].row;
      if (done[i]) continue;
      done[i] = true;
      order.push_back(i);
      for (const int j : by_row[i]) {
        if (users[j] == 1) home[j] = i;
        if (--users[j] == 1) lonely.push_back(j);
      }
    }
  }
  for (std::size_t i = 0; i < m; ++i)
    if (!done[i]) order.push_back(static_cast<int>(i));
}

bool StateSelection::Part::has_changed(std::span<const double> all_values) const {
  const std::span<const double> own = all_values.subspan(offset, entries->size());
  for (std::size_t e = 0; e < looked_at.size(); ++e)
    if (!(std::abs(own[e] - looked_at[e]) <= noticeable * row_size[(*entries)[e].row])) return true;
  return looked_at.empty();
}

void StateSelection::Part::remember(std::span<const double> all_values) {
  const std::span<const double> own = all_values.subspan(offset, entries->size());
  looked_at.assign(own.begin(), own.end());
  row_size.assign(choice->rows.size(), 0.0);
  for (std::size_t e = 0; e < own.size(); ++e) {
    double& size = row_size[(*entries)[e].row];
    size = std::max(size, std::abs(own[e]));
  }
}

bool StateSelection::choose(std::span<const double> values) {
  bool regular = true;
  for (Part& part : parts_) regular = choose(part, values, 1.0) && regular;
  for (ArrayChoice& array : arrays_)
    if (!array.choose(values)) regular = false, dependent_row_ = array.weakest_row();
  collect();
  return regular;
}

// `favour` > 1 favours the columns that are dependent at present.
bool StateSelection::choose(Part& part, std::span<const double> values, double favour) {
  const int m = static_cast<int>(part.choice->rows.size()), n = static_cast<int>(part.choice->kinematics.size());
  int dependent_row = -1;
  std::vector<int> chosen;
  const auto value = [&](std::size_t e) { return values[part.offset + e] * part.scale[(*part.entries)[e].candidate]; };
  if (m == n) {
    chosen.resize(n);
    std::iota(chosen.begin(), chosen.end(), 0);
  } else if (part.is_small()) {
    Eigen::MatrixXd b = Eigen::MatrixXd::Zero(m, n);
    for (std::size_t e = 0; e < part.entries->size(); ++e)
      b((*part.entries)[e].row, (*part.entries)[e].candidate) = value(e);
    for (int i = 0; i < m; ++i)
      if (const double largest = b.row(i).cwiseAbs().maxCoeff(); largest > 0.0) b.row(i) /= largest;
    const linear::PivotedQr qr(b);
    if (!qr.has_rank(m, vanished)) dependent_row = static_cast<int>(linear::PivotedQr(b.transpose()).column(m - 1));
    for (int k = 0; k < m; ++k) chosen.push_back(static_cast<int>(qr.column(k)));
  } else {
    std::vector<SparseRow> rows(m);
    for (std::size_t e = 0; e < part.entries->size(); ++e)
      rows[(*part.entries)[e].row].emplace_back((*part.entries)[e].candidate, value(e));
    std::vector<double> weight(n, 1.0);
    for (const int j : part.dependent) weight[j] = favour;
    chosen = eliminate(std::move(rows), part.order, part.home, weight, dependent_row);
    part.remember(values);
  }
  std::ranges::sort(chosen);
  part.dependent = chosen;
  part.free.clear();
  for (int j = 0; j < n; ++j)
    if (!std::ranges::binary_search(chosen, j)) part.free.push_back(j);
  if (dependent_row >= 0) dependent_row_ = part.choice->rows[dependent_row];
  return dependent_row < 0;
}

// False if M is singular.
bool StateSelection::tabulate(Part& part, std::span<const double> values) {
  const std::size_t m = part.dependent.size();
  for (std::size_t k = 0; k < m; ++k) part.place[part.dependent[k]] = static_cast<int>(k);
  for (std::size_t k = 0; k < part.free.size(); ++k) part.place[part.free[k]] = static_cast<int>(m + k);
  part.table.clear();
  for (std::size_t e = 0; e < part.entries->size(); ++e) {
    const System::ChoiceEntry& entry = (*part.entries)[e];
    part.table.set(entry.row, part.place[entry.candidate], values[part.offset + e] * part.scale[entry.candidate]);
  }
  return part.table.reduce();
}

const std::vector<Exchange>& StateSelection::examine(std::span<const double> values) {
  exchanges_.clear();
  for (Part& part : parts_) {
    if (part.free.empty()) continue;
    if (agrees_with_twin(part, values)) continue;
    if (part.is_small())
      examine_small(part, values);
    else if (part.has_changed(values))
      choose_afresh(part, values);
  }
  for (ArrayChoice& array : arrays_) array.examine(values, exchanges_);
  if (!exchanges_.empty()) collect();
  return exchanges_;
}

bool StateSelection::agrees_with_twin(const Part& part, std::span<const double> values) const {
  if (part.twin < 0) return false;
  const Part& twin = parts_[part.twin];
  const std::size_t n = part.entries->size();
  return part.dependent == twin.dependent &&
         std::ranges::equal(values.subspan(part.offset, n), values.subspan(twin.offset, n));
}

void StateSelection::examine_small(Part& part, std::span<const double> values) {
  const std::size_t limit = 4 * part.dependent.size();  // each exchange increases |det M|: never reached in practice
  for (std::size_t n = 0; n < limit; ++n) {
    if (!tabulate(part, values)) return choose_afresh(part, values);  // M has become singular between two examinations
    const ExchangeTable::Entry best = part.table.largest();
    if (!(best.size > hysteresis_)) return;
    int &dependent = part.dependent[best.row], &free = part.free[best.column];
    exchanges_.push_back({part.choice->kinematics[free], part.choice->kinematics[dependent], best.size});
    std::swap(dependent, free);
    std::ranges::sort(part.dependent);
    std::ranges::sort(part.free);
  }
}

// Makes a new choice and pairs leaving and entering candidates; their margin is only known to be at least the
// hysteresis.
void StateSelection::choose_afresh(Part& part, std::span<const double> values) {
  const std::vector<int> before = part.dependent;
  choose(part, values, hysteresis_);
  std::vector<int> out, in;
  std::ranges::set_difference(part.dependent, before, std::back_inserter(out));
  std::ranges::set_difference(before, part.dependent, std::back_inserter(in));
  for (std::size_t k = 0; k < out.size(); ++k)
    exchanges_.push_back({part.choice->kinematics[out[k]], part.choice->kinematics[in[k]], hysteresis_});
}

std::optional<std::string> StateSelection::lost_at(std::span<const double> values) const {
  for (const ArrayChoice& array : arrays_)
    if (auto lost = array.lost_at(values)) return lost;
  return {};
}

void StateSelection::archive(Archive& archive) {
  archive.section("selection of states");
  archive.expect(parts_.size(), "number of choices");
  for (Part& part : parts_) archive(part.dependent, part.free, part.looked_at, part.row_size);
  for (ArrayChoice& array : arrays_) array.archive(archive);
  archive(active_, dependent_row_);
}

void StateSelection::collect() {
  active_ = reduced_.permanent;
  for (const Part& part : parts_)
    for (const int j : part.free) active_.push_back(part.choice->kinematics[j]);
  for (const ArrayChoice& array : arrays_) array.add_states(active_);
  std::ranges::sort(active_);
}

}  // namespace driftless
