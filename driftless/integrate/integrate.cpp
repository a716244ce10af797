#include "driftless/integrate/integrate.hpp"

#include <new>

#include "driftless/compile/processor_time.hpp"
#include "driftless/integrate/run.hpp"

namespace driftless {

void integrate(std::shared_ptr<System> system, const State& start, const IntegrateOptions& options,
               Solution& solution) {
  const double begin = processor_seconds();
  const double compile = solution.statistics.seconds.compile;
  Run run(std::move(system), start, options, solution);
  try {
    run.go();
  } catch (const std::bad_alloc&) {
    run.run_out_of_memory();
  }
  solution.statistics.seconds.compile = compile + run.preparation();
  solution.statistics.seconds.integrate = processor_seconds() - begin - run.preparation();
}

}  // namespace driftless
