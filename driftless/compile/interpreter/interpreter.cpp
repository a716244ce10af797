#include "driftless/compile/interpreter/interpreter.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <utility>

#include "driftless/compile/at_points.hpp"
#include "driftless/compile/interpreter/unrolled.hpp"
#include "driftless/expr/apply.hpp"

namespace driftless {

namespace {

constexpr std::int32_t block = 16;  // instances that go through an instruction together

// Walks over the tape before the program is unrolled, which costs as much as some of them.
constexpr int first_walks = 4;

using Step = void (*)(double* result, const double* a, const double* b, const double* c);

template <Op op, std::int32_t Lanes>
void step(double* __restrict result, const double* a, const double* b, const double* c) {
  for (std::int32_t lane = 0; lane < Lanes; ++lane) result[lane] = apply(op, a[lane], b[lane], c[lane]);
}

constexpr std::size_t operations = static_cast<std::size_t>(Op::Call) + 1;

template <std::int32_t Lanes>
constexpr std::array<Step, operations> steps = []<std::size_t... I>(std::index_sequence<I...>) {
  return std::array<Step, operations>{&step<static_cast<Op>(I), Lanes>...};
}
(std::make_index_sequence<operations>{});

// The tables of one group, starting at one of its instances.
struct Rows {
  const Shape& shape;
  const std::int32_t* indices;
  const double* constants;
  std::int32_t count;
  std::int32_t first;

  // position(lane) of a column, for `lanes` instances.
  template <std::int32_t Lanes, class Use>
  void positions(const IndexColumn& column, Use use) const {
    switch (column.kind) {
      case IndexColumn::Kind::Uniform:
        for (std::int32_t lane = 0; lane < Lanes; ++lane) use(lane, column.value);
        break;
      case IndexColumn::Kind::Affine: {
        const std::int32_t base = indices[column.slot] + column.value * first;
        for (std::int32_t lane = 0; lane < Lanes; ++lane) use(lane, base + column.value * lane);
        break;
      }
      case IndexColumn::Kind::Table: {
        const std::int32_t* entries = indices + shape.bases + static_cast<std::ptrdiff_t>(column.slot) * count + first;
        for (std::int32_t lane = 0; lane < Lanes; ++lane) use(lane, entries[lane]);
        break;
      }
    }
  }

  double constant(const ConstantColumn& column, std::int32_t lane) const {
    if (column.uniform) return column.value;
    return constants[static_cast<std::ptrdiff_t>(column.slot) * count + first + lane];
  }
};

class InterpretedKernel final : public Kernel, public KernelAtPoints {
 public:
  InterpretedKernel(std::shared_ptr<const Tape> tape, std::size_t number, bool may_unroll)
      : tape_(std::move(tape)), program_(tape_->programs[number]) {
    inputs_ = tape_->inputs;
    outputs_ = program_.outputs;
    std::size_t registers = 0;
    for (const Group& group : program_.groups)
      registers = std::max(registers, tape_->shapes[group.shape].code.size() * (group.count >= block ? block : 1));
    work_size_ = program_.work + registers;
    unrolls_ = may_unroll && Unrolled::applies_to(*tape_, program_);
    work_size_of_points_ = work_size_;
    if (!unrolls_) return;
    const std::size_t places = Unrolled::work_size(*tape_, program_);
    work_size_ = std::max(work_size_, places);
    work_size_of_points_ = std::max(work_size_, most_points * places);
  }

  void operator()(const double* inputs, double* outputs, double* work) const override {
    if (const Unrolled* unrolled = unrolled_.load(std::memory_order_acquire)) return (*unrolled)(inputs, outputs, work);
    if (unrolls_ && walks_.fetch_add(1, std::memory_order_relaxed) >= first_walks)
      return unroll()(inputs, outputs, work);
    walk(inputs, outputs, work);
  }

  std::size_t work_size_of_points() const override { return work_size_of_points_; }
  bool gains_by_points() const override { return unrolls_; }

  // Few points are faster one by one. Unused places get the first point; their results are ignored.
  void at_points(std::span<const double* const> inputs, std::span<double* const> outputs, double* work) const override {
    constexpr std::size_t fewest = 3, half = most_points / 2;
    if (!unrolls_ || inputs.size() < fewest) {
      for (std::size_t k = 0; k < inputs.size(); ++k) (*this)(inputs[k], outputs[k], work);
      return;
    }
    std::array<const double*, most_points> from;
    std::array<double*, most_points> to;
    from.fill(inputs[0]), to.fill(outputs[0]);
    std::ranges::copy(inputs, from.begin());
    std::ranges::copy(outputs, to.begin());
    if (inputs.size() <= half)
      unroll().at_points<half>(from.data(), to.data(), work);
    else
      unroll().at_points<most_points>(from.data(), to.data(), work);
  }

 private:
  const Unrolled& unroll() const {
    std::call_once(unrolling_, [this] {
      kept_ = std::make_unique<const Unrolled>(*tape_, program_);
      unrolled_.store(kept_.get(), std::memory_order_release);
    });
    return *kept_;
  }

  void walk(const double* inputs, double* outputs, double* work) const {
    for (const Group& group : program_.groups) {
      Rows rows{.shape = tape_->shapes[group.shape],
                .indices = program_.indices.data() + group.indices,
                .constants = program_.constants.data() + group.constants,
                .count = group.count,
                .first = 0};
      if (group.count < block) {
        for (; rows.first < group.count; ++rows.first) run<1>(rows, inputs, outputs, work);
        continue;
      }
      // The last block overlaps the previous one, as instances may run twice.
      for (std::int32_t i = 0; i < group.count; i += block) {
        rows.first = std::min(i, group.count - block);
        run<block>(rows, inputs, outputs, work);
      }
    }
  }

  template <std::int32_t Lanes>
  void run(const Rows& rows, const double* inputs, double* outputs, double* work) const {
    const Shape& shape = rows.shape;
    double* const registers = work + program_.work;
    double* result = registers;
    for (const Instruction& instruction : shape.code) {
      switch (instruction.op) {
        case Op::Variable:
          rows.positions<Lanes>(shape.indices[instruction.a],
                                [&](std::int32_t lane, std::int32_t at) { result[lane] = inputs[at]; });
          break;
        case Op::Local:
          rows.positions<Lanes>(shape.indices[instruction.a],
                                [&](std::int32_t lane, std::int32_t at) { result[lane] = work[at]; });
          break;
        case Op::Constant:
          for (std::int32_t lane = 0; lane < Lanes; ++lane)
            result[lane] = rows.constant(shape.constants[instruction.a], lane);
          break;
        case Op::Call: {
          const ShapeCall& call = shape.calls[instruction.a];
          for (std::int32_t lane = 0; lane < Lanes; ++lane) {
            double* local = work;
            for (const std::uint32_t argument : call.arguments) *local++ = registers[argument * Lanes + lane];
            result[lane] = run_callee(tape_.get(), call.callee, inputs, work);
          }
          break;
        }
        default:
          steps<Lanes>[static_cast<std::size_t>(instruction.op)](result, registers + instruction.a * Lanes,
                                                                 registers + instruction.b * Lanes,
                                                                 registers + instruction.c * Lanes);
      }
      result += Lanes;
    }
    const IndexColumn* destination = shape.indices.data() + shape.index_leaves();
    for (const Result& stored : shape.results) {
      double* const to = stored.to_output ? outputs : work;
      const double* const from = registers + stored.from * Lanes;
      rows.positions<Lanes>(*destination++, [&](std::int32_t lane, std::int32_t at) { to[at] = from[lane]; });
    }
  }

  std::shared_ptr<const Tape> tape_;
  const Program& program_;
  bool unrolls_ = false;
  std::size_t work_size_of_points_ = 0;
  mutable std::atomic<int> walks_ = 0;
  mutable std::once_flag unrolling_;
  mutable std::unique_ptr<const Unrolled> kept_;
  mutable std::atomic<const Unrolled*> unrolled_ = nullptr;
};

std::vector<std::unique_ptr<Kernel>> make_kernels(const std::shared_ptr<const Tape>& tape, bool may_unroll) {
  std::vector<std::unique_ptr<Kernel>> kernels;
  for (std::size_t k = 0; k < tape->programs.size(); ++k)
    kernels.push_back(std::make_unique<InterpretedKernel>(tape, k, may_unroll));
  return kernels;
}

}  // namespace

std::vector<std::unique_ptr<Kernel>> interpret(const std::shared_ptr<const Tape>& tape) {
  return make_kernels(tape, false);
}

std::vector<std::unique_ptr<Kernel>> interpret_quickly(const std::shared_ptr<const Tape>& tape) {
  return make_kernels(tape, true);
}

}  // namespace driftless
