// Writes the straight-line code of pieces and collects the values and places for its open leaves.
//
// The code of a piece does not depend on how its expression was entered: operands of commutative operations come in
// the order of their structure, and leaves are numbered as they appear. So expressions of equal form give equal code.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "driftless/compile/kernel.hpp"
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
  Drafter(const Pool& pool, const InputLayout& layout) : pool_(pool), layout_(layout) {}

  // Begins a kernel with these pieces.
  void start_kernel(const Pieces& pieces);
  // Pieces that are no copies and have the same code have the same form.
  std::uint64_t form_of(const Piece& piece) const { return entries_[piece.root].form; }

  void start() {
    ++draft_number_;
    draft_.clear();
  }
  // The register with the value of the piece's root. Pieces of one draft share their registers.
  std::uint32_t add(const Piece& piece);
  void add_result(std::uint32_t from, bool to_output) { draft_.results.push_back({from, to_output}); }
  const Draft& draft() const { return draft_; }

  const std::vector<Callee>& callees() const { return callees_; }

 private:
  // Of each node of the kernel, by position.
  struct Entry {
    Node node;
    std::uint32_t first_read = 0, reads = 0;  // what its code reads
    std::int32_t power = not_expanded;
    std::uint32_t draft = 0, register_in_draft = 0;  // the last draft that has its value, and where
    std::uint64_t form = 0;                          // hash of the structure, leaves left open
  };
  static constexpr std::int32_t not_expanded = std::numeric_limits<std::int32_t>::max();

  void read_operands(std::uint32_t i);
  std::uint64_t form_of(std::uint32_t i) const;
  bool has_register(std::uint32_t i) const { return entries_[i].draft == draft_number_; }
  void set_register(std::uint32_t i, std::uint32_t value) {
    entries_[i].draft = draft_number_, entries_[i].register_in_draft = value;
  }
  std::span<const std::uint32_t> reads_of(const Entry& entry) const {
    return std::span(reads_).subspan(entry.first_read, entry.reads);
  }
  std::uint32_t emit(Instruction instruction);
  std::uint32_t emit_node(std::uint32_t i);
  std::uint32_t emit_input(int position);
  std::uint32_t emit_power(std::uint32_t base, int exponent);
  std::uint32_t emit_call(const Entry& entry);

  const Pool& pool_;
  const InputLayout& layout_;
  const Pieces* pieces_ = nullptr;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> reads_;  // positions, in canonical order
  std::uint32_t draft_number_ = 0;
  std::vector<Callee> callees_;
  std::map<std::pair<std::int32_t, int>, std::uint32_t> callee_numbers_;
  std::vector<std::uint32_t> open_;
  Draft draft_;
};

}  // namespace driftless
