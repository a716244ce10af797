// A shape is straight-line code with open leaves: the common code of, for example, a thousand equations of the same
// form. Instruction i defines register i; operands are registers with smaller numbers.
//
// Three operations of Op represent the open leaves, independent of the leaves in the expression:
//
//   Variable   column `a` of the index table holds a position in the inputs
//   Local      column `a` of the index table holds a position in the work array
//   Constant   column `a` of the constant table holds the value
//
// An instance of a shape is one row of these tables. The destinations of the results are index columns too, after
// those of the leaves. Invariant: no instance reads what another instance of the same group writes, so the instances
// of a group may run in any order, in parallel, or twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "driftless/expr/pool.hpp"

namespace driftless {

struct Instruction {
  Op op;
  std::uint32_t a = 0, b = 0, c = 0;

  bool operator==(const Instruction&) const = default;
};

// An Instruction with Op::Call names one of these by `a`.
struct ShapeCall {
  std::uint32_t callee;  // which of the tape's callees
  std::vector<std::uint32_t> arguments;

  bool operator==(const ShapeCall&) const = default;
};

struct Result {
  std::uint32_t from;  // register
  bool to_output;      // otherwise to the work array

  bool operator==(const Result&) const = default;
};

// The structure of one column of the index table, for all instances of a shape.
struct IndexColumn {
  enum class Kind : std::uint8_t {
    Uniform,  // every instance: `value`
    Affine,   // instance i of a group: base + value * i, the base being entry `slot` of the group's bases
    Table,    // no structure: table column `slot`
  };
  Kind kind = Kind::Table;
  std::int32_t value = 0;
  std::uint32_t slot = 0;
};

struct ConstantColumn {
  bool uniform = false;
  double value = 0.0;      // uniform
  std::uint32_t slot = 0;  // otherwise: table column
};

struct Shape {
  std::vector<Instruction> code;
  std::vector<ShapeCall> calls;
  std::vector<Result> results;

  std::vector<IndexColumn> indices;  // of the leaves in order of appearance, then of the results
  std::vector<ConstantColumn> constants;
  std::uint32_t bases = 0;  // number of Affine columns

  std::size_t index_leaves() const { return indices.size() - results.size(); }
};

constexpr bool is_open_leaf(Op op) { return op == Op::Variable || op == Op::Local || op == Op::Constant; }

}  // namespace driftless
