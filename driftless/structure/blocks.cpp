#include "driftless/structure/blocks.hpp"

#include <algorithm>
#include <cassert>

namespace driftless::structure {

namespace {

// Tarjan's algorithm on the digraph of rows: row -> the row matched with one of its columns. A component is
// complete only after every component it leads to: it comes out after the blocks it depends on.
class StrongComponents {
 public:
  StrongComponents(const Signature& signature, const Matching& matching)
      : signature_(signature), matching_(matching), nodes_(signature.rows()) {}

  std::vector<Block> find() {
    for (int i = 0; i < signature_.rows(); ++i) {
      if (node(Row{i}).order == unvisited) visit_from(Row{i});
    }
    return std::move(blocks_);
  }

 private:
  static constexpr int unvisited = -1;
  struct Node {
    int order = unvisited;  // of first visit
    int low = 0;            // earliest open node known to be reachable
    std::size_t next = 0;   // the present entry of the search
    bool open = false;      // visited, component not complete
  };

  void visit_from(Row root) {
    enter(root);
    while (!path_.empty()) {
      const Row row = path_.back();
      const auto entries = signature_.row(row);
      if (node(row).next < entries.size()) {
        const Row target = matching_.row_of(entries[node(row).next++].col);
        if (node(target).order == unvisited) {
          enter(target);
        } else if (node(target).open) {
          node(row).low = std::min(node(row).low, node(target).order);
        }
      } else {
        path_.pop_back();
        if (!path_.empty()) node(path_.back()).low = std::min(node(path_.back()).low, node(row).low);
        if (node(row).low == node(row).order) close_component(row);
      }
    }
  }

  void enter(Row row) {
    node(row).order = node(row).low = visited_++;
    node(row).open = true;
    path_.push_back(row);
    open_.push_back(row);
  }

  void close_component(Row root) {
    const auto first = std::find(open_.rbegin(), open_.rend(), root).base() - 1;
    Block block{{first, open_.end()}, {}};
    open_.erase(first, open_.end());
    std::ranges::sort(block.rows);
    for (const Row row : block.rows) {
      node(row).open = false;
      block.cols.push_back(matching_.col_of(row));
    }
    blocks_.push_back(std::move(block));
  }

  Node& node(Row row) { return nodes_[index(row)]; }

  const Signature& signature_;
  const Matching& matching_;
  std::vector<Node> nodes_;
  std::vector<Row> path_;  // from the root of the search to the current row
  std::vector<Row> open_;  // in order of first visit
  std::vector<Block> blocks_;
  int visited_ = 0;
};

}  // namespace

std::vector<Block> block_triangular_form(const Signature& signature, const Matching& matching) {
  assert(matching.is_perfect());
  return StrongComponents(signature, matching).find();
}

}  // namespace driftless::structure
