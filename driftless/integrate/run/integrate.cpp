#include "driftless/integrate/run/integrate.hpp"

#include <new>

#include "driftless/compile/processor_time.hpp"
#include "driftless/integrate/run/run.hpp"

namespace driftless {

void integrate(std::shared_ptr<System> system, const State& start, const IntegrateOptions& options,
               Solution& solution) {
  const double begin = processor_seconds(), compile = solution.statistics.seconds.compile;
  Run run(std::move(system), start, options, solution);
  const double compilation = seconds_of_compilation();
  try {
    for (bool goes_on = run.start(); goes_on;) goes_on = run.advance();
    run.finish();
  } catch (const std::bad_alloc&) {
    run.run_out_of_memory();
  }
  const double preparation = run.preparation() + seconds_of_compilation() - compilation;
  solution.statistics.seconds.compile = compile + preparation;
  solution.statistics.seconds.integrate = processor_seconds() - begin - preparation;
}

}  // namespace driftless
