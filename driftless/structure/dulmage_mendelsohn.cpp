#include "driftless/structure/dulmage_mendelsohn.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

namespace driftless::structure {

namespace {

struct Reached {
  std::vector<char> rows;
  std::vector<char> cols;
};

// Alternating paths from the free rows: row -> any of its columns -> the row matched with it.
Reached from_free_rows(const Signature& signature, const Matching& matching) {
  Reached reached{std::vector<char>(matching.col_of_row.size()), std::vector<char>(matching.row_of_col.size())};
  std::vector<Row> open;
  for (int i = 0; i < signature.rows(); ++i) {
    if (matching.col_of(Row{i}) == no_col) open.push_back(Row{i});
  }
  while (!open.empty()) {
    const Row row = open.back();
    open.pop_back();
    reached.rows[index(row)] = true;
    for (const Entry& entry : signature.row(row)) {
      if (std::exchange(reached.cols[index(entry.col)], true)) continue;
      assert(matching.row_of(entry.col) != no_row && "an augmenting path is left: the matching is not maximum");
      open.push_back(matching.row_of(entry.col));
    }
  }
  return reached;
}

// The rows of each column, as one compressed list.
struct Transpose {
  std::vector<std::size_t> starts;
  std::vector<Row> rows;
};

Transpose transpose(const Signature& signature) {
  Transpose result{std::vector<std::size_t>(signature.cols() + 1), std::vector<Row>(signature.entries())};
  for (int i = 0; i < signature.rows(); ++i) {
    for (const Entry& entry : signature.row(Row{i})) ++result.starts[index(entry.col) + 1];
  }
  std::partial_sum(result.starts.begin(), result.starts.end(), result.starts.begin());
  std::vector<std::size_t> next = result.starts;
  for (int i = 0; i < signature.rows(); ++i) {
    for (const Entry& entry : signature.row(Row{i})) result.rows[next[index(entry.col)]++] = Row{i};
  }
  return result;
}

// Alternating paths from the free columns: column -> any row with it -> the column matched with that row.
Reached from_free_cols(const Signature& signature, const Matching& matching) {
  const Transpose columns = transpose(signature);
  Reached reached{std::vector<char>(matching.col_of_row.size()), std::vector<char>(matching.row_of_col.size())};
  std::vector<Col> open;
  for (int j = 0; j < signature.cols(); ++j) {
    if (matching.row_of(Col{j}) == no_row) open.push_back(Col{j});
  }
  while (!open.empty()) {
    const Col col = open.back();
    open.pop_back();
    reached.cols[index(col)] = true;
    for (std::size_t k = columns.starts[index(col)]; k < columns.starts[index(col) + 1]; ++k) {
      const Row row = columns.rows[k];
      if (std::exchange(reached.rows[index(row)], true)) continue;
      assert(matching.col_of(row) != no_col && "an augmenting path is left: the matching is not maximum");
      open.push_back(matching.col_of(row));
    }
  }
  return reached;
}

// Disjoint sets with path halving (Tarjan and van Leeuwen 1984); the smaller index becomes the root.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }

  std::size_t root(std::size_t x) {
    while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
    return x;
  }
  void unite(std::size_t x, std::size_t y) {
    const auto [low, high] = std::minmax({root(x), root(y)});
    parent_[high] = low;
  }

 private:
  std::vector<std::size_t> parent_;
};

}  // namespace

DulmageMendelsohn dulmage_mendelsohn(const Signature& signature, const Matching& matching) {
  const Reached over = from_free_rows(signature, matching);
  const Reached under = from_free_cols(signature, matching);
  DulmageMendelsohn parts;
  for (int i = 0; i < signature.rows(); ++i) {
    auto& part = over.rows[i] ? parts.over_rows : under.rows[i] ? parts.under_rows : parts.square_rows;
    part.push_back(Row{i});
  }
  for (int j = 0; j < signature.cols(); ++j) {
    auto& part = over.cols[j] ? parts.over_cols : under.cols[j] ? parts.under_cols : parts.square_cols;
    part.push_back(Col{j});
  }
  return parts;
}

std::vector<Component> connected_components(const Signature& signature, const std::vector<Row>& rows,
                                            const std::vector<Col>& cols) {
  // Members are numbered rows first, so a component that has a row has a row as its root.
  const std::size_t none = rows.size() + cols.size();
  std::vector<std::size_t> member_of_col(signature.cols(), none);
  for (std::size_t k = 0; k < cols.size(); ++k) member_of_col[index(cols[k])] = rows.size() + k;

  DisjointSets sets(none);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    for (const Entry& entry : signature.row(rows[k])) {
      const std::size_t member = member_of_col[index(entry.col)];
      if (member != none) sets.unite(k, member);
    }
  }

  std::vector<Component> components;
  std::vector<std::size_t> component_of_root(none, none);
  const auto component_of = [&](std::size_t member) -> Component& {
    std::size_t& found = component_of_root[sets.root(member)];
    if (found == none) {
      found = components.size();
      components.emplace_back();
    }
    return components[found];
  };
  for (std::size_t k = 0; k < rows.size(); ++k) component_of(k).rows.push_back(rows[k]);
  for (std::size_t k = 0; k < cols.size(); ++k) component_of(rows.size() + k).cols.push_back(cols[k]);
  return components;
}

}  // namespace driftless::structure
