// Many runs of one compiled model with other parameters: the overhead of a run besides its integration, and the speedup
// by two threads. Prints a JSON object for each method.
//
// All times are processor times, the smallest of several repetitions, so other programs on the machine hardly matter.
// The speedup by two threads is 2 divided by the factor by which a run takes longer when another thread runs at the
// same time; this assumes that each thread has a processor and none waits for the other, so waits are counted.
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <thread>
#include <vector>

#include "driftless/clock/processor_time.hpp"
#include "driftless/driftless.hpp"

namespace {

using namespace driftless;

constexpr int runs = 1000;

constexpr int repetitions = 3;

RunInputs inputs_of(int k) {
  const double part = static_cast<double>(k) / runs;
  return {.parameters = {{"L", 1.0 + part}, {"m", 1.0 - 0.5 * part}}, .stop = 10.0, .dense = false};
}

struct Measured {
  double seconds = 0.0, integration = 0.0;  // of the processor
  long waits = 0;
};

Measured run_part(const Compiled& compiled, int first, int every) {
  Measured part;
  rusage before{}, after{};
  getrusage(RUSAGE_THREAD, &before);
  const double begin = processor_seconds();
  for (int k = first; k < runs; k += every)
    part.integration += simulate(compiled, inputs_of(k)).statistics.seconds.integrate;
  part.seconds = processor_seconds() - begin;
  getrusage(RUSAGE_THREAD, &after);
  part.waits = after.ru_nvcsw - before.ru_nvcsw;
  return part;
}

Measured run_all(const Compiled& compiled, int threads) {
  std::vector<Measured> parts(threads);
  std::vector<std::thread> workers;
  for (int w = 0; w < threads; ++w) workers.emplace_back([&, w] { parts[w] = run_part(compiled, w, threads); });
  for (std::thread& worker : workers) worker.join();
  Measured all;
  for (const Measured& part : parts)
    all.seconds += part.seconds, all.integration += part.integration, all.waits += part.waits;
  return all;
}

}  // namespace

int main(int, char** arguments) {
  const std::string model = arguments[1];
  for (const char* name : {"auto", "bdf", "explicit", "radau", "taylor"}) {
    const Compiled compiled = compile(read_model_file(model), {.tolerance = 1e-6, .method = *parse_method(name)});
    run_all(compiled, 1);  // lets kernels become machine code
    Measured one = run_all(compiled, 1), two = run_all(compiled, 2);
    for (int k = 1; k < repetitions; ++k) {
      const auto is_shorter = [](const Measured& a, const Measured& b) { return a.seconds < b.seconds; };
      one = std::min(one, run_all(compiled, 1), is_shorter);
      two = std::min(two, run_all(compiled, 2), is_shorter);
    }
    std::printf(
        "{\"method\": \"%s\", \"runs\": %d, \"seconds\": %.4f, \"by_integration\": %.3f, \"two_threads\": %.3f, "
        "\"waits\": %ld}\n",
        name, runs, one.seconds, one.seconds / one.integration, 2.0 * one.seconds / two.seconds, two.waits);
  }
}
