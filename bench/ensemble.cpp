// Many runs of one compiled model with other parameters: what a run costs besides its integration, and how much faster
// two threads are than one. Prints a JSON object for each method.
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

#include "driftless/driftless.hpp"

namespace {

using namespace driftless;

constexpr int runs = 1000;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

RunInputs inputs_of(int k) {
  const double part = static_cast<double>(k) / runs;
  return {.parameters = {{"L", 1.0 + part}, {"m", 1.0 - 0.5 * part}}, .stop = 10.0, .dense = false};
}

struct Measured {
  double seconds = 0.0, integration = 0.0;
};

Measured run_all(const Compiled& compiled, int threads) {
  std::vector<double> integration(threads, 0.0);
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::thread> workers;
  for (int w = 0; w < threads; ++w)
    workers.emplace_back([&, w] {
      double sum = 0.0;
      for (int k = w; k < runs; k += threads) sum += simulate(compiled, inputs_of(k)).statistics.seconds.integrate;
      integration[w] = sum;
    });
  for (std::thread& worker : workers) worker.join();
  Measured measured{.seconds = seconds_since(begin)};
  for (const double sum : integration) measured.integration += sum;
  return measured;
}

}  // namespace

int main(int, char** arguments) {
  const std::string model = arguments[1];
  for (const char* name : {"auto", "bdf", "explicit", "radau", "taylor"}) {
    const Compiled compiled = compile(read_model_file(model), {.tolerance = 1e-6, .method = *parse_method(name)});
    run_all(compiled, 1);  // kernels become machine code
    const Measured one = run_all(compiled, 1), two = run_all(compiled, 2);
    std::printf(
        "{\"method\": \"%s\", \"runs\": %d, \"seconds\": %.4f, \"by_integration\": %.3f, \"two_threads\": %.3f}\n",
        name, runs, one.seconds, one.seconds / one.integration, one.seconds / two.seconds);
  }
}
