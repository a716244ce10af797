// The algorithm of Hopcroft and Karp (1973) on a part of a signature matrix: `admits(row, entry)` says which entries
// may be used. Starts from any matching of admitted entries and ends with one of maximum size.
#pragma once

#include <limits>
#include <utility>
#include <vector>

#include "driftless/structure/matching.hpp"

namespace driftless::structure {

template <class Admits>
class HopcroftKarp {
 public:
  HopcroftKarp(const Signature& signature, Matching& matching, Admits admits)
      : signature_(signature),
        matching_(matching),
        admits_(std::move(admits)),
        layer_(signature.rows()),
        next_(signature.rows()) {}

  // Each round augments along a maximal set of disjoint shortest paths, which bounds the rounds by O(sqrt(V)). The
  // second pass, along disjoint paths of any length, is due to Duff and Wiberg (1988): it costs no more than the
  // first, keeps the bound, and in practice saves most of the rounds.
  void run() {
    while (find_layers()) {
      augment_free_rows([this](Row row) { return layer(row) == depth() && depth() <= last_; });
      layer_.assign(layer_.size(), 0);
      augment_free_rows([this](Row row) { return layer(row) != left; });
    }
  }

 private:
  static constexpr int left = -1;  // not reached by the layers, or already entered
  static constexpr int no_layer = std::numeric_limits<int>::max();

  // Layers of alternating paths from all free rows, down to the first layer with an entry in a free column. False if
  // there is none: then the matching is maximum (Berge 1957).
  bool find_layers() {
    layer_.assign(layer_.size(), left);
    last_ = no_layer;
    queue_.clear();
    for (int i = 0; i < signature_.rows(); ++i) {
      if (matching_.col_of(Row{i}) == no_col) reach(Row{i}, 0);
    }
    for (std::size_t head = 0; head < queue_.size() && layer(queue_[head]) <= last_; ++head) {
      const Row row = queue_[head];
      for (const Entry& entry : signature_.row(row)) {
        if (!admits_(row, entry)) continue;
        const Row owner = matching_.row_of(entry.col);
        if (owner == no_row) {
          last_ = layer(row);
        } else if (layer(owner) == left) {
          reach(owner, layer(row) + 1);
        }
      }
    }
    return last_ != no_layer;
  }

  void reach(Row row, int at) {
    layer(row) = at;
    queue_.push_back(row);
  }

  template <class MayEnter>
  void augment_free_rows(MayEnter may_enter) {
    next_.assign(next_.size(), 0);
    for (int i = 0; i < signature_.rows(); ++i) {
      if (matching_.col_of(Row{i}) == no_col) augment_from(Row{i}, may_enter);
    }
  }

  // Depth first. A row is entered once per pass, so the paths of a pass are disjoint and the pass is linear.
  template <class MayEnter>
  void augment_from(Row root, MayEnter may_enter) {
    path_.assign(1, root);
    while (!path_.empty()) {
      const Row row = path_.back();
      const Row deeper = step(row, may_enter);
      if (deeper == row) return augment_along_path();
      if (deeper != no_row) {
        layer(deeper) = left;
        path_.push_back(deeper);
      } else {
        path_.pop_back();
        if (!path_.empty()) ++next(path_.back());
      }
    }
  }

  // Moves to the next usable entry of the row. Returns the row to enter, which owns its column, the row itself if
  // the column is free, no_row if no entry is left.
  template <class MayEnter>
  Row step(Row row, MayEnter may_enter) {
    const auto entries = signature_.row(row);
    for (std::size_t& k = next(row); k < entries.size(); ++k) {
      if (!admits_(row, entries[k])) continue;
      const Row owner = matching_.row_of(entries[k].col);
      if (owner == no_row) return row;
      if (may_enter(owner)) return owner;
    }
    return no_row;
  }

  void augment_along_path() {
    for (const Row row : path_) {
      const Col col = signature_.row(row)[next(row)].col;
      matching_.col_of_row[index(row)] = col;
      matching_.row_of_col[index(col)] = row;
    }
    ++matching_.size;
  }

  int depth() const { return static_cast<int>(path_.size()); }  // the layer of the row to enter next
  int& layer(Row row) { return layer_[index(row)]; }
  std::size_t& next(Row row) { return next_[index(row)]; }

  const Signature& signature_;
  Matching& matching_;
  Admits admits_;
  std::vector<int> layer_;
  std::vector<std::size_t> next_;  // the present entry of the search in each row
  std::vector<Row> queue_;
  std::vector<Row> path_;
  int last_ = no_layer;  // the layer with an entry in a free column
};

}  // namespace driftless::structure
