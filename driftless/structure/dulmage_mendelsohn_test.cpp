#include "driftless/structure/dulmage_mendelsohn.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "driftless/structure/signature_samples.hpp"

namespace driftless::structure {
namespace {

using namespace samples;
using testing::ElementsAre;
using testing::IsEmpty;

DulmageMendelsohn parts_of(const Signature& signature) {
  return dulmage_mendelsohn(signature, maximum_matching(signature));
}

Signature without_row(const Signature& signature, Row removed) {
  Signature result(signature.cols());
  for (int i = 0; i < signature.rows(); ++i) {
    if (Row{i} != removed) result.add_row(signature.row(Row{i}));
  }
  return result;
}

Signature without_col(const Signature& signature, Col removed) {
  Signature result(signature.cols());
  for (int i = 0; i < signature.rows(); ++i) {
    std::vector<Entry> entries;
    for (const Entry& entry : signature.row(Row{i})) {
      if (entry.col != removed) entries.push_back(entry);
    }
    result.add_row(entries);
  }
  return result;
}

template <class Index>
bool contains(const std::vector<Index>& sorted, Index x) {
  return std::ranges::binary_search(sorted, x);
}

Shape random_shape(Random& random) { return {1 + below(random, 9), 1 + below(random, 9), 8 + below(random, 40), 1}; }

TEST(DulmageMendelsohn, TellsTooManyFromTooFew) {
  // Rows 0, 1, 2 on columns 0, 1; row 3 on its own column; row 4 on columns 3, 4.
  const DulmageMendelsohn parts = parts_of(dense({{0, 0, none, none, none},
                                                  {0, none, none, none, none},
                                                  {none, 0, none, none, none},
                                                  {0, none, 0, none, none},
                                                  {none, none, 0, 0, 0}}));
  EXPECT_THAT(parts.over_rows, ElementsAre(Row{0}, Row{1}, Row{2}));
  EXPECT_THAT(parts.over_cols, ElementsAre(Col{0}, Col{1}));
  EXPECT_THAT(parts.square_rows, ElementsAre(Row{3}));
  EXPECT_THAT(parts.square_cols, ElementsAre(Col{2}));
  EXPECT_THAT(parts.under_rows, ElementsAre(Row{4}));
  EXPECT_THAT(parts.under_cols, ElementsAre(Col{3}, Col{4}));
}

// An equation belongs to the over part exactly when some maximum matching leaves it out, a variable to the under
// part likewise: a definition that mentions no matching in particular.
TEST(DulmageMendelsohn, IsWhatMaximumMatchingsMayLeaveOut) {
  Random random(1958);
  for (int sample = 0; sample < 1500; ++sample) {
    const Signature signature = random_signature(random, random_shape(random));
    const int size = maximum_matching(signature).size;
    const DulmageMendelsohn parts = parts_of(signature);
    for (int i = 0; i < signature.rows(); ++i) {
      const bool spare = maximum_matching(without_row(signature, Row{i})).size == size;
      ASSERT_EQ(contains(parts.over_rows, Row{i}), spare);
    }
    for (int j = 0; j < signature.cols(); ++j) {
      const bool spare = maximum_matching(without_col(signature, Col{j})).size == size;
      ASSERT_EQ(contains(parts.under_cols, Col{j}), spare);
    }
  }
}

TEST(DulmageMendelsohn, PartitionsIntoABlockTriangularForm) {
  Random random(42);
  for (int sample = 0; sample < 2000; ++sample) {
    const Signature signature = random_signature(random, random_shape(random));
    const int size = maximum_matching(signature).size;
    const DulmageMendelsohn parts = parts_of(signature);
    ASSERT_EQ(parts.over_rows.size() + parts.square_rows.size() + parts.under_rows.size(), signature.rows());
    ASSERT_EQ(parts.over_cols.size() + parts.square_cols.size() + parts.under_cols.size(), signature.cols());
    ASSERT_EQ(parts.over_rows.size() - parts.over_cols.size(), signature.rows() - size);
    ASSERT_EQ(parts.under_cols.size() - parts.under_rows.size(), signature.cols() - size);
    ASSERT_EQ(parts.square_rows.size(), parts.square_cols.size());
    for (int i = 0; i < signature.rows(); ++i) {
      for (const Entry& entry : signature.row(Row{i})) {
        ASSERT_TRUE(!contains(parts.over_rows, Row{i}) || contains(parts.over_cols, entry.col));
        ASSERT_TRUE(!contains(parts.under_cols, entry.col) || contains(parts.under_rows, Row{i}));
      }
    }
  }
}

TEST(DulmageMendelsohn, DoesNotDependOnOrderNorOnTheMatching) {
  Random random(3);
  for (int sample = 0; sample < 1000; ++sample) {
    const Signature signature = random_signature(random, random_shape(random));
    const Shuffled other = shuffled(signature, random);
    // Shuffling changes which matching is found, so this covers both.
    const DulmageMendelsohn here = parts_of(signature);
    const DulmageMendelsohn there = parts_of(other.signature);
    const auto expect_same = [&](const auto& before, const auto& after) {
      auto moved = before;
      for (auto& member : moved) member = other.moved(member);
      std::ranges::sort(moved);
      ASSERT_EQ(moved, after);
    };
    expect_same(here.over_rows, there.over_rows);
    expect_same(here.over_cols, there.over_cols);
    expect_same(here.under_rows, there.under_rows);
    expect_same(here.under_cols, there.under_cols);
    expect_same(here.square_rows, there.square_rows);
    expect_same(here.square_cols, there.square_cols);
  }
}

TEST(ConnectedComponents, SeparateIndependentMistakes) {
  const Signature signature = dense({{0, none, none, none}, {none, none, 0, none}, {0, none, none, 0}});
  const std::vector<Component> components =
      connected_components(signature, {Row{0}, Row{1}, Row{2}}, {Col{0}, Col{1}, Col{2}, Col{3}});
  ASSERT_EQ(components.size(), 3u);
  EXPECT_THAT(components[0].rows, ElementsAre(Row{0}, Row{2}));
  EXPECT_THAT(components[0].cols, ElementsAre(Col{0}, Col{3}));
  EXPECT_THAT(components[1].rows, ElementsAre(Row{1}));
  EXPECT_THAT(components[1].cols, ElementsAre(Col{2}));
  EXPECT_THAT(components[2].rows, IsEmpty());
  EXPECT_THAT(components[2].cols, ElementsAre(Col{1}));
}

TEST(ConnectedComponents, LookOnlyAtTheGivenRowsAndColumns) {
  const Signature signature = dense({{0, 0, none}, {none, 0, 0}});
  // Column 1, which would join the rows, is not given.
  const std::vector<Component> components = connected_components(signature, {Row{0}, Row{1}}, {Col{0}, Col{2}});
  ASSERT_EQ(components.size(), 2u);
  EXPECT_THAT(components[1].rows, ElementsAre(Row{1}));
  EXPECT_THAT(components[1].cols, ElementsAre(Col{2}));
}

// Labels spread along entries until nothing changes.
TEST(ConnectedComponents, AgreeWithSpreadingLabels) {
  Random random(11);
  for (int sample = 0; sample < 500; ++sample) {
    const Signature signature = random_signature(random, {10, 10, 9, 0});
    std::vector<Row> rows;
    std::vector<Col> cols;
    for (int i = 0; i < 10; ++i) {
      if (below(random, 4) != 0) rows.push_back(Row{i});
      if (below(random, 4) != 0) cols.push_back(Col{i});
    }
    std::vector<int> row_label(10), col_label(10);
    for (int i = 0; i < 10; ++i) row_label[i] = i, col_label[i] = 10 + i;
    for (bool changed = true; changed;) {
      changed = false;
      for (const Row row : rows) {
        for (const Entry& entry : signature.row(row)) {
          if (!contains(cols, entry.col)) continue;
          int& a = row_label[index(row)];
          int& b = col_label[index(entry.col)];
          changed = changed || a != b;
          a = b = std::min(a, b);
        }
      }
    }
    std::set<int> labels;
    std::size_t members = 0;
    for (const Component& component : connected_components(signature, rows, cols)) {
      std::set<int> own;
      for (const Row row : component.rows) own.insert(row_label[index(row)]);
      for (const Col col : component.cols) own.insert(col_label[index(col)]);
      ASSERT_EQ(own.size(), 1u);
      ASSERT_TRUE(labels.insert(*own.begin()).second);
      members += component.rows.size() + component.cols.size();
    }
    ASSERT_EQ(members, rows.size() + cols.size());
  }
}

}  // namespace
}  // namespace driftless::structure
