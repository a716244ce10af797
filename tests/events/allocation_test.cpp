// What events take of memory: every call of malloc in this program is counted.
#include <gtest/gtest.h>

#include <cstdlib>
#include <malloc.h>
#include <string>

#include "driftless/compiled.hpp"
#include "driftless/language/read.hpp"
#include "driftless/simulate.hpp"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {
thread_local long allocations = 0;
}

extern "C" {
void* __libc_malloc(std::size_t size);
void* malloc(std::size_t size) { return ++allocations, __libc_malloc(size); }
}

namespace driftless {
namespace {

struct Window {  // between two events of a run
  double allocations_per_event = 0.0;
  double bytes = 0.0;  // that are in use at its end and were not at its beginning
};

// Behind `from` events, for as many: the trajectory is not kept, and the list of events has come to its limit.
Window measured(const Compiled& compiled, long from) {
  struct Mark {
    long allocations;
    double bytes;
  } begin{}, end{};
  long events = 0;
  RunInputs inputs;
  inputs.rows.keep_all = false;
  inputs.rows.row = [](double, std::span<const double>) { return true; };
  inputs.rows.event = [&](const Event&) {
    if (++events == from) begin = {allocations, static_cast<double>(mallinfo2().uordblks)};
    if (events == 2 * from) end = {allocations, static_cast<double>(mallinfo2().uordblks)};
  };
  EXPECT_EQ(simulate(compiled, inputs).outcome, Outcome::Success);
  EXPECT_GE(events, 2 * from);
  return {static_cast<double>(end.allocations - begin.allocations) / static_cast<double>(from),
          end.bytes - begin.bytes};
}

Model shipped(const std::string& name) {
  return read_model_file(std::string(DRIFTLESS_SOURCE_DIR) + "/models/hybrid/" + name + ".mo");
}

SimulateOptions explicit_until(double stop) {
  SimulateOptions options;
  options.method = *parse_method("explicit");
  options.backend = Backend::Interpreter;  // nothing is compiled on the way
  options.dense = false;
  options.stop = stop;
  options.intervals = 1;
  return options;
}

TEST(AllocationsOfEvents, DoNotGrowWithTheirNumber) {
  const Window window = measured(compile(shipped("buck_converter"), explicit_until(0.11)), 11'000);
  EXPECT_LT(window.bytes, 50e3) << "in 11,000 events";
}

// N balls with 3 N relations; vectors of the size of the model are copied.
TEST(AllocationsOfEvents, AreFewAlsoInALargeModel) {
  // Behind ten events of each ball: what a relation needs for its first event is kept for all further ones.
  const auto of_balls = [](int n, double stop) {
    ReadOptions options;
    options.overrides.emplace_back("N", std::to_string(n));
    const Model model = read_model_file(std::string(DRIFTLESS_SOURCE_DIR) + "/models/hybrid/balls_in_box.mo", options);
    return measured(compile(model, explicit_until(stop)), 10 * n).allocations_per_event;
  };
  EXPECT_LE(of_balls(100, 16.0), 1.5 * of_balls(10, 12.0));
}

}  // namespace
}  // namespace driftless

#endif
