// Cuts the graph below a kernel's outputs into pieces, so that every shared subexpression is computed once and no
// piece is long.
//
// A piece is a maximal fan-out-free cone: the nodes that are used only on the way to its root. A node needed by two
// pieces is the root of a piece of its own, kept in the work array; unless it is so cheap that computing it again
// costs no more than loading it. Cones longer than a bound are cut further.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "driftless/compile/node_table.hpp"
#include "driftless/expr/pool.hpp"

namespace driftless {

constexpr std::uint32_t longest_piece = 128;  // instructions

struct Piece {
  NodeId root;
  std::int32_t output;  // place of the value in the outputs; -1: in the work array
  bool copy = false;    // the value is already in the work array

  bool to_output() const { return output >= 0; }
};

struct Pieces {
  std::vector<NodeId> nodes;  // all nodes below the outputs, ascending
  std::vector<Piece> pieces;  // those stored in the work array, in ascending order of their roots; then one per output
  NodeTable<std::int32_t> kept;  // root -> its piece, for those in the work array

  explicit Pieces(std::size_t pool_size) : kept(pool_size) {}
};

class PieceCutter {
 public:
  explicit PieceCutter(const Pool& pool) : pool_(pool), uses_(pool.size()), local_(pool.size()), result_(pool.size()) {}

  // The answer is valid until the next call.
  const Pieces& operator()(std::span<const NodeId> outputs);

 private:
  void collect_nodes(std::span<const NodeId> outputs);
  bool is_cheap(NodeId id) const;
  void find_owners();
  bool bound_cones();

  const Pool& pool_;
  NodeTable<std::int32_t> uses_;      // as an output
  NodeTable<std::uint32_t> local_;    // node -> position in result_.nodes
  std::vector<std::uint32_t> owner_;  // by position: the root of the only piece that contains it
  std::vector<bool> root_;            // by position
  std::vector<bool> forced_;          // by position: a root because its cone would be too long
  Pieces result_;
};

}  // namespace driftless
