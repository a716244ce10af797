// The tape, which every backend runs: the shapes of all kernels of a model, and for each kernel the sequence of groups
// that computes its outputs.
//
// Invariant: a group reads from the work array only what earlier groups have written.
//
//   work array:  [ scratch | kept values | the backend's own ]
//
// Scratch holds the locals of a called function. It comes first, so that it is at the same place in every kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "driftless/compile/draft.hpp"
#include "driftless/compile/kernel.hpp"
#include "driftless/compile/shape.hpp"

namespace driftless {

// `count` instances of a shape. Its part of the index table holds the bases of the affine columns, then the table
// columns one after the other, `count` entries each; its part of the constant table likewise without bases.
struct Group {
  std::uint32_t shape;
  std::int32_t count;
  std::size_t indices;    // where its part of the index table begins
  std::size_t constants;  // where its part of the constant table begins
};

struct Program {
  std::string name;
  std::size_t outputs = 0;
  std::size_t work = 0;  // length of scratch and kept values together
  std::vector<Group> groups;
  std::vector<std::int32_t> indices;
  std::vector<double> constants;
};

struct Tape {
  std::vector<Shape> shapes;
  std::vector<Program> programs;  // as in the sources
  std::vector<Callee> callees;
  std::size_t inputs = 0;
  std::size_t parameters = 0;
  std::size_t scratch = 0;
  std::shared_ptr<const Pool> pool;  // kept only if functions are called
};

Tape make_tape(const std::shared_ptr<const Pool>& pool, std::span<const KernelSource> sources,
               const InputLayout& layout);

// One call of a function with value-dependent loops, its arguments being the first of the locals.
double run_callee(const Tape* tape, std::uint32_t callee, const double* inputs, double* locals);

}  // namespace driftless
