// The smallest solution of fewer equations than unknowns, each in units of its size: with the sizes W of the unknowns,
//
//   A x = b   gives   x = W^2 A^T (A W^2 A^T)^-1 b.
#pragma once

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "driftless/archive/archive.hpp"
#include "driftless/taylor/square_solver.hpp"
#include "driftless/taylor/whole_vectors.hpp"

namespace driftless::taylor {

template <class Scalar>
class SmallestCorrection {
 public:
  struct Entry {
    int row, unknown;
    Scalar size;  // of the unknown
  };
  SmallestCorrection(int rows, int unknowns, std::vector<Entry> entries) : entries_(std::move(entries)) {
    std::vector<std::vector<int>> by_unknown(unknowns);
    for (std::size_t e = 0; e < entries_.size(); ++e) by_unknown[entries_[e].unknown].push_back(static_cast<int>(e));
    std::map<std::pair<int, int>, std::vector<Product>> products;  // by coordinate in the lower triangle
    for (const std::vector<int>& column : by_unknown)
      for (const int a : column)
        for (const int b : column)
          if (entries_[b].row <= entries_[a].row) products[{entries_[a].row, entries_[b].row}].push_back({a, b});
    std::vector<linear::Coordinate> coordinates;
    for (const auto& [at, list] : products) {
      coordinates.push_back({at.first, at.second});
      products_.insert(products_.end(), list.begin(), list.end());
      product_end_.push_back(static_cast<int>(products_.size()));
    }
    for (const auto& [at, list] : products)
      if (at.first != at.second) {
        mirrored_.push_back(static_cast<int>(std::distance(products.begin(), products.find(at))));
        coordinates.push_back({at.second, at.first});
      }
    solver_ = std::make_unique<SquareSolver<Scalar>>(rows, coordinates);
    values_.resize(coordinates.size());
    scaled_.resize(entries_.size());
    multipliers_.resize(rows + lanes);
  }

  // `jacobian`: the values of the entries, possibly followed by others. False if the equations are dependent.
  bool factorize(std::span<const Scalar> jacobian) {
    for (std::size_t e = 0; e < entries_.size(); ++e) scaled_[e] = jacobian[e] * entries_[e].size;
    auto value = values_.begin();
    int p = 0;
    for (const int end : product_end_) {
      Scalar sum(0);
      for (; p < end; ++p) sum += scaled_[products_[p].a] * scaled_[products_[p].b];
      *value++ = sum;
    }
    for (const int lower : mirrored_) *value++ = values_[lower];
    return solver_->factorize(values_);
  }

  // Overwrites b; x is 0 for unknowns that do not occur.
  void solve(Scalar* b, std::span<Scalar> x) {
    solver_->solve(b, multipliers_.data());
    std::ranges::fill(x, Scalar(0));
    for (std::size_t e = 0; e < entries_.size(); ++e)
      x[entries_[e].unknown] += entries_[e].size * scaled_[e] * multipliers_[entries_[e].row];
  }

  bool empty() const { return solver_->size() == 0; }

  void archive_pivots(Archive& archive) { solver_->archive_pivots(archive); }

 private:
  struct Product {
    int a, b;  // entries
  };
  std::vector<Entry> entries_;
  std::vector<Product> products_;
  std::vector<int> product_end_, mirrored_;
  std::vector<Scalar> scaled_, values_, multipliers_;
  std::unique_ptr<SquareSolver<Scalar>> solver_;
};

}  // namespace driftless::taylor
