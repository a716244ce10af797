#include "driftless/formulate/assignment.hpp"

#include <limits>

namespace driftless {

// Row by row along a shortest augmenting path, with dual prices of rows and columns. Column 0 and row 0 are artificial.
std::vector<int> cheapest_assignment(const std::vector<std::vector<double>>& cost) {
  const int n = static_cast<int>(cost.size());
  std::vector<double> row_price(n + 1, 0.0), column_price(n + 1, 0.0);
  std::vector<int> row_of(n + 1, 0), before(n + 1, 0);
  for (int row = 1; row <= n; ++row) {
    std::vector<double> shortest(n + 1, std::numeric_limits<double>::infinity());
    std::vector<bool> done(n + 1, false);
    int column = 0;
    row_of[0] = row;
    while (row_of[column] != 0) {
      done[column] = true;
      const int i = row_of[column];
      int next = 0;
      double step = std::numeric_limits<double>::infinity();
      for (int j = 1; j <= n; ++j) {
        if (done[j]) continue;
        const double reduced = cost[i - 1][j - 1] - row_price[i] - column_price[j];
        if (reduced < shortest[j]) shortest[j] = reduced, before[j] = column;
        if (shortest[j] < step) step = shortest[j], next = j;
      }
      for (int j = 0; j <= n; ++j) {
        if (done[j])
          row_price[row_of[j]] += step, column_price[j] -= step;
        else
          shortest[j] -= step;
      }
      column = next;
    }
    for (; column != 0; column = before[column]) row_of[column] = row_of[before[column]];
  }
  std::vector<int> column_of(n);
  for (int j = 1; j <= n; ++j) column_of[row_of[j] - 1] = j - 1;
  return column_of;
}

}  // namespace driftless
