#include "driftless/linear/front_order.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "driftless/linear/front.hpp"
#include "driftless/linear/front_tree.hpp"
#include "driftless/linear/largest_transversal.hpp"
#include "driftless/linear/number.hpp"
#include "driftless/linear/parts.hpp"

namespace driftless::linear {
namespace {

// The entries of the pattern that are in the diagonal blocks.
struct Inside {
  Pattern pattern;
  std::vector<int> position;
};

Inside inside_of(const Pattern& pattern, const Parts& parts) {
  Inside result{{pattern.size, {0}, {}}, {}};
  for (int j = 0; j < pattern.size; ++j) {
    for (int e = pattern.starts[j]; e < pattern.starts[j + 1]; ++e)
      if (parts.of_row[pattern.rows[e]] == parts.of_column[j]) {
        result.pattern.rows.push_back(pattern.rows[e]);
        result.position.push_back(e);
      }
    result.pattern.starts.push_back(static_cast<int>(result.pattern.rows.size()));
  }
  return result;
}

// An elimination whose fronts grow by the columns that their children could not eliminate.
template <class Number>
class Choice {
 public:
  Choice(const Pattern& pattern, std::span<const Number> values, double threshold)
      : pattern_(pattern), values_(values), threshold_(threshold), parts_(pattern) {}

  std::optional<FrontOrder> run() {
    if (!parts_.regular) return std::nullopt;
    const Inside inside = inside_of(pattern_, parts_);
    std::vector<double> sizes;
    for (const int e : inside.position) sizes.push_back(size_of(values_[e]));
    row_of_ = largest_transversal(inside.pattern, sizes);
    if (row_of_.empty() && pattern_.size > 0) return std::nullopt;
    set_tree(inside.pattern);
    list_entries();
    list_children();
    for (int f = 0; f < static_cast<int>(tree_.fronts.size()); ++f)
      if (!eliminate(f)) return std::nullopt;
    finish();
    return std::move(order_);
  }

 private:
  // In the tree, an unknown represents its column and the row of the transversal.
  void set_tree(const Pattern& inside) {
    const int n = pattern_.size;
    std::vector<int> column_of(n);
    for (int j = 0; j < n; ++j) column_of[row_of_[j]] = j;
    Pattern symmetric = inside;
    for (int& row : symmetric.rows) row = column_of[row];
    tree_ = make_front_tree(symmetric, parts_.of_column);
    place_of_row_.resize(n);
    place_of_column_.resize(n);
    for (int k = 0; k < n; ++k) {
      place_of_column_[tree_.order[k]] = k;
      place_of_row_[row_of_[tree_.order[k]]] = k;
    }
  }

  // An entry is added in the front that eliminates its row or its column first; those between parts in none.
  void list_entries() {
    const int n = pattern_.size;
    std::vector<int> front_at(n);
    for (std::size_t f = 0; f < tree_.fronts.size(); ++f)
      std::fill_n(front_at.begin() + tree_.fronts[f].first, tree_.fronts[f].pivots, static_cast<int>(f));
    std::vector<int> ends(tree_.fronts.size() + 1, 0);
    const auto for_each = [&](auto&& use) {
      for (int j = 0; j < n; ++j)
        for (int e = pattern_.starts[j]; e < pattern_.starts[j + 1]; ++e)
          if (const int i = pattern_.rows[e]; parts_.of_row[i] == parts_.of_column[j])
            use(front_at[std::min(place_of_row_[i], place_of_column_[j])], FrontOrder::Entry{e, i, j});
    };
    for_each([&](int front, const FrontOrder::Entry&) { ++ends[front + 1]; });
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    order_.entries.resize(ends.back());
    for_each([&](int front, const FrontOrder::Entry& entry) { order_.entries[ends[front]++] = entry; });
    ends.pop_back();
    entry_ends_ = std::move(ends);
  }

  void list_children() {
    const std::size_t count = tree_.fronts.size();
    std::vector<int> ends(count + 1, 0);
    for (const auto& front : tree_.fronts)
      if (front.parent >= 0) ++ends[front.parent + 1];
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    order_.children.resize(ends.back());
    for (std::size_t f = 0; f < count; ++f)
      if (const int parent = tree_.fronts[f].parent; parent >= 0) order_.children[ends[parent]++] = static_cast<int>(f);
    ends.pop_back();
    child_ends_ = std::move(ends);
    left_.resize(count);
  }

  std::span<const FrontOrder::Entry> entries_of(int f) const {
    const int begin = f > 0 ? entry_ends_[f - 1] : 0;
    return std::span(order_.entries).subspan(begin, entry_ends_[f] - begin);
  }
  std::span<const int> children_of(int f) const {
    const int begin = f > 0 ? child_ends_[f - 1] : 0;
    return std::span(order_.children).subspan(begin, child_ends_[f] - begin);
  }

  // ---- one front

  bool eliminate(int f) {
    const int eligible = list_lines(f);
    const int size = static_cast<int>(rows_.size());
    front_.reset(size);
    for (int k = 0; k < size; ++k) local_row_[rows_[k]] = local_column_[columns_[k]] = k;
    for (const auto& [position, row, column] : entries_of(f))
      front_.add(local_row_[row], local_column_[column], values_[position]);
    for (const int child : children_of(f)) add_what_is_left_of(child);

    const auto pivots = front_.eliminate(eligible, threshold_, rows_.data(), columns_.data(), ones_.data());
    const int parent = tree_.fronts[f].parent;
    if (parent < 0 && pivots.count < size) return false;
    order_.fronts.push_back(
        {static_cast<int>(order_.rows.size()), size, pivots.count, parent, 0, entry_ends_[f], child_ends_[f]});
    order_.rows.insert(order_.rows.end(), rows_.begin(), rows_.end());
    order_.columns.insert(order_.columns.end(), columns_.begin(), columns_.end());
    waiting_.push_back(eligible - pivots.count);
    keep_what_is_left(f, pivots.count);
    return true;
  }

  // Lists its own pivots, the lines its children could not eliminate, and the rest. Returns how many may become pivots.
  int list_lines(int f) {
    rows_.clear();
    columns_.clear();
    const auto add = [&](int place) {
      columns_.push_back(tree_.order[place]);
      rows_.push_back(row_of_[tree_.order[place]]);
    };
    const FrontTree::Front& front = tree_.fronts[f];
    for (int k = 0; k < front.pivots; ++k) add(front.first + k);
    for (const int child : children_of(f)) {
      const int first = order_.fronts[child].first + order_.fronts[child].pivots;
      for (int k = first; k < first + waiting_[child]; ++k) {
        rows_.push_back(order_.rows[k]);
        columns_.push_back(order_.columns[k]);
      }
    }
    const int eligible = static_cast<int>(rows_.size());
    for (int e = tree_.starts[f]; e < tree_.starts[f + 1]; ++e) add(tree_.places[e]);
    return eligible;
  }

  void keep_what_is_left(int f, int pivots) {
    const int rest = front_.size() - pivots;
    std::vector<double>& left = left_[f];
    left.reserve(static_cast<std::size_t>(Front<Number>::planes) * rest * rest);
    for (int p = 0; p < Front<Number>::planes; ++p)
      for (int j = pivots; j < front_.size(); ++j)
        left.insert(left.end(), front_.column(p, j) + pivots, front_.column(p, j) + front_.size());
  }

  void add_what_is_left_of(int child) {
    const FrontOrder::Front& from = order_.fronts[child];
    const int rest = from.size - from.pivots;
    const int *const rows = order_.rows.data() + from.first + from.pivots, *const columns = order_.columns.data() +
                                                                                            from.first + from.pivots;
    const double* value = left_[child].data();
    for (int p = 0; p < Front<Number>::planes; ++p)
      for (int j = 0; j < rest; ++j) {
        double* const to = front_.column(p, local_column_[columns[j]]);
        for (int i = 0; i < rest; ++i) to[local_row_[rows[i]]] += *value++;
      }
    left_[child] = {};
  }

  // ---- the result

  // Lines of the matrix become lines of the front or of its parent.
  void finish() {
    order_.size = pattern_.size;
    order_.parent_row.resize(order_.rows.size());
    order_.parent_column.resize(order_.rows.size());
    int entry = 0, child = 0;
    for (FrontOrder::Front& front : order_.fronts) {
      for (int k = 0; k < front.size; ++k)
        local_row_[order_.rows[front.first + k]] = local_column_[order_.columns[front.first + k]] = k;
      for (; entry < front.given; ++entry) {
        FrontOrder::Entry& e = order_.entries[entry];
        e.row = local_row_[e.row];
        e.column = local_column_[e.column];
      }
      for (; child < front.children; ++child) {
        const FrontOrder::Front& below = order_.fronts[order_.children[child]];
        for (int k = below.first + below.pivots; k < below.first + below.size; ++k) {
          order_.parent_row[k] = local_row_[order_.rows[k]];
          order_.parent_column[k] = local_column_[order_.columns[k]];
        }
      }
    }
    for (auto front = order_.fronts.rbegin(); front != order_.fronts.rend(); ++front)
      front->depth = front->parent < 0 ? 0 : order_.fronts[front->parent].depth + 1;
    list_parts();
  }

  void list_parts() {
    const int count = static_cast<int>(parts_.lines.size());
    std::vector<std::vector<FrontOrder::Entry>> outside(count);
    for (int j = 0; j < pattern_.size; ++j)
      for (int e = pattern_.starts[j]; e < pattern_.starts[j + 1]; ++e)
        if (const int i = pattern_.rows[e]; parts_.of_row[i] != parts_.of_column[j])
          outside[parts_.of_column[j]].push_back({e, i, j});
    int front = 0;
    for (int part = count - 1; part >= 0; --part) {
      const auto is_here = [&] { return parts_.of_column[order_.columns[order_.fronts[front].first]] == part; };
      while (front < static_cast<int>(order_.fronts.size()) && is_here()) ++front;
      order_.outside.insert(order_.outside.end(), outside[part].begin(), outside[part].end());
      order_.parts.push_back({front, static_cast<int>(order_.outside.size())});
    }
    assert(front == static_cast<int>(order_.fronts.size()));
  }

  const Pattern& pattern_;
  std::span<const Number> values_;
  double threshold_;
  Parts parts_;
  std::vector<int> row_of_;  // of each column, in the transversal
  FrontTree tree_;
  std::vector<int> place_of_row_, place_of_column_;
  std::vector<int> entry_ends_, child_ends_;  // of each front
  std::vector<int> waiting_;                  // lines of each front that found no pivot
  std::vector<int> rows_, columns_;           // of the present front
  std::vector<int> local_row_ = std::vector<int>(pattern_.size), local_column_ = local_row_;
  std::vector<double> ones_ = std::vector<double>(pattern_.size, 1.0);
  Front<Number> front_;
  std::vector<std::vector<double>> left_;  // remainder of each front for its parent
  FrontOrder order_;
};

}  // namespace

template <class Number>
std::optional<FrontOrder> choose_fronts(const Pattern& pattern, std::span<const Number> values, double threshold) {
  return Choice<Number>(pattern, values, threshold).run();
}

template std::optional<FrontOrder> choose_fronts(const Pattern&, std::span<const double>, double);
template std::optional<FrontOrder> choose_fronts(const Pattern&, std::span<const std::complex<double>>, double);

}  // namespace driftless::linear
