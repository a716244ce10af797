#include "driftless/integrate/system/compiled_system.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "driftless/integrate/sample_problem.hpp"
#include "driftless/integrate/system/system.hpp"
#include "driftless/model/inputs.hpp"

namespace driftless {
namespace {

std::shared_ptr<const CompiledSystem> compiled_spring() {
  return std::make_shared<const CompiledSystem>(
      samples::reduced(samples::from_text("model Spring parameter Real k = 2, twice = 2*k; Real x(start = 1), f; "
                                          "equation der(der(x)) = f; f = -twice*x; end Spring;")),
      Backend::Interpreter);
}

// f is a quantity, whatever its place in the reduction.
double force(System& system, double x) {
  const Reduced& r = system.reduced();
  std::vector<double> y(r.slots.size(), 0.0), yp(y), quantities(r.quantities.size());
  for (std::size_t s = 0; s < y.size(); ++s)
    if (r.name(r.slots[s].quantity) == "x") y[s] = x;
  system.observe({0.0, y, yp}, quantities);
  for (std::size_t k = 0; k < quantities.size(); ++k)
    if (r.name(r.quantities[k]) == "f") return quantities[k];
  throw std::out_of_range("f");
}

TEST(CompiledSystem, RunsHaveParametersOfTheirOwn) {
  const auto compiled = compiled_spring();
  const auto other = with_inputs(compiled->reduced().model, {{"k", 5.0}}, {});
  System a(compiled), b(compiled, other), c(compiled, other, std::vector{1.0, 3.0});
  EXPECT_EQ(force(a, 1.0), -4.0);
  EXPECT_EQ(force(b, 1.0), -10.0);
  EXPECT_EQ(force(c, 1.0), -3.0) << "what a start has found counts";
  EXPECT_EQ(force(a, 1.0), -4.0);
  EXPECT_EQ(b.model().parameters[1].value, 10.0);
}

TEST(CompiledSystem, MakesAKernelOnceForAllThreads) {
  const auto compiled = compiled_spring();
  std::vector<const Kernel*> seen(8);
  std::vector<std::thread> threads;
  for (const Kernel*& kernel : seen)
    threads.emplace_back([&kernel, &compiled] { kernel = &compiled->kernel(CompiledSystem::Rows); });
  for (std::thread& thread : threads) thread.join();
  for (const Kernel* kernel : seen) EXPECT_EQ(kernel, seen.front());
}

TEST(CompiledSystem, KeepsThePartsThatRunsMake) {
  struct Part {
    int number;
  };
  const auto compiled = compiled_spring();
  int made = 0;
  const auto part = [&](std::vector<int> key) {
    return compiled->part<Part>(key, [&] { return std::make_shared<const Part>(++made); });
  };
  EXPECT_EQ(part({})->number, 1);
  EXPECT_EQ(part({})->number, 1);
  EXPECT_EQ(part({3})->number, 2) << "another key, another part";
  struct Other {};
  EXPECT_NE(compiled->part<Other>({}, [] { return std::make_shared<const Other>(); }), nullptr);
  EXPECT_EQ(part({})->number, 1);
}

// Where a model is frozen its compiled system has expressions of its own.
TEST(CompiledSystem, LeavesAFrozenModelAsItIs) {
  const auto reduced = samples::reduced(samples::pendulum());
  reduced->model->pool->freeze();
  const std::size_t before = reduced->model->pool->size();
  const CompiledSystem compiled(reduced, Backend::Interpreter);
  EXPECT_EQ(reduced->model->pool->size(), before);
  EXPECT_GT(compiled.pool()->size(), before) << "the Jacobian has new expressions";
}

}  // namespace
}  // namespace driftless
