// Signature matrices for the tests of this folder: explicit, random, shuffled.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <numeric>
#include <random>
#include <vector>

#include "driftless/structure/signature.hpp"

namespace driftless::structure::samples {

inline constexpr int none = -1;  // the variable does not occur

inline Signature dense(const std::vector<std::vector<int>>& sigma, int cols) {
  Signature signature(cols);
  for (const auto& row : sigma) {
    std::vector<Entry> entries;
    for (int j = 0; j < cols; ++j) {
      if (row[j] != none) entries.push_back({Col{j}, row[j]});
    }
    signature.add_row(entries);
  }
  return signature;
}

inline Signature dense(const std::vector<std::vector<int>>& sigma) {
  return dense(sigma, static_cast<int>(sigma.front().size()));
}

inline std::vector<std::vector<int>> to_dense(const Signature& signature) {
  std::vector<std::vector<int>> sigma(signature.rows(), std::vector<int>(signature.cols(), none));
  for (int i = 0; i < signature.rows(); ++i) {
    for (const Entry& entry : signature.row(Row{i})) sigma[i][index(entry.col)] = entry.sigma;
  }
  return sigma;
}

using Random = std::mt19937;

// Uniform enough for tests and, unlike std::uniform_int_distribution, the same with every library.
inline int below(Random& random, int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); }

struct Shape {
  int rows;
  int cols;
  int fill_percent;
  int max_sigma;
};

inline Signature random_signature(Random& random, const Shape& shape) {
  Signature signature(shape.cols);
  for (int i = 0; i < shape.rows; ++i) {
    std::vector<Entry> entries;
    for (int j = 0; j < shape.cols; ++j) {
      if (below(random, 100) < shape.fill_percent) entries.push_back({Col{j}, below(random, shape.max_sigma + 1)});
    }
    signature.add_row(entries);
  }
  return signature;
}

// Square, with a hidden transversal so that a perfect matching exists; about `extra` more entries per row.
inline Signature random_solvable(Random& random, int size, int extra, int max_sigma) {
  std::vector<int> transversal(size);
  std::iota(transversal.begin(), transversal.end(), 0);
  std::shuffle(transversal.begin(), transversal.end(), random);
  Signature signature(size);
  for (int i = 0; i < size; ++i) {
    std::vector<int> cols{transversal[i]};
    for (int k = below(random, 2 * extra + 1); k > 0; --k) cols.push_back(below(random, size));
    std::ranges::sort(cols);
    cols.erase(std::unique(cols.begin(), cols.end()), cols.end());
    std::vector<Entry> entries;
    for (const int j : cols) entries.push_back({Col{j}, below(random, max_sigma + 1)});
    signature.add_row(entries);
  }
  return signature;
}

// Row i of `signature` is row row_to[i] of the shuffled one; columns likewise.
struct Shuffled {
  Signature signature;
  std::vector<int> row_to;
  std::vector<int> col_to;

  Row moved(Row row) const { return Row{row_to[index(row)]}; }
  Col moved(Col col) const { return Col{col_to[index(col)]}; }
};

inline Shuffled shuffled(const Signature& signature, Random& random) {
  Shuffled result{Signature(signature.cols()), std::vector<int>(signature.rows()), std::vector<int>(signature.cols())};
  std::iota(result.row_to.begin(), result.row_to.end(), 0);
  std::iota(result.col_to.begin(), result.col_to.end(), 0);
  std::shuffle(result.row_to.begin(), result.row_to.end(), random);
  std::shuffle(result.col_to.begin(), result.col_to.end(), random);
  std::vector<int> row_from(signature.rows());
  for (int i = 0; i < signature.rows(); ++i) row_from[result.row_to[i]] = i;
  for (const int i : row_from) {
    std::vector<Entry> entries;
    for (const Entry& entry : signature.row(Row{i})) entries.push_back({result.moved(entry.col), entry.sigma});
    std::ranges::sort(entries, {}, [](const Entry& entry) { return index(entry.col); });
    result.signature.add_row(entries);
  }
  return result;
}

}  // namespace driftless::structure::samples
