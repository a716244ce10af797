// The cost of a loop of short runs in C++, for test_overhead.py: prints this thread's processor time in seconds for one
// run, the smallest of several loops.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "driftless/clock/processor_time.hpp"
#include "driftless/compiled.hpp"
#include "driftless/language/read.hpp"

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const int runs = std::atoi(argv[2]), loops = std::atoi(argv[3]);
  const driftless::Compiled compiled = driftless::compile(driftless::read_model_file(argv[1]), {.tolerance = 1e-6});
  double least = 1e300, sum = 0.0;
  for (int loop = 0; loop < loops; ++loop) {
    const double begin = driftless::processor_seconds();
    for (int k = 0; k < runs; ++k)
      sum += driftless::simulate(compiled, {.parameters = {{"L", 1.0 + 1e-4 * k}}, .stop = 1.0}).final("x");
    least = std::min(least, (driftless::processor_seconds() - begin) / runs);
  }
  std::printf("%.9f %.17g\n", least, sum);
}
