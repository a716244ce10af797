#include <array>
#include <utility>
#include <vector>

#include "driftless/compile/llvm/emit.hpp"
#include "driftless/expr/apply.hpp"

namespace driftless {

namespace {

template <Op op>
double unary_function(double a) {
  return apply(op, a);
}

template <Op op>
double binary_function(double a, double b) {
  return apply(op, a, b);
}

// The numbers that `apply` gives for each of them: compilers merge the two calls into one where the C library allows
// it; the tests compare the backends bit by bit.
struct SineAndCosine {
  double sine, cosine;
};
SineAndCosine sine_and_cosine(double a) { return {apply(Op::Sin, a), apply(Op::Cos, a)}; }

template <Op... ops>
void add_unary(std::vector<RuntimeFunction>& table) {
  (table.push_back({runtime_name(ops), reinterpret_cast<void*>(&unary_function<ops>)}), ...);
}

template <Op... ops>
void add_binary(std::vector<RuntimeFunction>& table) {
  (table.push_back({runtime_name(ops), reinterpret_cast<void*>(&binary_function<ops>)}), ...);
}

}  // namespace

std::string runtime_name(Op op) { return "driftless.op" + std::to_string(static_cast<int>(op)); }

std::span<const RuntimeFunction> runtime_functions() {
  static const std::vector<RuntimeFunction> table = [] {
    std::vector<RuntimeFunction> all;
    add_unary<Op::Exp, Op::Log, Op::Log10, Op::Sin, Op::Cos, Op::Tan, Op::Asin, Op::Acos, Op::Atan, Op::Sinh, Op::Cosh,
              Op::Tanh, Op::Asinh, Op::Acosh, Op::Atanh>(all);
    add_binary<Op::Pow, Op::Atan2>(all);
    all.push_back({sine_and_cosine_name, reinterpret_cast<void*>(&sine_and_cosine)});
    all.push_back({"driftless.call", reinterpret_cast<void*>(&run_callee)});
    return all;
  }();
  return table;
}

}  // namespace driftless
