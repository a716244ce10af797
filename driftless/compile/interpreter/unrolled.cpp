#include "driftless/compile/interpreter/unrolled.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "driftless/expr/apply.hpp"

namespace driftless {
namespace {

// Instructions of all instances together. Longer programs exceed the cache, so that blocks of instances are as fast.
constexpr std::size_t most_instructions = 8192;

// Operations with a part of a sum, numbered after those of expressions.
enum Fused : std::uint16_t {
  ProductPlus = static_cast<std::uint16_t>(Op::Call) + 1,  // a b + c
  ProductMinus,                                            // a b - c
  PlusProduct,                                             // c + a b
  MinusProduct,                                            // c - a b
  SizePlus,                                                // |a| + c
  PlusSize,                                                // c + |a|
};

std::size_t instructions_of(const Tape& tape, const Program& program) {
  std::size_t count = 0;
  for (const Group& group : program.groups)
    count += tape.shapes[group.shape].code.size() * static_cast<std::size_t>(group.count);
  return count;
}

// Which operations of a shape are fused with the sum that uses them.
struct Fusion {
  std::vector<bool> waits;        // of an instruction: it is part of a sum
  std::vector<std::uint16_t> as;  // of a sum that is fused with one of its operands: the operation; otherwise 0

  explicit Fusion(const Shape& shape) : waits(shape.code.size(), false), as(shape.code.size(), 0) {
    const std::vector<Instruction>& code = shape.code;
    std::vector<int> uses(code.size(), 0);
    for (const Instruction& each : code) {
      const int operands = is_open_leaf(each.op) ? 0 : arity(each.op);
      if (operands > 0) ++uses[each.a];
      if (operands > 1) ++uses[each.b];
      if (operands > 2) ++uses[each.c];
    }
    for (const Result& result : shape.results) uses[result.from] += 2;  // it is needed separately
    for (std::size_t k = 0; k < code.size(); ++k) {
      const bool is_sum = code[k].op == Op::Add, is_difference = code[k].op == Op::Sub;
      if (!is_sum && !is_difference) continue;
      const auto is_free = [&](std::uint32_t i, Op op) { return uses[i] == 1 && code[i].op == op; };
      if (is_free(code[k].a, Op::Mul))
        waits[code[k].a] = true, as[k] = is_sum ? ProductPlus : ProductMinus;
      else if (is_free(code[k].b, Op::Mul))
        waits[code[k].b] = true, as[k] = is_sum ? PlusProduct : MinusProduct;
      else if (is_sum && is_free(code[k].a, Op::Abs))
        waits[code[k].a] = true, as[k] = SizePlus;
      else if (is_sum && is_free(code[k].b, Op::Abs))
        waits[code[k].b] = true, as[k] = PlusSize;
    }
  }
};

[[gnu::noinline]] double apply_rare(std::uint16_t code, double a, double b, double c) {
  return apply(static_cast<Op>(code), a, b, c);
}

}  // namespace

bool Unrolled::applies_to(const Tape& tape, const Program& program) {
  for (const Group& group : program.groups)
    if (!tape.shapes[group.shape].calls.empty()) return false;
  return instructions_of(tape, program) <= most_instructions;
}

std::size_t Unrolled::work_size(const Tape& tape, const Program& program) { return instructions_of(tape, program); }

// Places are numbered separately for constants, inputs and results as they occur, and joined at the end.
class Unrolled::Writer {
 public:
  Writer(const Tape& tape, const Program& program, Unrolled& to)
      : tape_(tape), program_(program), to_(to), inputs_(tape.inputs, none), kept_(program.work, none) {
    to_.outputs_.resize(program.outputs);
  }

  void write() {
    for (const Group& group : program_.groups) {
      const Shape& shape = tape_.shapes[group.shape];
      const Fusion fusion(shape);
      for (std::int32_t instance = 0; instance < group.count; ++instance) write({shape, group, instance}, fusion);
    }
    for (Operation& operation : to_.operations_)
      for (std::uint16_t* place : {&operation.to, &operation.a, &operation.b, &operation.c}) *place = moved(*place);
    for (std::uint16_t& place : to_.outputs_) place = moved(place);
  }

 private:
  // The two highest bits give the region of a number.
  enum Region : std::uint16_t { Result = 0, Constant = 1 << 14, Input = 2 << 14, Mask = 3 << 14 };
  static_assert(most_instructions <= Constant);
  static constexpr std::uint16_t none = std::numeric_limits<std::uint16_t>::max();

  struct Instance {
    const Shape& shape;
    const Group& group;
    std::int32_t number;
  };

  std::uint32_t position(const Instance& at, const IndexColumn& column) const {
    const std::int32_t* const part = program_.indices.data() + at.group.indices;
    const auto entry = static_cast<std::ptrdiff_t>(column.slot);
    return static_cast<std::uint32_t>(column.kind == IndexColumn::Kind::Uniform ? column.value
                                      : column.kind == IndexColumn::Kind::Affine
                                          ? part[entry] + column.value * at.number
                                          : part[at.shape.bases + entry * at.group.count + at.number]);
  }

  double value(const Instance& at, const ConstantColumn& column) const {
    if (column.uniform) return column.value;
    const double* const part = program_.constants.data() + at.group.constants;
    return part[static_cast<std::ptrdiff_t>(column.slot) * at.group.count + at.number];
  }

  void write(const Instance& at, const Fusion& fusion) {
    const std::vector<Instruction>& code = at.shape.code;
    places_.assign(code.size(), 0);
    for (std::size_t i = 0; i < code.size(); ++i) {
      if (is_open_leaf(code[i].op))
        places_[i] = place_of_leaf(at, code[i]);
      else if (!fusion.waits[i])
        places_[i] = fusion.as[i] != 0 ? write_sum(code, i, fusion.as[i]) : write(code[i]);
    }
    const IndexColumn* destination = at.shape.indices.data() + at.shape.index_leaves();
    for (const ::driftless::Result& result : at.shape.results) {
      const std::uint32_t to = position(at, *destination++);
      (result.to_output ? to_.outputs_ : kept_)[to] = places_[result.from];
    }
  }

  std::uint16_t place_of_leaf(const Instance& at, const Instruction& leaf) {
    if (leaf.op == Op::Constant) return place_of(value(at, at.shape.constants[leaf.a]));
    const std::uint32_t position_of_value = position(at, at.shape.indices[leaf.a]);
    if (leaf.op == Op::Local) return kept_[position_of_value];
    std::uint16_t& place = inputs_[position_of_value];
    if (place == none) {
      place = static_cast<std::uint16_t>(Input | to_.inputs_.size());
      to_.inputs_.push_back(position_of_value);
    }
    return place;
  }

  // Few values occur often, so it is enough to search the last ones.
  std::uint16_t place_of(double constant) {
    constexpr std::ptrdiff_t looked_at = 16;
    std::vector<double>& all = to_.constants_;
    const auto from = all.end() - std::min<std::ptrdiff_t>(looked_at, std::ssize(all));
    auto known = std::find_if(from, all.end(), [&](double each) {
      return std::bit_cast<std::uint64_t>(each) == std::bit_cast<std::uint64_t>(constant);
    });
    if (known == all.end()) known = all.insert(known, constant);
    return static_cast<std::uint16_t>(Constant | (known - all.begin()));
  }

  std::uint16_t write(const Instruction& instruction) {
    const int operands = arity(instruction.op);
    const std::uint16_t a = places_[instruction.a];
    return emit(static_cast<std::uint16_t>(instruction.op), a, operands > 1 ? places_[instruction.b] : a,
                operands > 2 ? places_[instruction.c] : a);
  }

  std::uint16_t write_sum(const std::vector<Instruction>& code, std::size_t i, std::uint16_t as) {
    const bool takes_first = as == ProductPlus || as == ProductMinus || as == SizePlus;
    const Instruction& part = code[takes_first ? code[i].a : code[i].b];
    const std::uint16_t other = places_[takes_first ? code[i].b : code[i].a];
    return emit(as, places_[part.a], part.op == Op::Mul ? places_[part.b] : places_[part.a], other);
  }

  std::uint16_t emit(std::uint16_t code, std::uint16_t a, std::uint16_t b, std::uint16_t c) {
    to_.operations_.push_back({code, static_cast<std::uint16_t>(Result | to_.operations_.size()), a, b, c});
    return to_.operations_.back().to;
  }

  std::uint16_t moved(std::uint16_t place) const {
    const auto number = static_cast<std::size_t>(place & ~Mask), constants = to_.constants_.size();
    const std::size_t first = (place & Mask) == Constant ? 0
                              : (place & Mask) == Input  ? constants
                                                         : constants + to_.inputs_.size();
    return static_cast<std::uint16_t>(first + number);
  }

  const Tape& tape_;
  const Program& program_;
  Unrolled& to_;
  std::vector<std::uint16_t> inputs_, kept_;  // places of the inputs that occur, and of the values that are kept
  std::vector<std::uint16_t> places_;         // of the present instance
};

Unrolled::Unrolled(const Tape& tape, const Program& program) { Writer(tape, program, *this).write(); }

void Unrolled::operator()(const double* inputs, double* outputs, double* work) const {
  double* const from_inputs = std::ranges::copy(constants_, work).out;
  for (std::size_t k = 0; k < inputs_.size(); ++k) from_inputs[k] = inputs[inputs_[k]];
  for (const Operation& each : operations_) {
    const double a = work[each.a], b = work[each.b];
    double& to = work[each.to];
    switch (each.code) {
      case static_cast<std::uint16_t>(Op::Add): to = a + b; break;
      case static_cast<std::uint16_t>(Op::Sub): to = a - b; break;
      case static_cast<std::uint16_t>(Op::Mul): to = a * b; break;
      case static_cast<std::uint16_t>(Op::Div): to = a / b; break;
      case static_cast<std::uint16_t>(Op::Neg): to = -a; break;
      case static_cast<std::uint16_t>(Op::Abs): to = std::fabs(a); break;
      case ProductPlus: to = a * b + work[each.c]; break;
      case ProductMinus: to = a * b - work[each.c]; break;
      case PlusProduct: to = work[each.c] + a * b; break;
      case MinusProduct: to = work[each.c] - a * b; break;
      case SizePlus: to = std::fabs(a) + work[each.c]; break;
      case PlusSize: to = work[each.c] + std::fabs(a); break;
      default: to = apply_rare(each.code, a, b, work[each.c]);
    }
  }
  for (std::size_t k = 0; k < outputs_.size(); ++k) outputs[k] = work[outputs_[k]];
}

template <int Points>
void Unrolled::at_points(const double* const* inputs, double* const* outputs, double* work) const {
  double* place = work;
  for (const double constant : constants_) place = std::fill_n(place, Points, constant);
  for (const std::uint32_t input : inputs_)
    for (int p = 0; p < Points; ++p) *place++ = inputs[p][input];
  for (const Operation& each : operations_) {
    const double* const a = work + std::size_t{each.a} * Points;
    const double* const b = work + std::size_t{each.b} * Points;
    const double* const c = work + std::size_t{each.c} * Points;
    double* __restrict const to = work + std::size_t{each.to} * Points;
    const auto at_each = [&](auto operation) {
      for (int p = 0; p < Points; ++p) to[p] = operation(a[p], b[p], c[p]);
    };
    switch (each.code) {
      case static_cast<std::uint16_t>(Op::Add): at_each([](double x, double y, double) { return x + y; }); break;
      case static_cast<std::uint16_t>(Op::Sub): at_each([](double x, double y, double) { return x - y; }); break;
      case static_cast<std::uint16_t>(Op::Mul): at_each([](double x, double y, double) { return x * y; }); break;
      case static_cast<std::uint16_t>(Op::Div): at_each([](double x, double y, double) { return x / y; }); break;
      case static_cast<std::uint16_t>(Op::Neg): at_each([](double x, double, double) { return -x; }); break;
      case static_cast<std::uint16_t>(Op::Abs): at_each([](double x, double, double) { return std::fabs(x); }); break;
      case ProductPlus: at_each([](double x, double y, double z) { return x * y + z; }); break;
      case ProductMinus: at_each([](double x, double y, double z) { return x * y - z; }); break;
      case PlusProduct: at_each([](double x, double y, double z) { return z + x * y; }); break;
      case MinusProduct: at_each([](double x, double y, double z) { return z - x * y; }); break;
      case SizePlus: at_each([](double x, double, double z) { return std::fabs(x) + z; }); break;
      case PlusSize: at_each([](double x, double, double z) { return z + std::fabs(x); }); break;
      default: at_each([code = each.code](double x, double y, double z) { return apply_rare(code, x, y, z); });
    }
  }
  for (std::size_t k = 0; k < outputs_.size(); ++k) {
    const double* const from = work + std::size_t{outputs_[k]} * Points;
    for (int p = 0; p < Points; ++p) outputs[p][k] = from[p];
  }
}

template void Unrolled::at_points<4>(const double* const*, double* const*, double*) const;
template void Unrolled::at_points<8>(const double* const*, double* const*, double*) const;

}  // namespace driftless
