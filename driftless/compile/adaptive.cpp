#include "driftless/compile/adaptive.hpp"

#include <atomic>
#include <mutex>

#include "driftless/clock/processor_time.hpp"
#include "driftless/compile/at_points.hpp"
#include "driftless/compile/interpreter/interpreter.hpp"
#include "driftless/compile/interpreter/unrolled.hpp"

namespace driftless {
namespace {

// Measured as in docs/compile.md, in units of one interpreted instruction of 3 ns: the start of a code generator, an
// instruction of straight code, one of a loop, and an interpreted instruction if 16 instances share it or the program
// is unrolled.
constexpr double start_of_generator = 400e3, straight_instruction = 700.0, loop_instruction = 30e3;
constexpr double interpreted_in_block = 0.35, interpreted_unrolled = 0.4, interpreted_call = 10.0;
constexpr double interpreted_together = 0.3;           // of an unrolled call: at each of several points together
constexpr std::int32_t shortest_loop = 4, block = 16;  // instances: of a loop in machine code, of an interpreted block

// Interpreter and machine code of all kernels of a tape.
class Both {
 public:
  Both(std::shared_ptr<const Tape> tape, GenerateCode generate)
      : tape_(std::move(tape)), generate_(std::move(generate)), interpreted_(interpret_quickly(tape_)) {
    left_ = cost_of_machine_code(*tape_);
  }

  const Kernel& interpreted(std::size_t kernel) const { return *interpreted_[kernel]; }

  const Kernel* code(std::size_t kernel) const {
    return has_code_.load(std::memory_order_acquire) ? code_[kernel].get() : nullptr;
  }

  // Called before an interpreted call.
  void count(double cost) {
    if (left_.fetch_sub(cost, std::memory_order_relaxed) - cost > 0.0) return;
    std::call_once(once_, [this] {
      const double begin = processor_seconds();
      code_ = generate_(tape_);
      has_code_.store(true, std::memory_order_release);
      add_seconds_of_compilation(processor_seconds() - begin);
    });
  }

 private:
  std::shared_ptr<const Tape> tape_;
  GenerateCode generate_;
  std::vector<std::unique_ptr<Kernel>> interpreted_, code_;
  std::atomic<double> left_;
  std::atomic<bool> has_code_ = false;
  std::once_flag once_;
};

class AdaptiveKernel final : public Kernel, public KernelAtPoints {
 public:
  AdaptiveKernel(std::shared_ptr<Both> both, std::size_t number, double cost)
      : both_(std::move(both)), number_(number), cost_(cost), interpreted_(both_->interpreted(number)) {
    const Kernel& interpreted = both_->interpreted(number);
    inputs_ = interpreted.inputs();
    outputs_ = interpreted.outputs();
    work_size_ = interpreted.work_size();  // machine code needs no more
  }

  void operator()(const double* inputs, double* outputs, double* work) const override {
    if (const Kernel* code = both_->code(number_)) return (*code)(inputs, outputs, work);
    both_->count(cost_);
    both_->interpreted(number_)(inputs, outputs, work);
  }

  void at_points(std::span<const double* const> inputs, std::span<double* const> outputs, double* work) const override {
    if (const Kernel* code = both_->code(number_)) return RunAtPoints(*code)(inputs, outputs, work);
    both_->count(interpreted_together * cost_ * static_cast<double>(inputs.size()));
    interpreted_(inputs, outputs, work);
  }
  std::size_t work_size_of_points() const override { return interpreted_.work_size(); }
  bool gains_by_points() const override { return both_->code(number_) == nullptr && interpreted_.gains(); }

 private:
  std::shared_ptr<Both> both_;
  std::size_t number_;
  double cost_;
  RunAtPoints interpreted_;
};

bool is_loop(const Group& group) { return group.count >= shortest_loop; }

}  // namespace

double cost_of_machine_code(const Tape& tape) {
  std::vector<bool> straight(tape.shapes.size(), false), loop(tape.shapes.size(), false);
  for (const Program& program : tape.programs)
    for (const Group& group : program.groups) (is_loop(group) ? loop : straight)[group.shape] = true;
  double cost = start_of_generator;
  for (std::size_t s = 0; s < tape.shapes.size(); ++s)
    cost += static_cast<double>(tape.shapes[s].code.size()) *
            ((straight[s] ? straight_instruction : 0.0) + (loop[s] ? loop_instruction : 0.0));
  return cost;
}

double cost_of_interpretation(const Tape& tape, std::size_t kernel) {
  const Program& program = tape.programs[kernel];
  const bool unrolls = Unrolled::applies_to(tape, program);
  double cost = interpreted_call;
  for (const Group& group : program.groups)
    cost += static_cast<double>(tape.shapes[group.shape].code.size()) * group.count *
            (unrolls                ? interpreted_unrolled
             : group.count >= block ? interpreted_in_block
                                    : 1.0);
  return cost;
}

std::vector<std::unique_ptr<Kernel>> interpret_first(const std::shared_ptr<const Tape>& tape, GenerateCode generate) {
  const auto both = std::make_shared<Both>(tape, std::move(generate));
  std::vector<std::unique_ptr<Kernel>> kernels;
  for (std::size_t k = 0; k < tape->programs.size(); ++k)
    kernels.push_back(std::make_unique<AdaptiveKernel>(both, k, cost_of_interpretation(*tape, k)));
  return kernels;
}

}  // namespace driftless
