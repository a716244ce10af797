// The formulas of a kernel evaluated in any floating-point type. In double precision they are compiled; in others an
// interpreter runs them, operation by operation.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "driftless/compile/kernel.hpp"
#include "driftless/expr/calculus.hpp"
#include "driftless/expr/node_map.hpp"
#include "driftless/taylor/arithmetic.hpp"

namespace driftless::taylor {

template <class Scalar>
class StraightLine {
 public:
  StraightLine(const Pool& pool, const std::vector<NodeId>& outputs, const InputLayout& layout) {
    for (const NodeId output : outputs) {
      for (const NodeId node : nodes_of(pool, output))
        if (!place_.contains(node)) add(pool, node, layout);
      results_.push_back(place_.at(output));
    }
    registers_.resize(code_.size());
  }

  std::size_t outputs() const { return results_.size(); }

  void operator()(const Scalar* inputs, Scalar* outputs) {
    for (std::size_t i = 0; i < code_.size(); ++i) {
      const Instruction& at = code_[i];
      switch (at.op) {
        case Op::Constant: registers_[i] = Scalar(at.value); break;
        case Op::Variable: registers_[i] = inputs[at.a]; break;
        default: registers_[i] = apply<Scalar>(at.op, registers_[at.a], registers_[at.b], registers_[at.c]);
      }
    }
    for (std::size_t k = 0; k < results_.size(); ++k) outputs[k] = registers_[results_[k]];
  }

 private:
  struct Instruction {
    Op op;
    std::uint32_t a = 0, b = 0, c = 0;  // registers; of a Variable, which represents any input, its position
    double value = 0.0;
  };

  void add(const Pool& pool, NodeId node, const InputLayout& layout) {
    const Node& n = pool[node];
    Instruction made{n.op};
    switch (n.op) {
      case Op::Constant: made.value = pool.constant_value(node); break;
      case Op::Time: made = {Op::Variable, 0}; break;
      case Op::Parameter:
        made = {Op::Variable, static_cast<std::uint32_t>(layout.parameter(ParamId{static_cast<int>(n.a)}))};
        break;
      case Op::Variable:
        made.a = static_cast<std::uint32_t>(layout.variable(VarId{static_cast<int>(n.a)}, static_cast<int>(n.b)));
        break;
      default: {
        std::uint32_t* operands[] = {&made.a, &made.b, &made.c};
        for (int k = 0; k < arity(n.op); ++k) *operands[k] = place_.at(n.operand(k));
      }
    }
    place_.insert(node, static_cast<std::uint32_t>(code_.size()));
    code_.push_back(made);
  }

  std::vector<Instruction> code_;
  std::vector<std::uint32_t> results_;
  std::vector<Scalar> registers_;
  NodeMap<std::uint32_t> place_;
};

// The same interface for compiled code. Copies share the code.
class CompiledLine {
 public:
  explicit CompiledLine(std::shared_ptr<const Kernel> kernel)
      : kernel_(std::move(kernel)), work_(kernel_->work_size()) {}
  std::size_t outputs() const { return kernel_->outputs(); }
  void operator()(const double* inputs, double* outputs) { (*kernel_)(inputs, outputs, work_.data()); }

 private:
  std::shared_ptr<const Kernel> kernel_;
  std::vector<double> work_;
};

}  // namespace driftless::taylor
