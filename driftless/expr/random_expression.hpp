// Random expressions for property tests, each with an independently computed value: a plain C++ number computed along
// with the node, without simplification.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "driftless/expr/apply.hpp"
#include "driftless/expr/pool.hpp"

namespace driftless {

struct Valued {
  NodeId node;
  double value;
};

// Values of Variable(v, k) at the point that belongs to a seed.
class RandomPoint {
 public:
  explicit RandomPoint(std::uint32_t seed) : seed_(seed) {}

  double operator()(VarId variable, int order) const {
    std::seed_seq sequence{seed_, static_cast<std::uint32_t>(index(variable)), static_cast<std::uint32_t>(order)};
    std::mt19937 generator(sequence);
    return std::uniform_real_distribution<>(0.2, 1.8)(generator) * (generator() % 2 ? 1.0 : -1.0);
  }

  double operator()(const Pool& pool, NodeId leaf) const {
    const Node& node = pool[leaf];
    if (node.op == Op::Variable) return (*this)(VarId{static_cast<std::int32_t>(node.a)}, static_cast<int>(node.b));
    if (node.op == Op::Parameter) return (*this)(VarId{1000 + static_cast<std::int32_t>(node.a)}, 0);
    return 0.7;  // time
  }

 private:
  std::uint32_t seed_;
};

class RandomExpressions {
 public:
  RandomExpressions(Pool& pool, std::uint32_t seed) : pool_(pool), point_(seed), generator_(seed) {}

  const RandomPoint& point() const { return point_; }

  // The last of `operations` random operations on earlier results. Smooth: without jumps and kinks
  // (without atan2, which distinguishes -0 from +0, unlike the canonical form).
  Valued operator()(int operations, bool smooth) {
    std::vector<Valued> made;
    for (const double c : {-2.0, -1.0, 0.0, 0.5, 1.0, 3.0}) made.push_back({pool_.constant(c), c});
    for (int v = 0; v < 3; ++v) {
      for (int order = 0; order < 2; ++order) made.push_back(leaf(pool_.variable(VarId{v}, order)));
    }
    made.push_back(leaf(pool_.parameter(ParamId{0})));
    made.push_back(leaf(pool_.time()));

    const std::size_t leaves = made.size();
    while (made.size() < leaves + static_cast<std::size_t>(operations)) {
      const Valued next = operation(made, smooth);
      if (std::isfinite(next.value) && std::fabs(next.value) < 50.0) made.push_back(next);
    }
    return made.back();
  }

 private:
  Valued leaf(NodeId node) const { return {node, point_(pool_, node)}; }

  const Valued& pick(const std::vector<Valued>& from) {
    const std::size_t recent = generator_() % 2 ? std::min<std::size_t>(from.size(), 4) : from.size();
    return from[from.size() - 1 - generator_() % recent];
  }

  Valued operation(const std::vector<Valued>& made, bool smooth) {
    static const std::vector<Op> smooth_ops = {Op::Add, Op::Sub,  Op::Mul, Op::Div,  Op::Add,  Op::Sub,  Op::Mul,
                                               Op::Neg, Op::Sin,  Op::Cos, Op::Exp,  Op::Atan, Op::Tanh, Op::Pow,
                                               Op::Log, Op::Sqrt, Op::Tan, Op::Sinh, Op::Cosh, Op::Asinh};
    static const std::vector<Op> other_ops = {Op::Abs,       Op::Sign,  Op::Min,      Op::Max,   Op::Less,
                                              Op::LessEqual, Op::Equal, Op::NotEqual, Op::And,   Op::Or,
                                              Op::Not,       Op::Floor, Op::Ceil,     Op::IfElse};
    const bool other = !smooth && generator_() % 3 == 0;
    const std::vector<Op>& ops = other ? other_ops : smooth_ops;
    const Op op = ops[generator_() % ops.size()];
    const Valued a = pick(made);
    const Valued b = pick(made);
    const Valued c = pick(made);
    const double value = apply(op, a.value, b.value, c.value);
    switch (arity(op)) {
      case 1: return {pool_.unary(op, a.node), value};
      case 2: return {pool_.binary(op, a.node, b.node), value};
      default: return {pool_.if_else(a.node, b.node, c.node), value};
    }
  }

  Pool& pool_;
  RandomPoint point_;
  std::mt19937 generator_;
};

}  // namespace driftless
