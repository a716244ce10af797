// Writes the straight-line code of pieces and collects the values and places for its open leaves.
//
// The code of a piece does not depend on how its expression was entered: operands of commutative operations come in
// the order of their structure, and leaves are numbered as they appear. So expressions of equal form give equal code.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "driftless/compile/kernel.hpp"
#include "driftless/compile/node_table.hpp"
#include "driftless/compile/pieces.hpp"
#include "driftless/compile/shape.hpp"

namespace driftless {

// A function with value-dependent loops, and which of its outputs is wanted.
struct Callee {
  FunctionId function;
  int output;
};

struct Draft {
  std::vector<Instruction> code;
  std::vector<ShapeCall> calls;
  std::vector<Result> results;
  std::vector<std::int32_t> leaves;  // by index column: a position in the inputs, or a piece for Op::Local
  std::vector<double> constants;     // by constant column

  void clear() {
    code.clear();
    calls.clear();
    results.clear();
    leaves.clear();
    constants.clear();
  }
};

class Drafter {
 public:
  Drafter(const Pool& pool, const InputLayout& layout)
      : pool_(pool), layout_(layout), registers_(pool.size()), forms_(pool.size()) {}

  // Begins a kernel with these pieces.
  void start_kernel(const Pieces& pieces);

  void start() {
    registers_.clear();
    draft_.clear();
  }
  // The register with the value of the piece's root. Pieces of one draft share their registers.
  std::uint32_t add(const Piece& piece);
  void add_result(std::uint32_t from, bool to_output) { draft_.results.push_back({from, to_output}); }
  const Draft& draft() const { return draft_; }

  const std::vector<Callee>& callees() const { return callees_; }

 private:
  std::uint64_t form_of(NodeId id) const;
  std::span<const NodeId> operands(NodeId id, NodeId (&buffer)[3]) const;
  std::uint32_t emit(Instruction instruction);
  std::uint32_t emit_node(NodeId id);
  std::uint32_t emit_input(int position);
  std::uint32_t emit_power(std::uint32_t base, int exponent);
  std::uint32_t emit_call(NodeId id);

  const Pool& pool_;
  const InputLayout& layout_;
  const Pieces* pieces_ = nullptr;
  NodeTable<std::uint32_t> registers_;  // of the current draft
  NodeTable<std::uint64_t> forms_;      // hash of the structure, leaves left open
  std::vector<Callee> callees_;
  std::map<std::pair<std::int32_t, int>, std::uint32_t> callee_numbers_;
  std::vector<NodeId> open_;
  Draft draft_;
};

}  // namespace driftless
