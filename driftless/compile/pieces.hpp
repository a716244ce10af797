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

// Nodes are named by their positions among the nodes of the kernel, so that tables of them are arrays.
struct Piece {
  std::uint32_t root;
  std::int32_t output;  // where the value goes in the outputs; -1: to the work array
  bool copy = false;    // the value is in the work array already

  bool to_output() const { return output >= 0; }
};

struct Pieces {
  static constexpr std::int32_t none = -1;

  std::vector<NodeId> nodes;                           // all nodes below the outputs, ascending
  std::vector<std::uint32_t> operands, first_operand;  // positions; those of node i begin at first_operand[i]
  std::vector<Piece> pieces;  // those that go to the work array, in ascending order of their roots; then one per output
  std::vector<std::int32_t> kept;  // by position: the piece in the work array of which it is the root, or none

  std::span<const std::uint32_t> operands_of(std::uint32_t i) const {
    return std::span(operands).subspan(first_operand[i], first_operand[i + 1] - first_operand[i]);
  }
};

class PieceCutter {
 public:
  explicit PieceCutter(const Pool& pool) : pool_(pool), position_(pool.size()) {}

  // The answer is valid until the next call.
  const Pieces& operator()(std::span<const NodeId> outputs);

 private:
  void collect_nodes(std::span<const NodeId> outputs);
  bool is_leaf(std::uint32_t i) const { return pool_[result_.nodes[i]].op <= Op::Local; }
  bool is_cheap(std::uint32_t i) const;
  void find_owners();
  bool bound_cones();

  const Pool& pool_;
  NodeTable<std::uint32_t> position_;
  std::vector<std::int32_t> uses_;    // by position: as an output
  std::vector<std::uint32_t> owner_;  // by position: the root of the only piece that contains it
  std::vector<bool> root_;            // by position
  std::vector<bool> forced_;          // by position: a root because its cone would be too long
  Pieces result_;
};

}  // namespace driftless
