#include "driftless/linear/panel.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace driftless::linear {
namespace {

struct Full {
  explicit Full(int n) : n(n), entries(static_cast<std::size_t>(n) * with_zeros(n), 0.0) {}
  Columns<1> columns() { return {n, with_zeros(n), {entries.data()}}; }

  int n;
  std::vector<double> entries;
};

Full random_matrix(int n, std::mt19937_64& random) {
  std::uniform_real_distribution<double> entry(-1.0, 1.0);
  Full matrix(n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) matrix.columns().column(0, j)[i] = entry(random);
  return matrix;
}

// Column by column, as in textbooks.
void subtract_one_by_one(const Columns<1>& a, int first, int end, int begin) {
  for (int j = begin; j < a.n; ++j)
    for (int c = first; c < end; ++c)
      for (int i = c + 1; i < a.n; ++i) a.column(0, j)[i] -= a.column(0, j)[c] * a.column(0, c)[i];
}

TEST(Panel, GivesTheSameBitsAsColumnByColumn) {
  std::mt19937_64 random(1);
  for (int k = 0; k < 200; ++k) {
    const int n = 1 + static_cast<int>(random() % 400), first = static_cast<int>(random() % n);
    const int end = std::min(n, first + 1 + static_cast<int>(random() % widest_panel));
    const int begin = end + static_cast<int>(random() % (n - end + 1));
    Full matrix = random_matrix(n, random), expected = matrix;
    subtract_panel(matrix.columns(), first, end, begin);
    subtract_one_by_one(expected.columns(), first, end, begin);
    ASSERT_EQ(matrix.entries, expected.entries) << n << ' ' << first << ' ' << end << ' ' << begin;
  }
}

}  // namespace
}  // namespace driftless::linear
