// A program of the tape in a form that the interpreter runs fast: every instance of every shape is written out, one
// operation after the other, each with the places of its operands. Leaves, columns and tables, which a walk over the
// tape evaluates in every call, are resolved when this is made, and a product or an absolute value that is used once,
// by a sum, is fused with the sum. Every result has its own place:
//
//   work array:  [ constants | inputs that occur | results ]
//
// The results are identical to those of the walk.
#pragma once

#include <cstdint>
#include <vector>

#include "driftless/compile/tape.hpp"

namespace driftless {

class Unrolled {
 public:
  // Is the program small enough, and does it call no function? Otherwise the tape is walked.
  static bool applies_to(const Tape& tape, const Program& program);
  // An upper bound for the work array. Precondition of what follows: it applies.
  static std::size_t work_size(const Tape& tape, const Program& program);

  Unrolled(const Tape& tape, const Program& program);

  void operator()(const double* inputs, double* outputs, double* work) const;

  // Evaluates this number of points together, with as many numbers at every place: each operation is decoded once for
  // all of them.
  template <int Points>
  void at_points(const double* const* inputs, double* const* outputs, double* work) const;

 private:
  class Writer;
  struct Operation {
    std::uint16_t code;
    std::uint16_t to, a, b, c;  // places in the work array
  };
  std::vector<double> constants_;
  std::vector<std::uint32_t> inputs_;
  std::vector<Operation> operations_;
  std::vector<std::uint16_t> outputs_;  // the place of each
};

}  // namespace driftless
